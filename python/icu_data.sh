#!/usr/bin/env bash
# Makes FOLDER/icudata.o, what a wheel needs of ICU's 30 MB of data: compatible forms (engine/text/normaliser.cc,
# engine/render/look_alikes.cc), the same without case (engine/judge/asked_texts.cc) and emoji
# (engine/render/display_width.cc). The other properties, and lower-casing, are within libicuuc itself.
# Usage: python/icu_data.sh FOLDER
set -euo pipefail
items=(nfkc.nrm nfkc_cf.nrm uemoji.icu)

rm -rf "$1"
mkdir -p "$1"/{all,small,items}
cd "$1"
archive=$(g++ -print-file-name=libicudata.a)
object=$(ar t "$archive")        # icudt72l_dat.o
package=${object%_dat.o}         # icudt72l, by which name icupkg and ICU find items
symbol=${package%l}_dat          # icudt72_dat
icupkg=$(PATH=$PATH:/usr/sbin command -v icupkg)
ar x "$archive" "$object"
objcopy -O binary -j .rodata "$object" "all/$package.dat"
printf '%s\n' "${items[@]}" > items.txt
"$icupkg" -d items -x items.txt "all/$package.dat"
"$icupkg" -tl -s items -a items.txt new "small/$package.dat"
printf '.section .rodata\n.balign 16\n.global %s\n.type %s, @object\n%s: .incbin "small/%s.dat"\n.size %s, . - %s\n' \
  "$symbol" "$symbol" "$symbol" "$package" "$symbol" "$symbol" > data.s
printf '.section .note.GNU-stack,"",@progbits\n' >> data.s
g++ -c data.s -o icudata.o
