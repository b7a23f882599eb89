#!/usr/bin/env python3
"""Writes a corpus whose cost lies in its keys, or in having few values, as pairs in JSON Lines.

    key_corpora.py NAME MEGABYTES > pairs.jsonl

The names are those of CORPORA below. One value in ten of an answer differs. The same arguments give the same bytes.
"""
import json
import random
import sys

WORDS = """the of and to in is that for it as was with be by on not he his but at are this have from invoice total
payment vendor customer order shipped pending amount street north south market bank harbor signal""".split()
KEYS = """id name title status amount total currency date vendor customer address city country zip email phone
description items sku quantity price discount tax notes tags category url score rank created_at updated_at enabled
verified priority type code reference department manager salary""".split()
MEMBERS = 12

random_ = random.Random(7)


def text(words):
    return " ".join(random_.choice(WORDS) for _ in range(words))


def leaf():
    kind = random_.random()
    if kind < 0.5:
        return text(random_.randint(1, 4))
    if kind < 0.7:
        return random_.randint(0, 99999)
    if kind < 0.85:
        return round(random_.uniform(0, 1e4), 2)
    return random_.random() < 0.5


def damaged(value):
    if isinstance(value, bool):
        return not value
    if not isinstance(value, str):
        return value + 1
    at = random_.randrange(len(value))
    return value[:at] + random_.choice("abcdefghij ") + value[at + 1:]


def answer_of(expected):
    return {key: damaged(value) if random_.random() < 0.1 else value for key, value in expected.items()}


def shuffled(value):
    keys = list(value)
    random_.shuffle(keys)
    return {key: value[key] for key in keys}


def pair_of(keys, in_answer=dict):
    expected = {key: leaf() for key in keys}
    return expected, in_answer(answer_of(expected))


CORPORA = {
    # One row of keys on both sides of all records.
    "one_row": lambda: pair_of(KEYS[:MEMBERS]),
    # One row of keys for the expected values; each answer has it in an order of its own.
    "answers_reordered": lambda: pair_of(KEYS[:MEMBERS], shuffled),
    # Each record has a row of keys of its own, on both sides alike.
    "rows_of_records": lambda: pair_of(random_.sample(KEYS, MEMBERS)),
    # Each object has a row of keys of its own.
    "rows_of_objects": lambda: pair_of(random_.sample(KEYS, MEMBERS), shuffled),
    # Records of 100 bytes.
    "small": lambda: pair_of(("a", "b")),
    # Objects of 150,000 keys that come only there.
    "new_keys": lambda: pair_of([f"key_{random_.getrandbits(32):08x}" for _ in range(150000)]),
}


def main():
    make = CORPORA[sys.argv[1]]
    left = float(sys.argv[2]) * 1e6
    number = 0
    while left > 0:
        expected, actual = make()
        line = json.dumps({"id": f"r{number:07d}", "expected": expected, "actual": actual})
        print(line)
        left -= len(line) + 1
        number += 1


if __name__ == "__main__":
    main()
