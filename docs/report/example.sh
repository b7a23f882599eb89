#!/usr/bin/env bash
# Makes the example of docs/report.md: two new releases against an older one, over the same generated invoices.
# A test makes it again and compares it with that beside this file.
# Usage: example.sh FOLDER, with leafscore and leafscore-report on the PATH
set -euo pipefail
cd "$1"
for run in release-1:0.08 release-2:0.07 release-2-small:0.18; do
  name=${run%:*}
  leafscore generate --pairs 150 --seed 11 --error-rate "${run#*:}" -o "$name.records.jsonl"
  leafscore score "$name.records.jsonl" -q -s json_similarity -s levenshtein --details leaves -o "$name.jsonl"
done
status=0
leafscore report release-2.jsonl release-2-small.jsonl --compare release-1.jsonl --max-drop 0.05 --max-flips levenshtein=2 \
  --data release-1.records.jsonl --data release-2.records.jsonl --data release-2-small.records.jsonl \
  --name release-1.jsonl="Release 1" --name release-2.jsonl="Release 2" --name release-2-small.jsonl="Release 2, small" \
  --worst 3 --title "Invoices: release 2 against release 1" -o example.html || status=$?
[[ $status -eq 1 ]]  # a gate fails
