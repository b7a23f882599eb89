#!/usr/bin/env bash
# Builds the GPU kernels and bench/gpu_check.cc with nvcc and g++ alone, and runs them: first every distance is
# checked, also under compute-sanitizer where that is installed, then GPU and CPU are measured.
# Usage: bench/gpu_check.sh [--emulated] [--check] [--only=NAME] [FOLDER]
#   --emulated  on a GPU emulated by the CPU, on small data: needs neither nvcc nor a GPU
#   --check     does not measure
#   --only=NAME measures the pairs whose name begins so, and no others
#   FOLDER      where to build (build/gpu_check)
# Environment: CXX (g++), CXXFLAGS (-O3), CUDACXX (nvcc).
# Exit status: 0 fine, 1 a wrong distance or a failing GPU, 77 no CUDA compiler or no GPU here.
set -euo pipefail
cd "$(dirname "$0")/.."

emulated=no
options=()
folder=build/gpu_check
for argument in "$@"; do
  case $argument in
    --emulated) emulated=yes; options+=("$argument") ;;
    --check | --only=*) options+=("$argument") ;;
    -*) sed -n '2,/^set/{/^set/d;s/^# \?//p}' "$0" >&2; exit 2 ;;
    *) folder=$argument ;;
  esac
done
read -ra cxx <<<"${CXX:-g++}"
read -ra flags <<<"${CXXFLAGS:--O3} -std=c++20 -Wall -Wextra -ffp-contract=off -I. -Iinclude"
if [[ $emulated == no ]]; then
  PATH=$PATH:/usr/local/cuda/bin
  nvcc=${CUDACXX:-$(command -v nvcc || true)}
  if [[ -z $nvcc ]]; then
    echo "gpu_check: no CUDA compiler here: install the CUDA Toolkit 12 or later, or name its nvcc by CUDACXX" \
      "(--emulated checks the same code on the CPU)"
    exit 77
  fi
  flags+=(-DLEAFSCORE_HAVE_CUDA)
fi

sources=(bench/gpu_check.cc bench/gpu_rates.cc engine/distance/kernel_memory.cc
  tests/kernels/distance_cases.cc tests/kernels/string_reference.cc
  kernels/isa.cc kernels/levenshtein.cc kernels/levenshtein_portable.cc kernels/levenshtein_table.cc
  kernels/long_pair.cc kernels/tile.cc kernels/workspace.cc
  kernels/gpu/emulated_device.cc kernels/gpu/gpu_slot.cc)
# The CPU's vector kernels, with the options of kernels/CMakeLists.txt; those of x86-64 where xsimd's headers are.
if [[ $(uname -m) == aarch64 ]]; then
  sources+=(kernels/levenshtein_neon.cc)
elif [[ $(uname -m) == x86_64 ]] && "${cxx[@]}" -E -x c++ - <<<'#include <xsimd/xsimd.hpp>' >/dev/null 2>&1; then
  sources+=(kernels/levenshtein_avx2.cc kernels/levenshtein_avx512.cc)
else
  flags+=(-DLEAFSCORE_PORTABLE_ONLY)
fi
isa_options=(-O3 -fno-exceptions -mbmi -mbmi2 -mlzcnt -mpopcnt -Wno-maybe-uninitialized -Wno-uninitialized)
avx512=(-mavx512{f,bw,dq,vl,vbmi,vbmi2,bitalg,vpopcntdq} -mgfni -mprefer-vector-width=512)

mkdir -p "$folder"
objects=()
compilers=()
for source in "${sources[@]}"; do
  object=$folder/$(basename "$source" .cc).o
  own=()
  case $source in
    *_neon.cc) own=(-O3 -fno-exceptions) ;;
    *_avx2.cc) own=("${isa_options[@]}" -mavx2) ;;
    *_avx512.cc) own=("${isa_options[@]}" "${avx512[@]}") ;;
  esac
  "${cxx[@]}" "${flags[@]}" "${own[@]}" -c "$source" -o "$object" &
  compilers+=($!)
  objects+=("$object")
  # No more at once than there are processors.
  if [[ ${#compilers[@]} -ge $(nproc) ]]; then
    wait "${compilers[0]}"
    compilers=("${compilers[@]:1}")
  fi
done
for compiler in "${compilers[@]}"; do wait "$compiler"; done

if [[ $emulated == yes ]]; then
  "${cxx[@]}" "${objects[@]}" -pthread -o "$folder/gpu_check"
  exec "$folder/gpu_check" "${options[@]}"
fi

"$nvcc" -ccbin "${cxx[-1]}" -std=c++20 -O3 -I. -gencode arch=compute_80,code=sm_80 \
  -gencode 'arch=compute_90,code=[sm_90,compute_90]' -c kernels/gpu/cuda_device.cu -o "$folder/cuda_device.o"
"$nvcc" -ccbin "${cxx[-1]}" "${objects[@]}" "$folder/cuda_device.o" -Xcompiler -pthread -o "$folder/gpu_check"

"$folder/gpu_check" --small --check
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck initcheck synccheck; do
    echo "compute-sanitizer, $tool:"
    compute-sanitizer --tool "$tool" --error-exitcode 1 "$folder/gpu_check" --small --check
  done
else
  echo "gpu_check: no compute-sanitizer here, so memory accesses are not checked"
fi
echo "$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/CUDA Toolkit \1/p'), driver" \
  "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1 || echo unknown)"
exec "$folder/gpu_check" "${options[@]}"
