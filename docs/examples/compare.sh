#!/usr/bin/env bash
# Makes the examples of docs/compare.md: compares two runs over generated invoices, of which the second has more wrong.
# A test makes them again and compares them with those beside this file.
# Usage: compare.sh LEAFSCORE FOLDER
set -euo pipefail
leafscore=$(realpath "$1")
cd "$2"
for run in base:0.15 new:0.18; do
  name=${run%:*}
  "$leafscore" generate --pairs 300 --seed 1 --error-rate "${run#*:}" -o "$name.pairs.jsonl"
  "$leafscore" score "$name.pairs.jsonl" -q --scorer json_similarity --scorer levenshtein --details leaves \
    --group-by model -o "$name.jsonl"
done
status=0
"$leafscore" compare base.jsonl new.jsonl --by model --worst 3 --max-drop 0.05 --max-flips levenshtein=5 \
  -o compare.md -o compare.xml >compare.txt || status=$?
[[ $status -eq 1 ]]  # a gate fails
