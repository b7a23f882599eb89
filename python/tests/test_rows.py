"""Rows of results, and what is printed of them, without any other package."""

from __future__ import annotations

import datetime
import subprocess
import sys
from typing import Any

import pytest

import leafscore as ls

RECORDS = [
    {"id": "a", "model": "x", "expected": {"n": 1, "m": [2, "é"]}, "actual": {"n": 1, "m": [2, "e"]}},
    {"id": "b", "model": "y", "expected": {"n": 1}, "actual": None},
    {"id": None, "model": "y", "expected": None, "actual": {"n": 1}},
]
SCORERS: list[ls.Scorer] = ["json_similarity", {"type": "levenshtein", "threshold": 0.8}]


def test_rows_need_no_other_package() -> None:
    program = """
import sys
for name in ("pyarrow", "pandas", "polars"):
    sys.modules[name] = None
import leafscore as ls
scores = ls.score([{"id": "a", "expected": {"n": 1, "m": 2}, "actual": {"n": 1}}], "json_similarity", keep="id")
print([(row["id"], row["json_similarity"]["score"]) for row in scores], scores[-1] == scores[0])
for call in (scores.to_pandas, scores.to_polars, scores.to_arrow, scores.summary):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == [
        "[('a', 0.5)] True",
        "to_pandas needs pandas and pyarrow: pip install pandas pyarrow",
        "to_polars needs polars: pip install polars",
        "to_arrow needs pyarrow: pip install pyarrow",
        "a summary needs pyarrow: pip install pyarrow",
    ]


@pytest.mark.parametrize("details", ["none", "basic", "leaves"])
def test_rows_are_those_of_pyarrow(details: str) -> None:
    pytest.importorskip("pyarrow")
    scores = ls.score(RECORDS, SCORERS, keep=["id", "model"], details=details)
    assert list(scores) == scores.to_arrow().to_pylist()
    assert scores[-1] == list(scores)[2]


def test_rows_of_many_batches_are_in_order() -> None:
    pa = pytest.importorskip("pyarrow")
    numbers = [str(number) for number in range(1000)]
    table = pa.table({"id": numbers, "expected": numbers, "actual": numbers})
    parts = pa.concat_tables([table.slice(begin, 7) for begin in range(0, 1000, 7)])
    scores = ls.score(parts, "exact_match", keep="id")
    assert [row["id"] for row in scores] == numbers
    assert scores[993]["id"] == "993"


def test_kept_columns_of_many_types_stand_in_rows() -> None:
    pa = pytest.importorskip("pyarrow")
    long = "more than twelve bytes"
    columns: dict[str, Any] = {
        "text": pa.array(["a", None, long], pa.large_string()),
        "view": pa.array(["a", None, long], pa.string_view()),
        "flag": [True, False, None],
        "small": pa.array([-1, None, 3], pa.int8()),
        "large": pa.array([1, None, 2**64 - 1], pa.uint64()),
        "half": pa.array([0.5, None, 1], pa.float32()),
        "list": [[1, None], None, []],
        "named": pa.array(["p", "q", None]).dictionary_encode(),
        "nothing": pa.nulls(3),
        "inner": [{"a": 1}, None, {"a": None}],
    }
    table = pa.table({**columns, "expected": ["1"] * 3, "actual": ["1"] * 3}).slice(1)
    scores = ls.score(table, "exact_match", keep=list(columns))
    assert list(scores) == scores.to_arrow().to_pylist()


def test_a_column_that_rows_cannot_show_is_named() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"when": [datetime.date(2026, 1, 2)], "expected": ["1"], "actual": ["1"]})
    with pytest.raises(TypeError, match="'when'.*to_pylist"):
        list(ls.score(table, "exact_match", keep="when"))


def test_an_index_beyond_the_rows_is_an_error() -> None:
    scores = ls.score(RECORDS, "exact_match")
    for index in (3, -4):
        with pytest.raises(IndexError):
            scores[index]
    with pytest.raises(TypeError):
        scores["id"]  # type: ignore[index]


def test_scores_print_their_figures_in_few_lines() -> None:
    assert str(ls.score(RECORDS, SCORERS, actual_format="json")).splitlines() == [
        "3 records",
        "                   mean  scored  passed  not scored",
        "json_similarity  0.2222  1 of 3          1 missing_actual, 1 missing_expected",
        "levenshtein      0.3167  2 of 3   33.3%  1 missing_actual",
    ]


def test_groups_are_printed_and_many_are_cut() -> None:
    assert str(ls.score(RECORDS, "exact_match", group_by="model", actual_format="json")).splitlines()[2:] == [
        "exact_match  0.0000  1 of 3    0.0%  1 missing_actual, 1 missing_expected",
        "  model=y    0.0000  0 of 2",
        "  model=x    0.0000  1 of 1    0.0%",
    ]
    many = [{**RECORDS[0], "model": f"m{number}"} for number in range(25)]
    lines = str(ls.score(many, "exact_match", group_by="model")).splitlines()
    assert len(lines) == 14
    assert lines[-1] == "  and 15 more groups"
    assert str(ls.score([], "exact_match")) == "0 records\n             scored\nexact_match  0 of 0"
