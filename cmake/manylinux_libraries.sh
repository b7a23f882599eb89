#!/usr/bin/env bash
# Builds the libraries that a wheel has inside, statically and for glibc 2.28, for cmake/manylinux.cmake: from Debian's
# sources, by the compiler of the package ziglang, which brings its own C++ library and knows the symbols of each glibc.
# Libraries that are headers only are unpacked from Debian's packages. Nothing outside the folder changes.
# Usage: cmake/manylinux_libraries.sh FOLDER PYTHON  (PYTHON has ziglang)
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
python=$(realpath --no-symlinks "$2")
project=$(realpath "$(dirname "$0")/..")
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
sources=(fmtlib icu libzstd onetbb pcre2 pugixml simdjson sqlite3 xxhash yaml-cpp zlib)
headers=(libboost1.74-dev libcli11-dev libcurl4-openssl-dev libssl-dev libxsimd-dev rapidjson-dev)
done=$folder/done
[[ ! -f $done || $done -ot $0 ]] || exit 0

rm -rf "$folder"
mkdir -p "$folder"/{bin,src} "$folder"/apt/{lists,archives}/partial
for tool in cc c++; do
  printf '#!/bin/sh\nexec "%s" -m ziglang %s -target %s-linux-gnu.2.28 "$@"\n' "$python" $tool "$(uname -m)" > "$folder/bin/$tool"
done
for tool in ar ranlib; do
  printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$python" $tool > "$folder/bin/$tool"
done
chmod +x "$folder"/bin/*

. /etc/os-release
from="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $VERSION_CODENAME main"
printf '%s\n' "deb $from" "deb-src $from" > "$folder/apt/sources.list"
own=(apt-get -qq -o Dir::Etc::SourceList="$folder/apt/sources.list" -o Dir::Etc::SourceParts=- -o Debug::NoLocking=1
  -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt" -o APT::Sandbox::User=root)
cd "$folder/src"
"${own[@]}" update
"${own[@]}" source "${sources[@]}" > log
"${own[@]}" download "${headers[@]}"
for package in *.deb; do dpkg-deb -x "$package" "$folder"; done
cp -r "$folder"/usr/include/*-linux-gnu/* "$folder/usr/include"

mkdir -p "$folder/usr/lib"
# What __builtin_cpu_supports asks: zig's own finds no instruction set.
[[ $(uname -m) != x86_64 ]] || ar x --output "$folder/usr/lib" "$(gcc -print-libgcc-file-name)" cpuinfo.o

# with_cmake FOLDER [OPTION...]
with_cmake() {
  local source=$1
  shift
  cmake -G Ninja -S "$source" -B "$source/build-here" -D CMAKE_TOOLCHAIN_FILE="$project/cmake/manylinux.cmake" \
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_POSITION_INDEPENDENT_CODE=ON -D BUILD_SHARED_LIBS=OFF \
    -D CMAKE_INSTALL_PREFIX="$folder/usr" -D CMAKE_INSTALL_LIBDIR=lib "$@"
  cmake --build "$source/build-here" -j "$jobs" --target install
}
with_cmake fmtlib-* -D FMT_TEST=OFF -D FMT_DOC=OFF
with_cmake libzstd-*/build/cmake -D ZSTD_BUILD_SHARED=OFF -D ZSTD_BUILD_PROGRAMS=OFF
with_cmake onetbb-* -D TBB_TEST=OFF -D TBB_STRICT=OFF -D TBBMALLOC_BUILD=OFF
with_cmake pcre2-* -D PCRE2_BUILD_PCRE2_8=OFF -D PCRE2_BUILD_PCRE2_16=ON -D PCRE2_SUPPORT_JIT=ON -D PCRE2_BUILD_TESTS=OFF \
  -D PCRE2_BUILD_PCRE2GREP=OFF
with_cmake pugixml-*
with_cmake simdjson-*
with_cmake xxhash-*/cmake_unofficial -D XXHASH_BUILD_XXHSUM=OFF
with_cmake yaml-cpp-* -D YAML_CPP_BUILD_TESTS=OFF -D YAML_CPP_BUILD_TOOLS=OFF

export CC=$folder/bin/cc CXX=$folder/bin/c++ AR=$folder/bin/ar RANLIB=$folder/bin/ranlib CFLAGS="-O2 -fPIC" CXXFLAGS="-O2 -fPIC"
(
  cd icu-*/source
  ./configure --prefix="$folder/usr" --enable-static --disable-shared
  mkdir -p lib
  make -j "$jobs" -C common install
)
"$project/python/icu_data.sh" "$folder/src/icu"
"$AR" r "$folder/usr/lib/libicuuc.a" "$folder/src/icu/icudata.o"
if [[ $(uname -m) == x86_64 ]]; then  # what chooses an instruction set at run time, which CMake leaves out
  (
    cd xxhash-*
    "$CC" -O3 -fPIC -c xxh_x86dispatch.c
    "$AR" r "$folder/usr/lib/libxxhash.a" xxh_x86dispatch.o
    cp xxh_x86dispatch.h "$folder/usr/include"
  )
fi
(
  cd zlib-*
  ./configure --static --prefix="$folder/usr"
  make -j "$jobs" libz.a
  make install
)
(
  cd sqlite3-*
  ./configure --disable-tcl --disable-readline
  make sqlite3.c
  "$CC" $CFLAGS -c sqlite3.c
  "$AR" rc "$folder/usr/lib/libsqlite3.a" sqlite3.o
  cp sqlite3.h "$folder/usr/include"
)
rm -r "$folder/src"
touch "$done"
