#!/usr/bin/env python3
"""Fails unless leafscore writes the same bytes here and on another machine, on every instruction set of each.

Usage: same_bytes.py LEAFSCORE OTHER [FILE...]

OTHER is a command that runs the other machine's leafscore: "qemu-aarch64 -L ROOT build/arm64/cli/leafscore". What runs
are the published vectors of tests/data, generated pairs, and each FILE of records.
"""

import collections
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
SCORERS = ("json_similarity", "json_diff", "static_json", "strict_json", "levenshtein")


def run(command, isa, arguments, text=b""):
    return subprocess.run([*command, *arguments], input=text, capture_output=True, env={**os.environ, "LEAFSCORE_ISA": isa})


def instruction_sets(command):
    """The instruction sets that a machine has, of those that are built in."""
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    names = re.sub(r"[][]", "", re.search("edit distances: (.*)", version)[1]).split()
    return [name for name in names if run(command, name, ["--version"]).returncode == 0]


def vector_runs(folder):
    """Gives the name, options and input of a run for each scorer and options of the published vectors."""
    inputs = collections.defaultdict(list)
    for path in sorted(DATA.glob("**/*.jsonl")):
        for line in path.read_bytes().splitlines(keepends=True):
            case = json.loads(line)
            if "scorer" in case:
                config = json.dumps({"evaluators": [{"type": case["scorer"], **case["config"]}]})
                inputs[path.stem, config].append(line)
    for number, ((name, config), lines) in enumerate(inputs.items()):
        file = folder / f"{number}.json"
        file.write_text(config)
        yield f"{name} {config}", ["-", "--config", str(file), "--id-field", "case", "--allow-absent-paths"], b"".join(lines)


def pair_runs(folder, machines, files):
    """The same for generated pairs, which must be the same everywhere themselves, and for files of records."""
    for profile in PROFILES:
        made = [run(*machine, ["generate", "--pairs", "300", "--profile", profile]).stdout for machine in machines]
        if not made[0] or len(set(made)) != 1:
            sys.exit(f"same_bytes.py: generate --profile {profile} differs")
        (folder / f"{profile}.jsonl").write_bytes(made[0])
    for path in [*(folder / f"{profile}.jsonl" for profile in PROFILES), *map(pathlib.Path, files)]:
        for scorer in SCORERS:
            yield f"{path.name} {scorer}", [str(path), "--scorer", scorer], b""


def main():
    commands = [shlex.split(text) for text in sys.argv[1:3]]
    machines = [(command, isa) for command in commands for isa in instruction_sets(command)]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        runs = [*vector_runs(folder), *pair_runs(folder, machines, sys.argv[3:])]
        digests = [hashlib.sha256() for _ in machines]
        differing = 0

        def run_everywhere(each):
            name, options, text = each
            return name, [run(*machine, ["score", *options, "--details", "leaves", "--quiet"], text) for machine in machines]

        for name, done in pool.map(run_everywhere, runs):
            outputs = [b"%d\n%s%s" % (each.returncode, each.stdout, each.stderr) for each in done]
            for digest, output in zip(digests, outputs):
                digest.update(output)
            if len(set(outputs)) != 1:
                differing += 1
                print("differs:", name, *(f"{isa} {hashlib.sha256(o).hexdigest()[:8]}" for (_, isa), o in zip(machines, outputs)))
    for (command, isa), digest in zip(machines, digests):
        print(f"{digest.hexdigest()}  {isa}, {command[0]}")
    print(f"{len(runs)} runs on each, {differing} of them differ")
    return differing != 0


if __name__ == "__main__":
    sys.exit(main())
