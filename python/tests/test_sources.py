"""One score for one pair, whatever holds it: lists, tables, readers, files and the command."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

pa = pytest.importorskip("pyarrow")

import leafscore as ls  # noqa: E402

JUDGE = """\
import json, sys
for line in sys.stdin:
    pair = json.loads(line)
    print(json.dumps({"score": 1.0 if pair.get("expected") == pair.get("actual") else 0.25}), flush=True)
"""
SCORERS: list[dict[str, Any]] = [
    {"type": "asserts"},
    {"type": "classification", "classes": ["yes", "no"]},
    {"type": "contains"},
    {"type": "exact_match"},
    {"type": "exact_match", "name": "exact_match_line_by_line", "line_by_line": True, "text_of": "python"},
    {"type": "exact_string_match"},
    {
        "type": "field_accuracy",
        "fields": [{"path": "city", "match": "exact"}, {"path": "total", "match": "numeric_tolerance"}],
    },
    {"type": "fmea"},
    {"type": "json_diff"},
    {"type": "json_schema", "schema": {"required": ["city"], "properties": {"city": {"type": "string"}}}},
    {"type": "json_schema", "name": "json_schema_by_record", "schema_key": "meta.schema"},
    {"type": "json_similarity"},
    {
        "type": "json_similarity",
        "name": "json_similarity_any_order",
        "array_match": "any_order",
        "number_tolerance": 0.01,
    },
    {"type": "levenshtein", "threshold": 0.8},
    {"type": "numeric_match"},
    {"type": "records"},
    {"type": "records", "name": "records_by_record", "schema_key": "meta.schema"},
    {"type": "static_json"},
    {"type": "strict_json"},
    {"type": "tool_calls"},
]
OBJECT = {
    "city": "Tromsø",
    "total": 12.5,
    "tags": ["a", "b"],
    "more": {"n": None, "big": 2**70, "small": 1e-7, "large": 1e45},
}
CALLS = [{"name": "search", "arguments": {"q": "Oslo"}}, {"name": "fetch", "arguments": {}}]
PAIRS: list[tuple[Any, Any]] = [
    (OBJECT, OBJECT),
    (OBJECT, json.dumps(OBJECT)),
    (OBJECT, f"Here it is:\n```json\n{json.dumps(OBJECT)}\n```"),
    (OBJECT, {**OBJECT, "city": "Tromso", "total": 12.51, "tags": ["b", "a"], "extra": True}),
    (OBJECT, '{"city": "Tromsø", "tot'),
    (OBJECT, "It is in Tromsø."),
    (OBJECT, float("nan")),
    ([None], [None]),
    ([None], OBJECT),
    ("yes", "yes"),
    ("yes", "No"),
    ("Oslo\nBergen", "oslo\nTromsø"),
    ("12.5", 12.5),
    (0.1 + 0.2, 0.3),
    (True, 1),
    ([], {}),
    ('😀 "quoted" \u0000', "😀"),
    ([{"sku": 1, "n": 2}, {"sku": 2, "n": 3}], [{"sku": 2, "n": 3}, {"sku": 1, "n": 2}]),
    (CALLS, CALLS[::-1]),
    ({"asserts": [{"type": "contains", "value": "Oslo"}, {"type": "is-json"}]}, '["Oslo"]'),
]
SCHEMAS: list[Any] = [
    {"type": "object", "required": ["city"]},
    {"type": "string"},
    '{"type": "array"}',
    {"type": "strng"},
    None,
]
RECORDS = [
    {
        "id": f"q{number}",
        "model": f"m{number % 2}",
        "expected": expected,
        "actual": actual,
        "meta": {"schema": SCHEMAS[number % 5]} if number % 7 else None,
    }
    for number, (expected, actual) in enumerate(PAIRS)
]
OF_RECORDS = ("list of dicts", "iterator", "generator", "JSON Lines", "gzip", "several files")
OF_COLUMNS = ("dict of columns", "pyarrow", "record batch", "record batch reader", "pandas", "polars", "Parquet", "CSV")
OF_PAIRS = ("list of tuples", "pair of lists", "zip")


def json_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json_of(record) + "\n" for record in records).encode()


def held(source: str, folder: Path) -> Any:
    """Returns the records as what holds them."""
    if source in OF_RECORDS:
        return held_as_records(source, folder)
    if source in OF_PAIRS:
        expected, actual = ([record[side] for record in RECORDS] for side in ("expected", "actual"))
        pair_of_lists = ([json_of(value) for value in expected], [json_of(value) for value in actual])
        return {"list of tuples": PAIRS, "pair of lists": pair_of_lists, "zip": zip(expected, actual)}[source]
    columns = {name: [record[name] for record in RECORDS] for name in ("id", "model")}
    columns.update((side, [json_of(record[side]) for record in RECORDS]) for side in ("expected", "actual", "meta"))
    if source == "dict of columns":
        return columns
    if source in ("pandas", "polars"):
        return pytest.importorskip(source).DataFrame(columns)
    table = pa.table(columns)
    if source == "record batch":
        return table.to_batches()[0]
    if source == "record batch reader":
        return table.to_reader(max_chunksize=5)
    if source == "Parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, folder / "records.parquet")
        return folder / "records.parquet"
    if source == "CSV":
        pytest.importorskip("pyarrow.csv").write_csv(table, folder / "records.csv")
        return folder / "records.csv"
    return table


def held_as_records(source: str, folder: Path) -> Any:
    path = folder / "records.jsonl"
    if source == "JSON Lines":
        path.write_bytes(lines(RECORDS))
        return path
    if source == "gzip":
        path = folder / "records.jsonl.gz"
        path.write_bytes(gzip.compress(lines(RECORDS)))
        return path
    if source == "several files":
        (folder / "part-1.jsonl").write_bytes(lines(RECORDS[:7]))
        (folder / "part-2.jsonl").write_bytes(lines(RECORDS[7:]))
        return str(folder / "part-*.jsonl")
    return {"list of dicts": RECORDS, "iterator": iter(RECORDS)}.get(source) or (record for record in RECORDS)


Results = tuple[list[Any], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every scorer that needs no network, also one that is a program."""
    folder = tmp_path_factory.mktemp("scorers")
    (folder / "judge.py").write_text(JUDGE)
    path = folder / "scorers.json"
    judge = {"type": "code_judge", "script": "judge.py", "process": "persistent"}
    path.write_text(json.dumps({"evaluators": [*SCORERS, judge]}))
    (folder / "of_pairs.json").write_text(json.dumps({"evaluators": [*filter(needs_only_a_pair, SCORERS), judge]}))
    return path


def needs_only_a_pair(scorer: dict[str, Any]) -> bool:
    return "schema_key" not in scorer


@pytest.fixture(scope="module")
def of_command(run: Callable[..., str], config: Path, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """What the command says of the records: lines, and the figures of each scorer."""
    folder = tmp_path_factory.mktemp("command")
    records, summary = folder / "records.jsonl", folder / "summary.json"
    records.write_bytes(lines(RECORDS))
    printed = run("score", records, "-q", "--config", config, "--group-by", "model", "--summary", summary)
    rows = [
        (
            *(line.get(name) for name in ("scorer", "outcome", "score", "passed", "reason", "message")),
            {name: value for name, value in line.get("details", {}).items() if type(value) in (int, float)},
        )
        for line in map(json.loads, printed.splitlines())
    ]
    return rows, without_examples(json.loads(summary.read_text())["scorers"])


def without_examples(scorers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns figures less the ids of examples, as rows of a table have numbers in their place."""
    for scorer in scorers:
        for part in (scorer, *scorer["groups"]):
            for cause in part.get("causes", ()):
                del cause["example"]
    return scorers


def rows_of(scores: ls.Scores, metrics: list[dict[str, Any]]) -> Iterator[Any]:
    """Yields the results as lines have them, with the metrics that a line has."""
    of_line = iter(metrics)
    for row in scores:
        for name in scores.plan.scorer_names:
            result = row[name]
            ours = {metric: result[metric] for metric in next(of_line) if metric in result}
            yield (name, *(result[key] for key in ("outcome", "score", "passed", "reason", "message")), ours)


def test_every_scorer_without_a_network_is_here(config: Path) -> None:
    needs_a_model = {"llm_judge", "llm_judge_strict_json"}
    types = {scorer["type"] for scorer in json.loads(config.read_text())["evaluators"]}
    with pytest.raises(ls.Error) as error:
        ls.Plan("none")
    known = str(error.value).partition("valid: ")[2].split(", ")
    assert types == set(known) - needs_a_model


@pytest.mark.parametrize("source", (*OF_RECORDS, *OF_COLUMNS, *OF_PAIRS))
def test_one_score_whatever_holds_the_pair(source: str, config: Path, of_command: Results, tmp_path: Path) -> None:
    rows, figures = of_command
    groups: Any = {} if source in OF_PAIRS else {"group_by": "model", "keep": "id"}
    if not groups:
        config = config.with_name("of_pairs.json")
        names = {scorer.get("name", scorer["type"]) for scorer in SCORERS if not needs_only_a_pair(scorer)}
        rows = [row for row in rows if row[0] not in names]
        figures = [scorer for scorer in figures if scorer["scorer"] not in names]
    scores = ls.score(held(source, tmp_path), config, **groups)
    ours = list(rows_of(scores, [row[-1] for row in rows]))
    for our, their in zip(ours, rows):
        assert our == (*their[:-1], {name: value for name, value in their[-1].items() if name in our[-1]})
    assert len(ours) == len(rows) == len(RECORDS) * len(scores.plan.scorer_names)
    theirs = figures if groups else [{**scorer, "groups": []} for scorer in figures]
    assert without_examples(scores.report()["scorers"]) == theirs
    if groups:
        assert [row["id"] for row in scores] == [record["id"] for record in RECORDS]


def test_none_is_a_missing_value_and_null_is_a_value(run: Callable[..., str], tmp_path: Path) -> None:
    """A file says the one by a key that is not there, and the other by null."""
    columns = {"expected": ["1", "1", "null", None], "actual": ["null", None, "null", "1"]}
    wanted = [("scored", 0.0), ("unanswered", None), ("scored", 1.0), ("error", None)]
    rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
    records = [{name: value and value.encode() for name, value in row.items()} for row in rows]  # bytes are JSON
    pairs = [tuple(record.values()) for record in records]
    path = tmp_path / "nulls.jsonl"
    path.write_bytes(lines([{name: json.loads(value) for name, value in row.items() if value} for row in rows]))
    frames = [pytest.importorskip(name).DataFrame(columns) for name in ("pandas", "polars")]
    for data in (records, pairs, iter(records), columns, pa.table(columns), path, *frames):
        found = [(row["exact_match"]["outcome"], row["exact_match"]["score"]) for row in ls.score(data, "exact_match")]
        assert found == wanted
    told = map(json.loads, run("score", path, "-q", "-s", "exact_match").splitlines())
    assert [(line["outcome"], line.get("score")) for line in told] == wanted


def test_values_in_columns_are_what_their_json_says() -> None:
    """Columns of structs, lists, numbers, flags and times had to be written as JSON by hand."""
    values = {
        "object": [{"a": 1}, None],
        "array": [[1, 2], []],
        "number": [1.5, 2.0],
        "flag": [True, False],
        "whole": [1, 2],
    }
    polars, pandas = (pytest.importorskip(name) for name in ("polars", "pandas"))
    for name, column in values.items():
        for make in (pa.table, polars.DataFrame, pandas.DataFrame):
            scores = ls.score(make({"expected": column, "actual": column}), "exact_match")
            wanted = [None if value is None else 1.0 for value in column]
            assert [row["exact_match"]["score"] for row in scores] == wanted, (name, make)
    mixed = pandas.DataFrame({"expected": [{"a": 1}, {"b": 2}], "actual": ['{"a": 1}', '{"b": 2}']})
    assert [row["exact_match"]["score"] for row in ls.score(mixed, "exact_match")] == [1.0, 1.0]
