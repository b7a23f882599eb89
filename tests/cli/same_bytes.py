#!/usr/bin/env python3
"""Fails unless leafscore writes the same bytes on every instruction set of this machine and of others.

Usage: same_bytes.py LEAFSCORE OTHER [FILE...]

OTHER is a command that runs leafscore of another machine, as one text: "qemu-aarch64 -L ROOT leafscore". Both get the
published vectors of tests/data, pairs that they generate, and the records in each FILE.
"""

import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
SCORERS = ["json_similarity", "static_json", "json_diff", "levenshtein", "jaro_winkler", "jaccard"]


def run(command, isa, arguments, text=None):
    """What a run leaves: its exit code, output and messages."""
    done = subprocess.run([*command, *arguments], input=text, capture_output=True,
                          env={**os.environ, "LEAFSCORE_ISA": isa})
    return done.returncode, done.stdout, done.stderr


def instruction_sets(command):
    """The instruction sets that a command can be forced to use."""
    words = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    built_in = re.search(r"edit distances: (.*)", words)[1].replace("[", "").replace("]", "").split()
    return [isa for isa in built_in if run(command, isa, ["--version"])[0] == 0]


def vectors(folder):
    """Yields the arguments and the input of a run for each configuration in the published vectors."""
    inputs = collections.defaultdict(bytes)
    for path in sorted(DATA.glob("**/*.jsonl")):
        for line in path.read_bytes().splitlines(keepends=True):
            scorer, config = (re.search(pattern, line) for pattern in (rb'"scorer": (".*?")', rb'"config": \{(.*?), "expected": '))
            if scorer and config:
                inputs[path.name, b'{"type": %s%s' % (scorer[1], (b", " if config[1] != b"}" else b"") + config[1])] += line
    for number, ((name, config), text) in enumerate(inputs.items()):
        path = folder / f"config-{number}.json"
        path.write_bytes(b'{"evaluators": [%s]}' % config)
        yield f"{name} {number}", ["score", "-", "--config", str(path), "--id-field", "case", "--details", "leaves",
                                   "--quiet", "--allow-absent-paths"], text
