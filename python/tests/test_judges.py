"""Scorers that ask models, against the service of the C++ tests: caches, replays, budgets, forks, Ctrl-C."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import urllib.request
from pathlib import Path
from typing import Any, Iterator

import pytest

import leafscore as ls

SERVICE = Path(__file__).parent.parent.parent / "tests" / "http" / "fake_service.py"
RECORDS = 60


class Service:
    def __init__(self, port: str) -> None:
        self.url = f"http://127.0.0.1:{port}"

    def scorer(self, steps: str = "ok", **options: Any) -> dict[str, Any]:
        return {"type": "llm_judge", "model": "gpt-4o", "base_url": f"{self.url}/{steps}/v1", **options}

    def tell(self, what: str) -> Any:
        request = urllib.request.Request(f"{self.url}/{what}", data=b"", method="POST")
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    @property
    def requests(self) -> int:
        return int(self.tell("stats")["requests"])


@pytest.fixture
def service() -> Iterator[Service]:
    if not SERVICE.exists():
        pytest.skip("the service of the tests is not here")
    process = subprocess.Popen([sys.executable, SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    yield Service(process.stdout.readline().strip())
    process.stdin.close()
    process.wait(10)


@pytest.fixture
def data() -> list[dict[str, Any]]:
    return [{"id": i, "expected": f"answer {i}", "actual": f"SCORE={i}"} for i in range(RECORDS)]


TEXTS: dict[str, Any] = {"expected_format": "text", "actual_format": "text"}


def scored(scores: ls.Scores) -> list[Any]:
    return [row["llm_judge"]["score"] for row in scores.to_arrow().to_pylist()]


def test_nothing_is_asked_twice_and_a_replay_asks_nobody(service: Service, data: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    plan = ls.Plan(service.scorer())
    with ls.Judges(cache=tmp_path / "replies.db") as judges:
        first = scored(plan.score(data, judges=judges, **TEXTS))
        assert first == [i / 100 for i in range(RECORDS)]
        assert scored(plan.score(data, judges=judges, **TEXTS)) == first
        report = judges.report()
    assert report["requests"] == RECORDS == service.requests
    assert report["cached"] == RECORDS
    assert report["completion_tokens"] == 20 * RECORDS
    assert 0 < report["latency_p50"] <= report["latency_p95"]
    with ls.Judges(cache=tmp_path / "replies.db", replay=True) as judges:
        results = plan.score([*data, {"id": 99, "expected": "new", "actual": "new"}], judges=judges, **TEXTS)
        assert scored(results) == [*first, None]
        assert results.report()["judges"]["cached"] == RECORDS
    assert service.requests == RECORDS


def test_files_are_scored_as_by_the_command(
    service: Service, data: Any, tmp_path: Path, command: str
) -> None:
    inputs = tmp_path / "in.jsonl"
    inputs.write_text("".join(json.dumps(record) + "\n" for record in data))
    (tmp_path / "judge.json").write_text(json.dumps({"evaluators": [service.scorer()]}))
    with ls.Judges(cache=tmp_path / "replies.db") as judges:
        report = ls.score_files(inputs, tmp_path / "judge.json", tmp_path / "a.jsonl", judges=judges)
    assert report["judges"]["requests"] == RECORDS
    subprocess.run(
        [command, "score", inputs, "-c", tmp_path / "judge.json", "-o", tmp_path / "b.jsonl", "-q"]
        + ["--judge-cache", tmp_path / "replies.db", "--judge-replay"],
        check=True,
    )
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_fields_of_records_are_shown_however_they_come(service: Service, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pandas, polars = (pytest.importorskip(name) for name in ("pandas", "polars"))
    records = [
        {"expected": "x", "actual": "SCORE=80", "input": {"question": "Is it 1.0?"}, "rules": 'be {"a": 1}'},
        {"expected": "x", "actual": "SCORE=70", "input": {"question": "12"}, "rules": "1.50"},
        {"expected": "x", "actual": "SCORE=60", "input": {"question": ["a", 1.5]}},
    ]
    columns = {
        "expected": ["x"] * 3,
        "actual": [record["actual"] for record in records],
        "input": [json.dumps(record["input"]) for record in records],
        "rules": ['be {"a": 1}', "1.50", None],
    }
    plan = ls.Plan(service.scorer(context="input.question", rubric_field="rules"))
    inputs = tmp_path / "in.jsonl"
    inputs.write_text("".join(json.dumps({"id": i, **record}) + "\n" for i, record in enumerate(records)))
    with ls.Judges(cache=tmp_path / "replies.db") as judges:
        ls.score_files(inputs, plan, tmp_path / "out.jsonl", judges=judges)
        assert service.requests == 2
        asked = service.tell("bodies")
        assert "Is it 1.0?" in asked[0] + asked[1] and "1.50" in asked[0] + asked[1]
        for data in (records, iter(records), inputs):
            rows = plan.score(data, judges=judges)
            assert scored(rows) == [0.8, 0.7, None]
            assert rows[2]["llm_judge"]["message"] == 'the record has no field "rules" for the judge'
        for table in (columns, pa.table(columns), pandas.DataFrame(columns), polars.DataFrame(columns)):
            assert scored(plan.score(table, judges=judges, **TEXTS)) == [0.8, 0.7, None]
        kept = plan.score(records, judges=judges, keep="rules", group_by="rules")
        assert scored(kept) == [0.8, 0.7, None]
        assert [row["rules"] for row in kept] == ['be {"a": 1}', "1.50", None]
    assert service.requests == 2  # the questions were the same


def test_a_dry_run_counts_and_writes_nothing(service: Service, data: Any, tmp_path: Path) -> None:
    judges = ls.Judges(dry_run=True, prices={"gpt-4o": {"input": 1000, "output": 1000}})
    inputs = tmp_path / "in.jsonl"
    inputs.write_text("".join(json.dumps(record) + "\n" for record in data))
    ls.score_files(inputs, service.scorer(), tmp_path / "out.jsonl", judges=judges)
    report = judges.report()
    assert report["requests"] == RECORDS
    assert report["cost"] == pytest.approx((report["prompt_tokens"] + report["completion_tokens"]) / 1000)
    assert not (tmp_path / "out.jsonl").exists()
    assert ls.score_pair('"a"', '"b"', service.scorer(), judges=judges).reason == "judge_budget"
    assert service.requests == 0


def test_budgets_stop_the_call_or_fail_records(service: Service, data: Any) -> None:
    with pytest.raises(ls.Error, match="the maximum") as caught:
        ls.score(data, service.scorer(), **TEXTS, judges=ls.Judges(max_requests=7))
    assert caught.value.code == "resources"
    assert service.requests == 7
    judges = ls.Judges(max_requests=5, at_budget="error")
    results = ls.score(data, service.scorer(), **TEXTS, judges=judges)
    assert results.report()["scorers"][0]["reasons"] == [
        {"outcome": "error", "reason": "judge_budget", "records": RECORDS - 5}
    ]
    judges = ls.Judges(max_cost=1, prices={"other": {"input": 1, "output": 1}})
    with pytest.raises(ls.Error, match="needs the price"):
        ls.score(data, service.scorer(model="none"), **TEXTS, judges=judges)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replay": True}, "name its file"),
        ({"replay": True, "cache": "a.db", "dry_run": True}, "leave dry_run out"),
        ({"cache": ""}, "is empty"),
        ({"cache": "/nowhere/at/all.db"}, "cannot be used"),
        ({"cache": __file__}, "is not a judge cache"),
        ({"max_cost": -1}, "at least 0"),
        ({"max_cost": float("nan")}, "at least 0"),
        ({"prices": {"gpt-4o": {"input": "much"}}}, "prices"),
    ],
)
def test_wrong_options_are_told(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ls.Error, match=message):
        ls.Judges(**options)


def test_wrong_types_are_told(service: Service) -> None:
    for options in ({"max_requests": -1}, {"max_requests": "2"}, {"max_cost": "2"}, {"cache": 3}):
        with pytest.raises(TypeError):
            ls.Judges(**options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="stop, error"):
        ls.Judges(at_budget="go on")
    with pytest.raises(TypeError, match="judges"):
        ls.score([], service.scorer(), judges="replies.db")  # type: ignore[arg-type]
    judges = ls.Judges()
    judges.close()
    with pytest.raises(ls.Error, match="closed"):
        ls.score([], service.scorer(), judges=judges)
    with pytest.raises(TypeError, match="do not pickle"):
        __import__("pickle").dumps(ls.Judges())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_forked_process_asks_for_itself(service: Service) -> None:
    program = f"""
        import os, leafscore as ls
        scorer = {service.scorer()!r}
        plan = ls.Plan(scorer)
        judges = ls.Judges()
        for options in ({{}}, {{"judges": judges}}):
            assert plan.score_pair("1", '"SCORE=10"', **options)["llm_judge"].score == 0.1
        child = os.fork()
        if child == 0:
            assert plan.score_pair("2", '"SCORE=20"')["llm_judge"].score == 0.2
            try:
                plan.score_pair("3", '"SCORE=30"', judges=judges)
            except ls.Error as error:
                assert "before a fork" in str(error)
                del judges
            else:
                raise AssertionError
            raise SystemExit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert plan.score_pair("4", '"SCORE=40"', judges=judges)["llm_judge"].score == 0.4
    """
    finished = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], timeout=60, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr


def test_ctrl_c_ends_the_call_and_its_questions(service: Service) -> None:
    program = f"""
        import os, signal, threading, time, leafscore as ls
        judges = ls.Judges()
        data = [{{"expected": str(i), "actual": "1"}} for i in range(500)]
        threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begun = time.monotonic()
        try:
            ls.score(data, {service.scorer("300ms", max_concurrency=4)!r}, judges=judges)
        except KeyboardInterrupt:
            print(time.monotonic() - begun)
        assert ls.score_pair("1", '"SCORE=10"', {service.scorer()!r}, judges=judges).score == 0.1
        time.sleep(1.5)
    """
    finished = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], timeout=60, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert float(finished.stdout) < 4
    assert service.requests < 40  # those that were handed over, and no more


@pytest.mark.parametrize("call", ["score_pair('1', '1', scorer)", "score([{'expected': '1', 'actual': '1'}], scorer)"])
def test_ctrl_c_ends_a_call_about_one_pair(service: Service, call: str) -> None:
    program = f"""
        import os, signal, threading, time, leafscore as ls
        scorer = {service.scorer("8000ms")!r}
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begun = time.monotonic()
        try:
            ls.{call}
        except KeyboardInterrupt:
            print(time.monotonic() - begun)
    """
    finished = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], timeout=60, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert float(finished.stdout) < 4
