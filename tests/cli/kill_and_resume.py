#!/usr/bin/env python3
"""Kills `leafscore score --resume` at random moments until each run has come to its end, and compares all it wrote
with that of a run without a break.

    kill_and_resume.py COMMAND [KILLS]

Ends when so many runs were killed (1,000). The runs change in output, inputs, gold, scorers, threads and signal; the
seed is fixed, the moments are those of the machine. Then a tenth as many runs are told to stop while each of several
things blocks them. Tells how long SIGINT and SIGTERM took. `make faults` calls it.
"""

import gzip
import itertools
import json
import os
import pathlib
import re
import random
import signal
import subprocess
import sys
import tempfile
import time

RECORDS = 6000


def record(i, with_expected):
    value = {"total": i * 7919 % 100003, "lines": [{"text": f"line {i} {k}", "price": k / 7} for k in range(i % 5)]}
    actual = dict(value, total=value["total"] + i % 3)
    made = {"id": f"r{i}", "model": f"m{i % 4}", "actual": actual}
    if with_expected:
        made["expected"] = value
    text = json.dumps(made)
    return text[:-2] if i % 97 == 13 else text


def write_inputs(folder):
    for name, with_expected in (("pairs", True), ("answers", False)):
        lines = [record(i, with_expected) for i in range(RECORDS)]
        half = RECORDS // 2
        (folder / f"{name}.jsonl").write_text("\n".join(lines[:half]) + "\n")
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(("\n".join(lines[half:])).encode()))
    gold = [{"id": f"r{i}", "expected": {"total": i}} for i in range(0, RECORDS + 500, 2)]
    (folder / "gold.jsonl").write_text("".join(json.dumps(each) + "\n" for each in gold))


def cases(folder):
    """Yields the arguments and the output of one run after the other."""
    scorers = ["-s", "json_similarity", "-s", "levenshtein", "--group-by", "model"]
    for output, gold, details in itertools.cycle(
            itertools.product(("out.jsonl", "out.csv", "out.jsonl.gz", "out.jsonl.zst"), (False, True),
                              ("none", "basic", "leaves"))):
        name = "answers" if gold else "pairs"
        arguments = ["score", f"{folder}/{name}.jsonl", f"{folder}/{name}.jsonl.gz", *scorers, "--details", details,
                     "-q", "--batch-bytes", "8000", "-o", f"{folder}/{output}", "--summary",
                     f"{folder}/summary.json"]
        if gold:
            arguments += ["--gold", f"{folder}/gold.jsonl"]
        yield arguments, folder / output


def written(output):
    """Returns the bytes of the output, its manifest and the summary without its times, and removes them."""
    files = [output, output.with_name(output.name + ".manifest.json"), output.with_name("summary.json")]
    found = [path.read_bytes() for path in files]
    found[2] = re.sub(rb'"[a-z_]*(seconds|per_second)": [^\n]*', b"", found[2])
    for path in files:
        path.unlink()
    return found


def told_to_stop(child, signal_number):
    """Sends a signal. RETURNS: how many seconds it took, and what the command said."""
    begun = time.monotonic()
    child.send_signal(signal_number)
    messages = child.communicate(timeout=60)[1]
    return time.monotonic() - begun, messages


def blocked(command, folder, rounds):
    """Yields, for runs that wait for something else, how many seconds a signal took."""
    for pipe in ("in", "out", "stuck"):
        os.mkfifo(folder / f"{pipe}.fifo")
    (folder / "judge.sh").write_text("sleep 1000\n")
    (folder / "judge.yaml").write_text("scorers:\n  - {type: code_judge, script: [sh, judge.sh], timeout_ms: 100000}\n")
    reader = os.open(folder / "stuck.fifo", os.O_RDONLY | os.O_NONBLOCK)  # it never reads
    scorer = ["-s", "levenshtein", "-q"]
    waiting = (["score", f"{folder}/in.fifo", *scorer, "-o", f"{folder}/blocked.jsonl"],
               ["score", f"{folder}/pairs.jsonl", *scorer, "-o", f"{folder}/out.fifo"],
               ["score", f"{folder}/pairs.jsonl", *scorer, "-o", f"{folder}/stuck.fifo"],
               ["score", f"{folder}/pairs.jsonl", "-c", f"{folder}/judge.yaml", "-q", "-o", f"{folder}/blocked.jsonl"])
    for i in range(rounds):
        for arguments in waiting:
            child = subprocess.Popen([command, *arguments], stderr=subprocess.PIPE, text=True)
            time.sleep(0.15)
            chosen = (signal.SIGTERM, signal.SIGINT)[i % 2]
            seconds, messages = told_to_stop(child, chosen)
            if child.returncode != 128 + chosen:
                sys.exit(f"exit status {child.returncode} of {arguments}: {messages}")
            for left in folder.glob("blocked.jsonl*"):
                left.unlink()
            yield seconds
    os.close(reader)


def spread(seconds):
    seconds = sorted(seconds)
    return f"{len(seconds)}, p50 {seconds[len(seconds) // 2]:.3f} s, p99 {seconds[len(seconds) * 99 // 100]:.3f} s, " \
           f"longest {seconds[-1]:.3f} s"


def main():
    command = sys.argv[1]
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    chance = random.Random(7)
    kills = runs = resumed = 0
    took = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(folder)
        for arguments, output in cases(folder):
            if kills >= wanted:
                break
            begun = time.monotonic()
            subprocess.run([command, *arguments], check=True, stderr=subprocess.DEVNULL)
            life = time.monotonic() - begun
            expected = written(output)
            while True:
                threads = str(chance.randrange(1, 4))
                child = subprocess.Popen([command, *arguments, "--resume", "--threads", threads],
                                         stderr=subprocess.PIPE, text=True)
                try:
                    child.wait(chance.uniform(0, 1.1 * life))
                    messages = child.communicate(timeout=60)[1]
                except subprocess.TimeoutExpired:
                    chosen = chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
                    seconds, messages = told_to_stop(child, chosen)
                    if chosen != signal.SIGKILL:
                        took.append(seconds)
                if child.returncode == 0:
                    resumed += "went on after" in messages
                    break
                if child.returncode not in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, 130, 143):
                    sys.exit(f"exit status {child.returncode} of {arguments}: {messages}")
                kills += 1
            runs += 1
            if written(output) != expected:
                sys.exit(f"other bytes after {kills} kills: {arguments}")
            for left in [*folder.glob("*.partial*"), *folder.glob("out.*.journal*")]:
                # What a run that was killed before its first batch was written leaves; nothing tells that it is not
                # the user's. A run that is interrupted keeps the summary that it has come to.
                if left.stat().st_size > 20000:
                    sys.exit(f"{left} was left")
                left.unlink()
        print(f"{kills} kills, {runs} runs that came to their end, {resumed} of which went on; other bytes: 0")
        print(f"SIGINT and SIGTERM to running ones: {spread(took)}")
        print(f"to blocked ones: {spread(blocked(command, folder, max(1, wanted // 10)))}")


if __name__ == "__main__":
    main()
