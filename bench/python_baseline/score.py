"""Scores a JSON Lines file with one scorer of the baseline and prints {"id", "score"} lines.

Usage: score.py SCORER CONFIG_JSON FILE
"""

import json
import sys

from evaluators import SCORERS

scorer, config = SCORERS[sys.argv[1]], json.loads(sys.argv[2])
with open(sys.argv[3], encoding="utf-8") as lines:
    for line in lines:
        record = json.loads(line)
        result = scorer(record["expected"], record["actual"], config)
        print(json.dumps({"id": record["id"], **result}))
