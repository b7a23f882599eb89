"""Scoring: the same answers as the command, from whatever holds the data."""

from __future__ import annotations

import json
import pickle
import random
import threading
from pathlib import Path
from typing import Any, Callable

import pytest

pa = pytest.importorskip("pyarrow")

import leafscore as ls  # noqa: E402

SCORERS = ["json_similarity", "exact_match", {"type": "levenshtein", "threshold": 0.8}]
EXPECTED = ['{"a": 1, "b": "Oslo"}', '{"a": 2}', '{"a": 3}']
ACTUAL = ['{"a": 1, "b": "Olso"}', '{"a": 2', None]


def table() -> Any:
    return pa.table({"id": ["x", "y", "z"], "gold": EXPECTED, "answer": ACTUAL, "model": ["m", "n", "m"]})


def scored(data: Any, **options: Any) -> list[dict[str, Any]]:
    results = ls.score(data, "json_similarity", **options).to_arrow()
    return results.column("json_similarity").to_pylist()


COLUMNS = {"expected": "gold", "actual": "answer"}


def test_outcomes_scores_and_reasons() -> None:
    assert scored(table(), **COLUMNS, actual_format="json") == [
        dict(outcome="scored", score=0.75, passed=None, matched_leaves=1.5, total_leaves=2.0, reason=None, message=None, causes=None),
        dict(
            outcome="unreadable", score=None, passed=None, matched_leaves=None, total_leaves=None, reason="invalid_json",
            message="actual: the text ends inside an object or array (byte 7)", causes=None,
        ),
        dict(
            outcome="unanswered", score=None, passed=None, matched_leaves=None, total_leaves=None,
            reason="missing_actual", message="the record has no actual value", causes=None,
        ),
    ]  # fmt: skip


OBJECT = {"city": "Oslo", "temp": 20}
JSON_TEXT = '{"temp": 20, "city": "Oslo"}'
FENCED = f"```json\n{JSON_TEXT}\n```"
# The expected value, the answer, and its score by json_similarity.
HELD = {
    "plain object": (OBJECT, OBJECT, 1.0),
    "JSON text": (OBJECT, JSON_TEXT, 1.0),
    "labelled": (OBJECT, "Final Answer: " + JSON_TEXT, 1.0),
    "fenced": (OBJECT, "Here it is:\n" + FENCED, 1.0),
    "label and fence": (OBJECT, "Answer:\n" + FENCED, 1.0),
    "prose": (OBJECT, "It is 20 degrees in Oslo.", 0.0),
    "cut off": (OBJECT, JSON_TEXT[:-9], 0.0),
    "Python literal": (OBJECT, str(OBJECT), 0.0),
    "expected text of JSON": (json.dumps(OBJECT), JSON_TEXT, 1.0),
    "expected text beside an object": (json.dumps(OBJECT), OBJECT, 0.0),
    "expected prose": ("It is 20 degrees in Oslo.", "It is 20 degrees in Oslo.", 1.0),
    "expected prose beside a fence": ("It is 20 degrees in Oslo.", FENCED, None),
    "expected prose that looks like a number": ("42", 42, 0.0),
}
HOLDERS = ("records", "lists", "table", "polars", "pandas", "jsonl", "csv", "parquet")


def held(holder: str, records: list[dict[str, Any]], tmp_path: Path) -> Any:
    """Returns records as what holds them. Columns hold JSON, but an answer that is a text beside an object as it is."""
    if holder == "records":
        return records
    path = tmp_path / f"records.{holder}"
    if holder == "jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(path)
    columns = {
        "id": [record["id"] for record in records],
        "expected": [json.dumps(record["expected"]) for record in records],
        "actual": [
            actual if isinstance(actual, str) and isinstance(expected, dict) else json.dumps(actual)
            for expected, actual in ((record["expected"], record["actual"]) for record in records)
        ],
    }
    data = pa.table(columns)
    if holder == "lists":
        return columns
    if holder in ("polars", "pandas"):
        library = pytest.importorskip(holder)
        return library.DataFrame(columns)
    if holder == "csv":
        pytest.importorskip("pyarrow.csv").write_csv(data, path)
        return str(path)
    if holder == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(data, path)
        return str(path)
    return data


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_record_has_one_score_whatever_holds_it(run: Callable[..., str], tmp_path: Path, holder: str) -> None:
    """A list of dicts gave 1.0 for what gave 0.0 in a file, and nothing for what stood in a fence."""
    scorers = ["json_similarity", "strict_json", "json_diff", "static_json"]
    if holder in ("records", "jsonl"):  # in a column, a text of JSON is what it holds, also to those that compare texts
        scorers += ["exact_match", "levenshtein"]
    records = [{"id": name, "expected": expected, "actual": actual} for name, (expected, actual, _) in HELD.items()]
    results = ls.score(held(holder, records, tmp_path), scorers, keep="id").to_arrow().to_pylist()
    ours = {(row["id"], name): (row[name]["outcome"], row[name]["score"]) for row in results for name in scorers}
    for name, (_, _, score) in HELD.items():
        if score is not None:
            assert ours[name, "json_similarity"] == ("scored", score)
    lines = run("score", held("jsonl", records, tmp_path), "-q", *(word for name in scorers for word in ("-s", name)))
    theirs = {
        (line["id"], line["scorer"]): (line["outcome"], line.get("score")) for line in map(json.loads, lines.splitlines())
    }
    assert ours == theirs


RUNS: list[dict[str, Any]] = [
    {"id": "a", "expected": ["f"], "actual": "Done.", "run": [{"name": "f", "arguments": {"x": 1}}]},
    {"id": "b", "expected": ["f"], "actual": ["f"], "run": "Done."},
    {"id": "c", "expected": ["f", "g"], "run": "f(x=1)"},
    {"id": "d", "expected": ["f"], "actual": ["f"]},
    {"id": "e", "expected": ["f"], "actual": "Done.", "run": {"role": "assistant", "tool_calls": []}},
]


def test_rows_name_what_is_wrong_with_answers(run: Callable[..., str], tmp_path: Path) -> None:
    expected = {"city": "Oslo", "temp": 20}
    answers = [expected, "Sorry, I cannot help with that.", 'As you asked: {"city": "Oslo", "temp": 20}', ""]
    records = [{"id": n, "expected": expected, "actual": answer} for n, answer in enumerate(answers)]
    (tmp_path / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    printed = run("score", tmp_path / "records.jsonl", "-q", "-s", "json_similarity")
    lines = [json.loads(line) for line in printed.splitlines()]
    scores = ls.score(records, "json_similarity")
    causes = [row["json_similarity"]["causes"] for row in scores]
    assert causes == [line.get("causes") for line in lines] == [None, ["refusal"], ["in_prose"], ["empty"]]
    assert pa.types.is_list(scores.to_arrow().schema.field("json_similarity").type.field("causes").type)
    found = ls.score(records, "json_similarity", parse_texts="prose")
    assert [row["json_similarity"]["score"] for row in found] == [1, 0, 1, 0]


@pytest.mark.parametrize("holder", ("records", "lists", "table", "pandas", "jsonl", "parquet"))
def test_calls_may_have_a_column_of_their_own(run: Callable[..., str], tmp_path: Path, holder: str) -> None:
    path = tmp_path / f"runs.{holder}"
    lines = tmp_path / "runs.jsonl"
    lines.write_text("".join(json.dumps(record) + "\n" for record in RUNS))
    columns = {name: [json.dumps(record[name]) if name in record else None for record in RUNS] for name in RUNS[0]}
    columns["id"] = [record["id"] for record in RUNS]
    holders = {"records": RUNS, "lists": columns, "table": pa.table(columns), "jsonl": str(lines), "parquet": str(path)}
    data: Any = holders.get(holder)
    if holder == "pandas":
        data = pytest.importorskip("pandas").DataFrame(columns)
    elif holder == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(pa.table(columns), path)
    scorers = ["tool_calls", "exact_match"]
    scores = ls.score(data, scorers, keep="id", calls="run")
    ours = [
        (row["id"], name, *(row[name][member] for member in ("outcome", "score", "message")))
        for row in scores
        for name in scorers
    ]
    theirs = run("score", lines, "-q", "-s", "tool_calls", "-s", "exact_match", "--calls-field", "run").splitlines()
    assert ours == [
        (line["id"], line["scorer"], line["outcome"], line.get("score"), line.get("message"))
        for line in map(json.loads, theirs)
    ]
    assert [row["tool_calls"]["score"] for row in scores] == [1, 0, 2 / 3, None, 0]
    assert scores[3]["tool_calls"]["message"] == 'the record lacks the calls field "run"'
    assert scores[2]["exact_match"]["outcome"] == "unanswered"
    if holder in ("lists", "table"):
        assert "calls[0].f" in scores.explain("a", "tool_calls")


def test_a_column_of_calls_that_is_not_there() -> None:
    with pytest.raises(ls.Error, match="'rum'"):
        ls.score({"expected": ["[]"], "actual": ["[]"]}, "tool_calls", calls="rum")
    with pytest.raises(ls.Error, match='unknown column "rum"; did you mean "run"'):
        ls.score(pa.table({"expected": ["[]"], "actual": ["[]"], "run": ["[]"]}), "tool_calls", calls="rum")


def test_one_pair_reads_an_answer_as_a_table_does() -> None:
    for name, (expected, actual, score) in HELD.items():
        if isinstance(expected, dict):
            assert ls.score_pair(expected, actual, "json_similarity").score == score, name


def test_a_text_that_is_no_json_is_unreadable_where_json_is_asked_for() -> None:
    """A list of records, too, can hold texts of JSON."""
    records = [{"expected": "[1, 2]", "actual": "[1,2]"}, {"expected": "[1]", "actual": "Answer: [1]"}]
    asked = scored(records, expected_format="json", actual_format="json")
    assert [(row["score"], row["reason"]) for row in asked] == [(1.0, None), (None, "invalid_json")]


def test_every_score_is_the_commands(run: Callable[..., str], pairs: Path) -> None:
    printed = run("score", pairs, "-q", "--config", config(pairs))
    lines = [json.loads(line, parse_int=float) for line in printed.splitlines()]
    results = ls.score(str(pairs), SCORERS, keep="id").to_arrow().to_pylist()
    ours = [
        (row["id"], name, row[name]["outcome"], repr(row[name]["score"]), row[name]["reason"])
        for row in results
        for name in ("json_similarity", "exact_match", "levenshtein")
    ]
    theirs = [
        (str(line["id"]), line["scorer"], line["outcome"], repr(line.get("score")), line.get("reason")) for line in lines
    ]
    assert len(ours) == 6000
    assert ours == theirs


def config(pairs: Path) -> Path:
    path = pairs.with_name("scorers.json")
    path.write_text(json.dumps({"evaluators": [{"type": s} if isinstance(s, str) else s for s in SCORERS]}))
    return path


def test_report_is_the_commands_summary(run: Callable[..., str], pairs: Path, tmp_path: Path) -> None:
    run("score", pairs, "-q", "-s", "json_similarity", "--group-by", "model", "--summary", tmp_path / "summary.json",
        "-o", tmp_path / "scores.jsonl")  # fmt: skip
    theirs = json.loads((tmp_path / "summary.json").read_text())
    ours = ls.score(str(pairs), "json_similarity", group_by="model").report()
    for part in (theirs["scorers"][0], *theirs["scorers"][0]["groups"]):
        for cause in part.get("causes", ()):
            cause["example"] = ""  # rows of a table are named by their numbers
    assert ours["scorers"] == theirs["scorers"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary", "chunks", "slice", "batch"])
def test_layouts_of_arrow(kind: str) -> None:
    data = table()
    if kind in ("string", "large_string", "string_view"):
        data = data.cast(pa.schema([(name, getattr(pa, kind)()) for name in data.schema.names]))
    elif kind == "dictionary":
        data = pa.table({name: data.column(name).dictionary_encode() for name in data.schema.names})
    elif kind == "chunks":
        data = pa.concat_tables([data.slice(0, 1), data.slice(1)])
    elif kind == "slice":
        data = pa.concat_tables([data, data]).combine_chunks().slice(3)
    else:
        data = data.to_batches()[0]
    assert scored(data, **COLUMNS) == scored(table(), **COLUMNS)


@pytest.mark.parametrize("library", ["polars", "pandas", "duckdb", "reader"])
def test_libraries(library: str) -> None:
    data = table()
    if library == "polars":
        data = pytest.importorskip("polars").DataFrame(data)
    elif library == "pandas":
        pytest.importorskip("pandas")
        data = data.to_pandas()
    elif library == "duckdb":
        data = pytest.importorskip("duckdb").from_arrow(data)
    else:
        data = pa.RecordBatchReader.from_batches(data.schema, data.to_batches())
    assert scored(data, **COLUMNS) == scored(table(), **COLUMNS)


def test_python_values() -> None:
    values = [{"a": 1, "b": "Oslo"}, {"a": 2}, {"a": 3}]
    expected = scored(table(), **COLUMNS)
    assert scored((values, ACTUAL)) == expected
    assert scored({"expected": values, "actual": ACTUAL}) == expected
    assert scored([{"expected": e, "actual": a} for e, a in zip(values, ACTUAL)]) == expected
    ids = {"expected": values, "actual": ACTUAL, "id": [1, 2, 3]}
    assert ls.score(ids, "exact_match", keep="id").to_arrow().column("id").to_pylist() == [1, 2, 3]


def test_texts_that_are_strings_and_no_json() -> None:
    texts = (["Oslo", "7"], ["Oslo", "8"])
    results = ls.score(texts, "exact_match", expected_format="text", actual_format="text").to_arrow()
    assert [row["score"] for row in results.column("exact_match").to_pylist()] == [1.0, 0.0]


def test_values_without_utf8_are_errors_of_their_row_alone() -> None:
    outcomes = [row["outcome"] for row in scored((['"a"', '"\ud800"'], ['"a"', '"b"']))]
    assert outcomes == ["scored", "error"]
    assert [row["score"] for row in scored(([{"a": "\ud800"}], [{"a": "\ud800"}]))] == [1.0]


def test_one_value_is_written_as_json_writes_it() -> None:
    from leafscore import _values

    for value in [1e16, 1e-7, float("nan"), None, {"a": [1, 2.5, "é\n\x7f"]}, 2**80, -(2**63), {1: "x"}, float("inf"), "1e-7"]:
        assert _values.to_json(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def test_empty_data() -> None:
    scores = ls.score(table().slice(0, 0), "json_similarity", keep="id", **COLUMNS)
    assert len(scores) == 0
    assert scores.to_arrow().schema.names == ["id", "json_similarity"]
    assert ls.score(([], []), "exact_match").to_arrow().num_rows == 0


def test_kept_columns_are_of_any_type_and_not_copied() -> None:
    data = table().append_column("vector", pa.array([[1.0], None, [2.0, 3.0]]))
    kept = ls.score(data, "exact_match", keep=["id", "vector"], **COLUMNS).to_arrow()
    assert kept.column("vector").to_pylist() == [[1.0], None, [2.0, 3.0]]
    buffers = [array.column("id").chunk(0).buffers()[2].address for array in (data, kept)]
    assert buffers[0] == buffers[1]


def test_results_outlive_data_and_scores() -> None:
    scores = ls.score(table(), "json_similarity", keep="id", **COLUMNS)
    first, second = scores.to_arrow(), scores.to_arrow()
    del scores
    assert first == second
    del first
    assert second.column("id").to_pylist() == ["x", "y", "z"]


def test_shapes_of_results() -> None:
    scores = ls.score(table(), "exact_match", keep="id", **COLUMNS)
    assert scores.to_arrow(flat=True).column("exact_match.score").to_pylist() == [0.0, 0.0, None]
    dictionaries = scores.to_arrow(outcomes="dictionary")
    assert pa.types.is_dictionary(dictionaries.schema.field("exact_match").type.field("outcome").type)
    assert dictionaries.to_pylist() == scores.to_arrow().to_pylist()
    with pytest.raises(ValueError, match="text, dictionary"):
        scores.to_arrow(outcomes="codes")
    pytest.importorskip("pandas")
    assert list(scores.to_pandas().columns)[:2] == ["id", "exact_match.outcome"]


def test_gold() -> None:
    gold = pa.table({"id": ["x", "y", "w"], "expected": ['"a"', '"b"', '"c"']})
    answers = pa.table({"id": ["y", "x", "v"], "actual": ['"b"', '"q"', '"r"']})
    scores = ls.score(answers, "exact_match", gold=gold, keep="id")
    assert [row["score"] for row in scores.to_arrow().column("exact_match").to_pylist()] == [1.0, 0.0, None]
    assert scores.report()["scorers"][0]["unanswered"] == 1  # w


def test_groups_of_other_types_than_text() -> None:
    data = table().append_column("run", pa.array([1, 2, 1]))
    report = ls.score(data, "exact_match", group_by="run", **COLUMNS).report()
    assert [(group["value"], group["asked"]) for group in report["scorers"][0]["groups"]] == [("1", 2), ("2", 1)]


def test_pairs() -> None:
    score = ls.score_pair({"a": 1, "b": 2}, '{"a": 1}', "json_similarity")
    assert (score.score, float(score), score.metrics["total_leaves"]) == (0.5, 0.5, 2.0)
    unreadable = ls.score_pair({"a": 1}, b"\xff", "exact_match")
    assert (unreadable.score, unreadable.reason) == (None, "invalid_utf8")
    assert ls.score_pair(None, "null", "exact_match").score == 1.0


def test_plans() -> None:
    plan = ls.Plan(SCORERS)
    assert plan.scorer_names == ["json_similarity", "exact_match", "levenshtein"]
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan and hash(again) == hash(plan) and again.config() == plan.config()
    assert plan != ls.Plan("exact_match")


def test_plan_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "scorers.yaml"
    path.write_text("evaluators:\n  - type: levenshtein\n    threshold: 0.5\n")
    assert ls.Plan.from_config(path) == ls.Plan({"type": "levenshtein", "threshold": 0.5})
    assert ls.score_pair('"ab"', '"ac"', ls.Plan.from_config(path)).passed is True
    path.write_text("evaluators:\n  - type: levenshtein\n    treshold: 0.5\n")
    with pytest.raises(ls.Error) as error:
        ls.Plan.from_config(path)
    assert (error.value.code, error.value.line, error.value.option) == ("usage", 3, "treshold")
    assert error.value.source == str(path)


def test_errors() -> None:
    with pytest.raises(ls.Error, match='unknown column "actual"; valid: id, gold') as error:
        ls.score(table(), "exact_match")
    assert error.value.code == "usage"
    with pytest.raises(ls.Error) as error:
        ls.Plan(["exact_match", {"type": "levenshtein", "threshold": "high"}])
    assert (error.value.line, error.value.option) == (2, "threshold")
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.code, again.option) == (str(error.value), "usage", "threshold")
    with pytest.raises(TypeError, match="unknown option 'thread'"):
        ls.score(table(), "exact_match", thread=1, **COLUMNS)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="details is one of: none, basic, leaves"):
        ls.score(table(), "exact_match", details="all", **COLUMNS)
    with pytest.raises(TypeError, match="threads does not take"):
        ls.score(table(), "exact_match", threads="two", **COLUMNS)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Arrow PyCapsule interface"):
        ls.score(7, "exact_match")
    with pytest.raises(ls.Error, match='unknown column "actual"'):
        ls.score(pa.table({"expected": [1], "answer": ["2"]}), "exact_match")


def test_options_are_those_of_the_engine() -> None:
    names = set(ls._core.pair_option_names())
    assert set(ls.PairOptions.__annotations__) == names
    assert names < set(ls.ScoreOptions.__annotations__)


def test_an_error_of_the_source_goes_on() -> None:
    def batches() -> Any:
        yield table().to_batches()[0]
        raise ValueError("the disk is on fire")

    reader = pa.RecordBatchReader.from_batches(table().schema, batches())
    with pytest.raises(ValueError, match="^the disk is on fire$"):
        ls.score(reader, "exact_match", **COLUMNS)


class Taken:
    """Arrow data that were taken before, or are none."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.capsule


def test_capsules_that_hold_nothing_or_something_else() -> None:
    capsule = table().__arrow_c_stream__()
    assert len(ls.score(Taken(capsule), "exact_match", **COLUMNS)) == 3
    with pytest.raises(ValueError, match="taken already"):
        ls.score(Taken(capsule), "exact_match", **COLUMNS)
    with pytest.raises(ValueError, match="taken already"):
        ls.levenshtein(Taken(capsule), ["a"])
    for other in (7, table().schema.__arrow_c_schema__()):
        with pytest.raises(TypeError, match="something else"):
            ls.score(Taken(other), "exact_match", **COLUMNS)


def test_many_threads_share_a_plan() -> None:
    plan = ls.Plan("json_similarity")
    expected = plan.score(table(), **COLUMNS).to_arrow()
    wrong = []

    def work() -> None:
        for _ in range(20):
            if plan.score(table(), **COLUMNS).to_arrow() != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_progress() -> None:
    told: list[int] = []
    data = pa.table({"expected": ['"x"'], "actual": ['"y"']})
    many = pa.concat_tables([data] * 10).combine_chunks()
    ls.score(many, "exact_match", progress=told.append)
    assert told == sorted(told)

    def fail(records: int) -> None:
        raise RuntimeError("no progress")

    with pytest.raises(RuntimeError, match="no progress"):
        ls.score(slow(), "levenshtein", progress=fail)


def slow() -> Any:
    """Data that take some seconds."""
    rng = random.Random(3)
    expected, actual = (['"' + "".join(rng.choices("abcdefgh", k=30_000)) + '"'] * 400 for _ in range(2))
    return pa.table({"expected": expected, "actual": actual})


@pytest.mark.parametrize("data", [{"expected": "12", "actual": "12"}, ("ab", "cd"), {"expected": {1}, "actual": [1]}])
def test_no_text_and_no_set_is_taken_for_a_column(data: Any) -> None:
    with pytest.raises(TypeError, match="is a list or Arrow data"):
        ls.score(data, "exact_match")
    with pytest.raises(TypeError, match="the column left"):
        ls.levenshtein("ab", ["ac"])


def test_a_tuple_of_records_is_no_pair_of_columns() -> None:
    scores = ls.score(({"expected": 1, "actual": 1}, {"expected": 2, "actual": 3}), "exact_match")
    assert scores.to_arrow().column("exact_match").to_pylist()[1]["score"] == 0
    assert len(scores) == 2


@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_names_that_no_column_can_have_are_refused(name: str) -> None:
    with pytest.raises(ls.Error, match="NUL or half a character"):
        ls.Plan({"type": "exact_match", "name": name})


def test_an_unknown_option_of_a_run_over_files_is_named() -> None:
    with pytest.raises(TypeError, match="unknown option 'tread'"):
        ls.score_files("none.jsonl", "exact_match", tread=1)


def test_progress_is_told_at_the_end() -> None:
    told: list[int] = []
    ls.score(table(), "exact_match", progress=told.append, **COLUMNS)
    assert told[-1] == len(table())


def test_options_that_a_pair_does_not_have() -> None:
    with pytest.raises(TypeError, match="'keep' is no option of a pair"):
        ls.score_pair(1, 1, "exact_match", keep="id")


def test_an_array_that_gives_no_pair_of_capsules() -> None:
    class Odd:
        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return 7

    with pytest.raises(TypeError, match="no pair of capsules"):
        ls.score(Odd(), "exact_match")


def test_names_that_no_column_can_have() -> None:
    for name in ("a\0b", "a\ud800"):
        with pytest.raises(ls.Error, match="NUL or half a character|contains a NUL or is not UTF-8"):
            ls.Plan({"type": "exact_match", "name": name})


def test_kept_runs_and_unions_are_refused_not_misread() -> None:
    texts = pa.array(['{"a": 1}'] * 4)
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([4], pa.int32()), pa.array(["p"]))
    union = pa.UnionArray.from_sparse(pa.array([0, 1, 0, 1], pa.int8()), [pa.array([1] * 4), pa.array(["x"] * 4)])
    for kept in (runs, union, pa.StructArray.from_arrays([runs], ["inner"])):
        scores = ls.score(pa.table({"expected": texts, "actual": texts, "kept": kept}), "json_similarity", keep="kept")
        with pytest.raises(TypeError, match="rows do not show the column"):
            scores[0]
        assert scores.to_arrow().column("kept").to_pylist() == kept.to_pylist()
