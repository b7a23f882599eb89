#!/usr/bin/env bash
# Makes the examples of docs/leaderboard.md. A test makes them again, and compares them with those beside this file and
# in the page.
# Usage: leaderboard.sh LEAFSCORE FOLDER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/transcript.sh" "$1" "$2"

# Three models answer 300 invoices, the worst of them only the first 200.
for run in swift:0.05:300 robin:0.06:300 heron:0.12:200; do
  IFS=: read -r model rate records <<<"$run"
  "$leafscore" generate --pairs 300 --seed 7 --error-rate "$rate" -o all.jsonl
  head -n "$records" all.jsonl | sed "s/\"model\": *\"[^\"]*\"/\"model\": \"$model\"/"
done >pairs.jsonl
"$leafscore" score pairs.jsonl -q -s json_similarity --source-field model --group-by expected.currency -o answers.jsonl
tell leaderboard.txt 0 leaderboard answers.jsonl --by model
tell leaderboard_common.txt 0 leaderboard answers.jsonl --by model --common-only
tell leaderboard_matrix.txt 0 leaderboard answers.jsonl --by model --rows model --columns expected.currency
