#!/usr/bin/env python3
"""A code_judge that compares several fields of two JSON objects as texts that need not be quite equal.

Its configuration, beside `script`:
    fields: [{path: invoice.vendor_name, threshold: 0.85}, {path: "lines[0].text"}]
    algorithm: levenshtein      # or difflib

A field hits when the similarity of its two texts, letter case and outer spaces aside, reaches its threshold
(default 0.85). The score is the share of fields that hit.

It reads a line for each record until the input ends, so it works with `process: persistent` and without.
"""

import difflib
import json
import re
import sys

MISSING = object()


def find(value, path):
    for key, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        try:
            value = value[key] if key else value[int(index)]
        except (KeyError, IndexError, TypeError):
            return MISSING
    return value


def as_text(value):
    return (value if isinstance(value, str) else json.dumps(value)).strip().lower()


def levenshtein(a, b):
    """1 - distance / longer length, by two rows of the table."""
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return 1 - previous[-1] / max(len(a), len(b), 1)


def sequence_ratio(a, b):
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


ALGORITHMS = {"levenshtein": levenshtein, "difflib": sequence_ratio}


def as_object(answer):
    """An answer may be the text of a JSON object."""
    if not isinstance(answer, str):
        return answer
    try:
        return json.loads(answer)
    except ValueError:
        return MISSING


def judge(document):
    config = document["config"]
    similarity = ALGORITHMS[config.get("algorithm", "levenshtein")]
    candidate = as_object(document["candidate_answer"])
    reference = as_object(document["reference_answer"])
    hits, misses = [], []
    for field in config["fields"]:
        path, threshold = field["path"], field.get("threshold", 0.85)
        want, got = find(reference, path), find(candidate, path)
        if want is MISSING or got is MISSING:
            misses.append(f"{path}: missing in the {'reference' if want is MISSING else 'answer'}")
            continue
        value = similarity(as_text(want), as_text(got))
        result = f"{path}: {value:.3f}, wanted {threshold}"
        (hits if value >= threshold else misses).append(result)
    return {
        "score": len(hits) / len(config["fields"]),
        "hits": hits,
        "misses": misses,
        "reasoning": f"{len(hits)} of {len(config['fields'])} fields are similar enough",
    }


for line in sys.stdin:
    request = json.loads(line)
    reply = judge(request)
    if "sequence" in request:  # so that no reply is taken for that to another record
        reply["sequence"] = request["sequence"]
    print(json.dumps(reply), flush=True)
