#!/usr/bin/env bash
# Compares what a shared library exports with the list of what it shall.
# Usage: exported_symbols.sh LIBRARY LIST NM
set -euo pipefail
# Destructors and the like have several symbols of one name.
if ! diff <("$3" --dynamic --defined-only --demangle --format=posix "$1" | sed -E 's/ [A-Za-z] [0-9a-f ]+$//' |
            sort -u) "$2"; then
  echo "exported_symbols: < is exported and not in $2, > is in it and not exported"
  exit 1
fi
echo "exported_symbols: $(wc -l < "$2") names, as listed"
