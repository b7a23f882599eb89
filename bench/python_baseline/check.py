"""Holds the baseline to published vectors. Usage: check.py VECTORS.jsonl... RETURNS: 1 when one differs.

The few vectors with texts so long that edit distances in Python would take minutes are left out and counted.
"""

import json
import sys

from evaluators import SCORERS, as_text

MAX_TABLE = 1_000_000  # steps of a pair's edit distance


def same(want, got):
    if isinstance(want, dict):
        return all(key in got and same(value, got[key]) for key, value in want.items())
    if isinstance(want, list):
        return len(want) == len(got) and all(map(same, want, got))
    if isinstance(want, float) and isinstance(got, (int, float)):
        return abs(want - got) <= 1e-9
    return want == got


differing = 0
for path in sys.argv[1:]:
    count = left_out = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            steps = len(as_text(case["expected"])) * len(as_text(case["actual"]))
            if case["scorer"] == "levenshtein" and steps > MAX_TABLE:
                left_out += 1
                continue
            count += 1
            try:
                got = SCORERS[case["scorer"]](case["expected"], case["actual"], case["config"])
            except Exception as error:  # a crash of the baseline is a difference, too
                got = {"score": repr(error)}
            if not same(case["want"], got):
                differing += 1
                print(f"{case['case']}: {case['note']}\n  want {case['want']}\n  got  {got}")
    print(f"{path}: {count} vectors, {left_out} left out")
print(f"{differing} differ")
sys.exit(differing != 0)
