#!/usr/bin/env python3
"""Runs the command under tests/faults/fault_layer.cc, with one fault at a time, and checks what it leaves.

    campaign.py COMMAND LAYER [--points N] [--only TEXT]

For each case (a command line), kind of call and fault, the N-th call fails, N running upward until a run ends without
reaching the fault; with --points, about so many points in all, spread evenly. After each run:

- it ended by itself, within 20 seconds, with status 0, 1 or 2, or 130 or 143 after a signal;
- with status 0 every output has the bytes of an undisturbed run; else each has these, or those that it had before, or
  is not there, and no output has come without its manifest;
- no input has changed, and what else was left is named on standard error, which says why where the status is not 0;
- then, for `score`, the same command with --resume and without a fault gives the undisturbed bytes; and so does that which
  updates a baseline, for which the old one or the new one must have stayed whole.
"""

import argparse
import errno
import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

RECORDS = 24
STATUSES = (0, 1, 2)
TIMEOUT = 20

# Per kind of call, what can become of it.
FAULTS = {
    "read": [f"{errno.EIO}", f"{errno.EINTR}", "short", "short:stays", "signal=2", "signal=15"],
    "write": [f"{errno.ENOSPC}", f"{errno.ENOSPC}:stays", f"{errno.EIO}", f"{errno.EINTR}", "short", "signal=2",
              "signal=15", "signal=9"],
    "open": [f"{errno.EMFILE}", f"{errno.EMFILE}:stays", f"{errno.EIO}", "signal=9"],
    "sync": [f"{errno.EIO}", "signal=9"],
    "name": [f"{errno.EIO}", f"{errno.ENOSPC}:stays", "signal=9"],
    "map": [f"{errno.ENOMEM}", f"{errno.ENOMEM}:stays"],
    "size": [f"{errno.EIO}", "signal=9"],
    "close": [f"{errno.EIO}", "signal=9"],
    "stat": [f"{errno.EIO}"],
    "allocation": [f"{errno.ENOMEM}", f"{errno.ENOMEM}:stays"],
    "process": [f"{errno.EAGAIN}", f"{errno.EMFILE}:stays"],
    "thread": [f"{errno.EAGAIN}", f"{errno.EAGAIN}:stays"],
}


class Case:
    """A command line. `left` are the files that lie there before: those of a run that did not end, or a baseline.
    `again` goes on where a fault has ended it; None: nothing does."""

    def __init__(self, name, arguments, left=None, again=None):
        self.name = name
        self.arguments = arguments
        self.left = left or {}
        self.score = arguments[0] == "score"
        self.again = again
        if self.score:
            self.again = arguments + ([] if "--resume" in arguments else ["--resume"])


def record(i, with_expected):
    value = {"total": i * 37 % 101, "lines": [{"text": f"line {i} {k}", "price": k / 7} for k in range(i % 4)]}
    made = {"id": f"r{i}", "model": f"m{i % 3}", "actual": dict(value, total=value["total"] + i % 3)}
    if with_expected:
        made["expected"] = value
    text = json.dumps(made)
    return (text[:-2] if i % 11 == 7 else text) + "\n"


def write_inputs(folder):
    pairs = [record(i, True) for i in range(RECORDS)]
    (folder / "pairs.jsonl").write_text("".join(pairs))
    (folder / "pairs.jsonl.gz").write_bytes(gzip.compress("".join(pairs[: RECORDS // 2]).encode(), mtime=0))
    (folder / "answers.jsonl").write_text("".join(record(i, False) for i in range(RECORDS)))
    gold = [{"id": f"r{i}", "expected": {"total": i}} for i in range(0, RECORDS + 6, 2)]
    (folder / "gold.jsonl").write_text("".join(json.dumps(each) + "\n" for each in gold))
    (folder / "judge.sh").write_text('#!/bin/sh\nwhile read line; do echo "{\\"score\\": 0.5}"; done\n')
    (folder / "judge.sh").chmod(0o755)
    (folder / "judge.yaml").write_text("scorers:\n  - {type: code_judge, process: persistent, script: ./judge.sh}\n")
    for i in range(3):
        scenario = folder / "scenarios" / f"scenario_{i}"
        scenario.mkdir(parents=True)
        (scenario / "groundtruth.txt").write_text(f"answer {i}")
        run = {"runner": "agent", "model": "m", "run_id": f"run{i}", "scenario_id": i, "answer": f"answer {i % 2}"}
        (folder / "runs").mkdir(exist_ok=True)
        (folder / "runs" / f"{i}.json").write_text(json.dumps(run))


def cases(command, folder):
    scorers = ["-s", "json_similarity", "-s", "levenshtein", "--threads", "2", "--batch-bytes", "1024", "--group-by",
               "model"]
    plain = ["score", "../in/pairs.jsonl", *scorers, "-o", "out.jsonl", "--details", "leaves", "--trailer",
             "--summary", "summary.json"]
    yield Case("score jsonl", plain)
    yield Case("score csv gold", ["score", "../in/answers.jsonl", "--gold", "../in/gold.jsonl", *scorers, "-o",
                                  "out.csv"])
    for ending in ("gz", "zst"):
        yield Case(f"score {ending}", ["score", "../in/pairs.jsonl.gz", "../in/pairs.jsonl", *scorers, "-o",
                                       f"out.jsonl.{ending}", "--resume"])
    yield Case("score judge", ["score", "../in/pairs.jsonl", "-c", "../in/judge.yaml", "--threads", "2",
                               "--batch-bytes", "1024", "-q", "-o", "out.jsonl"])
    yield Case("score resumed", [*plain, "--resume"], left_by_a_kill(command, plain, folder))
    yield Case("evaluate", ["evaluate", "--trajectories", "../in/runs", "--scenarios", "../in/scenarios",
                            "--reports-dir", ".", "--scorer-default", "exact_match", "--threads", "2",
                             "--strict"])
    yield Case("leaderboard", ["leaderboard", "../in/scores.jsonl", "--by", "model"])
    yield Case("leaderboard -o", ["leaderboard", "../in/scores.jsonl", "../in/other.jsonl", "-o", "out.md", "-o",
                                  "out.json", "-o", "out.tex.gz"])
    yield Case("compare", ["compare", "../in/scores.jsonl", "../in/other.jsonl", "--by", "model", "--threads", "2",
                           "--records", "../in/pairs.jsonl", "--records", "../in/pairs.jsonl", "-o", "out.md", "-o",
                           "out.xml"])
    update = ["compare", "../in/other.jsonl", "--baseline", "kept.jsonl", "--update-baseline", "--threads", "2"]
    old = {"kept.jsonl" + end: (folder / "in" / ("scores.jsonl" + end)).read_bytes() for end in ("", ".manifest.json")}
    yield Case("baseline", update, old, update)
    yield Case("lint", ["lint", "../in/gold.jsonl", "../in/answers.jsonl", "-s", "json_similarity", "-o",
                        "out.json", "-o", "out.md", "--threads", "2"])
    yield Case("explain", ["explain", "r3", "../in/pairs.jsonl", "-s", "json_similarity"])
    yield Case("generate", ["generate", "--pairs", "40", "-o", "out.jsonl"])


class Campaign:
    def __init__(self, command, layer, root):
        self.command = command
        self.layer = layer
        self.inputs = root / "in"
        self.work = root / "work"
        self.count = root / "count"
        self.hit = ""
        self.points = {}
        self.failures = []
        self.slowest = 0.0

    def read(self, folder):
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def begin(self, files):
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        for name, content in files.items():
            (self.work / name).write_bytes(content)

    def run(self, arguments, fault=None):
        """Returns status, standard output, standard error."""
        environment = {"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "0"}
        if fault:
            self.count.write_bytes(bytes(64))
            environment.update(LD_PRELOAD=self.layer, LEAFSCORE_FAULT=fault, LEAFSCORE_FAULT_COUNT=str(self.count))
        begun = time.monotonic()
        child = subprocess.Popen([self.command, *arguments], cwd=self.work, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = child.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return "no end", b"", ""
        self.slowest = max(self.slowest, time.monotonic() - begun)
        if fault:
            told = self.count.read_bytes()
            self.calls = int.from_bytes(told[:8], sys.byteorder)
            self.hit = told[8:].rstrip(b"\0").decode()
        return child.returncode, out, err.decode()

    def comparable(self, files):
        """Returns the files without what differs from run to run."""
        found = dict(files)
        for name in found:
            if name.endswith("summary.json"):
                found[name] = re.sub(rb'"[a-z_]*(seconds|per_second)": [^\n]*', b"", found[name])
        return found

    def without_times(self, printed):
        return re.sub(rb"; [^;\n]* records/s[^\n]*", b"", printed)

    def named(self, name, messages):
        return name in messages or (".journal" in name and "--resume goes on" in messages)

    def check(self, case, fault, expected, printed, before):
        """Runs one point. RETURNS: whether the fault was reached."""
        self.begin({**before, **case.left})
        status, out, err = self.run(case.arguments, fault)
        if not self.hit:
            return False
        kind, _, what = fault.split(":", 2)
        killed = what.startswith("signal=9")
        problems = []
        sign = re.match(r"signal=(\d+)", what)
        # The commands that only print are ended by the signal itself.
        fine = (*STATUSES, *((-int(sign[1]), 128 + int(sign[1])) if sign else ()))
        if status not in fine:
            problems.append(f"status {status}")
        if status not in (0,) and (status == "no end" or status > 0) and "leafscore: " not in err:
            problems.append("no message")
        files = self.comparable(self.read(self.work))
        if status == 0:
            problems += [f"another {name}" for name in expected if files.get(name) != expected[name]]
            if self.without_times(out) != self.without_times(printed):
                problems.append("another standard output")
        for name in expected:
            # Reports also tell what could not be read or written, and so does their gate; their list may lack one
            # that was written when memory ran out.
            told = case.name == "evaluate" and status != 0 and re.search(
                "skipped|could not be written|that were written stay", err)
            old = case.left.get(name)
            both = old and expected[name] + old  # of manifests, while the scores are replaced
            if files.get(name) not in (None, before.get(name), expected[name], old, both) and not told:
                problems.append(f"a wrong {name}")
        for name in ("out.jsonl", "out.csv", "out.jsonl.gz", "out.jsonl.zst"):
            manifest = name + ".manifest.json"
            if case.score and name in expected and files.get(name) == expected[name] != files.get(manifest):
                if files[manifest] != expected[manifest]:
                    problems.append(f"{name} without its manifest")
        # What cannot be removed stays, and without any memory nothing can be named.
        if not killed and not self.hit.startswith("unlink") and not (kind in ("name", "allocation") and "stays" in what):
            problems += [f"{name} was left" for name in files if name not in expected and not self.named(name, err)
                         and files[name] != case.left.get(name)]
        if self.read(self.inputs) != self.unchanged:
            problems.append("an input changed")
        if case.again:
            status, out, err_again = self.run(case.again)
            resumed = self.comparable(self.read(self.work))
            if status != 0 or any(resumed.get(name) != expected[name] for name in expected):
                differs = [name for name in expected if resumed.get(name) != expected[name]]
                problems.append(f"resumed: status {status}, another {differs}: {err_again.strip()}")
            problems += [f"{name} was left after going on" for name in resumed
                         if name not in expected and not self.named(name, err_again)]
        if problems:
            self.failures.append(f"{case.name}, {fault} in {self.hit}: {'; '.join(problems)}\n    {err.strip()[-600:]}")
            print(self.failures[-1], flush=True)
        return True

    def numbers(self, calls, share):
        """Returns the numbers of calls to try; upward without an end where all are."""
        if share >= 1:
            n = 0
            while True:
                n += 1
                yield n
        wanted = max(1, round(calls * share))
        yield from sorted({1 + (2 * i + 1) * calls // (2 * wanted) for i in range(wanted)})

    def explore(self, case, share_of):
        self.begin(case.left)
        status, printed, err = self.run(case.arguments)
        if status != 0:
            sys.exit(f"{case.name}, undisturbed: status {status}: {err}")
        expected = self.comparable(self.read(self.work))
        # Only a manifest is replaced by a manifest.
        earlier = {name: b'{\n  "manifest_kind": 0}\n' if name.endswith(".manifest.json") else b"earlier\n"
                   for name in expected if case.score or case.name == "generate"}
        for kind, faults in FAULTS.items():
            self.begin(case.left)
            self.run(case.arguments, f"{kind}:0:1")
            calls = self.calls
            for f, fault in enumerate(faults):
                for n in self.numbers(calls, share_of(kind, calls, len(faults))):
                    reached = self.check(case, f"{kind}:{n}:{fault}", expected, printed, earlier if n % 2 else {})
                    if not reached:
                        break
                    key = (case.name, kind)
                    self.points[key] = self.points.get(key, 0) + 1


def left_by_a_kill(command, arguments, root):
    """Returns the files of a run that a full disk stopped halfway."""
    folder = root / "halfway"
    folder.mkdir()
    subprocess.run(["sh", "-c", 'ulimit -f 12; exec "$@"', "sh", command, *arguments], cwd=folder,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    left = {path.name: path.read_bytes() for path in folder.iterdir() if path.stat().st_size != 0}
    if "out.jsonl.journal" not in left:
        sys.exit(f"nothing halfway: {sorted(left)}")
    return {name: left[name] for name in left if name.startswith("out.jsonl.")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("layer")
    parser.add_argument("--points", type=int)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    begun = time.monotonic()
    # In memory where that can be: syncs of a disk would take most of the time.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        root = pathlib.Path(name)
        campaign = Campaign(str(pathlib.Path(arguments.command).resolve()),
                            str(pathlib.Path(arguments.layer).resolve()), root)
        campaign.inputs.mkdir()
        write_inputs(campaign.inputs)
        subprocess.run([campaign.command, "score", campaign.inputs / "pairs.jsonl", "-s", "levenshtein", "-q",
                        "--group-by", "model", "-o", campaign.inputs / "scores.jsonl"], check=True)
        subprocess.run([campaign.command, "score", campaign.inputs / "pairs.jsonl", "-s", "levenshtein", "-q",
                        "--group-by", "model", "--details", "none", "-o", campaign.inputs / "other.jsonl"], check=True)
        campaign.unchanged = campaign.read(campaign.inputs)
        every = list(cases(campaign.command, root))
        faults = sum(len(each) for each in FAULTS.values())

        def share_of(kind, calls, _):
            if arguments.points is None:
                # Most allocations are those of the options' parser, and most looks are at names of journals.
                return 1 if calls <= 300 else 300 / calls
            return min(0.999, arguments.points / (len(every) * faults) / max(1, calls))

        for case in every:
            if arguments.only in case.name:
                campaign.explore(case, share_of)
    kinds = list(FAULTS)
    print(f"{'points':16}" + "".join(f"{kind:>11}" for kind in kinds))
    for case in every:
        print(f"{case.name:16}" + "".join(f"{campaign.points.get((case.name, kind), 0):11}" for kind in kinds))
    print(f"{sum(campaign.points.values())} points, {len(campaign.failures)} failures, {time.monotonic() - begun:.0f} s, "
          f"slowest run {campaign.slowest:.1f} s")
    sys.exit(1 if campaign.failures or not campaign.points else 0)


if __name__ == "__main__":
    main()
