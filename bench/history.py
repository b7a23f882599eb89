#!/usr/bin/env python3
"""Measures a commit against an earlier one, and appends a line for each job to bench/history.jsonl.

Usage: bench/history.py BASE [HEAD] [--rounds N] [--pairs N] [--dry-run]

Both commits are built in build/history (preset release, the command alone) and run in turn on the same generated
pairs, one thread, scores to a file: processor times of whole commands. Outputs whose scores differ are told and kept
as such, since a time says nothing where the work is another one. A line has the job, both commits, the rounds, the
median of the ratios HEAD / BASE with its 95% interval (bootstrap over rounds), and the machine.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILDS = ROOT / "build" / "history"
HISTORY = ROOT / "bench" / "history.jsonl"

# Job, profile of the generated pairs, share of the pairs, scorers, more arguments of `leafscore score`.
JOBS = [
    ("invoices, json_similarity", "invoices", 1, ["json_similarity"], []),
    ("mixed, json_similarity", "mixed", 1, ["json_similarity"], []),
    ("mixed, details of leaves", "mixed", 1, ["json_similarity"], ["--details", "leaves"]),
    ("invoices, static_json", "invoices", 1, ["static_json"], []),
    ("invoices, json_diff", "invoices", 0.2, ["json_diff"], []),
    ("invoices, four scorers", "invoices", 0.2, ["json_similarity", "strict_json", "exact_match", "json_diff"], []),
]


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def build(commit):
    """Builds the command of a commit. RETURNS: its path."""
    folder = BUILDS / commit[:12]
    command = folder / "build" / "release" / "cli" / "leafscore"
    if command.exists():
        return command
    if not folder.exists():
        git("worktree", "add", "--detach", str(folder), commit)
    for step in (["cmake", "--preset", "release", "-D", "LEAFSCORE_BUILD_TESTS=OFF", "-D", "LEAFSCORE_BUILD_BENCH=OFF"],
                 ["cmake", "--build", "--preset", "release", "--target", "leafscore_cli"]):
        subprocess.run(step, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return command


def processor_seconds(command):
    """Runs a command. RETURNS: the seconds of processor time that it took."""
    with tempfile.TemporaryFile() as messages:  # remarks on the answers, in each round
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=messages)
        _, status, usage = os.wait4(child.pid, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            messages.seek(0)
            sys.exit(f"history.py: {' '.join(map(str, command))} ended with status {os.waitstatus_to_exitcode(status)}: "
                     + messages.read().decode(errors="replace"))
    return usage.ru_utime + usage.ru_stime


def scores(path):
    """RETURNS: id and score of each line, which outputs of two commits share whatever else they tell."""
    with open(path, encoding="utf-8") as lines:
        return [(record["id"], record.get("score"), record.get("scores")) for record in map(json.loads, lines)]


def interval(ratios):
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[1949]


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    compiler = subprocess.run([os.environ.get("CXX", "c++"), "-dumpfullversion"], capture_output=True, text=True).stdout
    return {"cpu": names[0] if names else platform.machine(), "cores": os.cpu_count(), "compiler": compiler.strip()}


def measure(base, head, pairs, arguments, rounds):
    """RETURNS: the ratios of processor time head / base, round by round, and whether the scores are the same."""
    outputs = [BUILDS / "base.jsonl", BUILDS / "head.jsonl"]
    commands = [[binary, "score", pairs, *arguments, "--threads", "1", "--quiet", "-o", output]
                for binary, output in zip((base, head), outputs)]
    ratios = []
    for number in range(-1, rounds):  # the first warms the page cache
        times = [0.0, 0.0]
        for which in ((0, 1) if number % 2 else (1, 0)):
            for name in (outputs[which], pathlib.Path(f"{outputs[which]}.manifest.json")):
                name.unlink(missing_ok=True)
            times[which] = processor_seconds(commands[which])
        if number >= 0:
            ratios.append(times[1] / times[0])
    return ratios, scores(outputs[0]) == scores(outputs[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("head", nargs="?", default="HEAD")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--pairs", type=int, default=50000)
    parser.add_argument("--dry-run", action="store_true", help="print the lines, append nothing")
    arguments = parser.parse_args()

    commits = [git("rev-parse", "--verify", f"{name}^{{commit}}") for name in (arguments.base, arguments.head)]
    BUILDS.mkdir(parents=True, exist_ok=True)
    base, head = map(build, commits)
    for job, profile, share, scorers, more in JOBS:
        options = [*(f"--scorer={scorer}" for scorer in scorers), *more]
        pairs = BUILDS / f"{profile}-{int(arguments.pairs * share)}.jsonl"
        if not pairs.exists():
            subprocess.run([head, "generate", "--pairs", str(int(arguments.pairs * share)), "--seed", "1",
                            "--profile", profile, "-o", pairs], check=True)
        ratios, same_scores = measure(base, head, pairs, options, arguments.rounds)
        low, high = interval(ratios)
        line = json.dumps({
            "date": datetime.date.today().isoformat(), "job": job, "base": commits[0][:12], "head": commits[1][:12],
            "ratio": round(statistics.median(ratios), 4), "low": round(low, 4), "high": round(high, 4),
            "rounds": arguments.rounds, "pairs": int(arguments.pairs * share), "same_scores": same_scores,
            "machine": machine()})
        print(line, flush=True)
        if not arguments.dry_run:
            with open(HISTORY, "a", encoding="utf-8") as history:
                history.write(line + "\n")


if __name__ == "__main__":
    main()
