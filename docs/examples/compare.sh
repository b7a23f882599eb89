#!/usr/bin/env bash
# Makes the examples of docs/compare.md. A test makes them again, and compares them with those beside this file and
# in the page.
# Usage: compare.sh LEAFSCORE FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/transcript.sh" "$1" "$2"

# Two runs over generated invoices, of which the second has more wrong.
for run in base:0.15 new:0.18; do
  name=${run%:*}
  "$leafscore" generate --pairs 300 --seed 1 --error-rate "${run#*:}" -o "$name.pairs.jsonl"
  "$leafscore" score "$name.pairs.jsonl" -q --scorer json_similarity --scorer levenshtein --details leaves \
    --group-by model -o "$name.jsonl"
done
tell report.txt 1 compare base.jsonl new.jsonl --by model --worst 3 --max-drop 0.05 --max-flips levenshtein=5 \
  -o compare.md -o compare.xml
tell compare.txt 1 compare base.jsonl new.jsonl --scorer levenshtein --by model --worst 0 --fail-on regressed

# 40 tests that are asked five times. Three are flaky, and one breaks.
ask() {
  awk -v broken="$1" 'BEGIN {
    for (test = 1; test <= 40; ++test) {
      passes = test > 37 ? 3 : test == 7 ? broken : 5
      for (i = 1; i <= 5; ++i) printf "{\"id\": \"t-%02d\", \"actual\": %s}\n", test, i <= passes ? "1" : "0"
    }
  }'
}
awk 'BEGIN { for (test = 1; test <= 40; ++test) printf "{\"id\": \"t-%02d\", \"expected\": 1}\n", test }' >gold.jsonl
for run in monday:5 tuesday:0; do
  name=${run%:*}
  ask "${run#*:}" >"$name.answers.jsonl"
  "$leafscore" score "$name.answers.jsonl" --gold gold.jsonl --repeats all -q -s exact_match -o "$name.jsonl"
done
tell compare_repeats.txt 1 compare monday.jsonl tuesday.jsonl --repeats all --fail-on-test --worst 3
