#!/usr/bin/env python3
"""Times each scorer's whole job, file in and scores out: the leafscore command against the baseline in Python
(bench/python_baseline), and all scorers in one pass against the sum of single passes.

Usage: bench/scorers_bench.py LEAFSCORE [--pairs N] [--rounds N] [--threads N]

The answers of both are compared first; the baseline takes a sample, as it would take hours for all. Runs alternate,
and the median of the rounds is reported. A scorer that this leafscore does not have is left out and named.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

BASELINE = pathlib.Path(__file__).parent / "python_baseline" / "score.py"

FIELDS = [
    {"path": "invoice_number"},
    {"path": "invoice_date", "match": "date"},
    {"path": "supplier.name"},
    {"path": "customer.address.city", "required": False},
    {"path": "line_items[0].description"},
    {"path": "gross_total", "match": "numeric_tolerance", "tolerance": 0.01, "weight": 2},
]

# Scorer, its configuration, what it reads, and the records that the baseline takes.
JOBS = [
    ("json_similarity", {}, "values", 2000),
    ("levenshtein", {}, "texts", 20),
    ("static_json", {}, "answers", 500),
    ("field_accuracy", {"fields": FIELDS}, "answers", 2000),
    ("strict_json", {}, "values", 2000),
    ("json_diff", {}, "values", 200),
]


def rewrite(source, target, change):
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        for line in lines:
            record = json.loads(line)
            change(record)
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def actual_as_answer(record):
    text = json.dumps(record["actual"], indent=2, ensure_ascii=False)
    record["actual"] = f"Here is the record.\n```json\n{text}\n```\nAnything else?"


def both_as_texts(record):
    for side in ("expected", "actual"):
        record[side] = json.dumps(record[side], ensure_ascii=False)


def timed(command, output):
    with open(output, "wb") as out:
        start = time.perf_counter()
        subprocess.run(command, stdout=out, check=True)
        return time.perf_counter() - start


def read_scores(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line).get("score") for line in lines]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("leafscore")
    parser.add_argument("--pairs", type=int, default=100000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()

    every = [arguments.leafscore, "scorers", "--all"]
    listed = subprocess.run(every, capture_output=True, text=True, check=True).stdout
    present = {line.split(":")[0] for line in listed.splitlines() if line and not line.startswith(" ")}
    jobs = [job for job in JOBS if job[0] in present]
    for name in sorted({job[0] for job in JOBS} - present):
        print(f"{name}: left out, this leafscore does not have it")

    with tempfile.TemporaryDirectory() as folder_name:
        folder = pathlib.Path(folder_name)
        inputs = {kind: folder / f"{kind}.jsonl" for kind in ("values", "answers", "texts")}
        subprocess.run(
            [arguments.leafscore, "generate", "--pairs", str(arguments.pairs), "-o", inputs["values"]], check=True
        )
        rewrite(inputs["values"], inputs["answers"], actual_as_answer)
        rewrite(inputs["values"], inputs["texts"], both_as_texts)

        def leafscore(scorers, path):
            config = folder / "config.json"
            config.write_text(json.dumps({"evaluators": [{"type": name, **options} for name, options in scorers]}))
            return [arguments.leafscore, "score", path, "-q", "--details", "none", "--config", config] + [
                "--threads",
                str(arguments.threads),
            ]

        print(f"{arguments.pairs} pairs, {arguments.threads} threads, median of {arguments.rounds} rounds")
        print(f"{'scorer':16} {'leafscore pairs/s':>18} {'Python pairs/s':>15} {'ratio':>8}")
        ours, theirs = folder / "ours.jsonl", folder / "theirs.jsonl"
        for name, config, kind, sample in jobs:
            sample = min(sample, arguments.pairs)
            part = folder / "sample.jsonl"
            with open(inputs[kind], encoding="utf-8") as lines:
                part.write_text("".join(line for line, _ in zip(lines, range(sample))), encoding="utf-8")
            baseline = [sys.executable, BASELINE, name, json.dumps(config), part]
            timed(leafscore([(name, config)], part), ours)
            timed(baseline, theirs)
            for i, (a, b) in enumerate(zip(read_scores(ours), read_scores(theirs), strict=True)):
                if (a is None) != (b is None) or (a is not None and abs(a - b) > 1e-9):
                    sys.exit(f"{name}: record {i + 1} scores {a} here and {b} in the baseline")
            fast, slow = [], []
            for _ in range(arguments.rounds):
                fast.append(timed(leafscore([(name, config)], inputs[kind]), ours))
                slow.append(timed(baseline, theirs))
            ours_rate = arguments.pairs / statistics.median(fast)
            rate = sample / statistics.median(slow)
            print(f"{name:16} {ours_rate:18,.0f} {rate:15,.0f} {ours_rate / rate:8,.0f}")

        scorers = [(name, config) for name, config, _, _ in jobs]
        together, apart = [], []
        for _ in range(arguments.rounds):
            together.append(timed(leafscore(scorers, inputs["values"]), ours))
            apart.append(sum(timed(leafscore([scorer], inputs["values"]), ours) for scorer in scorers))
        one, many = statistics.median(together), statistics.median(apart)
        print(f"all {len(scorers)} scorers in one pass: {one:.2f} s; one by one: {many:.2f} s; ratio {many / one:.2f}")


main()
