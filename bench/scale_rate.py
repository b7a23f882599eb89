#!/usr/bin/env python3
"""Measures what a pair costs one core and how many bytes it has: the figures that docs/scale.md starts from.

Usage: scale_rate.py LEAFSCORE [PAIRS]

Times are those of the processor, not of the clock, and medians of five.
"""

import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time

import leafscore as ls
from leafscore._paths import open_path
from pyarrow import parquet

COLUMNS = {"id": None, "model": None, "expected": "json", "actual": "json"}
PARTS = 10_000  # summaries to merge


def measure(what, work, count, unit):
    """Prints the microseconds that `work` takes for each of `count` things, and returns what it returned last."""
    seconds = []
    for _ in range(5):
        begin = time.process_time()
        result = work()
        seconds.append(time.process_time() - begin)
    print(f"{what}: {statistics.median(seconds) / count * 1e6:.2f} us a {unit}")
    return result


def main():
    command, pairs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60_000
    with tempfile.TemporaryDirectory() as folder:
        lines, data, results = (os.path.join(folder, name) for name in ("pairs.jsonl", "data.parquet", "scores.parquet"))
        subprocess.run([command, "generate", "--pairs", str(pairs), "--profile", "mixed", "-o", lines], check=True)
        table = open_path(lines, COLUMNS).read_all()
        parquet.write_table(table, data, compression="zstd")
        print(f"data: {table.nbytes / pairs:.0f} bytes a pair in memory, {os.path.getsize(data) / pairs:.0f} as Parquet")
        measure("read Parquet", lambda: parquet.read_table(data, use_threads=False), pairs, "pair")
        plan = ls.Plan("json_similarity")
        scores = measure("score", lambda: plan.score(table, keep=["id", "model"], threads=1), pairs, "pair")
        rows = scores.to_arrow()
        measure("write Parquet", lambda: parquet.write_table(rows, results, compression="zstd"), pairs, "pair")
        print(f"scores: {rows.nbytes / pairs:.0f} bytes a pair in memory, {os.path.getsize(results) / pairs:.0f} as Parquet")
        summary = pickle.dumps(measure("summarise", lambda: scores.summary("model"), pairs, "pair"))
        print(f"summary: {len(summary)} bytes a part")
        merged = ls.Summary(plan.scorer_names, "model")
        measure("merge summaries", lambda: [merged.merge(pickle.loads(summary)) for _ in range(PARTS)], PARTS, "part")


if __name__ == "__main__":
    main()
