#!/usr/bin/env bash
# Compares the folder map of HACKING.md with the tree: the top two levels of the folders git knows of.
# Usage: folder_map.sh SOURCE_DIR. RETURNS: 0 equal, 1 different, 77 (skipped) outside a git checkout.
set -euo pipefail
cd "$1"

# The checkout may belong to another user, as one mounted into a container does.
files=$(git -c safe.directory='*' ls-files --cached --others --exclude-standard) || {
  echo "folder_map: not a git checkout, so there is no list of files to compare with"
  exit 77
}

tree=$(sed -nE 's|^(([^/]+/){1,2}).*|\1|p' <<<"$files" | sed -E 'p; s|^([^/]+/).*|\1|' | sort -u)
map=$(sed -n '/^## Folder map$/,/^## /p' HACKING.md | sed -n '/^```/,/^```/p' |
  sed -nE 's|^([^ `]+/) .*|\1|p' | sort)

difference=$({ diff <(echo "$map") <(echo "$tree") || true; } |
  sed -n 's/^</only in the map:/p; s/^>/missing in the map:/p')
if [[ -n $difference ]]; then
  echo "HACKING.md, \"Folder map\", differs from the tree:"
  echo "$difference"
  exit 1
fi
echo "folder_map: $(wc -l <<<"$map") folders, all in the map"
