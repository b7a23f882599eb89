#!/usr/bin/env bash
# Runs the example of the README and compares what it prints with what the README says.
# Usage: readme_example.sh README LEAFSCORE
set -euo pipefail
readme=$(realpath "$1")
leafscore=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# The block behind the line "$ COMMAND", up to an empty line or the end of the block.
block_after() {
  awk -v start="\$ $1" '$0 == start { on = 1; next } on && (/^$/ || /^```/) { exit } on' "$readme"
}

block_after 'cat pairs.jsonl' > pairs.jsonl
command='leafscore score pairs.jsonl --scorer json_similarity --quiet'
block_after "$command" > wanted.jsonl
[[ $(wc -l < pairs.jsonl) -eq 3 && $(wc -l < wanted.jsonl) -eq 3 ]]
"$leafscore" ${command#leafscore } > scores.jsonl
diff wanted.jsonl scores.jsonl
