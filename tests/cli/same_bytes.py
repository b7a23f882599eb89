#!/usr/bin/env python3
"""Fails unless leafscore writes the same bytes here and on another machine, on every instruction set of each.

Usage: same_bytes.py LEAFSCORE OTHER [FILE...]

OTHER is a command that runs the other machine's leafscore: "qemu-aarch64 -L ROOT build/arm64/cli/leafscore". What runs
are the published vectors of tests/data, generated pairs, and each FILE of records.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
PROFILES = ("invoices", "tickets", "multilingual", "long-text")
SCORERS = [word for name in ("json_similarity", "json_diff", "static_json", "strict_json", "records", "levenshtein")
           for word in ("--scorer", name)]
DETAILS = ["--details", "leaves", "--quiet"]


def run(machine, arguments, text=b"", folder=None):
    command, isa = machine
    return subprocess.run([*command, *arguments], input=text, capture_output=True, cwd=folder,
                          env={**os.environ, "LEAFSCORE_ISA": isa})


def instruction_sets(command):
    """The instruction sets that a machine has, of those that are built in."""
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    names = re.sub(r"[][]", "", re.search("edit distances: (.*)", version)[1]).split()
    return [name for name in names if run((command, name), ["--version"]).returncode == 0]


def vector_jobs(folder):
    """Gives a job for each file of published vectors: all its records, each by all scorers and options of the file, as
    qemu takes longer to start than to score. A job has a name, what leafscore is called with, one after the other in a
    folder of the machine's own, and the input of these calls."""
    for path in sorted(DATA.glob("**/*.jsonl")):
        lines = path.read_bytes().splitlines(keepends=True)
        cases = [case for case in map(json.loads, lines) if "scorer" in case]
        evaluators = {json.dumps({"type": case["scorer"], **case["config"]}): None for case in cases}
        if cases:
            named = [{"name": str(n), **json.loads(text)} for n, text in enumerate(evaluators)]
            config = folder / f"{path.stem}.json"
            config.write_text(json.dumps({"evaluators": named}))
            options = ["--config", str(config), "--id-field", "case", "--allow-absent-paths", *DETAILS]
            yield path.stem, [["score", "-", *options]], b"".join(lines)


def generator_jobs():
    for profile in PROFILES:
        make = ["generate", "--pairs", "300", "--profile", profile]
        file = f"{profile}.jsonl"
        yield profile, [make, [*make, "-o", file], ["score", file, *SCORERS, *DETAILS]], b""
    make = ["generate", "--pairs", "300", "--profile", "mixed", "-o"]
    score = ["score", *SCORERS, "--quiet", "--group-by", "model"]
    yield "reports", [[*make, "old"], [*make, "new", "--error-rate", "0.2"], [*score, "old", "-o", "old.jsonl"],
                      [*score, "new", "-o", "new.jsonl"], ["compare", "old.jsonl", "new.jsonl", "--by", "model"],
                      ["leaderboard", "old.jsonl", "new.jsonl"]], b""


def main():
    commands = [[os.path.abspath(word) if os.path.exists(word) else word for word in shlex.split(text)]
                for text in sys.argv[1:3]]
    machines = [(command, isa) for command in commands for isa in instruction_sets(command)]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        for number in range(len(machines)):
            (folder / str(number)).mkdir()

        def outputs_of(job):
            """What every machine gives for it."""
            outputs = []
            for number, machine in enumerate(machines):
                done = [run(machine, call, job[2], folder / str(number)) for call in job[1]]
                outputs.append(b"".join(b"%d\n%s%s" % (each.returncode, each.stdout, each.stderr) for each in done))
            return outputs

        jobs = [*vector_jobs(folder), *generator_jobs()]
        jobs += [(path, [["score", os.path.abspath(path), *SCORERS, *DETAILS]], b"") for path in sys.argv[3:]]
        digests = [hashlib.sha256() for _ in machines]
        differing = []
        for (name, calls, _), outputs in zip(jobs, pool.map(outputs_of, jobs)):
            for digest, output in zip(digests, outputs):
                digest.update(output)
            if len(set(outputs)) != 1:
                differing.append(name)
    for (command, isa), digest in zip(machines, digests):
        print(f"{digest.hexdigest()}  {isa}, {command[0]}")
    print(f"{len(jobs)} jobs on each; different on some: {', '.join(differing) or 'none'}")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
