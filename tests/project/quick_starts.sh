#!/usr/bin/env bash
# Runs the commands of the quick starts that the command alone can run, and compares what they print with what the pages say.
# Usage: quick_starts.sh DOCS LEAFSCORE
set -euo pipefail
docs=$(realpath "$1")
PATH=$(dirname "$(realpath "$2")"):$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The lines of a page that begin with this command, those that end in \ with the next one.
commands() { grep -A1 "^leafscore $2 " "$docs/$1" | awk '/^--$/ { next } /^leafscore / { on = 1 } on; !/\\$/ { on = 0 }'; }

# The block behind the line "$ COMMAND", up to the end of the block or the next command.
block_after() { awk -v start="\$ $2" '$0 == start { on = 1; next } on && /^(```|\$ )/ { exit } on' "$docs/$1"; }

# The command prints the block first, and may print more.
expect_begins() {
  local page=$1 command=$2
  block_after "$page" "$command" > wanted.txt
  [[ -s wanted.txt ]]
  eval "$command" > printed.txt || [[ $? -eq 1 ]]  # a gate fails
  head -n "$(wc -l < wanted.txt)" printed.txt | diff wanted.txt - || { echo "quick_starts: $page says otherwise"; exit 1; }
}

mkdir "$folder/sweep" "$folder/release" "$folder/calls" "$folder/records"
cd "$folder/calls"
for kit in openai anthropic langchain opentelemetry; do
  block_after tool_calls.md "cat $kit.jsonl" > "$kit.jsonl"
  expect_begins tool_calls.md "$(sed -n "s/^\$ \(leafscore score $kit\.jsonl .*\)/\1/p" "$docs/tool_calls.md")"
done
cd "$folder/records"
for file in invoice.schema.json invoices.jsonl; do block_after records.md "cat $file" > $file; done
expect_begins records.md "$(sed -n "s/^\$ \(leafscore score invoices.*\)/\1/p" "$docs/records.md")"
cd "$folder/sweep"
eval "$(commands quickstart-sweep.md generate)"
eval "$(commands quickstart-sweep.md score)" > score.txt 2>&1
grep -qxF "$(grep '^asked ' "$docs/quickstart-sweep.md")" score.txt
expect_begins quickstart-sweep.md 'leafscore leaderboard scores.jsonl --by source'
cd "$folder/release"
eval "$(commands quickstart-release.md generate)"
eval "$(commands quickstart-release.md score)" 2>&1
expect_begins quickstart-release.md 'leafscore compare yesterday.scores.jsonl today.scores.jsonl --by model --fail-on regressed'
