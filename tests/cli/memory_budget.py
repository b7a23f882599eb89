#!/usr/bin/env python3
"""Holds the memory of `leafscore score` to its budget: inputs made to take as much as they can, each under budgets from
128 MiB, measured from outside. Fails where a run takes more than the budget and 64 MiB, where a record that is short
beside a long one has no score, or where the number of threads changes a byte of the output.

usage: memory_budget.py [--small] [--only NAME] LEAFSCORE"""

import argparse
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile

MIB = 1 << 20
SLACK = 64 * MIB
SMALL = '{"id": "small %d", "expected": {"a": "some text", "b": [1, 2]}, "actual": {"a": "some test", "b": [1, 3]}}\n'


def ints(path, size, count=1):
    """Lines of integers, with a small record around each."""
    numbers = "[" + ",".join(["1"] * (size // 4)) + "]"
    with open(path, "w") as out:
        for i in range(count):
            out.write(SMALL % i)
            out.write('{"id": "long %d", "expected": %s, "actual": %s}\n' % (i, numbers, numbers[:-2] + "2]"))
        out.write(SMALL % count)


def among_many(path, size, count):
    """Lines of integers among many small records."""
    numbers = "[" + ",".join(["1"] * (size // 4)) + "]"
    with open(path, "w") as out:
        for i in range(6):
            out.write("".join(SMALL % j for j in range(i * count // 6, (i + 1) * count // 6)))
            out.write('{"id": "long %d", "expected": %s, "actual": %s}\n' % (i, numbers, numbers[:-2] + "2]"))


def keys(path, size):
    """Two objects of distinct keys."""
    count = size // 30
    sides = [",".join('"k%08d": %d' % (i, side) for i in range(count)) for side in (1, 2)]
    with open(path, "w") as out:
        out.write(SMALL % 0)
        out.write('{"id": "keys", "expected": {%s}, "actual": {%s}}\n' % tuple(sides))


def details(path, key_bytes, count):
    """A long key over 10,000 leaves: 10 GB of details of a 2 MB record, but for their limit."""
    with open(path, "w") as out:
        for i in range(count):
            sides = ['{"%s": {%s}}' % ("k" * key_bytes, ",".join('"a%d": %d' % (j, side) for j in range(10000)))
                     for side in (1, 2)]
            out.write('{"id": "details %d", "expected": %s, "actual": %s}\n' % (i, *sides))
        out.write(SMALL % 0)


def middling(path, count):
    """Records of 16 KiB whose details are a thousand times as long."""
    sides = ['{"%s": {%s}}' % ("k" * 4000, ",".join('"a%d": %d' % (j, side) for j in range(1000)))
             for side in (1, 2)]
    with open(path, "w") as out:
        for i in range(count):
            out.write('{"id": "middling %d", "expected": %s, "actual": %s}\n' % (i, *sides))


def unordered(path, text_bytes, arrays):
    """Arrays of 512 elements in any order: as many pairs and bytes as are compared at most."""
    sides = [[[{"k": "%s%d" % (c * text_bytes, i * 7919 % 512)} for i in range(512)] for _ in range(arrays)]
             for c in "ab"]
    with open(path, "w") as out:
        for i in range(4):
            out.write(json.dumps({"id": "unordered %d" % i, "expected": sides[0], "actual": sides[1]}) + "\n")
        out.write(SMALL % 0)


def answer(path, size):
    """An answer of integers, as a text."""
    with open(path, "w") as out:
        out.write(SMALL % 0)
        out.write('{"id": "answer", "expected": {"a": [1, 2, 3]}, "actual": "[%s]"}\n' % ",".join(["1"] * (size // 2)))


def texts(path, size):
    """Two long texts that differ everywhere."""
    with open(path, "w") as out:
        out.write(SMALL % 0)
        out.write('{"id": "texts", "expected": "%s", "actual": "%s"}\n' % ("ab" * (size // 4), "cde" * (size // 6)))


def nested(path, size):
    """JSON texts inside strings inside JSON texts."""
    text = json.dumps(["x" * (size // 16)])
    for _ in range(7):
        text = json.dumps([text])
    with open(path, "w") as out:
        out.write(SMALL % 0)
        out.write(json.dumps({"id": "nested", "expected": text, "actual": text.replace("xx", "xy", 1)}) + "\n")


def groups(path, count):
    """Groups of long names whose scores spread over all of [0, 1]."""
    with open(path, "w") as out:
        for i in range(count):
            name = "n" * 1000 + str(i % 4096) if i % 300 else "m" * 100000
            out.write('{"id": %d, "group": "%s", "expected": "%s", "actual": "%s"}\n'
                      % (i, name, "a" * 64, "a" * (i % 64) + "b" * (64 - i % 64)))


def gold(folder, ids, value_bytes):
    """Gold of many ids, and answers to some of them."""
    with open(os.path.join(folder, "gold.jsonl"), "w") as out:
        value = "[" + ",".join(["1"] * (value_bytes // 2)) + "]"
        for i in range(ids):
            out.write('{"id":"id-%09d","expected":%s}\n' % (i, value))
    with open(os.path.join(folder, "in.jsonl"), "w") as out:
        for i in range(0, ids, max(ids // 1000, 1)):
            out.write('{"id":"id-%09d","actual":[1,2]}\n' % i)


def gzipped(path, make, *sizes):
    """The same, compressed."""
    make(path, *sizes)
    with open(path, "rb") as plain, gzip.open(path + ".gz", "wb", compresslevel=1) as out:
        while piece := plain.read(1 << 20):
            out.write(piece)
    os.replace(path + ".gz", path)


def long_window(path, count):
    """A zstd frame with a window of 128 MiB, all of which empty lines fill, and records around these."""
    def block(kind, last, size, content):
        return (last | kind << 1 | size << 3).to_bytes(3, "little") + content
    small = "".join(SMALL % i for i in range(1000)).encode()
    raw = block(0, 0, len(small), small)
    with open(path, "wb") as out:
        out.write(b"\x28\xb5\x2f\xfd\x00" + bytes([17 << 3]) + raw)
        out.write(block(1, 0, 128 << 10, b"\n") * count)
        out.write(raw + block(0, 1, 0, b""))


ANY_ORDER = 'scorers: [{type: json_similarity, array_match: any_order}]'
LEAVES = ["--details", "leaves"]

# name: (arguments, how to make in.jsonl, its sizes, small and full)
INPUTS = {
    "ints": (["-s", "json_similarity"], ints, (6 * MIB,), (32 * MIB,)),
    "six lines of ints": (["-s", "json_similarity", *LEAVES], ints, (3 * MIB, 6), (32 * MIB, 6)),
    "lines of ints among small records": (["-s", "json_similarity"], among_many, (2 * MIB, 2000),
                                          (32 * MIB, 1000000)),
    "ints in gzip": (["-s", "json_similarity"], gzipped, (ints, 6 * MIB), (ints, 32 * MIB)),
    "keys": (["-s", "json_similarity", *LEAVES], keys, (4 * MIB,), (36 * MIB,)),
    "details": (["-s", "json_similarity", *LEAVES], details, (1000000, 1), (1000000, 20)),
    "details of middling records": (["-s", "json_similarity", "-s", "json_diff", *LEAVES], middling, (8,), (400,)),
    "any order": (["-c", "any_order.yaml"], unordered, (16, 1), (16, 40)),
    "answer": (["-s", "static_json"], answer, (3 * MIB,), (100 * MIB,)),
    "texts": (["-s", "levenshtein", "-s", "contains"], texts, (MIB,), (60 * MIB,)),
    "nested texts": (["-s", "json_similarity"], nested, (MIB,), (60 * MIB,)),
    "groups": (["-s", "levenshtein", "--group-by", "group"], groups, (3000,), (300000,)),
    "gold": (["-s", "json_similarity", "--gold", "gold.jsonl"], gold, (20000, 4), (10000000, 4)),
    "a window of 128 MiB": (["-s", "levenshtein", "--max-ratio", "1000000000"], long_window, (1200,), (1200,)),
    "gold of long values": (["-s", "json_similarity", "--gold", "gold.jsonl"], gold, (2, 6 * MIB), (6, 32 * MIB)),
}


# Started by a small process: the peak of a child begins with that of its parent.
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
_, status, usage = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def run(command, folder):
    """Returns the exit status, the peak of the resident memory in bytes, and what was printed."""
    done = subprocess.run([sys.executable, "-c", MEASURE, *command], cwd=folder, capture_output=True, check=True)
    status, peak = map(int, done.stdout.split())
    return status, peak * 1024, done.stderr.decode(errors="replace")


def digest_of(path):
    digest = hashlib.md5()
    with open(path, "rb") as file:
        while piece := file.read(MIB):
            digest.update(piece)
    return digest.digest()


def verdict_of(folder, status, printed):
    """Returns what became of the records, and whether all short ones have their score."""
    if status != 0:
        why = [line for line in printed.splitlines() if "--memory" in line]
        return "ended: " + (why or printed.splitlines())[-1][:100], bool(why)
    scored = rejected = 0
    fine = True
    with open(os.path.join(folder, "out.jsonl"), "rb") as lines:
        for line in lines:
            scored += b'"outcome": "scored"' in line
            rejected += b'"reason": "over_memory_budget"' in line
            fine = fine and (not line.startswith(b'{"id": "small') or b'"outcome": "scored"' in line)
    return "%d scored, %d rejected" % (scored, rejected), fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leafscore")
    parser.add_argument("--small", action="store_true", help="inputs of some megabytes, under the least budget")
    parser.add_argument("--only", help="this input alone")
    parser.add_argument("--folder", help="where inputs are made (some gigabytes) [the system's for such files]")
    arguments = parser.parse_args()
    leafscore = os.path.abspath(arguments.leafscore)
    budgets = [128] if arguments.small else [128, 1024, 2048, 8192]
    failures = 0
    print("| input | budget, MiB | peak, MiB | verdict |\n|---|---|---|---|", flush=True)
    for name, (options, make, small, full) in INPUTS.items():
        if arguments.only and arguments.only != name:
            continue
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            with open(os.path.join(folder, "any_order.yaml"), "w") as out:
                out.write(ANY_ORDER)
            path = folder if make is gold else os.path.join(folder, "in.jsonl")
            sizes = small if arguments.small else full
            make(path, *sizes)
            for budget in budgets:
                outputs = []
                for threads in (2, 1) if arguments.small else (2,):
                    command = [leafscore, "score", "in.jsonl", *options, "-q", "--threads", str(threads), "--memory",
                               str(budget * MIB), "--max-line-bytes", str(1 << 30), "-o", "out.jsonl"]
                    status, peak, printed = run(command, folder)
                    verdict, fine = verdict_of(folder, status, printed)
                    if status == 0:
                        outputs.append(digest_of(os.path.join(folder, "out.jsonl")))
                        os.remove(os.path.join(folder, "out.jsonl"))
                    fine = fine and peak <= budget * MIB + SLACK
                    failures += not fine
                    print("| %s | %d | %d | %s%s |" % (name, budget, peak // MIB, verdict, "" if fine else " FAILED"),
                          flush=True)
                if len(set(outputs)) > 1:
                    failures += 1
                    print("%s: the number of threads changes the output" % name)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
