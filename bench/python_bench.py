#!/usr/bin/env python3
"""Times the Python package: against the C++ API on the same columns, from each library's tables, and its distances
beside rapidfuzz. `leafscore bench` compares scorers with those of other packages.

Usage: bench/python_bench.py LEAFSCORE ARROW_STREAM_BENCH [--pairs N] [--rounds N]
LEAFSCORE is the command, ARROW_STREAM_BENCH the program of that name; the Python that runs this has the package.

Runs alternate, and the median of the rounds is reported. Answers are checked first: those of the C++ API bit by bit,
distances against rapidfuzz. Packages that are not installed are left out and named.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import struct
import subprocess
import tempfile
import time
import timeit

import pyarrow as pa

import leafscore as ls


def timed(call):
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


def alternate(rounds, calls):
    """Calls all of them in turn. Returns the median seconds of each by its name."""
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(timed(call)[0])
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def write_columns(path, columns):
    with open(path, "wb") as file:
        for column in columns:
            _, offsets, data = pa.array(column, pa.large_string()).buffers()
            file.write(struct.pack("<q", len(column)) + offsets.to_pybytes()[: 8 * (len(column) + 1)] + data.to_pybytes())


def in_cpp(program, what, detail, path):
    """Returns the seconds and the result of one round in C++."""
    printed = subprocess.run([program, what, str(detail), path, "2"], capture_output=True, text=True, check=True)
    seconds, result = printed.stdout.splitlines()[-1].split()  # the second round, as Python is warm, too
    return float(seconds), float.fromhex(result)


def beside_cpp(name, rounds, pairs, python, cpp, same):
    """Alternates Python and C++, and prints both rates."""
    seconds, result = timed(python)
    if not same(result, cpp()[1]):
        raise SystemExit(f"{name}: Python's answers are not those of C++")
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(timed(python)[0])
        theirs.append(cpp()[0])
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    ratio = ours / theirs
    print(f"{name:34} {pairs / ours:12,.0f} pairs/s in Python {pairs / theirs:12,.0f} in C++  {ratio:5.2f}x its time")


def leaves(value, path=""):
    """Yields the strings of a value by their paths."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from leaves(member, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, f"{path}[{i}]")
    elif isinstance(value, str):
        yield path, value


def string_pairs(records):
    """Returns the strings that stand at the same places of both sides, and differ: the JSON mix."""
    left, right = [], []
    for record in records:
        actual = dict(leaves(record.get("actual")))
        for path, text in leaves(record["expected"]):
            if actual.get(path, text) != text:
                left.append(text)
                right.append(actual[path])
    return left, right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leafscore")
    parser.add_argument("arrow_stream_bench")
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    rounds = arguments.rounds
    with tempfile.TemporaryDirectory() as folder:
        pairs = pathlib.Path(folder, "pairs.jsonl")
        subprocess.run(
            [arguments.leafscore, "generate", "--pairs", str(arguments.pairs), "--seed", "1", "--profile", "mixed", "-o", pairs],
            check=True,
        )
        records = [json.loads(line) for line in pairs.read_text().splitlines()]
        columns = [
            [json.dumps(record["expected"], ensure_ascii=False) for record in records],
            [json.dumps(record.get("actual"), ensure_ascii=False) for record in records],
        ]
        table = pa.table(dict(zip(("expected", "actual"), (pa.array(c, pa.large_string()) for c in columns))))
        path = pathlib.Path(folder, "columns")
        write_columns(path, columns)
        plan = ls.Plan("json_similarity")
        beside_cpp(
            "json_similarity, pyarrow, 1 thread", rounds, len(records),
            lambda: plan.score(table, threads=1),
            lambda: in_cpp(arguments.arrow_stream_bench, "score", "json_similarity", path),
            lambda scores, mean: scores.report()["scorers"][0]["over_all"]["mean"] == mean,
        )  # fmt: skip

        tables = {"pyarrow": table}
        for name in ("polars", "pandas"):
            try:
                tables[name] = __import__(name).DataFrame(table) if name == "polars" else table.to_pandas()
            except ImportError:
                print(f"{name} is not installed")
        tables["lists of dicts"] = ([r["expected"] for r in records], [r.get("actual") for r in records])
        times = alternate(rounds, {name: lambda data=data: plan.score(data, threads=1) for name, data in tables.items()})
        for name, seconds in times.items():
            print(f"json_similarity from {name:13} {len(records) / seconds:12,.0f} pairs/s")

        pair = {"expected": {"city": "Oslo", "temp": 20}, "actual": {"city": "Olso", "temp": 20}}
        small = {
            "plan.score_pair": lambda: plan.score_pair(**pair),
            "ls.score_pair, a scorer with options": lambda: ls.score_pair(**pair, scorer={"type": "json_similarity"}),
            "plan.score of one record": lambda: plan.score([pair]),
            "ls.levenshtein of one pair": lambda: ls.levenshtein(["Oslo"], ["Olso"]),
        }
        for name, call in small.items():
            print(f"{name:36} {min(timeit.repeat(call, number=100, repeat=50)) * 1e4:6.1f} µs")

        left, right = string_pairs(records)
        write_columns(path, (left, right))
        texts = [pa.array(side, pa.large_string()) for side in (left, right)]
        for threads in (1, 2):
            beside_cpp(
                f"levenshtein, {threads} threads", rounds, len(left),
                lambda: ls.levenshtein(*texts, threads=threads),
                lambda: in_cpp(arguments.arrow_stream_bench, "levenshtein", threads, path),
                lambda column, total: sum(column.to_list()) == total,
            )  # fmt: skip
        try:
            from rapidfuzz.distance import Levenshtein
            from rapidfuzz.process import cpdist
        except ImportError:
            print("rapidfuzz is not installed")
            return
        if cpdist(left, right, scorer=Levenshtein.distance).tolist() != ls.levenshtein(left, right).to_list():
            raise SystemExit("levenshtein: rapidfuzz has other distances")
        for threads in (1, 2):
            times = alternate(rounds, {
                "arrays": lambda: ls.levenshtein(*texts, threads=threads),
                "lists": lambda: ls.levenshtein(left, right, threads=threads),
                "rapidfuzz": lambda: cpdist(left, right, scorer=Levenshtein.distance, workers=threads),
            })  # fmt: skip
            for name in ("arrays", "lists"):
                print(
                    f"levenshtein of {name:7} {threads} threads {len(left) / times[name]:12,.0f} pairs/s; "
                    f"rapidfuzz cpdist {len(left) / times['rapidfuzz']:12,.0f}: {times['rapidfuzz'] / times[name]:.2f}x"
                )


if __name__ == "__main__":
    main()
