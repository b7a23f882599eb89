#!/usr/bin/env bash
# Makes the examples of a page of the documentation again and compares them with what is committed. Texts stand in the
# page, too.
# Usage: documented_example.sh SOURCE_DIR LEAFSCORE NAME, for docs/NAME.md and docs/examples/NAME.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bash "$1/docs/examples/$3.sh" "$2" "$folder"
page=$(<"$1/docs/$3.md")
for committed in "$1/docs/examples/$3"*.{md,txt,xml}; do
  [[ -e $committed ]] || continue
  name=$(basename "$committed")
  diff "$committed" "$folder/$name" || {
    echo "documented_example: docs/examples/$name is another one now; if it should be, make it with $3.sh"
    exit 1
  }
  [[ $name != *.txt || $page == *"$(<"$committed")"* ]] || {
    echo "documented_example: docs/$3.md does not have the text of docs/examples/$name"
    exit 1
  }
done
