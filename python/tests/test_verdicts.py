"""leaderboard, lint and evaluate: the figures are those of the command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

import leafscore as ls

SCORERS = ["json_similarity", "exact_match"]
TOTALS = [{"id": f"q{n}", "task": f"t{n % 2}", "expected": {"total": n, "city": "Oslo"}} for n in range(40)]


def answers_of(right: Callable[[int], bool]) -> list[dict[str, Any]]:
    return [
        {**record, "actual": record["expected"] if right(n) else {"total": -1, "city": "Oslo"}}
        for n, record in enumerate(TOTALS)
    ]


MODELS = {
    "large": answers_of(lambda n: n % 10 != 0),
    "middle": answers_of(lambda n: n % 9 != 0),
    "small": answers_of(lambda n: n % 3 == 0),
}


def write_records(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def score_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("models")
    for name, records in MODELS.items():
        write_records(folder / f"{name}.jsonl", records)
        ls.score_files(folder / f"{name}.jsonl", SCORERS, folder / f"{name}.scores.jsonl", group_by="task")
    return [folder / f"{name}.scores.jsonl" for name in MODELS]


def test_a_leaderboard_is_the_commands(run: Callable[..., str], score_files: list[Path]) -> None:
    board = ls.leaderboard(score_files, task="task", groups=True)
    assert board.rows == json.loads(run("leaderboard", *score_files, "--groups", "--format", "json"))
    assert [row["rank"] for row in board.rows] == [1, 2, 3, 1, 2, 3]
    assert board.rows[0]["model"] == "large" and board.rows[0]["tied_with"] == ["middle"]
    matrix = ("leaderboard", *score_files, "--format", "json", "--columns")
    assert board.by_task == json.loads(run(*matrix, "task"))
    assert board.by_scorer == json.loads(run(*matrix, "scorer"))
    assert board.sensitivity == json.loads(
        run("leaderboard", *score_files, "--format", "json", "--sensitivity", "--task", "task")
    )
    board = ls.leaderboard(score_files)
    for format_name, text in (("table", board.to_text()), ("md", board.to_markdown()), ("csv", board.to_csv()), ("latex", board.to_latex())):
        assert text == run("leaderboard", *score_files, "--format", format_name), format_name
    assert str(board) == board.to_text()
    assert board.to_markdown("by_scorer") == run("leaderboard", *score_files, "--columns", "scorer", "--format", "md")


def test_a_leaderboard_by_field_is_the_commands(run: Callable[..., str], score_files: list[Path], tmp_path: Path) -> None:
    files = []
    for name in MODELS:
        files.append(tmp_path / f"{name}.scores.jsonl")
        ls.score_files(score_files[0].parent / f"{name}.jsonl", "json_similarity", files[-1], details="leaves")
    board = ls.leaderboard(files, fields=True)
    assert board.by_field == json.loads(run("leaderboard", *files, "--format", "json", "--columns", "field"))
    assert {cell["field"] for cell in board.by_field} == {"field"}


def test_a_leaderboard_of_repeated_answers(run: Callable[..., str], tmp_path: Path) -> None:
    twice = write_records(tmp_path / "a.jsonl", MODELS["large"] + MODELS["small"])
    ls.score_files(twice, SCORERS, tmp_path / "a.scores.jsonl")
    board = ls.leaderboard(tmp_path / "a.scores.jsonl", repeats="all", pass_k=2)
    assert board.rows == json.loads(
        run("leaderboard", tmp_path / "a.scores.jsonl", "--repeats", "all", "--pass-k", 2, "--format", "json")
    )
    assert board.rows[0]["samples"] == 80


def test_a_leaderboard_of_scores_has_the_figures_of_their_files(score_files: list[Path]) -> None:
    pytest.importorskip("pyarrow")
    scores = {name: ls.score(records, SCORERS, keep=["id", "task"]) for name, records in MODELS.items()}
    figures = ("model", "scorer", "rank", "rank_low", "rank_high", "over_all", "tied_with", "asked")
    from_files = ls.leaderboard(score_files)
    from_scores = ls.leaderboard(scores, task="task")
    assert [[row.get(name) for name in figures] for row in from_scores.rows] == [
        [row.get(name) for name in figures] for row in from_files.rows
    ]
    assert from_scores.by_task
    together = [{**record, "model": name} for name, records in MODELS.items() for record in records]
    by_model = ls.leaderboard(ls.score(together, SCORERS, keep=["id", "model"]), by="model")
    assert by_model.rows == ls.leaderboard(scores).rows
    with pytest.raises(ls.Error, match="no column 'id'"):
        ls.leaderboard({"a": ls.score(MODELS["large"], "exact_match")})
    with pytest.raises(ls.Error, match="keys"):
        ls.leaderboard(scores, by="model")
    with pytest.raises(ls.Error) as error:
        ls.leaderboard(scores, cluster="id", by=None, min_share=2)
    assert "leafscore-" not in str(error.value)


def test_leaderboards_say_what_is_wrong(score_files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(ls.Error, match="no-such"):
        ls.leaderboard([tmp_path / "no-such.jsonl"])
    with pytest.raises(TypeError, match="unknown option 'colour'"):
        ls.leaderboard(score_files, colour=True)
    with pytest.raises(ValueError, match="repeats is one of"):
        ls.leaderboard(score_files, repeats="any")


@pytest.fixture
def test_files(tmp_path: Path) -> tuple[Path, list[Path]]:
    gold = [*TOTALS, {"id": "q1", "expected": {"total": 7}}, {"id": "q40", "expected": {}}]
    files = [write_records(tmp_path / f"{name}.jsonl", records) for name, records in MODELS.items()]
    return write_records(tmp_path / "gold.jsonl", gold), files


def test_lint_is_the_commands(run: Callable[..., str], test_files: tuple[Path, list[Path]]) -> None:
    gold, answers = test_files
    command = ("lint", gold, *answers, "-s", "json_similarity", "-s", "exact_match", "--group-by", "task")
    report = ls.lint(gold, SCORERS, answers, group_by="task")
    assert report.figures == json.loads(run(*command, "--format", "json"))
    assert report.verdict == "unfit" and report.findings[0]["severity"] == "error"
    assert report.to_text() == run(*command, "--format", "table") == str(report)
    assert report.to_markdown() == run(*command, "--format", "md")
    kind = report.findings[0]["kind"]
    accepted = ls.lint(gold, SCORERS, accept=kind, pass_score=0.9, threads=1)
    assert accepted.figures == json.loads(
        run("lint", gold, "-s", "json_similarity", "-s", "exact_match", "--accept", kind, "--pass-score", 0.9, "--format", "json")
    )
    assert accepted.figures["accepted"] == 1


def test_lint_knows_calls_of_their_own(run: Callable[..., str], tmp_path: Path) -> None:
    gold = [{"id": n, "expected": ["search"]} for n in range(3)]
    wrong = [{"id": n, "actual": ["search"], "run": {"calls": ["fetch"]}} for n in range(3)]
    silent = [{"id": n, "run": {"calls": ["search"] if n else []}} for n in range(3)]
    named = {"gold": gold, "wrong": wrong, "silent": silent}
    files = [write_records(tmp_path / f"{name}.jsonl", records) for name, records in named.items()]
    report = ls.lint(gold, "tool_calls", {"wrong": wrong, "silent": silent}, calls_field="run.calls")
    assert report.figures == json.loads(
        run("lint", *files, "-s", "tool_calls", "--calls-field", "run.calls", "--format", "json")
    )
    assert [finding["ids"]["first"] for finding in report.findings if finding["kind"] == "failed_by_all"] == [["0"]]
    assert not [finding for finding in report.findings if finding["kind"] == "unanswered_gold"]


def test_lint_takes_records(test_files: tuple[Path, list[Path]]) -> None:
    gold, answers = test_files
    records = [json.loads(line) for line in gold.read_text().splitlines()]
    seen: list[int] = []
    report = ls.lint(records, SCORERS, MODELS, progress=seen.append)
    assert report.figures == ls.lint(gold, ls.Plan(SCORERS), answers).figures
    assert seen
    with pytest.raises(TypeError, match="records are dicts, not int"):
        ls.lint([1], SCORERS)  # type: ignore[list-item]
    for name in ("a/b", "", ".."):
        with pytest.raises(ls.Error, match="another name"):
            ls.lint(records, SCORERS, {name: MODELS["large"]})
    with pytest.raises(ls.Error) as error:
        ls.lint([], SCORERS)
    assert error.value.code == "input" and "leafscore-" not in str(error.value)
    with pytest.raises(TypeError, match="unknown option 'strict'"):
        ls.lint(gold, SCORERS, strict=True)


@pytest.fixture
def agent_runs(tmp_path: Path) -> tuple[Path, Path]:
    runs, scenarios = tmp_path / "runs", tmp_path / "scenarios"
    runs.mkdir()
    for scenario, answer in ((11, '{"power": 240}'), (12, '{"power": 1}'), (99, "{}")):
        run = {"run_id": f"r{scenario}", "scenario_id": scenario, "runner": "agent", "model": "m", "answer": answer}
        (runs / f"{scenario}.json").write_text(json.dumps({**run, "tokens_in": 1000, "tokens_out": 10}))
        if scenario != 99:
            (scenarios / f"scenario_{scenario}").mkdir(parents=True)
            (scenarios / f"scenario_{scenario}" / "groundtruth.txt").write_text('{"power": 240}')
    return runs, scenarios


def test_an_evaluation_is_the_commands(
    command: str, agent_runs: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, scenarios = agent_runs
    config = tmp_path / "scorers.yaml"
    config.write_text("evaluators: [{name: keys, type: static_json, revision: 2026-09}]\n")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    arguments = ["--trajectories", runs, "--scenarios", scenarios, "--config", config, "--scorer-default", "keys"]
    subprocess.run([command, "evaluate", *arguments, "--reports-dir", tmp_path / "theirs"], check=True, stdout=subprocess.PIPE)
    ours = ls.evaluate(
        runs, scenarios, reports_dir=tmp_path / "ours", config=config, default_scorer="keys", generated_at=86400
    )
    names = sorted(path.name for path in (tmp_path / "theirs").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "ours").iterdir())
    assert "r11.json" in names and "_summary.json" in names

    def read(folder: str, name: str) -> Any:
        content = json.loads((tmp_path / folder / name).read_text())
        if isinstance(content, dict):
            content.pop("timing", None)
        return content

    for name in names:
        assert read("ours", name) == read("theirs", name), name
    assert ours.aggregate == read("theirs", "_aggregate.json")
    ours.summary.pop("timing")
    assert ours.summary == read("theirs", "_summary.json")
    assert "keys" in str(ours)


def test_an_evaluation_keeps_no_reports_without_a_folder(
    agent_runs: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, scenarios = agent_runs
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    seen: list[int] = []
    evaluation = ls.evaluate(runs, [scenarios], prices={"m": {"input": 2, "output": 4}}, progress=seen.append)
    assert sorted(tmp_path.rglob("*")) == before
    assert seen[-1] == 3
    assert evaluation.aggregate is not None
    assert evaluation.summary["scorers"][0]["asked"] == 2


def test_evaluations_say_what_is_wrong(agent_runs: tuple[Path, Path], tmp_path: Path) -> None:
    runs, scenarios = agent_runs
    with pytest.raises(ls.Error, match="no trajectory matches a scenario"):
        ls.evaluate(runs / "99.json", scenarios)
    with pytest.raises(ls.Error, match="no-such"):
        ls.evaluate(tmp_path / "no-such", scenarios)
    with pytest.raises(OSError):
        ls.evaluate(runs, scenarios, config=tmp_path / "none.yaml")
    with pytest.raises(TypeError, match="unknown option 'verbose'"):
        ls.evaluate(runs, scenarios, verbose=True)
