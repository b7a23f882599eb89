#!/usr/bin/env bash
# The story of `make demo`: three models answer the same questions; they are scored and ranked; the new release of one is
# compared with the old one; a page shows all of it.
# Usage: demo.sh LEAFSCORE FOLDER [QUESTIONS]
set -euo pipefail
leafscore=$(realpath "$1")
folder=$2
questions=${3:-6000}
answers=$(realpath "$(dirname "$0")")/answers.py
mkdir -p "$folder"
cd "$folder"
rm -f report.html

say() { printf '\n%s\n' "$*"; }
run() {  # run ARGUMENTS...: shows how the command is called, and runs it
  printf '$ leafscore'
  for argument in "$@"; do
    [[ $argument =~ ^[[:alnum:]./_-]+$ ]] || argument="'$argument'"
    printf ' %s' "$argument"
  done
  printf '\n'
  "$leafscore" "$@"
}

say "1. Three models answer the same $questions questions about invoices, bookings and claims"
python3 "$answers" . "$questions"
sed -n 2p questions.jsonl
sed -n 2p north-1.answers.jsonl

say "2. Each answer is scored: which share of the expected fields does it have right?"
for release in north-1 south-1 small-1 north-2; do
  run score "$release.answers.jsonl" --gold questions.jsonl -s json_similarity --group-by topic --details leaves --quiet \
    -o "$release.jsonl"
done

say "3. Which model is best? Models that differ by no more than chance tie"
run leaderboard north-1.jsonl south-1.jsonl small-1.jsonl

say "4. Did the second release of north get worse? Where, and why?"
run compare north-1.jsonl north-2.jsonl --by topic --worst 1

say "5. All of this as one page to look at"
run report north-2.jsonl south-1.jsonl small-1.jsonl --compare north-1.jsonl --by topic --worst 20 \
  --title "North, release 2" -o report.html || say "There is no page without that; all else is in $folder."
say "The command is $1, compiled in a hurry: the README's installation builds one that is 5 times as fast."
echo "What you see above is in the folder $folder."
if [[ -e report.html ]]; then
  echo "Open the page: xdg-open $folder/report.html"
fi
