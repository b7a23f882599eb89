"""Holds the baseline to published vectors. Usage: check.py VECTORS.jsonl... RETURNS: 1 when one differs."""

import json
import sys

from evaluators import SCORERS


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
    count = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            count += 1
            try:
                got = SCORERS[case["scorer"]](case["expected"], case["actual"], case["config"])
            except Exception as error:  # a crash of the baseline is a difference, too
                got = {"score": repr(error)}
            if not same(case["want"], got):
                differing += 1
                print(f"{case['case']}: {case['note']}\n  want {case['want']}\n  got  {got}")
    print(f"{path}: {count} vectors")
print(f"{differing} differ")
sys.exit(differing != 0)
