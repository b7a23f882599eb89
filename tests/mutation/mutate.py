#!/usr/bin/env python3
"""Counts the small changes of a source that its tests do not notice, as mutation testing does: a comparison that is
turned, a condition that always or never holds, a constant that is one larger (R. A. DeMillo, R. J. Lipton and F. G.
Sayward, "Hints on test data selection", Computer 11, 1978).

    cmake --preset test && cmake --build --preset test --target engine_tests
    tests/mutation/mutate.py build/test engine/match/assignment.cc engine_tests --filter 'Assignment*'

BUILD is a build folder for g++ that is up to date, SOURCE a source of the engine or the kernels, PROGRAM the test
program that is to notice. Nothing in the tree or the build folder is changed. A changed copy is compiled, linked ahead
of what it replaces and run; it is found if it does not compile, if a test fails, crashes, or takes ten times as long as
before.

Prints a line for each survivor and the count, and returns 1 if fewer than --at-least of all were found. A survivor that
changes nothing anyone could see belongs into survivors.txt, with its reason.
"""

import argparse
import concurrent.futures
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SURVIVORS = pathlib.Path(__file__).with_name("survivors.txt")

# What is changed into what. Blanks around an operator tell it from brackets of templates and from unary ones.
CHANGES = [
    (r" < (?!<)", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"(?<= )\+= ", "-= "),
    (r"(?<= )-= ", "+= "),
    (r"(?<![\w+])\+\+(?=\w)", "--"),
    (r"\breturn true;", "return false;"),
    (r"\breturn false;", "return true;"),
    (r"\bcontinue;", "break;"),
    (r"\bbreak;", "continue;"),
    (r"\bstd::min\b", "std::max"),
    (r"\bstd::max\b", "std::min"),
]
CONSTANT = re.compile(r"(?<![\w.'])(\d+)(?![\w.'])")
CONDITION = re.compile(r"\b(if|while) \((?!const|auto|true)")


def blanked(text):
    """Returns the text with comments, literals and directives blanked out, each character at its place."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^#[^\n]*', re.DOTALL | re.MULTILINE)
    return token.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def end_of_condition(code, start):
    depth = 0
    for place in range(start, len(code)):
        depth += (code[place] == "(") - (code[place] == ")")
        if depth == 0:
            return place
    return len(code)


def mutants(text):
    """Returns (start, end, replacement) of every change."""
    code = blanked(text)
    found = []
    for pattern, replacement in CHANGES:
        found += [(hit.start(), hit.end(), replacement) for hit in re.finditer(pattern, code)]
    for hit in CONSTANT.finditer(code):
        line = code[code.rfind("\n", 0, hit.start()) + 1 : hit.start()]
        if "static_assert" not in line and "template" not in line:
            found.append((hit.start(), hit.end(), str(int(hit[1]) + 1)))
    for hit in CONDITION.finditer(code):
        start = hit.end() - 1
        end = end_of_condition(code, start) + 1
        if ";" not in code[start:end]:  # a declaration in it may be used later
            found.append((start, end, "(false)"))
            if hit[1] == "if":
                found.append((start, end, "(true)"))
    return sorted(set(found))


def program_path(build, program):
    """Returns the program's place below the build folder, as ninja names it."""
    found = next((path for path in ("tests", "tests/kernels") if (build / path / program).exists()), None)
    if found is None:
        sys.exit(f"mutate: no test program {program} in {build}; build it first")
    return f"{found}/{program}"


def compiles(entry, source):
    """Returns whether an entry of compile_commands.json compiles the source, alone or in a group of LEAFSCORE_UNITY."""
    file = pathlib.Path(entry["file"])
    return file == ROOT / source or (file.parent.name == "Unity" and f'#include "{ROOT / source}"' in file.read_text())


class Trial:
    """Compiles and links copies of a source, and runs the tests on them."""

    def __init__(self, build, source, program, pattern):
        commands = json.loads((build / "compile_commands.json").read_text())
        entry = next((entry for entry in commands if compiles(entry, source)), None)
        if entry is None:
            sys.exit(f"mutate: {build} does not compile {source}")
        self.folder = entry["directory"]
        self.compiler = shlex.split(entry["command"])
        links = subprocess.run(["ninja", "-C", build, "-t", "commands", program_path(build, program)], check=True,
                               capture_output=True, text=True)
        self.linker = shlex.split(links.stdout.splitlines()[-1].removeprefix(": && ").split(" && ")[0])
        self.build = build
        self.pattern = pattern
        self.limit = 600.0
        self.scratch = tempfile.TemporaryDirectory()
        self.rest = []  # the object of the other sources of its group, where one does without the source
        group = pathlib.Path(entry["file"])
        if group != ROOT / source:
            others = pathlib.Path(self.scratch.name, "rest.cc")
            others.write_text(group.read_text().replace(f'#include "{ROOT / source}"', ""))
            self.rest = [str(others.with_suffix(".o"))]
            if not self._compiles(others, self.rest[0]):
                sys.exit(f"mutate: the other sources of the group do not compile without {source}")

    def passes(self, text):
        """Returns whether the copy compiles and all tests pass on it."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "copy.cc")
            copy.write_text(text)
            made = [str(copy.with_suffix(".o")), str(copy.with_suffix(""))]
            if not self._compiles(copy, made[0]):
                return False
            at = self.linker.index("-o")
            # The first definition counts. Nothing is left for which the group itself would be taken from its library.
            ahead = ["-Wl,--allow-multiple-definition", made[0], *self.rest]
            linked = [self.linker[0], *ahead, *self.linker[1 : at + 1], made[1], *self.linker[at + 2 :]]
            subprocess.run(linked, cwd=self.build, check=True, capture_output=True)
            try:
                tests = subprocess.run([made[1], f"--gtest_filter={self.pattern}", "--gtest_fail_fast"], cwd=folder,
                                       capture_output=True, timeout=self.limit, check=False)
            except subprocess.TimeoutExpired:
                return False
            return tests.returncode == 0 and b"Running 0 tests" not in tests.stdout

    def _compiles(self, copy, made):
        command = list(self.compiler)
        command[command.index("-o") + 1] = made
        command[command.index("-c") + 1] = str(copy)
        command.append("-w")
        return subprocess.run(command, cwd=self.folder, capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve(), metavar="BUILD")
    parser.add_argument("source", metavar="SOURCE")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--filter", default="*", help="the tests that are run, as --gtest_filter has them")
    parser.add_argument("--count", type=int, default=40, help="how many changes are tried, drawn from all of them (40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--at-least", type=float, default=0.9, help="the share that has to be found (0.9)")
    arguments = parser.parse_args()

    text = (ROOT / arguments.source).read_text()
    trial = Trial(arguments.build, arguments.source, arguments.program, arguments.filter)
    start = time.monotonic()
    if not trial.passes(text):
        sys.exit(f"mutate: {arguments.program} does not pass on {arguments.source} as it is, or has no test of that name")
    trial.limit = 10 * (time.monotonic() - start) + 5

    known = {line.split("  #")[0] for line in SURVIVORS.read_text().splitlines() if line and line[0] != "#"}
    tried = []
    for start, end, replacement in mutants(text):
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        before = " ".join(text[first:last].split())
        after = " ".join((text[first:start] + replacement + text[end:last]).split())
        if f"{arguments.source}: {before} => {after}" not in known:
            tried.append((text.count("\n", 0, start) + 1, before, after, text[:start] + replacement + text[end:]))
    tried = random.Random(arguments.seed).sample(tried, min(arguments.count, len(tried)))

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        survived = list(pool.map(lambda mutant: trial.passes(mutant[3]), tried))
    for (line, before, after, _), lives in sorted(zip(tried, survived)):
        if lives:
            print(f"{arguments.source}:{line}: {before} => {after}")
    found = survived.count(False)
    print(f"{arguments.source}: {found} of {len(tried)} changes found by {arguments.program}")
    return int(found < arguments.at_least * len(tried))


if __name__ == "__main__":
    sys.exit(main())
