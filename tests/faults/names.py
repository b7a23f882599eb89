#!/usr/bin/env python3
"""Puts files of a user under every name that the command makes, and checks that it leaves them as they are.

    names.py COMMAND LAYER [--small] [--only TEXT]

Each case is a command line that writes. It first runs alone under tests/faults/fault_layer.cc, which notes every name
that is made, written to, renamed to or removed: so a new name is not forgotten. All must lie in the folder of the run or
in that of temporary files. Then something of the user's is put under these names, and under what they have in common with
those of other cases (OUTPUT.partial, OUTPUT.journal, CACHE-wal ...) and their numbered forms: a text; what leafscore
itself writes there, of another run; a link to a file elsewhere, symbolic or hard; a folder. First under all of them at
once, then under one at a time. The outputs that the command line names are its own to replace, as is an older manifest
beside one. Of everything else kind, number in the file system and content must be the same after the run, which ends
with status 0, 1 or 2, and when all names are taken at once gives the same outputs as alone.

At the end, journals that were made to name files elsewhere are gone on with.
"""

import argparse
import errno
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RECORDS = 24
LONG = 60_000  # characters of an answer that is handed over beside the document
TIMEOUT = 60

# What SQLite keeps beside a database. Where the command finds something else there, it refuses the cache.
SIDE_FILES = ("-journal", "-wal", "-shm")
MANIFEST = ".manifest.json"


class Case:
    """A command line. `outputs` are the names that are its own to replace, folders with all that is in them. `left` are
    files that lie there before. `beside` are names that the command refuses when they hold something else than its
    own. `program` runs it, the command itself where it is None. With `compared`, the outputs have the same bytes
    whatever lies beside them."""

    def __init__(self, name, arguments, outputs, left=None, beside=(), program=None, environment=None, compared=True):
        self.name = name
        self.arguments = arguments
        self.outputs = outputs
        self.left = left or {}
        self.beside = [*beside, *(output + MANIFEST for output in outputs if arguments[0] in ("score", "merge"))]
        self.program = program
        self.environment = environment or {}
        self.compared = compared


def write_inputs(folder):
    def record(i, with_expected=True):
        value = {"total": i * 37 % 101, "name": f"name {i}"}
        made = {"id": f"r{i}", "model": f"m{i % 3}", "label": i % 2, "actual": dict(value, total=value["total"] + i % 3)}
        return json.dumps(dict(made, expected=value) if with_expected else made) + "\n"

    (folder / "pairs.jsonl").write_text("".join(record(i) for i in range(RECORDS)))
    (folder / "answers.jsonl").write_text("".join(record(i, False) for i in range(RECORDS)))
    (folder / "gold.jsonl").write_text("".join(record(i) for i in range(0, RECORDS, 2)))
    (folder / "judge.sh").write_text('#!/bin/sh\nwhile read line; do echo "{\\"score\\": 0.5}"; done\n')
    (folder / "judge.sh").chmod(0o755)
    (folder / "judge.yaml").write_text("scorers:\n  - {type: code_judge, process: persistent, script: ./judge.sh}\n")
    asked = {"asserts": [{"type": "script", "script": "long"}]}
    (folder / "long.jsonl").write_text(json.dumps({"id": 1, "expected": asked, "actual": "a" * LONG}) + "\n")
    (folder / "long.sh").write_text('path=$(sed -n \'s/.*"output_path": "\\(.*\\)".*/\\1/p\')\n'
                                    f'test "$(wc -c <"$path")" -eq {LONG}\n')
    (folder / "long.yaml").write_text("scorers:\n  - {type: asserts, scripts: {long: {command: [sh, ./long.sh]}}}\n")
    (folder / "suite.json").write_text(json.dumps({
        "version": "1.0", "id": "e", "name": "e", "evaluatorTypeId": "uipath-exact-match",
        "evaluatorConfig": {"name": "ExactMatchEvaluator", "targetOutputKey": "*",
                            "defaultEvaluationCriteria": {"expectedOutput": {"a": 1}}}}))
    for i in range(3):
        scenario = folder / "scenarios" / f"scenario_{i}"
        scenario.mkdir(parents=True)
        (scenario / "groundtruth.txt").write_text(f"answer {i}")
        run = {"runner": "agent", "model": "m", "run_id": f"run{i}", "scenario_id": i, "answer": f"answer {i % 2}"}
        (folder / "runs").mkdir(exist_ok=True)
        (folder / "runs" / f"{i}.json").write_text(json.dumps(run))


def cases(campaign):
    """Yields the cases. Their working folder lies beside that of the inputs."""
    inputs = campaign.root / "in"
    levenshtein = ["-s", "levenshtein", "--threads", "2", "-q", "--group-by", "model"]
    similarity = ["-s", "json_similarity", *levenshtein[2:]]
    plain = ["score", "../in/pairs.jsonl", *similarity, "--batch-bytes", "1024", "-o", "out.jsonl", "--summary",
             "summary.json"]
    yield Case("score", plain, ["out.jsonl", "summary.json"])
    yield Case("score --resume", [*plain, "--resume"], ["out.jsonl", "summary.json"])
    yield Case("score csv gold", ["score", "../in/answers.jsonl", "--gold", "../in/gold.jsonl", *similarity, "-o",
                                  "out.csv"], ["out.csv"])
    yield Case("score gz", ["score", "../in/pairs.jsonl", *similarity, "-o", "out.jsonl.gz", "--resume"],
               ["out.jsonl.gz"])
    yield Case("score judge", ["score", "../in/pairs.jsonl", "-c", "../in/judge.yaml", "-q", "-o", "out.jsonl"],
               ["out.jsonl"])
    yield Case("score asserts", ["score", "../in/long.jsonl", "-c", "../in/long.yaml", "-q", "-o", "out.jsonl",
                                 "--fail-under", "1"], ["out.jsonl"])
    for i in (1, 2):
        yield Case(f"score shard {i}", ["score", "../in/pairs.jsonl", *similarity, "-o", "out.jsonl", "--shard", f"{i}/2",
                                        "--resume"], [f"out.jsonl.shard-{i}-of-2"], compared=False)
    shards = {path.name: path.read_bytes() for path in inputs.glob("out.jsonl.shard-*")}
    yield Case("merge", ["merge", *sorted(shards), "-q", "-o", "out.jsonl", "--summary", "summary.json"],
               ["out.jsonl", "summary.json"], shards)
    yield Case("score compared", ["score", "../in/pairs.jsonl", *levenshtein, "-o", "out.jsonl", "--compare-to",
                                  "../in/scores.jsonl", "--comparison", "out.md"], ["out.jsonl", "out.md"])
    yield Case("evaluate", ["evaluate", "--trajectories", "../in/runs", "--scenarios", "../in/scenarios", "--reports-dir",
                            "reports", "--scorer-default", "exact_match", "--threads", "2", "-q", "--clean"],
               [f"reports/{name}" for name in ("run0.json", "run1.json", "run2.json", "_aggregate.json",
                                               "_summary.json", "_reports.json")])
    yield Case("leaderboard", ["leaderboard", "../in/scores.jsonl", "../in/other.jsonl", "-o", "out.md", "-o", "out.json",
                               "-o", "out.tex.gz"], ["out.md", "out.json", "out.tex.gz"])
    yield Case("compare", ["compare", "../in/scores.jsonl", "../in/other.jsonl", "--threads", "2", "-o", "out.md", "-o",
                           "out.xml", "-o", "out.csv"], ["out.md", "out.xml", "out.csv"])
    old = {"kept.jsonl" + end: (inputs / ("scores.jsonl" + end)).read_bytes() for end in ("", MANIFEST)}
    update = ["compare", "../in/other.jsonl", "--baseline", "kept.jsonl", "--update-baseline", "--threads", "2"]
    yield Case("compare, new baseline", update, ["kept.jsonl"], beside=["kept.jsonl" + MANIFEST])
    yield Case("compare, old baseline", update, ["kept.jsonl", "kept.jsonl" + MANIFEST], old)
    bare = ["compare", "../in/bare.jsonl", *update[2:], "--unverified"]
    yield Case("compare, bare baseline", bare, ["kept.jsonl"], {"kept.jsonl": old["kept.jsonl"]},
               beside=["kept.jsonl" + MANIFEST])
    yield Case("lint", ["lint", "../in/gold.jsonl", "../in/answers.jsonl", "-s", "json_similarity", "-o", "out.json", "-o",
                        "out.md", "--threads", "2"], ["out.json", "out.md"])
    yield Case("judge-check", ["judge-check", "../in/pairs.jsonl", "-s", "levenshtein", "-o", "out.json"], ["out.json"])
    yield Case("import", ["import", "../in/suite.json", "-o", "out.yaml"], ["out.yaml"])
    yield Case("generate", ["generate", "--pairs", "40", "-o", "out.jsonl"], ["out.jsonl"])
    if campaign.service:
        yield Case("score cached", ["score", "../in/pairs.jsonl", "-c", "../in/model.yaml", "-q", "--judge-cache", "cache",
                                    "-o", "out.jsonl"], ["out.jsonl", "cache"],
                   beside=["cache" + end for end in SIDE_FILES])
        cache = {"cache": (inputs / "cache").read_bytes()}
        for name, left in (("new", None), ("old", cache)):
            yield Case(f"judge-cache import, {name}", ["judge-cache", "import", "cache", "../in/replies.jsonl"], ["cache"],
                       left, beside=["cache" + end for end in SIDE_FILES])
        yield Case("judge-cache export", ["judge-cache", "export", "cache", "-o", "out.jsonl"], ["out.jsonl"], cache,
                   beside=["cache" + end for end in SIDE_FILES])
    convert = [sys.executable, str(HERE.parents[1] / "python/tests/convert/run_convert.py")]
    yield Case("convert", ["../in/pairs.jsonl", "--from", "records", "-o", "out.jsonl.gz"], ["out.jsonl.gz"],
               program=convert, environment={"PYTHONDONTWRITEBYTECODE": "1"})


class Campaign:
    def __init__(self, command, layer, root):
        self.command = command
        self.layer = layer
        self.root = root
        self.work = root / "work"
        self.temporary = root / "tmp"
        self.user = root / "user"
        self.service = None
        self.runs = 0
        self.failures = []

    def run(self, case, preload=None):
        """Returns status and standard error."""
        environment = {"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "0", "TMPDIR": str(self.temporary),
                       **case.environment, **(preload or {})}
        program = case.program or [self.command]
        self.runs += 1
        try:
            ended = subprocess.run([*program, *case.arguments], cwd=self.work, env=environment, timeout=TIMEOUT,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return "no end", ""
        return ended.returncode, ended.stderr.decode(errors="replace")

    def begin(self, case):
        for folder in (self.work, self.temporary, self.user):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        for name, content in case.left.items():
            (self.work / name).write_bytes(content)

    def names_of(self, case):
        """Runs the case alone. RETURNS: the names that it makes, relative to the root, and what it left."""
        noted = self.root / "noted"
        noted.unlink(missing_ok=True)
        self.begin(case)
        status, err = self.run(case, {"LD_PRELOAD": self.layer, "LEAFSCORE_NAMES": str(noted)})
        if status not in (0, 1):
            sys.exit(f"{case.name}, alone: status {status}: {err}")
        names = set()
        for path in noted.read_text().splitlines():
            path = pathlib.Path(os.path.normpath(path))
            if self.work in path.parents or self.temporary in path.parents:
                names.add(str(path.relative_to(self.root)))
            elif str(path) != os.devnull:
                self.fail(case, "alone", f"{path} was made or removed, outside the folder of the run")
        if not names:
            sys.exit(f"{case.name} makes no name: does the layer note them?")
        return names, self.outputs(case)

    def outputs(self, case):
        found = {}
        for output in case.outputs:
            path = self.work / output
            for file in (sorted(path.rglob("*")) if path.is_dir() else [path]):
                if file.is_file() and output != "cache":
                    found[str(file)] = re.sub(rb'"[a-z_]*(seconds|per_second)": [^\n]*', b"", file.read_bytes())
        return found

    def is_output(self, case, name):
        inside = pathlib.Path(name).relative_to("work") if name.startswith("work/") else None
        return inside is not None and any(str(inside) == each or each in map(str, inside.parents)
                                          for each in case.outputs)

    def older(self, name):
        """Returns what leafscore itself would have written under a name, of another run."""
        for end, content in self.written.items():
            if re.search(re.escape(end) + r"(-\d+)?$", name):
                return content
        return self.written[""]

    def plant(self, kind, name):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path):
            return
        target = self.user / name.replace("/", "_")
        # A manifest takes the place of another one, and a link is followed there.
        behind = b"the user's own words\n" if name.endswith(MANIFEST) else self.older(name)
        if kind == "text":
            path.write_text("the user's own words\n")
        elif kind == "older":
            path.write_bytes(self.older(name))
        elif kind == "link":
            target.write_bytes(behind)
            path.symlink_to(target)
        elif kind == "hard link":
            target.write_bytes(behind)
            os.link(target, path)
        else:
            path.mkdir()
            (path / "precious.txt").write_text("the user's own words\n")

    def look(self):
        """Returns kind, number and content of everything there."""
        found = {}
        for path in self.root.rglob("*"):
            status = path.lstat()
            content = None
            if stat.S_ISLNK(status.st_mode):
                content = os.readlink(path)
            elif stat.S_ISREG(status.st_mode):
                content = path.read_bytes()
            found[str(path.relative_to(self.root))] = (stat.S_IFMT(status.st_mode), status.st_ino, content)
        return found

    def fail(self, case, how, what):
        self.failures.append(f"{case.name}, {how}: {what}")
        print(self.failures[-1], flush=True)

    def check(self, case, kind, names, expected=None):
        """Runs a case with something of a kind under these names. `expected` are the outputs that it must have then."""
        self.begin(case)
        for name in names:
            self.plant(kind, name)
        before = self.look()
        status, err = self.run(case)
        after = self.look()
        how = f"{kind} under {names[0] if len(names) == 1 else 'all names'}"
        if status not in (0, 1, 2):
            self.fail(case, how, f"status {status}: {err.strip()}")
        if status == 2 and "leafscore" not in err:
            self.fail(case, how, f"no message: {err}")
        for name, was in before.items():
            is_own = self.is_output(case, name) or (
                name.endswith(MANIFEST) and name[5:] in case.beside and was[2] is not None and kind == "older")
            if is_own and after.get(name) != was and stat.S_ISREG(was[0]):
                continue
            if after.get(name) != was:
                now = "gone" if name not in after else f"changed: {after[name][2]!r:.80}"
                self.fail(case, how, f"{name} is {now}")
        if expected is not None and (status == 2 or self.outputs(case) != expected):
            self.fail(case, how, f"status {status}, other outputs: {err.strip()}")

    def write_older(self):
        """Makes files such as leafscore leaves and writes, of a run that is none of the cases, by the ends of names."""
        other = ["score", "../in/pairs.jsonl", "-s", "exact_match", "-q", "--batch-bytes", "1024", "-o", "out.jsonl",
                 "--summary", "summary.json", "--details", "leaves"]
        case = Case("other", other, [])
        self.written = {"": b"{}\n"}
        self.begin(case)
        self.run(case)
        finished = (self.work / "out.jsonl").read_bytes()
        manifest = (self.work / ("out.jsonl" + MANIFEST)).read_bytes()
        summary = (self.work / "summary.json").read_bytes()  # a partial one would be replaced
        mark = b"leafscore: nothing was written yet of out.jsonl (file 1)\n"
        for call in range(1, 40):
            self.begin(case)
            self.run(case, {"LD_PRELOAD": self.layer, "LEAFSCORE_FAULT": f"write:{call}:{errno.ENOSPC}"})
            halfway = {path.name: path.read_bytes() for path in self.work.iterdir()}
            if {"out.jsonl.partial", "out.jsonl.journal"} <= set(halfway):
                break
        else:
            sys.exit(f"nothing halfway: {sorted(halfway)}")
        self.written = {
            ".journal": halfway["out.jsonl.journal"],
            "summary.json.partial": summary,
            "out.jsonl.partial": halfway["out.jsonl.partial"],
            MANIFEST + ".partial": mark.replace(b"out.jsonl", b"out.jsonl.manifest.json"),
            ".partial": mark,
            MANIFEST: manifest,
            "": finished,
        }
        for i in (1, 2):
            shard = Case("other shard", [*other[:-4], "--shard", f"{i}/2"], [])
            self.begin(shard)
            self.run(shard)
            self.written[f"shard-{i}-of-2.partial"] = (self.work / f"out.jsonl.shard-{i}-of-2").read_bytes()
        # The longest end of a name is found first.
        self.written = dict(sorted(self.written.items(), key=lambda each: -len(each[0])))

    def explore(self, every, small):
        found = {case: self.names_of(case) for case in every}
        # What stands behind the name of an output is the same for all of them.
        ends = {""}
        for case, (names, _) in found.items():
            for name in names:
                for output in case.outputs:
                    if name.startswith(f"work/{output}"):
                        ends.add(re.sub(r"-\d+$", "", name[len(f"work/{output}"):]))
        ends |= {end + "-2" for end in ends if end.endswith((".partial", ".journal"))}
        temporary = {name for names, _ in found.values() for name in names if name.startswith("tmp/")}
        for case, (names, expected) in found.items():
            names = {name for name in names if not self.is_output(case, name)}
            names |= {f"work/{output}{end}" for output in case.outputs for end in ends if "/" not in end}
            names |= {name.replace("XXXXXX", end) for name in temporary for end in ("notes.txt", "Ab3dEf")}
            names |= {"tmp/leafscore-output-notes.txt", "tmp/leafscore-output-Ab3dEf"}  # as there were once
            names = sorted(name for name in names
                           if not self.is_output(case, name) and name.removeprefix("work/") not in case.left)
            # Of a folder that is made and what is made in it, the folder; but the reports have one that is named.
            names = [name for name in names if name != "work/reports" and not any(
                name.startswith(other + "/") for other in names if other != "work/reports")]
            refused = [name for name in names if name.removeprefix("work/") in case.beside]
            free = [name for name in names if name not in refused]
            for kind in ("text", "older", "link", "hard link", "folder"):
                # What is of another run, or has two names, is not gone on with, and that may be refused.
                may_refuse = kind in ("older", "hard link") and "--resume" in case.arguments
                self.check(case, kind, free, expected if case.compared and not may_refuse else None)
                for name in refused if small else names:
                    self.check(case, kind, [name])


def start_service(campaign):
    """Starts a service of models, and keeps a reply of it for each record. RETURNS: whether there is one."""
    service = subprocess.Popen([sys.executable, str(HERE.parent / "http" / "fake_service.py")], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    port = service.stdout.readline().strip()
    inputs = campaign.root / "in"
    (inputs / "model.yaml").write_text("scorers:\n  - {type: llm_judge, model: m, base_url: "
                                       f"http://127.0.0.1:{port}/ok/v1}}\n")
    for arguments in (["score", "pairs.jsonl", "-c", "model.yaml", "-q", "--judge-cache", "cache", "-o", "/dev/null"],
                      ["judge-cache", "export", "cache", "-o", "replies.jsonl"]):
        subprocess.run([campaign.command, *arguments], cwd=inputs, check=True)
    return service


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("layer")
    parser.add_argument("--small", action="store_true", help="one name at a time only where the command refuses it")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    begun = time.monotonic()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        root = pathlib.Path(name).resolve()
        campaign = Campaign(str(pathlib.Path(arguments.command).resolve()), str(pathlib.Path(arguments.layer).resolve()),
                            root)
        inputs = root / "in"
        inputs.mkdir()
        write_inputs(inputs)
        for made, more in (("scores.jsonl", []), ("other.jsonl", ["--details", "none"]), ("bare.jsonl", [])):
            subprocess.run([campaign.command, "score", "../in/pairs.jsonl", "-s", "levenshtein", "-q", "--group-by",
                            "model", *more, "-o", made], cwd=inputs, check=True)
        (inputs / ("bare.jsonl" + MANIFEST)).unlink()
        for i in (1, 2):
            subprocess.run([campaign.command, "score", "../in/pairs.jsonl", "-s", "json_similarity", "-q", "--group-by",
                            "model", "-o", "out.jsonl", "--shard", f"{i}/2"], cwd=inputs, check=True)
        campaign.service = start_service(campaign)
        try:
            campaign.write_older()
            every = [case for case in cases(campaign) if arguments.only in case.name]
            campaign.explore(every, arguments.small)
        finally:
            campaign.service.stdin.close()
            campaign.service.wait()
    print(f"{len(every)} commands, {campaign.runs} runs, {len(campaign.failures)} failures, "
          f"{time.monotonic() - begun:.0f} s")
    sys.exit(1 if campaign.failures else 0)


if __name__ == "__main__":
    main()
