#!/usr/bin/env python3
"""Counts the instructions a cell of the edit distances on AVX2 and on NEON, both in qemu: the table in RESULTS.md.

Usage: kernel_instructions.py      builds what it needs in build/; `make test-arm` installs the cross compiler and qemu
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSROOT = ROOT / "build/arm64-sysroot"


def build(folder, *options):
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=Release",
                    "-D", "LEAFSCORE_BUILD_TESTS=OFF", *options], check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", folder, "--target", "kernel_instructions"], check=True, stdout=sys.stderr)
    return folder / "bench/kernel_instructions"


def count(qemu, program, counter):
    """Instructions a cell, by instruction set and workload."""
    text = subprocess.run([*qemu, "-plugin", counter, program], capture_output=True, text=True, check=True).stdout
    counts, before = {}, 0
    for line in text.splitlines():
        instructions, name, *rest = line.split()
        if name == "before":
            before = int(instructions)
        else:
            counts[name, rest[0]] = (int(instructions) - before) / float(rest[1])
    return counts


def main():
    counter = ROOT / "build/instruction_counter.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", ROOT / "bench/instruction_counter.c", "-o", counter], check=True)
    subprocess.run([ROOT / "cmake/arm64_sysroot.sh", SYSROOT], check=True)
    x86 = count(["qemu-x86_64", "-cpu", "max"], build(ROOT / "build/release"), counter)
    arm = count(["qemu-aarch64", "-L", SYSROOT],
                build(ROOT / "build/arm64-release", "-D", f"CMAKE_TOOLCHAIN_FILE={ROOT}/cmake/arm64.cmake"), counter)
    print("| pairs | x86-64, portable | AVX2 | ARM, portable | NEON | NEON / AVX2, of 128 bits |")
    print("|---|---|---|---|---|---|")
    for isa, name in arm:
        if isa == "neon":
            avx2, neon = x86["avx2", name], arm["neon", name]
            print(f"| {name} | {x86['portable', name]:.3f} | {avx2:.3f} | {arm['portable', name]:.3f} | {neon:.3f} | "
                  f"{neon / avx2 / 2:.2f} |")


if __name__ == "__main__":
    main()
