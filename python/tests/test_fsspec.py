"""Files of other places than this machine, through fsspec: the same scores as of the same files here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Iterator

import pytest

import leafscore as ls

fsspec: Any = pytest.importorskip("fsspec")
pa: Any = pytest.importorskip("pyarrow")

RECORDS = [{"id": str(n), "expected": json.dumps({"n": n}), "actual": json.dumps({"n": n % 2})} for n in range(3000)]
WANTED = [row["exact_match"]["score"] for row in ls.score({name: [r[name] for r in RECORDS] for name in RECORDS[0]}, "exact_match")]


def lines() -> bytes:
    # In records, values stand as JSON and not in texts.
    return "".join(f'{{"id": "{r["id"]}", "expected": {r["expected"]}, "actual": {r["actual"]}}}\n' for r in RECORDS).encode()


@pytest.fixture
def memory() -> Iterator[Any]:
    """A place that only fsspec knows."""
    place = fsspec.filesystem("memory")
    yield place
    place.rm("/", recursive=True)


def scores(path: str) -> list[float | None]:
    return [row["exact_match"]["score"] for row in ls.score(path, "exact_match", keep="id")]


def test_each_format(memory: Any) -> None:
    from pyarrow import csv, feather, parquet

    table = pa.Table.from_pylist(RECORDS)
    memory.pipe("/a/answers.jsonl", lines())
    memory.pipe("/a/answers.jsonl.gz", gzip.compress(lines()))
    for name, write in (("parquet", parquet.write_table), ("csv", csv.write_csv), ("feather", feather.write_feather)):
        with memory.open(f"/a/answers.{name}", "wb") as file:
            write(table, file)
    with memory.open("/a/answers.jsonl.zst", "wb") as file:
        with pa.CompressedOutputStream(file, "zstd") as packed:
            packed.write(lines())
    for ending in ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv", "feather"):
        assert scores(f"memory://a/answers.{ending}") == WANTED, ending


def test_globs_in_the_order_of_names(memory: Any) -> None:
    whole = lines().splitlines(keepends=True)
    memory.pipe({"/b/2.jsonl": b"".join(whole[1000:]), "/b/1.jsonl": b"".join(whole[:1000]), "/b/x.txt": b"x"})
    assert scores("memory://b/*.jsonl") == WANTED


def test_a_file_of_this_machine_by_its_address(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_bytes(lines())
    assert scores(f"file://{tmp_path}/answers.jsonl") == WANTED


def test_streams(memory: Any) -> None:
    memory.pipe("/c/answers.jsonl", lines())
    stream = ls.score_stream("memory://c/answers.jsonl", "exact_match")
    assert [row for batch in stream for row in batch.column("exact_match").field("score").to_pylist()] == WANTED


def test_what_cannot_be_read_says_why(memory: Any) -> None:
    with pytest.raises(ls.Error, match="memory://none/answers.jsonl|/none/answers.jsonl") as error:
        scores("memory://none/answers.jsonl")
    assert error.value.code == "input"
    with pytest.raises(ls.Error, match="nosuch://bucket/a.jsonl cannot be read"):
        scores("nosuch://bucket/a.jsonl")
    memory.pipe("/d/answers.txt", b"x")
    with pytest.raises(ls.Error, match="does not tell its format"):
        scores("memory://d/answers.txt")
