#!/usr/bin/env bash
# Fails on a variable of one name that two headers define at the level of a namespace. To the linker these are one
# variable, with the value of either, and no compiler sees it.
# Usage: inline_names.sh SOURCE_DIR. RETURNS: 0 all differ, 1 not.
set -euo pipefail
cd "$1"
names=$(find engine cli include kernels -name '*.h' -print0 | sort -z |
  xargs -0 sed -nE 's/^inline [^(=]*[ *&]([A-Za-z0-9_]+)(\[[^=]*)?( =|\{|;).*/\1/p' | sort)
repeated=$(uniq -d <<<"$names")
[[ -n $names ]] || { echo "inline_names: no variables found"; exit 1; }
if [[ -n $repeated ]]; then
  echo "inline_names: defined in more than one header:"
  grep -rnE "^inline .*\b(${repeated//$'\n'/|})\b( =|\{|\[|;)" engine cli include kernels --include='*.h'
  exit 1
fi
echo "inline_names: $(grep -c . <<<"$names") variables in headers, each of a name of its own"
