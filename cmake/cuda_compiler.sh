#!/usr/bin/env bash
# Prints the path of a CUDA compiler: the one that is installed, or else the one of NVIDIA's packages on PyPI,
# which are put into FOLDER and need no GPU, no driver and no root.
# Usage: cmake/cuda_compiler.sh FOLDER
set -euo pipefail
folder=$1

PATH=$PATH:/usr/local/cuda/bin
if command -v nvcc; then
  exit 0
fi

# The compiler, the headers it includes by itself, its optimizer, and the runtime with its headers.
packages=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96)
toolkit=$folder/nvidia/cu13
if [[ ! -e $toolkit/lib64/libcudart.so ]]; then
  rm -rf "$folder"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
    --only-binary=:all: --target "$folder" "${packages[@]}" >&2
  ln -s lib "$toolkit/lib64"  # where nvcc looks for the runtime, and the name that CMake looks for
  ln -s libcudart.so.13 "$toolkit/lib/libcudart.so"
fi
realpath "$toolkit/bin/nvcc"
