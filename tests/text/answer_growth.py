#!/usr/bin/env python3
"""Counts the instructions with which `leafscore score -s static_json` reads an answer of so many bytes, on texts made to
make scanners quadratic, and fails where their growth has an exponent above 1.05.

    answer_growth.py COMMAND [LONGEST_BYTES] [SHORTEST_BYTES]    (1e6, 1e5)

Needs valgrind, and exits with 77 without it. The instructions of a run with an empty answer are taken off. Times are
told beside them, from a run without valgrind: they grow with the misses of caches, too. bench/answer_text_bench.cc has
more texts, and times alone.
"""

import json
import math
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

MOST = 1.05
# What comes first, what is repeated, what comes last.
TEXTS = {
    "labels": ("", "Answer: ", ""),
    "white space": ("x", " \n\u00a0\u2003", "x"),
    "fences": ("", "``` ", ""),
    "opening braces": ("", "{", ""),
    "brackets crossing": ("", "{[}]", ""),
    "braces and quotes": ("", "{'}\"", ""),
    "JSON broken at its end": ("[", "1,", "x]"),
    "digits": ("", "7", ""),
    "underscores": ("1", "_1", ""),
    "structures in strings": ('[""', ',"[1]"', "]"),
    "dots in keys": ('{"', ".", '": 1}'),
    "many keys": ('{"a":1', ',"b.c[0]":"[1]"', "}"),
}


def write_record(path, answer):
    record = {"id": "r", "expected": {"a": 1}, "actual": answer}
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")


def arguments(command, path, longest):
    # All of it is read at once, whatever its size: growing buffers would be the larger part of what some texts cost.
    return [command, "score", path, "-s", "static_json", "--details", "none", "-q", "--threads", "1", "-o", "/dev/null",
            "--max-line-bytes", "1073741824", "--batch-bytes", str(min(1 << 28, 2 * longest))]


def instructions(*run_of):
    run = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                          *arguments(*run_of)], capture_output=True, text=True, check=False)
    count = re.search(r"I\s+refs:\s+([\d,]+)", run.stderr)
    if run.returncode != 0 or not count:
        sys.exit(f"{run_of}: status {run.returncode}: {run.stderr}")
    return int(count[1].replace(",", ""))


def seconds(*run_of):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments(*run_of), check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    command = sys.argv[1]
    longest = int(float(sys.argv[2])) if len(sys.argv) > 2 else 1_000_000
    shortest = int(float(sys.argv[3])) if len(sys.argv) > 3 else 100_000
    if not shutil.which("valgrind"):
        print("there is no valgrind")
        sys.exit(77)
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "record.jsonl"
        write_record(path, "")
        idle = instructions(command, path, longest)
        for text, (head, unit, tail) in TEXTS.items():
            figures = []
            for size in (shortest, longest):
                write_record(path, head + unit * (size // len(unit.encode())) + tail)
                figures.append((size, instructions(command, path, longest) - idle, seconds(command, path, longest)))
            (small, few, _), (large, many, took) = figures
            exponent = math.log(many / few) / math.log(large / small)
            worst = max(worst, exponent)
            print(f"{text:24} exponent {exponent:.3f}, {few / small:.0f} and {many / large:.0f} instructions a byte, "
                  f"{took:.2f} s at {large:.0e} bytes", flush=True)
    print(f"largest exponent: {worst:.3f}")
    sys.exit(1 if worst > MOST else 0)


if __name__ == "__main__":
    main()
