#!/usr/bin/env bash
# Fails on a hash table of the standard library whose keys may be texts from data, but for those of
# engine/base/text_map.h: its hash has a fixed seed, so that prepared keys make it slow. Numbers of our own making
# may be keys.
# Usage: seeded_tables.sh SOURCE_DIR. RETURNS: 0 there is none, 1 there are some.
set -euo pipefail
cd "$1"
tables=$(grep -rnE 'std::(unordered_[a-z]+|hash) *<' engine corpus cli include --include='*.h' --include='*.cc' |
  grep -v '^engine/base/text_map\.h:' || true)
bad=$(grep -vE 'std::unordered_(map|set)<(std::uint32_t|ShapeId)[,>]' <<<"$tables" | grep . || true)
if [[ -n $bad ]]; then
  echo "seeded_tables: use TextMap or TextSet of engine/base/text_map.h:"
  echo "$bad"
  exit 1
fi
echo "seeded_tables: $(grep -c . <<<"$tables") tables of the standard library, all keyed by numbers of our own"
