#!/usr/bin/env bash
# Makes the examples of docs/compare.md again and compares them with what is committed.
# Usage: comparison_example.sh SOURCE_DIR LEAFSCORE
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bash "$1/docs/examples/compare.sh" "$2" "$folder"
for name in compare.md compare.xml; do
  diff "$1/docs/examples/$name" "$folder/$name" || {
    echo "comparison_example: docs/examples/$name is another one now; if it should be, make it with compare.sh"
    exit 1
  }
done
