"""leafscore-bench as a process: exit statuses, scorers that misbehave, files, standard streams, interrupts."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from bench_testing import COMMAND, QUICK, environment, records, run, write
from leafscore.bench import arguments
from leafscore.bench.adapters import ADAPTERS

pytest.importorskip("pyarrow")

HERE = Path(__file__).resolve().parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with ten records, and the module `hostile`."""
    write(tmp_path / "data.jsonl", records(10))
    shutil.copy(HERE / "hostile.py", tmp_path)
    return tmp_path


def against(*names: str) -> list[str]:
    return ["--scorer", "hostile:good", *(part for name in names for part in ("--against", f"hostile:{name}"))]


def bench(folder: Path, *arguments: object, status: int | None = 0, data: str = "data.jsonl") -> str:
    ended = run(folder, data, *QUICK, *arguments)
    assert status in (ended.returncode, None), ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stdout + ended.stderr


def line_of(text: str, name: str, title: str) -> str:
    """The line of a scorer in the table of this title."""
    table = next(part for part in text.split("\n\n") if part.startswith(title))
    return next(line for line in table.split("\n") if line.split()[:1] == [name])


def test_scorers_that_agree_are_status_0(folder: Path) -> None:
    exact = folder / "exact.yaml"
    exact.write_text("evaluators: [{name: all, type: exact_match}, {name: other, type: contains}]")
    text = bench(folder, "--scorer", "exact_match", "--against", "exact.yaml:all", *("--against", "hostile:good"))
    for name in ("exact.yaml:all", "hostile:good"):
        assert line_of(text, name, "ANSWERS").split()[1:4] == ["10", "10", "100.0%"]
        assert "agrees" in line_of(text, name, "SPEED")


def test_a_wrong_scorer_is_shown_to_disagree(folder: Path) -> None:
    text = bench(folder, *against("wrong"), status=1)
    assert line_of(text, "hostile:wrong", "ANSWERS").split()[1:6] == ["10", "0", "0.0%", "10", "0"]
    assert "10 of 10 DIFFER" in line_of(text, "hostile:wrong", "SPEED")
    assert re.search(r"record \d+, id r\d+: [01] above, 0.25 here", text)
    near = bench(folder, *against("wrong"), "--tolerance", "0.75")
    assert line_of(near, "hostile:wrong", "ANSWERS").split()[2:4] == ["10", "100.0%"]


def test_scorers_that_misbehave_are_told_and_harm_no_others(folder: Path) -> None:
    names = ["crashes", "crashes_later", "leaves", "exits", "prints", "nan", "none", "text", "raises", "changes"]
    names += ["waits", "member", "forks", "forges", "closes", "a_number", "is_missing"]
    text = bench(folder, *against(*names), "--against", "no_such_module:f", "--json", "out.json", status=1)
    written = json.loads((folder / "out.json").read_text())
    verdicts = {each["name"].partition(":")[2]: each["verdict"] for each in written["leafscore"]["contestants"]}
    no_score = "10 of 10 DIFFER, 10 of 10 WITHOUT A SCORE"
    failed = ["crashes", "crashes_later", "leaves", "forks", "forges", "closes", "a_number", "is_missing", "f"]
    assert verdicts == {
        "good": "reference",
        "prints": "agrees",
        "waits": "agrees",
        "member": "agrees",
        "changes": "CHANGES 5 INPUTS",
        "raises": "1 of 10 DIFFER, 1 of 10 WITHOUT A SCORE",
        **dict.fromkeys(["exits", "nan", "none", "text"], no_score),
        **dict.fromkeys(failed, "FAILED"),
    }
    assert {each["run_name"].split(":")[1].split("/")[0] for each in written["benchmarks"]} == {
        *("good", "prints", "waits", "member", "changes", "raises"),
    }
    assert all(
        each["real_time"] > 0 and each["time_unit"] == "ns"
        for each in written["benchmarks"]
        if each["run_type"] == "iteration"
    )
    for sentence in (
        "hostile:crashes: failed: ended by signal 6 (Aborted), at record",
        "hostile:crashes_later: failed: ended by signal 6",
        "hostile:leaves: failed: ended with status 0",
        "hostile:forks: failed: it forks, and the child comes back",
        "hostile:forges: failed: wrote into the harness's pipe",
        "hostile:a_number: failed: TypeError: a_number of hostile is no function, but int",
        "hostile:is_missing: failed: AttributeError",
        "no_such_module:f: failed: ModuleNotFoundError",
        "hostile:prints: printed ",
        "raised ValueError: of 3 \\u001B[31m nothing is known \\ud800",
    ):
        assert sentence in text
    assert "\x1b" not in text


def test_a_scorer_that_hangs_is_out(folder: Path) -> None:
    text = bench(folder, *against("hangs"), "--time-limit", "1", status=1)
    assert "hostile:hangs: failed: gave no answer for 1 s, and was stopped, at record" in text
    assert "pairs/s" in text  # of the other


def test_what_cannot_be_measured_is_status_2(folder: Path) -> None:
    (folder / "empty.jsonl").write_text("")
    (folder / "lacking.jsonl").write_text('{"id": 1, "expected": 2}\n')
    (folder / "two.yaml").write_text("evaluators: [{type: contains}, {type: exact_match}]")
    good = ["--scorer", "hostile:good"]
    for data, given, sentence in (
        ("data.jsonl", [], "no scorer is named"),
        ("data.jsonl", ["--against", "hostile:good"], "comes before it"),
        ("data.jsonl", ["--scorer", "exact_mach"], "exact_match"),
        ("data.jsonl", ["--scorer", "no.yaml"], "no.yaml"),
        ("data.jsonl", ["--scorer", "two.yaml"], "name one, as two.yaml:contains"),
        ("data.jsonl", ["--scorer", "two.yaml:three"], "no scorer 'three'"),
        ("data.jsonl", ["--scorer", "uipath:nonsense"], "uipath:json-similarity"),
        ("data.jsonl", ["--scorer", "not a function:f"], "MODULE:FUNCTION"),
        ("data.jsonl", [*good, "--plot", "plot.pdf"], "ends in .svg"),
        ("data.jsonl", [*good, "--rounds", "-1"], "-1 is not 0 or more"),
        ("data.jsonl", [*good, "--seconds", "nan"], "is not"),
        ("data.jsonl", [*good, "--threads", "one"], "invalid list of numbers value: 'one'"),
        ("data.jsonl", [*good, "--json", "no/out.json"], "No such file"),
        ("empty.jsonl", good, "holds no record"),
        ("lacking.jsonl", good, "1 lack one of them"),
        ("missing.jsonl", good, "No such file"),
        (".", good, "Is a directory"),
    ):
        assert sentence in bench(folder, *given, status=2, data=data)


def test_a_package_that_is_not_there_is_one_sentence(folder: Path) -> None:
    (folder / "sitecustomize.py").write_text(
        "import importlib.util as u; f = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'deepdiff' else f(name, *a)\n"
    )
    where = {**environment(), "PYTHONPATH": os.pathsep.join([str(folder), environment()["PYTHONPATH"]])}
    command = [*COMMAND, "data.jsonl", "--scorer", "hostile:good", "--against", "deepdiff:distance"]
    ended = subprocess.run(command, cwd=folder, env=where, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr == (
        "leafscore-bench: deepdiff:distance needs the package deepdiff, which is not installed: pip install deepdiff\n"
    )


def test_lines_that_cannot_be_read_are_left_out_and_counted(folder: Path) -> None:
    lines = [json.dumps(row).encode() for row in records(3)]
    lines[1:1] = [
        b'{"id": "cut", "expected"',
        b'{"id": "\xff", "expected": 1, "actual": 1}',
        b'{"id": 1, "expected": 2}',
    ]
    lines += [b"[" * 100_000, lines[0], b""]  # an id again
    (folder / "odd.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines)))
    text = bench(folder, *against("good"), data="odd.jsonl.gz")
    assert "odd.jsonl.gz: 4 of 4 records" in text
    assert "left out: 1 records without both values" in text
    assert "left out: 3 lines that cannot be read, as odd.jsonl.gz:2: " in text


def test_one_record_is_enough_for_answers(folder: Path) -> None:
    write(folder / "one.jsonl", records(1))
    text = bench(folder, *against("good"), "--growth", "records", data="one.jsonl")
    assert "GROWTH" not in text
    assert line_of(text, "hostile:good", "COSTS").split().count("-") == 2  # p95 and p99


def test_answers_alone(folder: Path) -> None:
    text = bench(folder, *against("wrong"), "--rounds", "0", status=1)
    assert "ANSWERS" in text and "SPEED" not in text


def test_records_from_standard_input_and_parquet(folder: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rows = [{**row, "expected": json.dumps(row["expected"]), "actual": json.dumps(row["actual"])} for row in records(5)]
    parquet.write_table(pa.Table.from_pylist(rows), folder / "data.parquet")
    assert "5 of 5 records" in bench(folder, *against("good"), "--rounds", "0", data="data.parquet")
    with open(folder / "data.jsonl") as lines:
        ended = run(folder, "-", *QUICK, *against("good"), "--rounds", "0", stdin=lines)
    assert "-: 10 of 10 records" in ended.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process(folder: Path, number: int) -> None:
    command = [*COMMAND, "data.jsonl", *QUICK, *against("leaves_children", "hangs"), "--time-limit", "100"]
    process = subprocess.Popen(command, cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True)
    children = folder / "children"
    for _ in range(1000):
        if children.exists() and len(children.read_text().split()) == 10:
            break
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(number, -number)
    assert "Traceback" not in told
    left = [int(child) for child in children.read_text().split()]
    if number == signal.SIGKILL:  # nothing can be done about what has left the session then
        for child in left:
            os.kill(child, signal.SIGKILL)
    else:
        assert not [child for child in left if is_running(child)]
    assert not marked(folder)


def is_running(process: int) -> bool:
    try:
        return " Z " not in Path("/proc", str(process), "stat").read_text()
    except OSError:
        return False


def marked(folder: Path) -> list[str]:
    """The players that still run in a folder."""
    for _ in range(100):
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "cwd") == str(folder) and is_running(int(entry.name)):
                    found.append(entry.name)
            except OSError:
                continue
        if not found:
            break
        time.sleep(0.05)
    return found


def test_standard_output_that_is_gone(folder: Path) -> None:
    command = " ".join([*COMMAND, "data.jsonl", *QUICK, *against("good"), "--rounds 0 --json out.json"])
    for redirection, sentence in ((">&-", "standard output is closed"), ("> /dev/full", "No space left")):
        ended = subprocess.run(
            ["/bin/sh", "-c", f"{command} {redirection}"], cwd=folder, env=environment(), capture_output=True, text=True
        )
        assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
        assert sentence in ended.stderr
    assert json.loads((folder / "out.json").read_text())["benchmarks"] == []


def test_odd_names_and_closed_streams(folder: Path) -> None:
    name = os.fsdecode(b"\xff\n\x1b[31m.jsonl")
    write(folder / name, [{"id": "\ud800\n", "expected": {"a": 1}, "actual": 2}])
    shell = f'{" ".join(COMMAND)} "$0" --rounds 0 {" ".join(against("wrong"))} --growth none'
    for redirection in ("0<&-", "2>&-", "0<&- 2>&-"):
        ended = subprocess.run(
            ["/bin/sh", "-c", f"{shell} {redirection}", name],
            cwd=folder,
            env={**environment(), "LC_ALL": "C"},
            capture_output=True,
        )
        assert ended.returncode == 1, ended.stderr
        assert ended.stdout.startswith(b"\\udcff\\u000A\\u001B[31m.jsonl: 1 of 1 records")
        assert b"record 1, id \\ud800\\u000A: 0 above, 0.25 here" in ended.stdout


def test_a_persistent_judge_is_a_contestant(folder: Path) -> None:
    (folder / "judge.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    score = float(asked['reference_answer'] == asked['candidate_answer'])\n"
        "    print(json.dumps({'score': score, 'sequence': asked['sequence']}), flush=True)\n"
    )
    (folder / "judge.yaml").write_text(
        f"evaluators: [{{type: code_judge, script: [{COMMAND[0]}, judge.py], process: persistent}}]"
    )
    text = bench(folder, "--scorer", "exact_match", "--against", "judge.yaml", "--json", "out.json")
    assert "agrees" in line_of(text, "judge.yaml", "SPEED")
    judge = json.loads((folder / "out.json").read_text())["leafscore"]["contestants"][1]
    assert judge["memory_peak_bytes"] > judge["memory_loaded_bytes"] + (4 << 20)  # that of the judge, a Python


def test_a_plot_is_drawn(folder: Path) -> None:
    pytest.importorskip("vl_convert")
    bench(folder, *against("good"), "--plot", "plot.svg")
    assert "hostile:good" in (folder / "plot.svg").read_text()
    bench(folder, *against("good"), "--plot", "plot.png")
    assert (folder / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_scores_as_its_package_does(folder: Path, adapter: str) -> None:
    pytest.importorskip(adapter.partition(":")[0])
    values = [{"a": "bcd"}, {"a": "bxy"}]
    write(folder / "data.jsonl", [{"id": i, "expected": values[0], "actual": value} for i, value in enumerate(values)])
    bench(folder, "--scorer", "exact_match", "--against", adapter, "--rounds", "0", "--json", "out.json", status=None)
    told = json.loads((folder / "out.json").read_text())["leafscore"]["contestants"][1]
    assert (told["answers"], told["records_in_error"]) == (2, 0)
    same = {"compared": 2, "equal": 2, "differ": 0}
    other = {"compared": 2, "equal": 1, "differ": 1}
    exact = adapter == "uipath:exact-match"
    assert {name: told["agreement"][name] for name in same} == (same if exact else other)


def test_all_options_are_described() -> None:
    page = HERE.parents[2] / "docs" / "bench.md"
    if not page.exists():
        pytest.skip("the tests are not in leafscore's tree")
    options = {name for action in arguments.parser()._actions for name in action.option_strings[-1:]} - {"--help"}
    for name in [*options, *ADAPTERS]:
        assert f"`{name}" in page.read_text()
