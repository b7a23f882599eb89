#!/bin/sh
# isolated_instructions.sh OBJECT...: fails if an object file that is not named after an instruction set contains
# wide vector instructions, or if one that is shares code that the linker may use in place of another object's.
set -eu
failures=0
wide_objects=0
for object in "$@"; do
  case $object in
    *_avx2.cc.o | *_avx512.cc.o)
      wide_objects=$((wide_objects + 1))
      # W, V, u: weak and unique symbols, of which the linker keeps any one copy.
      shared=$(nm --defined-only --demangle "$object" | awk '$2 ~ /^[WVu]$/' || true)
      if [ -n "$shared" ]; then
        echo "$object shares code compiled for wide instructions:"
        echo "$shared"
        failures=1
      fi
      ;;
    *)
      # ymm and zmm registers, and VEX encodings on xmm: all such mnemonics begin with v.
      wide=$(objdump -d --no-show-raw-insn "$object" | grep -E '%[yz]mm|:[[:space:]]+v[a-z0-9]+ ' | head -5 || true)
      if [ -n "$wide" ]; then
        echo "$object contains wide vector instructions:"
        echo "$wide"
        failures=1
      fi
      ;;
  esac
done
if [ "$wide_objects" -eq 0 ]; then
  echo "no object named after an instruction set among: $*"
  failures=1
fi
exit $failures
