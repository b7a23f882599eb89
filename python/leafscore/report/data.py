"""The texts of records, for the pages: from files of records, found by id and by what groups them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..convert.errors import ConvertError
from ..convert.inputs import Input
from ..convert.json_text import dump
from ..convert.samples import MISSING, lookup
from .errors import ReportError
from .lines import loads, raw_lines
from .texts import pretty, text_of, whole
from .worst import Record


@dataclass
class Texts:
    """The texts of a record, laid out; None if it was not found, or has no such value."""

    expected: str | None = None
    actual: str | None = None


@dataclass(frozen=True)
class Source:
    """How a file of scores took its records: names of fields, and sizes of its files."""

    fields: tuple[tuple[str, str], ...]  # the field of the id, then the others, of answers and of gold
    sizes: frozenset[int]


def manifest_of(path: str) -> Any:
    """The manifest beside a file; None where there is none."""
    try:
        with open(f"{path}.manifest.json", encoding="utf-8") as file:
            return json.JSONDecoder().raw_decode(file.read())[0]
    except (OSError, ValueError):
        return None


def read_json(path: str, what: str) -> Any:
    """The value in a file of JSON. ERRORS: ReportError that says that the file is not `what`."""
    with open(path, encoding="utf-8") as file:
        try:
            return json.load(file)
        except (ValueError, RecursionError) as error:
            raise ReportError(f"{path} is not {what}: {error}") from None


def source_of(path: str) -> Source:
    """Returns the source that the manifest beside a file names; the usual names without a manifest."""
    manifest = manifest_of(path)
    try:
        given, gold = manifest["options"], manifest.get("gold")
        files = [*manifest["inputs"], *([gold] if gold else [])]
        ids = (given["join_field"] or given["id_field"], given["gold_id_field"], given["id_field"])
        expected = (given["expected_field"], given["gold_expected_field"])
        fields = tuple((name, where) for where, names in (("id", ids), ("expected", expected)) for name in names if name)
        return Source((*fields, (given["actual_field"], "actual")), frozenset(file["bytes"] for file in files))
    except (LookupError, TypeError):
        return Source((("id", "id"), ("expected", "expected"), ("actual", "actual")), frozenset())


def find_texts(files: Iterable[str], records: list[Record]) -> tuple[dict[int, Texts], list[str]]:
    """The texts by number of the record, and which files none of the scores is known to be of.

    ERRORS: ReportError, OSError.
    """
    found: dict[int, Texts] = {}
    doubtful = []
    sources = {record.file: source_of(record.file) for record in records}
    for path in files:
        size = Path(path).stat().st_size
        known = {file for file, source in sources.items() if size in source.sizes}
        if not known and sources:
            doubtful.append(path)
        by_id: dict[str, list[int]] = {}
        for number, record in enumerate(records):
            if not known or record.file in known:
                by_id.setdefault(record.id, []).append(number)
        for raw in _records(path):
            _add(raw, by_id, records, sources, found)
    return found, doubtful


def _records(path: str) -> Iterable[bytes]:
    lines = raw_lines(path)
    first = next(iter(lines), b"")
    if not first.lstrip(b"\xef\xbb\xbf \t").startswith(b"["):
        yield first
        yield from lines
        return
    try:
        values = Input(path).value()
    except ConvertError as error:
        raise ReportError(str(error)) from None
    yield from (dump(value).encode() for value in values)


def _add(
    raw: bytes, by_id: dict[str, list[int]], records: list[Record], sources: dict[str, Source], found: dict[int, Texts]
) -> None:
    try:
        value = loads(raw)
    except ValueError:
        return  # a record that is an error in the scores, which give the reason
    if not isinstance(value, dict):
        return
    names = {name for source in sources.values() for name, where in source.fields if where == "id"}
    ids = {text_of(part) for name in names if (part := lookup(value, name)) is not MISSING}
    numbers = [number for key in ids for number in by_id.get(key, ()) if _is_of(value, records[number])]
    if not numbers:
        return
    try:
        exact = whole(raw)
    except ValueError:
        return
    for number in numbers:
        texts = found.setdefault(number, Texts())
        for name, where in sources[records[number].file].fields:
            part = lookup(exact, name) if where != "id" else MISSING
            if part is not MISSING and getattr(texts, where) is None:
                setattr(texts, where, pretty(part))


def _is_of(value: dict[str, Any], record: Record) -> bool:
    """Whether a record has the groups of a line, as far as it has such fields."""
    held = ((lookup(value, name), text) for name, text in record.fields.items())
    return all(part is MISSING or text_of(part) == text for part, text in held)
