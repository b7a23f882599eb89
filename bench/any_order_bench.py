#!/usr/bin/env python3
"""Times json_similarity's arrays in any order against the fastest way that Python has: rapidfuzz and lap of PyPI.

Usage: bench/any_order_bench.py LEAFSCORE... [--records N] [--rounds N] [--items N]

A record is an array of short texts, half of them with one other letter and the rest replaced, and shuffled; the peer
fills its matrix by rapidfuzz's cdist and pairs it by lapjv. A second file has arrays of objects with four members,
which no peer scores. The scores of both must be equal; then all programs run in turn, and processor time is reported,
ours with the start of the command and the files.
"""

import argparse
import json
import pathlib
import random
import resource
import statistics
import string
import subprocess
import sys
import tempfile
import time


def make_text(chance):
    return "".join(chance.choice(string.ascii_lowercase + " ") for _ in range(chance.randint(6, 14)))


def changed(chance, text):
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("XYZ") + text[at + 1 :]


def make_texts(chance, items):
    expected = [make_text(chance) for _ in range(items)]
    actual = [changed(chance, text) if chance.random() < 0.5 else make_text(chance) for text in expected]
    chance.shuffle(actual)
    return expected, actual


def make_objects(chance, items):
    expected = [
        {
            "name": make_text(chance),
            "quantity": chance.randint(1, 50),
            "price": chance.randint(1, 999) / 10,
            "unit": chance.choice(["kg", "g", "m"]),
        }
        for _ in range(items)
    ]
    actual = [dict(item) for item in expected]
    for item in actual:
        if chance.random() < 0.3:
            item["name"] = changed(chance, item["name"])
        if chance.random() < 0.2:
            item["quantity"] += 1
    chance.shuffle(actual)
    return expected, actual


def run_ours(program, path, output):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    scorer = "json_similarity:array_match=any_order"
    subprocess.run([program, "score", path, "-s", scorer, "--threads", "1", "-q", "-o", output], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    output.with_name(output.name + ".manifest.json").unlink()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_peer(records):
    import lap
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    begin = time.process_time()
    scores = []
    for expected, actual in records:
        distances = cdist(expected, actual, scorer=Levenshtein.normalized_distance, dtype=float)
        scores.append(1 - lap.lapjv(distances)[0] / len(expected))
    return time.process_time() - begin, scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leafscore", nargs="+")
    parser.add_argument("--records", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--items", type=int, default=200)
    arguments = parser.parse_args()
    chance = random.Random(20261128)
    texts = [make_texts(chance, arguments.items) for _ in range(arguments.records)]
    objects = [make_objects(chance, arguments.items // 2) for _ in range(arguments.records)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, records in ("texts", texts), ("objects", objects):
            with (folder / kind).open("w") as file:
                for number, (expected, actual) in enumerate(records):
                    print(json.dumps({"id": number, "expected": expected, "actual": actual}), file=file)
        runs = {
            (program, kind): lambda program=program, kind=kind: run_ours(program, folder / kind, folder / "out.jsonl")
            for program in arguments.leafscore
            for kind in ("texts", "objects")
        }
        try:
            _, scores = run_peer(texts)
            runs["rapidfuzz and lap", "texts"] = lambda: run_peer(texts)[0]
        except ImportError as missing:
            print(f"left out: {missing}", file=sys.stderr)
            scores = []
        for program in arguments.leafscore:
            run_ours(program, folder / "texts", folder / "out.jsonl")
            lines = (folder / "out.jsonl").read_text().splitlines()
            for line, score in zip(lines, scores):
                if abs(json.loads(line)["score"] - score) > 1e-9:
                    sys.exit(f"{program} and the peer differ: {line} and {score}")
        seconds = {run: [] for run in runs}
        for _ in range(arguments.rounds):
            for run, measure in runs.items():
                seconds[run].append(measure())
    for (program, kind), measured in seconds.items():
        median = statistics.median(measured) / arguments.records * 1000
        print(f"{program}, {kind}: {median:.3f} ms of processor time a record")


if __name__ == "__main__":
    main()
