"""leafscore's own records, which every other format is turned into and made from: docs/formats.md describes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .counts import Counts
from .errors import ConvertError
from .inputs import Input
from .json_text import dump
from .marks import NOTHING, Mark, mark_of, with_verdict
from .outputs import lines_to
from .samples import MISSING, Options, Sample, given

NAME = "records"
ABOUT = "leafscore's records, or any with an id and scores: JSON Lines, a JSON array, CSV or TSV"
OUTPUT = "records.jsonl, also with .gz, or -"
IDS = "as it is in the record"
OWN = ("id", "expected", "actual", "model", "task", "error")


def looks_like(keys: set[str]) -> bool:
    return len(keys & {"id", "expected", "actual"}) >= 2


def read(source: Input, options: Options, counts: Counts) -> Iterator[Sample]:
    for number, record in _values(source, counts):
        place = f"{source.stem}:{number}"
        if isinstance(record, ValueError):
            yield Sample(place, unreadable=True, named=False, error=str(record))
            continue
        if "id" not in record and not options.id_field:
            counts.add("no_id")
        yield Sample(
            record.get("id", place),
            expected=record.get("expected", MISSING),
            actual=record.get("actual", MISSING),
            model=record.get("model"),
            task=record.get("task"),
            error=record.get("error"),
            extra={key: value for key, value in record.items() if key not in OWN},
            source=given(record),
            scores=marks_of(record),
            family=scorer_of(record),
            named="id" in record,
        )


def scorer_of(record: dict[str, Any]) -> str:
    """The scorer that a record says it is of, where each has records of its own."""
    name = record.get("scorer")
    return name if isinstance(name, str) else ""


def marks_of(record: dict[str, Any]) -> dict[str, Mark]:
    """The mark in the members score and passed, named by the member scorer where there is one."""
    mark = with_verdict(mark_of(record.get("score")), record.get("passed"))
    if mark is NOTHING and "score" not in record and "scorer" not in record:
        return {}
    return {scorer_of(record) or "score": mark}


def write(records: Iterable[dict[str, Any]], output: str, counts: Counts) -> None:
    with lines_to(output) as lines:
        for record in records:
            lines.write(dump(record, counts.add))


def _values(source: Input, counts: Counts) -> Iterator[tuple[int, Any]]:
    if source.is_table:
        yield from source.rows(counts)
        return
    if not source.head().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        yield from source.lines(counts)
        return
    records = source.value()
    if not isinstance(records, list):
        raise ConvertError(f"{source.name} is no JSON array of records")
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            record = ValueError("it is no JSON object")
            counts.bad_line(source.name, number, f"record {number}: {record}")
        yield number, record
