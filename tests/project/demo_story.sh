#!/usr/bin/env bash
# Runs the story of `make demo`. It must find the tie, the topic that got worse and the field that
# is to blame, and write the page where that Python can.
# Usage: demo_story.sh SOURCE_DIR LEAFSCORE PYTHON
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1/examples/demo/demo.sh" "$2" "$folder/demo" > "$folder/output"
wanted=(
  '^north-1 +1 .* south-1$'               # they tie
  '^small-1 +3 '
  '^regressed: json_similarity went from'
  '^bookings +regressed '
  '^claims +equivalent '
  '^check_in +regressed '
)
for line in "${wanted[@]}"; do
  grep -qE "$line" "$folder/output" || { echo "demo_story: no line is like $line in:"; cat "$folder/output"; exit 1; }
done
if "$3" -c 'import jinja2, vl_convert' 2> "$folder/missing"; then
  grep -q "^Open the page: xdg-open $folder/demo/report.html$" "$folder/output"
  grep -q 'North, release 2' "$folder/demo/report.html"
else
  tail -n 1 "$folder/missing"
  grep -q '^There is no page without that' "$folder/output"
fi
