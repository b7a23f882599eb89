"""Namespaces of data frames and the function of DuckDB, against `score` of the same records."""

from __future__ import annotations

import math
from typing import Any

import pytest

import leafscore as ls

pytest.importorskip("pyarrow")

RECORDS: list[dict[str, Any]] = [
    {"model": "a", "expected": {"n": 1, "m": "x"}, "actual": {"n": 1, "m": "y"}},
    {"model": "b", "expected": {"n": 2, "m": "x"}, "actual": {"n": 2, "m": "x"}},
    {"model": "a", "expected": {"n": 3, "m": "x"}, "actual": None},
    {"model": "b", "expected": None, "actual": {"n": 4, "m": "x"}},
]
SCORERS: list[Any] = ["json_similarity", {"type": "exact_match", "name": "same"}]
SCORES = [row["json_similarity"]["score"] for row in ls.score(RECORDS, SCORERS)]
OUTCOMES = [row["json_similarity"]["outcome"] for row in ls.score(RECORDS, SCORERS)]


def texts() -> dict[str, list[Any]]:
    """Returns the columns of the records with JSON in texts."""
    import json

    columns = {name: [record[name] for record in RECORDS] for name in ("model", "expected", "actual")}
    for name in ("expected", "actual"):
        columns[name] = [None if value is None else json.dumps(value) for value in columns[name]]
    return columns


def test_what_the_scores_are() -> None:
    assert SCORES == [0.5, 1, None, None]
    assert OUTCOMES == ["scored", "scored", "unanswered", "error"]


@pytest.mark.parametrize("structs", [False, True])
def test_polars(structs: bool) -> None:
    pl = pytest.importorskip("polars")
    import leafscore.integrations.polars  # noqa: F401

    frame = pl.DataFrame(RECORDS if structs else texts())
    scored = frame.leafscore.score(SCORERS)
    assert scored.columns[:3] == frame.columns
    assert scored["json_similarity.score"].to_list() == SCORES
    assert scored["same.outcome"].to_list() == OUTCOMES
    summary = frame.leafscore.summary(SCORERS, by="model").to_dict()
    assert {model: figures["json_similarity"]["asked"] for model, figures in summary.items()} == {"a": 2, "b": 2}
    assert "2 of 4" in repr(frame.leafscore.scores(SCORERS))
    with pytest.raises(ls.Error, match="no column 'gold'; valid"):
        frame.leafscore.score("exact_match", expected="gold")
    with pytest.raises(TypeError, match="unknown option"):
        frame.leafscore.score("exact_match", colour="red")


@pytest.mark.parametrize("structs", [False, True])
def test_pandas(structs: bool) -> None:
    pd = pytest.importorskip("pandas")
    import leafscore.integrations.pandas  # noqa: F401

    frame = pd.DataFrame(RECORDS if structs else texts(), index=[7, 5, 7, 1])
    scored = frame.leafscore.score(SCORERS)
    assert list(scored.index) == [7, 5, 7, 1]
    assert list(scored.columns[:3]) == list(frame.columns)
    assert [None if math.isnan(score) else score for score in scored["json_similarity.score"]] == SCORES
    assert list(scored["same.outcome"]) == OUTCOMES
    numbers = pd.DataFrame({"expected": [1.5, 2.0], "actual": [1.5, float("nan")]})
    assert list(numbers.leafscore.score("exact_match")["exact_match.outcome"]) == ["scored", "unanswered"]
    with pytest.raises(ls.Error, match="no column 'gold'; valid"):
        frame.leafscore.score("exact_match", expected="gold")


def test_calls_of_a_column_of_their_own() -> None:
    pl = pytest.importorskip("polars")
    import leafscore.integrations.polars  # noqa: F401

    frame = pl.DataFrame({"expected": ['["f"]', '["f"]'], "actual": ["Done.", '["f"]'], "run": ['["f"]', None]})
    scored = frame.leafscore.score("tool_calls", calls="run")
    assert scored["tool_calls.outcome"].to_list() == ["scored", "unanswered"]
    with pytest.raises(ls.Error, match="no column 'runs'; did you mean 'run'"):
        frame.leafscore.score("tool_calls", calls="runs")


def test_plain_texts_and_gold_of_another_frame() -> None:
    pl = pytest.importorskip("polars")
    import leafscore.integrations.polars  # noqa: F401

    frame = pl.DataFrame({"id": ["1", "2"], "actual": ["Oslo", "Rome"]})
    gold = pl.DataFrame({"id": ["2", "1"], "expected": ["Roma", "Oslo"]})
    scored = frame.leafscore.score("levenshtein", gold=gold, expected_format="text", actual_format="text")
    assert scored["levenshtein.score"].to_list() == [1, 0.75]


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    import pyarrow as pa

    from leafscore.integrations.duckdb import create_function

    connection = duckdb.connect()
    assert create_function(connection, "json_similarity") == "json_similarity"
    assert create_function(connection, {"type": "levenshtein", "threshold": 0.7}, "near", expected_format="text") == "near"
    table = pa.table({**texts(), "id": range(len(RECORDS))})
    connection.register("answers", table)
    rows = connection.sql(
        "SELECT s.score, s.outcome, s.reason FROM (SELECT id, json_similarity(expected, actual) AS s FROM answers) ORDER BY id"
    ).fetchall()
    assert [row[0] for row in rows] == SCORES
    assert [row[1] for row in rows] == OUTCOMES
    assert [row[2] is None for row in rows] == [True, True, False, False]
    [(mean,)] = connection.sql("SELECT avg(coalesce(json_similarity(expected, actual).score, 0)) FROM answers").fetchall()
    assert mean == 1.5 / 4
    [(near,)] = connection.sql("SELECT near('Oslo', 'Osla')").fetchall()
    assert (near["score"], near["passed"], near["distance"]) == (0.75, True, 1)
    with pytest.raises(ls.Error, match="exact_match, json_similarity"):
        create_function(connection, ls.Plan(["exact_match", "json_similarity"]))
    with pytest.raises(ls.Error, match="no such"):
        create_function(connection, "no such")


def test_duckdb_in_many_batches() -> None:
    duckdb = pytest.importorskip("duckdb")
    from leafscore.integrations.duckdb import create_function

    connection = duckdb.connect()
    create_function(connection, "exact_match", "same")
    query = "SELECT sum(same(i::VARCHAR, (i - i % 2)::VARCHAR).score) FROM range(100000) AS numbers(i)"
    assert connection.sql(query).fetchall() == [(50_000,)]
