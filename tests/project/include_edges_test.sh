#!/usr/bin/env bash
# Plants bad includes in a small tree and checks that include_edges.sh names each, and nothing else.
# Usage: include_edges_test.sh SOURCE_DIR
set -euo pipefail
check=$1/tests/project/include_edges.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1/HACKING.md" "$folder"
mkdir -p "$folder"/{engine/{base,json,scorers,run},corpus,cli,kernels}
echo '#include "engine/base/good.h"' > "$folder/engine/json/good.cc"
echo '#include "engine/base/good.h"' > "$folder/engine/scorers/good.cc"
"$check" "$folder" > /dev/null

expect_refused() {  # expect_refused FILE INCLUDE
  echo "#include $2" > "$folder/$1"
  if output=$("$check" "$folder"); then
    echo "not refused: $1 including $2"; exit 1
  fi
  [[ $(grep -c . <<<"$output") -eq 1 && $output == "$1: includes "* ]] || { echo "told wrongly: $output"; exit 1; }
  rm "$folder/$1"
}
expect_refused engine/base/bad.h '"engine/json/leaf_table.h"'
expect_refused engine/scorers/bad.cc '"engine/run/plan.h"'
expect_refused engine/json/bad.cc '"cli/main.h"'
expect_refused kernels/bad.cc '"engine/base/bytes.h"'
expect_refused engine/scorers/bad.cc '<oneapi/tbb/parallel_for.h>'
expect_refused engine/json/bad.h '<simdjson.h>'
echo "include_edges_test: six planted includes refused"
