#!/usr/bin/env python3
"""json_similarity in plain Python as a code_judge, as people write them: bench/RESULTS.md has its speed."""

import json
import sys

from evaluators import json_similarity

for line in sys.stdin:
    asked = json.loads(line)
    reply = json_similarity(asked["reference_answer"], asked["candidate_answer"], {})
    print(json.dumps({"score": reply["score"], "sequence": asked["sequence"]}), flush=True)
