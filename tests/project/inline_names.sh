#!/usr/bin/env bash
# Fails on a variable or a type of one name, or a function of one name and the same parameters, that two headers define at the level
# of a namespace. To the linker these are one, with the value or the code of either, and no compiler sees it.
# Usage: inline_names.sh SOURCE_DIR. RETURNS: 0 all differ, 1 not.
set -euo pipefail
cd "$1"

headers() { find "$@" -name '*.h' -print0 | sort -z; }
variables=$(headers engine corpus cli include kernels |
  xargs -0 sed -nE 's/^inline [^(=]*[ *&]([A-Za-z0-9_]+)(\[[^=]*)?( =|\{|;).*/\1/p' | sort)
# Those on one line, without the names of parameters. Kernels have theirs in unnamed namespaces.
functions=$(headers engine corpus cli include |
  xargs -0 sed -nE 's/^(inline |constexpr )*[A-Za-z_][A-Za-z0-9_:<>,*& ]*[ *&]([A-Z][A-Za-z0-9_]*)\(([^()]*)\)( noexcept)?( \{.*|;)$/\2(\3)/p' |
  sed -E 's/ [a-z_]+( = [^,)]*)?([,)])/\2/g' | sort)
types=$(headers engine corpus cli include |
  xargs -0 sed -nE 's/^(class|struct|enum class) ([A-Za-z0-9_]+)( final)?( :.*| \{.*)$/\2/p' | sort)
[[ -n $variables && -n $functions && -n $types ]] || { echo "inline_names: no names found"; exit 1; }

repeated=$(for names in "$variables" "$functions" "$types"; do uniq -d <<<"$names"; done)
if [[ -n $repeated ]]; then
  echo "inline_names: declared in more than one header:"
  while read -r name; do
    echo "$name"
    grep -rnE "^[a-z].*\b${name%%(*}\b( =| ?\{| :|\[|;|\()" engine corpus cli include kernels --include='*.h'
  done <<<"$repeated"
  exit 1
fi
echo "inline_names: $(wc -l <<<"$variables") variables, $(wc -l <<<"$functions") functions and $(wc -l <<<"$types") types in headers, each of a name of its own"
