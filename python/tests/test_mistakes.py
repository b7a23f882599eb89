"""Calls that are slightly wrong: each does what was meant, or ends in a sentence that says what to do."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import tempfile
import uuid
from pathlib import Path
from typing import Any, Callable, NamedTuple

import pytest

import leafscore as ls

RECORDS: list[dict[str, Any]] = [
    {"id": "a", "expected": {"n": 1}, "actual": {"n": 1}},
    {"id": "b", "expected": {"n": 2}, "actual": {"n": 3}},
]
ONE = [{"expected": 1, "actual": 1}]


@dataclasses.dataclass
class Point:
    x: Any


class Colour(enum.Enum):
    RED = "red"


class Row(NamedTuple):
    expected: Any
    actual: Any


@dataclasses.dataclass
class Case:
    expected: Any
    actual: Any


class Model:
    """As one of pydantic."""

    def model_dump(self, mode: str) -> dict[str, Any]:
        assert mode == "json"
        return {"x": 1}


def values(data: Any, **options: Any) -> list[float | None]:
    return [row["exact_match"]["score"] for row in ls.score(data, "exact_match", **options)]


def scores() -> ls.Scores:
    return ls.score(RECORDS, "exact_match", keep="id")


def lines(path: Path, records: list[Any]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


PYTHON_VALUES: list[tuple[Any, Any]] = [
    (Point(x=1), {"x": 1}),
    ({"p": [Point(x=Point(x=2))]}, {"p": [{"x": {"x": 2}}]}),
    (Model(), {"x": 1}),
    ({"m": Model()}, {"m": {"x": 1}}),
    (Colour.RED, "red"),
    (datetime.datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05"),
    ({"day": datetime.date(2026, 1, 2), "at": datetime.time(3, 4)}, {"day": "2026-01-02", "at": "03:04:00"}),
    (decimal.Decimal("1.50"), 1.5),
    ({"total": decimal.Decimal("1E+2")}, {"total": 100}),
    (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
    ((1, 2), [1, 2]),
    (2**70, 1180591620717411303424),
    ({1: "a"}, {"1": "a"}),
]


@pytest.mark.parametrize("value, same", PYTHON_VALUES)
def test_values_of_python_are_their_json(value: Any, same: Any) -> None:
    assert values([{"expected": value, "actual": same}]) == [1.0]
    assert values([(value, same)]) == [1.0]
    assert ls.score_pair(value, json.dumps(same), "exact_match").score == 1.0
    if not isinstance(value, str):
        assert values({"expected": [value], "actual": [json.dumps(same)]}) == [1.0]


def test_values_of_numpy_and_pandas_are_their_json() -> None:
    numpy, pandas = (pytest.importorskip(name) for name in ("numpy", "pandas"))
    of_numpy = {"a": numpy.int64(1), "b": numpy.float32(0.5), "c": [numpy.bool_(True)], "d": numpy.array([[1], [2]])}
    dates = {"e": numpy.datetime64("2026-01-02"), "f": pandas.Timestamp("2026-01-02"), "g": pandas.NaT, "h": pandas.NA}
    same = {"a": 1, "b": 0.5, "c": [True], "d": [[1], [2]]}
    written = {"e": "2026-01-02", "f": "2026-01-02T00:00:00", "g": None, "h": None}
    assert values([{"expected": {**of_numpy, **dates}, "actual": {**same, **written}}]) == [1.0]
    assert values({"expected": numpy.array([1, 2]), "actual": numpy.array([1, 3])}) == [1.0, 0.0]
    assert ls.score_pair(numpy.int64(1), numpy.float64(1), "exact_match").score == 1.0
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"expected": [{"a": 1}, {"b": 2}, "3"], "actual": [{"a": 1}, {"b": 3}, float("nan")]})
    assert values(frame) == [1.0, 0.0, None]


def test_values_are_written_as_json_writes_them() -> None:
    from leafscore import _values

    deep: list[Any] = []
    for _ in range(150):
        deep = [{"a": deep}, ()]
    odd = [deep, float("nan"), 1e45, -2.5e-99, float("inf"), {"a": None, "b": "nan e-5 inf"}, {"a": "\n,\n"}, "\ud800", 2**80]
    written = [json.dumps(value, ensure_ascii=value == "\ud800", separators=(",", ":")).encode() for value in odd]
    assert _values.to_texts(odd, "c", "auto", strings_are_values=True) == written
    for value, text in zip(odd, written):
        assert _values.to_texts([value, None], "c", "json", strings_are_values=True) == [text, None]
        assert _values.to_json(value) == text
    numbers = [{"a": None, "b": Point(x=float("nan"))}] * 3
    assert _values.to_texts(numbers, "c", "auto") == [b'{"a":null,"b":{"x":NaN}}'] * 3


@pytest.mark.parametrize(
    "rows",
    [
        (record for record in RECORDS),
        iter(RECORDS),
        {0: RECORDS[0], 1: RECORDS[1]}.values(),
        [({"n": 1}, {"n": 1}), ({"n": 2}, {"n": 3})],
        zip([{"n": 1}, {"n": 2}], [{"n": 1}, {"n": 3}]),
        [Row({"n": 1}, {"n": 1}), Row({"n": 2}, {"n": 3})],
        [Case({"n": 1}, {"n": 1}), Case({"n": 2}, {"n": 3})],
        {"expected": ({"n": n} for n in (1, 2)), "actual": ({"n": n} for n in (1, 3))},
        {"actual": [{"n": 1}, {"n": 3}], "expected": [{"n": 1}, {"n": 2}]},
    ],
)
def test_rows_may_come_from_anything_that_can_be_iterated(rows: Any) -> None:
    assert values(rows) == [1.0, 0.0]


CALLS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "column": (
        lambda: values({"expcted": ["1"], "actual": ["1"]}),
        ls.Error,
        "no column 'expected'; did you mean 'expcted'",
    ),
    "member": (
        lambda: values([{"expected": 1, "Actual": 1}]),
        ls.Error,
        "no record has the column 'actual'; did you mean",
    ),
    "far column": (
        lambda: values([{"expected": 1, "y": 1}]),
        ls.Error,
        "valid: 'expected', 'y'; the option actual names",
    ),
    "keep": (lambda: values(RECORDS, keep="idd"), ls.Error, "no record has the column 'idd'; did you mean 'id'"),
    "group": (lambda: values(RECORDS, group_by="model"), ls.Error, "no record has the column 'model'"),
    "gold": (lambda: values(RECORDS, gold=[{"id": "a", "answer": 1}]), ls.Error, "the column 'expected'"),
    "one column": (lambda: values(RECORDS, expected="actual"), ls.Error, "expected and actual are one column"),
    "set": (lambda: values([*ONE, {"expected": {"a": {1}}, "actual": 1}]), TypeError, r"'expected', row 1: .*sorted"),
    "bytes": (lambda: values([{"expected": 1, "actual": [b"x"]}]), TypeError, "'actual', row 0: .*decode"),
    "object": (
        lambda: values({"expected": [object()], "actual": [1]}),
        TypeError,
        "'expected', row 0: JSON has no object",
    ),
    "decimal": (
        lambda: values([{"expected": decimal.Decimal("0." + "1" * 30), "actual": 1}]),
        TypeError,
        "row 0: .*float",
    ),
    "key": (lambda: values([{"expected": {(1, 2): 1}, "actual": 1}]), TypeError, "row 0: JSON has only texts as keys"),
    "pair": (lambda: ls.score_pair({1}, 1), TypeError, "expected: JSON has no sets"),
    "pair's scorers": (lambda: ls.score_pair(1, 1, ["exact_match", "json_diff"]), TypeError, "takes one scorer"),  # type: ignore[arg-type]
    "lengths": (lambda: values({"expected": [1, 2], "actual": [1]}), ValueError, "'expected' has 2, 'actual' has 1"),
    "one record": (lambda: values({"expected": {"n": 1}, "actual": {"n": 1}}), TypeError, "one value is a list of one"),
    "row": (lambda: values([*ONE, 5]), TypeError, "row 1 of the data is an int"),
    "texts": (lambda: values(["a.jsonl", "b.jsonl"]), TypeError, "several files a glob"),
    "lists": (lambda: values([[1], [1]]), TypeError, "a pair of columns is a tuple"),
    "triple": (lambda: values([(1, 2, 3)]), TypeError, "row 0 of the data is a tuple of 3"),
    "none": (lambda: values(None), TypeError, "not a NoneType"),
    "data as a path": (lambda: values('[{"expected": 1}]'), ls.Error, "parse it first"),
    "empty path": (lambda: values(""), ls.Error, "the path of the data is empty"),
    "scorers": (lambda: ls.score(RECORDS, None), TypeError, "scorers are the name of a type"),  # type: ignore[arg-type]
    "no type": (lambda: ls.Plan({"threshold": 1}), ls.Error, "scorer 1 has no type, but 'threshold'"),
    "option": (lambda: values(RECORDS, keeps="id"), TypeError, "unknown option 'keeps'; did you mean 'keep'"),
    "names": (lambda: values(RECORDS, keep=5), TypeError, "a list of names, holds str, not 5"),
    "name": (lambda: values(RECORDS, expected=5), TypeError, "expected is the name of a column, not 5"),
    "flag": (lambda: values(RECORDS, parse_texts=True), TypeError, "it is one of: auto, prose, never, always"),
    "number": (
        lambda: values(RECORDS, threads="2"),
        TypeError,
        "threads does not take the value '2'; it is a whole number",
    ),
    "judges": (lambda: values(RECORDS, judges="x.db"), TypeError, r"Judges\(cache="),
    "device": (lambda: values(RECORDS, device="gpu"), ls.Error, "^device is"),
    "row number": (lambda: scores()[5], IndexError, "no row 5 among 2"),
    "row id": (lambda: scores()["a"], TypeError, "explain takes an id"),  # type: ignore[call-overload]
    "compared": (lambda: ls.compare(RECORDS, RECORDS), TypeError, "base is Scores that kept"),  # type: ignore[arg-type]
    "ranked records": (lambda: ls.leaderboard({"a": RECORDS}), TypeError, "'a' is list and no Scores"),  # type: ignore[dict-item]
    "ranked list": (lambda: ls.leaderboard([scores()]), TypeError, "a dict of Scores"),  # type: ignore[list-item]
    "nothing ranked": (lambda: ls.leaderboard([]), ls.Error, "no scores to rank"),
    "nobody ranked": (lambda: ls.leaderboard({}), ls.Error, "no scores to rank"),
    "lint's arguments": (lambda: ls.lint("exact_match", RECORDS), ls.Error, "scorer 1 has no type"),
    "lint's record": (lambda: ls.lint(RECORDS[0], "exact_match"), TypeError, "give one record as"),  # type: ignore[arg-type]
    "lint's value": (
        lambda: ls.lint([*ONE, {"expected": {1}}], "exact_match"),
        TypeError,
        "row 1 of gold: JSON has no sets",
    ),
    "lint's answers": (lambda: ls.lint(RECORDS, "exact_match", RECORDS), TypeError, "answers are files"),  # type: ignore[arg-type]
    "lint's field": (lambda: ls.lint([{"id": 1, "gold": 1}], "exact_match"), ls.Error, r"\(gold_expected_field\)"),
    "records as files": (lambda: ls.score_files(RECORDS, "exact_match"), TypeError, "inputs are paths"),  # type: ignore[arg-type]
    "distance": (lambda: ls.levenshtein(["a", 5], ["a", "b"]), TypeError, "left holds str.*row 1 is 5"),
    "cutoff": (lambda: ls.levenshtein(["a"], ["b"], cutoff=0.5), TypeError, "cutoff is a whole number"),  # type: ignore[arg-type]
    "threads": (lambda: ls.jaro_winkler(["a"], ["b"], threads=-1), ValueError, "threads is 1 or more"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_mistake_ends_in_a_sentence_with_its_cure(name: str) -> None:
    call, error, sentence = CALLS[name]
    if name in ("compared", "ranked list"):
        pytest.importorskip("pyarrow")
    with pytest.raises(error, match=sentence) as told:
        call()
    assert "\n" not in str(told.value)


def test_values_that_have_no_end_or_too_many_levels() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="row 0: the value holds itself"):
        values([{"expected": endless, "actual": 1}])
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="row 0: the value is nested too deeply"):
        values([{"expected": deep, "actual": 1}])


def test_files_of_another_kind_and_none(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    array = tmp_path / "array.jsonl"
    array.write_text(json.dumps(RECORDS))
    broken = tmp_path / "broken.parquet"
    broken.write_text("hello, this is no Parquet")
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\n")
    zipped = tmp_path / "zipped.jsonl.gz"
    zipped.write_bytes(b"no gzip")
    wrong: dict[str, str] = {
        str(tmp_path / "none.jsonl"): "none.jsonl cannot be read: there is no such file",
        str(tmp_path / "*.csv"): "cannot be read: no file matches",
        str(tmp_path / "array.json"): "score_files reads JSON arrays",
        str(array): "line 1: the line is no JSON object; score_files reads JSON arrays",
        str(binary): "line 1: the line is not UTF-8",
        str(broken): "^[^:]*broken.parquet cannot be read: [^:]*$",
        str(zipped): "zipped.jsonl.gz cannot be read",
        lines(
            tmp_path / "gold.jsonl", [{"gold": 1, "actual": 1}]
        ): "no line of .* has the column 'expected'; valid: 'gold'",
    }
    for path, sentence in wrong.items():
        with pytest.raises(ls.Error, match=sentence):
            ls.score(path, "exact_match")
    with open(array) as file, pytest.raises(TypeError, match="give its path"):
        ls.score(file, "exact_match")


def test_columns_that_a_scorer_does_without() -> None:
    assert ls.score([{"actual": "abc"}], {"type": "contains", "search_text": "b"})[0]["contains"]["score"] == 1.0
    assert ls.score([{"actual": 1}], {"type": "exact_match", "default_expected": 1})[0]["exact_match"]["score"] == 1.0
    assert ls.score([{"expected": [], "run": []}], "tool_calls", calls="run")[0]["tool_calls"]["score"] == 1.0


def test_texts_that_are_no_json_are_told_where_scores_are_printed() -> None:
    printed = str(ls.score({"expected": ['"x"', "Oslo", "Rome"], "actual": ["x", "Oslo", "Rome"]}, "exact_match"))
    assert "2 expected values are no JSON, the first in row 1" in printed and 'expected_format="text"' in printed
    assert "no JSON" not in str(ls.score(RECORDS, "exact_match"))
    assert "json.dumps" in str(ls.score_pair("Oslo", "Oslo", "exact_match").message)


def test_sides_are_known_by_their_names() -> None:
    assert ls.score_pair(actual="cut [", expected="[1]", scorer="exact_match").outcome == "scored"
    assert ls.score_pair(actual="[1]", expected="cut [", scorer="exact_match").outcome == "error"
    assert ls.Plan("exact_match").score_pair(actual=1, expected=1)["exact_match"].score == 1.0


def test_ids_and_kept_values_of_any_type() -> None:
    pytest.importorskip("pyarrow")
    gold = [{"id": 1, "expected": 1}, {"id": "b", "expected": 2}]
    answers = [{"id": "1", "actual": 1}, {"id": "b", "actual": 2}]
    assert values(answers, gold=gold) == values([{"id": 1, "actual": 1}, {"id": "b", "actual": 2}], gold=gold) == [1, 1]
    kept = ls.score([{**RECORDS[0], "m": 1}, {**RECORDS[1], "m": "x"}], "exact_match", keep="m", group_by="m")
    assert [row["m"] for row in kept] == ["1", "x"]
    assert [row["id"] for row in scores()[:1]] == ["a"] and scores()[-1]["id"] == "b"
    with pytest.raises(TypeError):
        scores().summary() + 5


def test_a_comparison_names_no_file_that_nobody_knows() -> None:
    pytest.importorskip("pyarrow")
    comparison = ls.compare(scores(), scores())
    assert "base: base.jsonl" in str(comparison) and "base: base.jsonl" in comparison.to_markdown()
    for text in (comparison.to_junit(), comparison.to_latex(), json.dumps(comparison.figures)):
        assert tempfile.gettempdir() not in text
