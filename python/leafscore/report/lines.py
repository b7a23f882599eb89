"""Lines of scores, read one after the other; the command has checked that they are whole before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable

from ..convert.errors import ConvertError
from ..convert.inputs import Input
from .errors import ReportError
from .texts import text_of

_ENDINGS = (".gz", ".zst", ".jsonl", ".csv", ".scores")  # the command removes them in this order
NONE = "(none)"  # the command's name for the model of lines without one

Line = dict[str, Any]


try:
    import orjson

    _fast: Callable[[bytes], Any] = orjson.loads
except ImportError:
    _fast = json.loads


def loads(raw: bytes) -> Any:
    """The value of JSON, for figures: a float is not always what was written. ERRORS: ValueError."""
    try:
        return _fast(raw)
    except ValueError:  # NaN, or half of a surrogate pair
        return json.loads(raw)


def score_lines(path: str) -> Iterator[tuple[bytes, Line]]:
    """The lines of a file, as bytes and as values. ERRORS: ReportError, OSError."""
    for raw in raw_lines(path):
        try:
            line = loads(raw)
        except ValueError:
            raise ReportError(f"{path} changed while it was read") from None
        if "scorer" in line:  # the trailer does not have it
            yield raw, line


def raw_lines(path: str) -> Iterator[bytes]:
    """The lines of a file that hold more than spaces."""
    try:
        with Input(path).open() as file:
            yield from (raw for raw in _unpacked(path, file) if raw.strip())
    except ConvertError as error:
        raise ReportError(str(error)) from None


def _unpacked(path: str, file: Any) -> Any:
    if file.peek(4)[:4] != b"\x28\xb5\x2f\xfd":  # zstd
        return file
    try:
        import pyarrow
    except ImportError:
        raise ReportError(f"{path} is packed with zstd, which needs pyarrow: pip install pyarrow") from None
    return pyarrow.CompressedInputStream(file, "zstd")


def require_files(paths: list[str]) -> None:
    """ERRORS: ReportError for what cannot be read twice, as the command reads it, too, and for CSV."""
    for path in paths:
        if path.removesuffix(".gz").removesuffix(".zst").endswith(".csv"):
            raise ReportError(f"{path} is CSV, and a report needs lines of JSON: score with -o scores.jsonl")
        if path == "-" or (Path(path).exists() and not Path(path).is_file()):
            raise ReportError(f"{path} is no file: write the scores to one, as they are read twice")


def model_of_file(path: str) -> str:
    """Returns the command's name for the one model of a file."""
    name = Path(path).name
    for ending in _ENDINGS:
        name = name.removesuffix(ending) if len(name) > len(ending) else name
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def field_of(line: Line, name: str) -> str | None:
    """The text of a field: a group, else a member of the line."""
    groups = line.get("groups")
    if groups and name in groups:
        return text_of(groups[name])
    return text_of(line[name]) if name in line else None


@lru_cache(maxsize=1 << 16)
def without_positions(path: str) -> str:
    """The path with [*] for each position in an array.

    >>> without_positions("items[12].price")
    'items[*].price'
    """
    return re.sub(r"\[\d+\]", "[*]", path, flags=re.ASCII)


def rows_of(line: Line) -> list[dict[str, Any]]:
    """Returns the list in the details: leaves, fields or keys, in the words that comparisons know them by.

    It is the first list with a row that tells how well a place matches. A list that was cut does not count, as its rows do
    not make up the score.
    """
    details = line.get("details")
    if not isinstance(details, dict) or details.get("details_cut") is True:
        return []
    for value in details.values():
        rows = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
        if any(_tells_match(row) for row in rows):
            return rows
    return []


def _tells_match(row: dict[str, Any]) -> bool:
    return row.get("path", row.get("key")) is not None and row.get("score", row.get("similarity")) is not None


def match_of(row: dict[str, Any]) -> tuple[str, float, float] | None:
    """Path, match and weight of a row; None of one that does not tell them."""
    path = row.get("path", row.get("key"))
    match, weight = row.get("score", row.get("similarity")), row.get("weight", 1)
    if not isinstance(path, str) or match is None:
        return None
    if not isinstance(match, (int, float)) or not 0 <= match <= 1:
        raise ReportError(f"the details of a line say how well {path} matches by {match!r}, which is no similarity")
    if not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
        return None
    return path, match, weight
