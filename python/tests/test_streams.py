"""Files and streams, in bounded memory."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import pytest

pa = pytest.importorskip("pyarrow")
from pyarrow import csv, feather, parquet  # noqa: E402

import leafscore as ls  # noqa: E402

RECORDS = [
    {"id": "a", "expected": {"n": 1.50}, "actual": {"n": 1.5}},
    {"id": "b", "expected": {"n": 2}, "actual": {"n": 1}},
    {"id": "c", "expected": [1, "\n"], "actual": None},
]
TEXTS = pa.table(
    {
        "id": [record["id"] for record in RECORDS],
        "expected": [json.dumps(record["expected"]) for record in RECORDS],
        "actual": [json.dumps(record["actual"]) for record in RECORDS],
    }
)


def write(path: Path) -> None:
    lines = "".join(json.dumps(record) + "\n" for record in RECORDS)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines.encode()))
    elif path.suffix == ".jsonl":
        path.write_text(lines + "\n")
    elif path.suffix == ".csv":
        csv.write_csv(TEXTS, path)
    elif path.suffix == ".parquet":
        parquet.write_table(TEXTS, path)
    else:
        feather.write_feather(TEXTS, path, compression="uncompressed")


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x.csv", "x.parquet", "x.arrow"])
def test_files(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    expected = ls.score(TEXTS, "json_similarity", keep="id").to_arrow().to_pylist()
    assert [row["json_similarity"]["score"] for row in expected] == [1.0, 0.5, 0.0]
    for path in (tmp_path / name, str(tmp_path / "*")):
        assert ls.score(path, "json_similarity", keep="id").to_arrow().to_pylist() == expected


def test_globs_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("2", "10", "1"):
        parquet.write_table(TEXTS.set_column(0, "id", pa.array([name] * 3)), tmp_path / f"{name}.parquet")
    scores = ls.score(str(tmp_path / "*.parquet"), "exact_match", keep="id")
    assert scores.to_arrow().column("id").to_pylist() == ["1"] * 3 + ["10"] * 3 + ["2"] * 3


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"expected": 1, "actual": 1}\n{"expected": 1, "act\n')
    with pytest.raises(ls.Error, match="x.jsonl, line 2"):
        ls.score(tmp_path / "x.jsonl", "exact_match")
    with pytest.raises(ls.Error, match="cannot be read") as error:
        ls.score(tmp_path / "none.parquet", "exact_match")
    assert error.value.code == "input"
    with pytest.raises(ls.Error, match="does not tell its format"):
        ls.score(tmp_path / "x.xlsx", "exact_match")
    write(tmp_path / "x.parquet")
    with pytest.raises(ls.Error, match="has no column 'gold'"):
        ls.score(tmp_path / "x.parquet", "exact_match", expected="gold")


def batches(count: int, taken: list[int]) -> Iterator[Any]:
    for i in range(count):
        taken.append(i)
        yield TEXTS.to_batches()[0]


def test_streams_stay_streams() -> None:
    taken: list[int] = []
    reader = pa.RecordBatchReader.from_batches(TEXTS.schema, batches(10, taken))
    stream = ls.score_stream(reader, "exact_match", keep="id")
    assert taken == []
    first = next(iter(stream))
    assert first.num_rows == 3 and first.schema == stream.schema
    assert len(taken) <= 2
    assert stream.report()["records_read"] == 3
    assert len(stream.read_all()) == 27


def test_streams_are_arrow_streams() -> None:
    stream = ls.score_stream(TEXTS, "exact_match", keep="id")
    assert pa.schema(stream) == stream.schema
    assert pa.table(stream) == ls.score(TEXTS, "exact_match", keep="id").to_arrow()


def test_parquet_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    report = ls.score_stream(TEXTS, "exact_match", keep="id").write_parquet(tmp_path / "scores.parquet")
    assert report["records_read"] == 3
    written = parquet.read_table(tmp_path / "scores.parquet")
    assert written.to_pylist() == ls.score(TEXTS, "exact_match", keep="id").to_arrow().to_pylist()

    def broken() -> Iterator[Any]:
        yield from batches(1, [])
        raise ValueError("no more")

    reader = pa.RecordBatchReader.from_batches(TEXTS.schema, broken())
    with pytest.raises(ValueError, match="^no more$"):
        ls.score_stream(reader, "exact_match").write_parquet(tmp_path / "broken.parquet")
    assert not (tmp_path / "broken.parquet").exists()


# The peak of the process since its exec: what getrusage tells begins with that of the process that started it.
MEMORY = """
import re, sys
def peak(): return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
import pyarrow as pa, leafscore as ls
text = '{"a": "' + "x" * 10_000 + '"}'
batch = pa.record_batch({"expected": [text] * 500, "actual": [text] * 500})
ls.score(batch, "json_similarity")
before = peak()
reader = pa.RecordBatchReader.from_batches(batch.schema, (pa.record_batch(batch.to_pydict()) for _ in range(60)))
ls.score_stream(reader, "json_similarity").write_parquet(sys.argv[1])
print(peak() - before)
"""


def test_memory_of_a_stream_is_that_of_few_batches(tmp_path: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", MEMORY, tmp_path / "x.parquet"], capture_output=True, text=True, check=True
    )
    assert int(printed.stdout) < 200_000  # KiB; the data are 600 MB


# A Parquet file of one group of rows, whose texts are more than the process may allocate.
LARGE = """
import resource, sys
import pyarrow as pa, leafscore as ls
from pyarrow import csv, dataset, parquet  # libraries take of the limit, too
text = '{"a": "' + "x" * 10_000 + '"}'
batch = pa.record_batch({"expected": [text] * 500, "actual": [text] * 500})
table = pa.Table.from_batches([batch] * 90)
parquet.write_table(table, sys.argv[1], compression="zstd", use_dictionary=False, row_group_size=len(table))
resource.setrlimit(resource.RLIMIT_DATA, (700 << 20, 700 << 20))
report = ls.score_stream(sys.argv[1], "json_similarity").write_parquet(sys.argv[2])
print(report["records_read"], parquet.read_metadata(sys.argv[1]).num_row_groups)
"""


def test_a_file_larger_than_memory(tmp_path: Path) -> None:
    large = [sys.executable, "-c", LARGE, tmp_path / "large.parquet", tmp_path / "scores.parquet"]
    plain = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}  # others reserve a GiB to begin with
    assert subprocess.run(large, capture_output=True, text=True, check=True, env=plain).stdout == "45000 1\n"


@pytest.mark.parametrize("raised", [KeyError("mine"), SystemExit(3)])
def test_what_a_source_raises_goes_on(raised: BaseException) -> None:
    def broken() -> Iterator[Any]:
        yield from batches(1, [])
        raise raised

    for group_by in ([], ["id"]):
        reader = pa.RecordBatchReader.from_batches(TEXTS.schema, broken())
        with pytest.raises(type(raised)) as error:
            ls.score(reader, "exact_match", group_by=group_by)
        assert error.value is raised


def test_a_parquet_file_that_is_damaged_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.concat_tables([TEXTS] * 1000), path, row_group_size=1000, use_dictionary=False)
    begin = parquet.read_metadata(path).row_group(2).column(1).data_page_offset
    damaged = bytearray(path.read_bytes())
    damaged[begin : begin + 20] = b"\xff" * 20
    path.write_bytes(damaged)
    with pytest.raises(ls.Error, match="x.parquet cannot be read") as error:
        ls.score(path, "exact_match")
    assert "Traceback" not in str(error.value)


def test_score_files_tells_the_time_of_each_stage(pairs: Path) -> None:
    assert "stages" not in ls.score_files(pairs, "json_similarity")["timing"]
    stages = ls.score_files(pairs, "json_similarity", profile=True, threads=1)["timing"]["stages"]
    names = [stage["stage"] for stage in stages]
    assert names[0] == "source" and {"flatten", "match", "sink", "append"} <= set(names) and names[-1] == "other"
    for stage in stages:
        assert list(stage) == ["stage", "parallel_seconds", "serial_seconds"]
    assert all(stage["parallel_seconds"] > 0 for stage in stages if stage["stage"] in ("flatten", "match"))


def test_score_files_takes_one_file_of_several_models(run: Any, tmp_path: Path) -> None:
    records = [{"id": n, "model": model, "expected": n, "actual": n * sign} for n in range(8) for model, sign in (("m", 1), ("w", -1))]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert ls.score_files(path, "exact_match")["repeated_ids"]["count"] == 8
    report = ls.score_files(path, "exact_match", tmp_path / "ours.jsonl", source_field="model")
    assert report["repeated_ids"]["count"] == 0
    assert [(group["value"], group["asked"]) for group in report["scorers"][0]["groups"]] == [("m", 8), ("w", 8)]
    run("score", path, "-q", "-s", "exact_match", "--source-field", "model", "-o", tmp_path / "theirs.jsonl")
    assert (tmp_path / "ours.jsonl").read_bytes() == (tmp_path / "theirs.jsonl").read_bytes()


def test_score_files_writes_the_commands_bytes(run: Any, pairs: Path, tmp_path: Path) -> None:
    run("score", pairs, "-q", "-s", "json_similarity", "-o", tmp_path / "theirs.jsonl")
    report = ls.score_files(pairs, "json_similarity", tmp_path / "ours.jsonl")
    assert (tmp_path / "ours.jsonl").read_bytes() == (tmp_path / "theirs.jsonl").read_bytes()
    assert report["records_read"] == 2000
    with pytest.raises(ls.Error) as error:
        ls.score_files(tmp_path / "none.jsonl", "json_similarity")
    assert error.value.code == "input"
    with pytest.raises(TypeError, match="unknown option"):
        ls.score_files(pairs, "json_similarity", tread=1)


def test_parquet_replaces_no_device_and_leaves_nothing_half(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ls.Error, match="no regular file"):
        ls.score_stream(TEXTS, "exact_match").write_parquet(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    mine = tmp_path / "x.parquet.partial"
    mine.write_text("mine")
    with pytest.raises(pa.ArrowException, match="nope"):
        ls.score_stream(TEXTS, "exact_match").write_parquet(tmp_path / "x.parquet", compression="nope")
    ls.score_stream(TEXTS, "exact_match").write_parquet(tmp_path / "x.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe", "x.parquet", "x.parquet.partial"]
    assert mine.read_text() == "mine"


def test_a_file_without_a_column_that_others_have_is_told(tmp_path: Path) -> None:
    parquet.write_table(TEXTS, tmp_path / "a.parquet")
    parquet.write_table(TEXTS.drop_columns(["actual"]), tmp_path / "b.parquet")
    with pytest.raises(ls.Error, match="b.parquet has no column 'actual'"):
        ls.score(str(tmp_path / "*.parquet"), "exact_match")


def test_kept_columns_do_not_hold_the_texts() -> None:
    """One batch at a time is in memory, and of the results only what they have."""
    schema = pa.schema({"id": pa.string(), "expected": pa.string(), "actual": pa.string()})
    text = json.dumps("x" * 1_000_000)

    def batches() -> Iterator[Any]:
        for number in range(40):
            rows = {"id": [str(number)], "expected": [text], "actual": [text]}
            yield pa.RecordBatch.from_pydict(rows, schema)

    before = pa.total_allocated_bytes()
    scores = ls.score(pa.RecordBatchReader.from_batches(schema, batches()), "exact_match", keep="id")
    assert pa.total_allocated_bytes() - before < 4_000_000
    assert scores.to_arrow().column("id").to_pylist() == [str(number) for number in range(40)]
