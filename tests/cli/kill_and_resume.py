#!/usr/bin/env python3
"""Kills `leafscore score --resume` at random moments until each run has come to its end, and compares all it wrote
with that of a run without a break.

    kill_and_resume.py COMMAND [KILLS]

Ends when so many runs were killed (1,000). The runs change in output, inputs, gold, scorers, threads and signal; the
seed is fixed, the moments are those of the machine. `make faults` calls it.
"""

import gzip
import itertools
import json
import pathlib
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
                     "-q", "--batch-bytes", "8000", "-o", f"{folder}/{output}"]
        if gold:
            arguments += ["--gold", f"{folder}/gold.jsonl"]
        yield arguments, folder / output


def written(output):
    """Returns the bytes of the output and of its manifest, and removes both."""
    files = [output, output.with_name(output.name + ".manifest.json")]
    found = [path.read_bytes() for path in files]
    for path in files:
        path.unlink()
    return found


def main():
    command = sys.argv[1]
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    chance = random.Random(7)
    kills = runs = resumed = 0
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
                except subprocess.TimeoutExpired:
                    child.send_signal(chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
                messages = child.communicate(timeout=60)[1]
                if child.returncode == 0:
                    resumed += "went on after" in messages
                    break
                if child.returncode not in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, 130, 143):
                    sys.exit(f"exit status {child.returncode} of {arguments}: {messages}")
                kills += 1
            runs += 1
            if written(output) != expected:
                sys.exit(f"other bytes after {kills} kills: {arguments}")
            for left in [*folder.glob("out.*.partial*"), *folder.glob("out.*.journal*")]:
                # What a run that was killed before its first batch was written leaves; nothing tells that it is not
                # the user's.
                if left.stat().st_size > 20000:
                    sys.exit(f"{left} was left")
                left.unlink()
    print(f"{kills} kills, {runs} runs that came to their end, {resumed} of which went on; other bytes: 0")


if __name__ == "__main__":
    main()
