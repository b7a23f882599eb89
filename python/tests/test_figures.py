"""Summaries, comparisons and explanations."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

import leafscore as ls  # noqa: E402

SCORERS = ["json_similarity", "exact_match"]


@pytest.fixture(scope="module")
def table(pairs: Path) -> Any:
    records = [json.loads(line) for line in pairs.read_text().splitlines()]
    return pa.table(
        {
            "id": [record["id"] for record in records],
            "model": [record["model"] for record in records],
            "expected": [json.dumps(record["expected"]) for record in records],
            "actual": [json.dumps(record["actual"]) if "actual" in record else None for record in records],
        }
    )


def test_summaries_have_the_reports_figures(table: Any) -> None:
    scores = ls.score(table, SCORERS, keep="model", group_by="model")
    report, summary, models = scores.report(), scores.summary(), scores.summary(by="model")
    for scorer in report["scorers"]:
        for theirs, ours in [
            (scorer, summary[scorer["scorer"]]),
            *((group, models[group["value"]][scorer["scorer"]]) for group in scorer["groups"]),
        ]:
            assert {name: ours[name] for name in ("asked", "scored", "unreadable", "unanswered", "errors")} == {
                name: theirs[name] for name in ("asked", "scored", "unreadable", "unanswered", "errors")
            }
            assert ours["mean"] == theirs["over_all"]["mean"]
            assert ours["mean_scored"] == theirs["over_scored"]["mean"]
            assert ours["pass_rate"] == theirs["over_all"].get("pass_rate")


def test_summaries_of_parts_merge_to_that_of_all(table: Any) -> None:
    plan = ls.Plan(SCORERS)
    whole = plan.score(table, keep="model").summary(by="model")
    merged = ls.Summary(plan.scorer_names, "model")
    for first in (1500, 0, 700, 1):  # in any order
        last = {0: 1, 1: 700, 700: 1500, 1500: 2000}[first]
        part = plan.score(table.slice(first, last - first), keep="model").summary(by="model")
        merged += pickle.loads(pickle.dumps(part))
    assert merged == sum([whole]) == whole
    assert merged.to_dict() == whole.to_dict()
    with pytest.raises(ValueError, match="same scorers"):
        merged.merge(ls.Summary(["exact_match"], "model"))
    with pytest.raises(ls.Error, match="keep"):
        plan.score(table).summary(by="model")


def test_a_summary_of_nothing() -> None:
    figures = ls.score(([], []), "exact_match").summary()["exact_match"]
    assert (figures["asked"], figures["mean"], figures["pass_rate"]) == (0, None, None)


def test_explanations_are_the_commands(run: Any, pairs: Path, table: Any) -> None:
    scores = ls.score(table, SCORERS)
    for record in (0, 5, 17):
        name = table.column("id")[record].as_py()
        printed = run("explain", name, pairs, "-s", "json_similarity", "-s", "exact_match")
        assert printed.split("\n\n", 1)[1] == scores.explain(name)
        assert scores.explain(record) == scores.explain(name)
    assert scores.explain(0, "exact_match").startswith("exact_match: ")


def test_what_cannot_be_explained(table: Any) -> None:
    scores = ls.score(table, "exact_match")
    with pytest.raises(KeyError, match="no row has the id 'x'"):
        scores.explain("x")
    with pytest.raises(IndexError):
        scores.explain(2000)
    with pytest.raises(KeyError, match="no scorer 'x'"):
        scores.explain(0, "x")
    with pytest.raises(TypeError, match="stream"):
        ls.score(pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), "exact_match").explain(0)


def worse(table: Any) -> Any:
    actual = table.column("actual").to_pylist()
    return table.set_column(3, "actual", pa.array([None if i % 3 == 0 else text for i, text in enumerate(actual)]))


def test_comparisons(table: Any) -> None:
    base, new = (ls.score(data, SCORERS, keep=["id", "model"]) for data in (table, worse(table)))
    assert ls.compare(base, base).verdict == "equivalent"
    comparison = ls.compare(base, new, by="model")
    assert comparison.verdict == "regressed"
    assert comparison.figures["verdict"] == "regressed"
    assert "regressed" in comparison.to_markdown()
    for text in (comparison.to_text(), comparison.to_csv(), comparison.to_latex(), comparison.to_junit()):
        assert "json_similarity" in text.replace("\\_", "_")


def test_comparisons_are_the_commands(run: Any, table: Any, tmp_path: Path) -> None:
    for name, data in (("base", table), ("new", worse(table))):
        ls.write_lines(ls.score(data, SCORERS, keep="id"), tmp_path / f"{name}.jsonl")
    theirs = run("compare", tmp_path / "base.jsonl", tmp_path / "new.jsonl", "--unverified", "--format", "json")
    ours = ls.compare(tmp_path / "base.jsonl", tmp_path / "new.jsonl", unverified=True)
    assert ours.figures == json.loads(theirs)
    with pytest.raises(ls.Error, match="manifest"):
        ls.compare(tmp_path / "base.jsonl", tmp_path / "new.jsonl")


def test_comparisons_need_ids(table: Any) -> None:
    scores = ls.score(table, SCORERS)
    with pytest.raises(ls.Error, match="no column 'id'"):
        ls.compare(scores, scores)


def test_errors_of_comparisons_name_no_file_that_nobody_knows(table: Any, tmp_path: Path) -> None:
    scores = ls.score(table, SCORERS, keep="id")
    (tmp_path / "new.jsonl").write_text("{")
    with pytest.raises(ls.Error) as error:
        ls.compare(scores, tmp_path / "new.jsonl")
    assert "leafscore-" not in str(error.value)
    with pytest.raises(ls.Error) as error:
        ls.compare(ls.score(table.slice(0, 0), SCORERS, keep="id"), scores)
    assert str(error.value).startswith("base.jsonl"), error.value
