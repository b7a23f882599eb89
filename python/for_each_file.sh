#!/usr/bin/env bash
# Runs a command of leafscore for each file, and prints what it says of those that it refuses.
# Usage: for_each_file.sh COMMAND [OPTION...] -- FILE...   RETURNS: the highest exit status.
set -euo pipefail
command -v leafscore > /dev/null || {
  echo "for_each_file: leafscore is not in the PATH: install it first" >&2
  exit 2
}
options=()
while [[ $# -gt 0 && $1 != -- ]]; do
  options+=("$1")
  shift
done
[[ $# -gt 0 ]] || {
  echo "for_each_file: -- is missing between options and files: end args with it" >&2
  exit 2
}
shift
worst=0
for file in "$@"; do
  status=0
  said=$(leafscore "${options[@]}" -- "$file" 2>&1) || status=$?
  [[ $status -eq 0 ]] || printf '%s:\n%s\n' "$file" "$said"
  [[ $status -le $worst ]] || worst=$status
done
exit "$worst"
