#!/usr/bin/env python3
"""The processor time and memory of each command at 10 thousand, 100 thousand and 1 million records: the table of commands
in RESULTS.md.

    python3 bench/commands.py build/release/cli/leafscore [--sizes 10000,100000,1000000] [--rounds 3]
    python3 bench/commands.py build/release/cli/leafscore --threads 1,2 [--sizes ...] [--rounds 3]
    python3 bench/commands.py build/release/cli/leafscore --instructions bench/instructions.json [--write]

A record has an id, an expected object of three members, and the answers of two models, of which one in five and one in four is
wrong; 100 bytes a pair. Every command runs on one thread, and its figures are checked: the means of scores, of the gold join and
of the merged shards, the ranks, the verdict, the counts of lint. A time is the least of the rounds, user and system. `growth` is
the exponent between the last two sizes: 1.00 is linear.

With --threads, the elapsed time of each command on as many processors and threads is told instead, in turn, the least of the
rounds, and how many times as fast the last of these is as the first.

With --instructions, each command runs once in qemu (bench/instruction_counter.c) on 10,000 records, and its count of
instructions is compared with that in the file: those that differ by more than 1% are told, and the status is then 1. Counts
depend on the compiler and its options, not on the load of the machine. --write writes them.
"""

import argparse
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

NAMES = "ash birch cedar elm fir hazel larch maple oak pine rowan willow".split()
WRONG = {"one": 0.2, "two": 0.25}
SCORER = ["--scorer", "exact_match"]
TOLERANCE = 0.01


def write_data(folder, size):
    """Writes the files of a size. RETURNS: the share of right answers by model."""
    rng = random.Random(size)
    right = dict.fromkeys(WRONG, 0)
    files = {name: open(folder / f"{name}.jsonl", "w", encoding="utf-8") for name in ("gold", "both", *WRONG)}
    answers = {model: open(folder / f"{model}-answers.jsonl", "w", encoding="utf-8") for model in WRONG}
    for number in range(size):
        gold = {"name": rng.choice(NAMES), "count": rng.randrange(1000), "paid": rng.random() < 0.5}
        print(json.dumps({"id": f"r{number}", "expected": gold}), file=files["gold"])
        for model, share in WRONG.items():
            is_wrong = rng.random() < share
            right[model] += not is_wrong
            answer = {**gold, "count": gold["count"] + 1} if is_wrong else gold
            pair = {"id": f"r{number}", "model": model, "expected": gold, "actual": answer}
            print(json.dumps(pair), file=files[model])
            print(json.dumps(pair), file=files["both"])
            print(json.dumps({"id": f"r{number}", "actual": answer}), file=answers[model])
    for file in (*files.values(), *answers.values()):
        file.close()
    return {model: count / size for model, count in right.items()}


def mean_in(text, mean):
    return f"{mean:.4f}" in text


# Name, what runs before it (not measured), the command, and what its output must hold. {folder} stands for the files.
def jobs(means):
    one, two = means["one"], means["two"]
    scored = [["score", f"{{folder}}/{model}.jsonl", *SCORER, "-o", f"{{folder}}/{model}-scores.jsonl"]
              for model in WRONG]
    shards = [[*scored[0][:2], *SCORER, "-o", "{folder}/merged.jsonl", "--shard", f"{index}/2"] for index in (1, 2)]
    return [
        ("score", [], scored[0], lambda text: mean_in(text, one)),
        ("score, json_similarity", [], ["score", "{folder}/one.jsonl", "--scorer", "json_similarity", "-o", "{folder}/s.jsonl"],
         lambda text: "json_similarity" in text),
        ("score, details of leaves", [], [*scored[0][:-1], "{folder}/leaves.jsonl", "--details", "leaves"],
         lambda text: mean_in(text, one)),
        ("score, two models in a file", [], ["score", "{folder}/both.jsonl", "--source-field", "model", *SCORER, "-o",
                                             "{folder}/both-scores.jsonl"],
         lambda text: mean_in(text, one) and mean_in(text, two)),
        ("score --gold", [], ["score", "{folder}/one-answers.jsonl", "--gold", "{folder}/gold.jsonl", *SCORER, "-o",
                              "{folder}/gold-scores.jsonl"], lambda text: mean_in(text, one)),
        ("merge of two shards", shards, ["merge", "{folder}/merged.jsonl.shard-1-of-2", "{folder}/merged.jsonl.shard-2-of-2", "-o",
                                          "{folder}/merged.jsonl"],
         lambda text: mean_in(text, one)),
        ("leaderboard", scored, ["leaderboard", "{folder}/one-scores.jsonl", "{folder}/two-scores.jsonl"],
         lambda text: mean_in(text, one) and mean_in(text, two)),
        ("compare", scored, ["compare", "{folder}/one-scores.jsonl", "{folder}/two-scores.jsonl"],
         lambda text: "regressed" in text),
        ("lint of gold", [], ["lint", "{folder}/gold.jsonl", *SCORER], lambda text: "fine: 0 errors" in text),
        ("explain, the last record", [], ["explain", "{last}", "{folder}/one.jsonl", *SCORER], lambda text: "exact_match" in text),
    ]


def run(leafscore, folder, last, command, prefix=(), threads=1):
    """RETURNS: processor seconds, peak memory in MB, what it printed, and elapsed seconds."""
    words = [word.format(folder=folder, last=last) for word in command]
    options = [] if words[0] in ("explain", "merge") else ["--threads", str(threads)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        begin = time.perf_counter()
        child = subprocess.Popen([*prefix, leafscore, *words, *options], stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        elapsed = time.perf_counter() - begin
        output.seek(0)
        text = output.read(1 << 16)  # a child's peak begins with what this process has
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}:\n{text}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text, elapsed


def each_job(leafscore, size, measure):
    """Calls measure(name, run) for each command on records of a size, where run() runs it."""
    with tempfile.TemporaryDirectory(prefix="leafscore-commands-") as name:
        folder = pathlib.Path(name)
        last = f"r{size - 1}"
        for job, before, command, is_right in jobs(write_data(folder, size)):
            for step in before:
                run(leafscore, folder, last, step)

            def measured(**options):
                figures = run(leafscore, folder, last, command, **options)
                if not is_right(figures[2]):
                    sys.exit(f"{job}: the output is not what it must be:\n{figures[2]}")
                return figures

            measure(job, measured)


def table(leafscore, sizes, rounds):
    rows = {}
    for size in sizes:
        def measure(job, measured):
            seconds, memory, _, _ = zip(*(measured() for _ in range(rounds)))
            rows.setdefault(job, []).append((min(seconds), max(memory)))

        each_job(leafscore, size, measure)
    print("| command | " + " | ".join(f"{size:,}" for size in sizes) + " | growth |")
    print("|---" * (len(sizes) + 2) + "|")
    for job, figures in rows.items():
        cells = [f"{seconds:.3f} s, {memory:.0f} MB" for seconds, memory in figures]
        growth = ""
        if len(sizes) > 1:
            growth = f"{math.log(figures[-1][0] / figures[-2][0]) / math.log(sizes[-1] / sizes[-2]):.2f}"
        print(f"| {job} | " + " | ".join(cells) + f" | {growth} |")


def table_of_threads(leafscore, sizes, rounds, threads):
    rows = {}
    for size in sizes:
        def measure(job, measured):
            # taskset for merge, which takes all processors that it may
            runs = [[measured(prefix=["taskset", "-c", f"0-{count - 1}"], threads=count)[3] for count in threads]
                    for _ in range(rounds)]
            least = list(map(min, zip(*runs)))
            rows.setdefault(job, []).append(f"{', '.join(f'{each:.3f}' for each in least)}: {least[0] / least[-1]:.2f}")

        each_job(leafscore, size, measure)
    print("| command | " + " | ".join(f"{size:,}" for size in sizes) + " |")
    print("|---" * (len(sizes) + 1) + "|")
    for job, cells in rows.items():
        print(f"| {job} | " + " | ".join(cells) + " |")


def instructions(leafscore, path, write):
    """RETURNS: the exit status."""
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        counter = pathlib.Path(folder) / "instruction_counter.so"
        source = pathlib.Path(__file__).with_name("instruction_counter.c")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", counter], check=True)

        def measure(job, measured):
            figures = measured(prefix=["qemu-x86_64", "-cpu", "max", "-plugin", counter])
            counts[job] = int(re.findall(r"instructions: (\d+)", figures[2])[-1])

        each_job(leafscore, 10_000, measure)
    if write:
        path.write_text(json.dumps(counts, indent=2) + "\n")
        return 0
    before = json.loads(path.read_text())
    status = 0
    for job, count in counts.items():
        ratio = count / before[job] if job in before else math.nan
        differs = not abs(ratio - 1) <= TOLERANCE
        status |= differs
        print(f"{job}: {count:,} instructions, {ratio:.4f} of before{' <-- differs' if differs else ''}")
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leafscore", type=os.path.abspath)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads")
    parser.add_argument("--instructions", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.instructions:
        sys.exit(instructions(options.leafscore, options.instructions, options.write))
    sizes = [int(size) for size in options.sizes.split(",")]
    if options.threads:
        threads = [int(count) for count in options.threads.split(",")]
        table_of_threads(options.leafscore, sizes, options.rounds, threads)
    else:
        table(options.leafscore, sizes, options.rounds)


if __name__ == "__main__":
    main()
