"""Python's values as JSON texts."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Callable

from . import _core

_ENCODERS: list[json.JSONEncoder] = []  # of all characters as they are, and of ASCII alone
_TEXT_KINDS = (str, bytes, bytearray, memoryview)

# Reads the content of a class that inherits from one of JSON's kinds, whatever its own methods do.
_PLAIN_KINDS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (str, str.__str__),
    (int, int.__index__),
    (float, float.__float__),
    (list, list),
    (tuple, list),
)


def to_json(value: Any) -> bytes:
    """Returns a value as JSON: what json.dumps gives, but sooner. It also knows enumerations, dates, UUIDs, decimals,
    data classes, models of pydantic, and what numpy and pandas hold.

    >>> to_json({"day": datetime.date(2026, 1, 2), "total": decimal.Decimal("1.50")})
    b'{"day":"2026-01-02","total":1.5}'

    Raises:
        TypeError, ValueError: in a sentence, for other values.
    """
    text = _core.json_text(value, json_member)
    if text is not None:
        return text
    try:
        return _encoder(0).encode(value).encode()
    except UnicodeEncodeError:  # a surrogate, which JSON can escape
        return _encoder(1).encode(value).encode()
    except RecursionError:
        raise ValueError("the value is nested too deeply to be written: give it as a JSON text") from None
    except ValueError as error:
        raise ValueError("the value holds itself, so it has no end") if "Circular" in str(error) else error from None
    except TypeError as error:
        if str(error).startswith("keys must be"):
            raise TypeError(f"JSON has only texts as keys: {error}") from None
        raise


def json_member(value: Any) -> Any:
    """Returns a value that JSON does not know as one that it knows, or that holds such. Raises TypeError for others."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value.items())
    if hasattr(value, "dtype") and hasattr(value, "tolist"):  # of numpy, pandas or torch
        is_time = getattr(value.dtype, "kind", None) in ("m", "M")
        return (value.astype(str) if is_time else value).tolist()
    for kind, held in _PLAIN_KINDS:
        if isinstance(value, kind):
            return held(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat() if value == value else None  # NaT of pandas
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return _number_of(value)
    if not isinstance(value, type):
        if hasattr(value, "model_dump"):
            return value.model_dump(mode="json")
        if dataclasses.is_dataclass(value):
            return {member.name: getattr(value, member.name) for member in dataclasses.fields(value)}
    for method in ("as_py", "to_list"):  # of pyarrow and polars
        if hasattr(value, method):
            return getattr(value, method)()
    if type(value).__name__ == "NAType":
        return None
    raise TypeError(_why_not_json(value))


def _why_not_json(value: Any) -> str:
    if isinstance(value, (set, frozenset)):
        return f"JSON has no sets: give sorted(...) in place of the {type(value).__name__}"
    if isinstance(value, _TEXT_KINDS):
        return f"JSON has no {type(value).__name__}: decode it to str"
    return f"JSON has no {type(value).__name__}: give what it holds as dicts, lists, texts and numbers"


def _number_of(value: decimal.Decimal) -> int | float:
    """Raises TypeError where digits would be lost."""
    if not value.is_finite():
        return float(value)
    if value.adjusted() < 400 and value == value.to_integral_value():
        return int(value)
    number = float(value)
    if decimal.Decimal(repr(number)) != value:
        raise TypeError(f"no number of 64 bits is Decimal('{value}'): give it as float(...) or as str(...)")
    return number


def _encoder(number: int) -> json.JSONEncoder:
    if not _ENCODERS:
        for ascii_alone in (False, True):
            _ENCODERS.append(json.JSONEncoder(ensure_ascii=ascii_alone, separators=(",", ":"), default=json_member))
    return _ENCODERS[number]


def to_text(value: Any, text_format: str) -> bytes | str | None:
    """Returns a value as the text of a column: texts are taken as they are, and None is a missing value.

    Raises:
        TypeError, ValueError: in a sentence, for values that are neither texts nor JSON.
    """
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if text_format == "text":
        raise TypeError(f"a column of the format 'text' holds str, bytes and None, not {type(value).__name__}")
    return to_json(value)


def to_texts(values: Iterable[Any], column: str, text_format: str, *, strings_are_values: bool = False) -> list[Any]:
    """Returns values as the texts of a column, as `to_text` does; with `strings_are_values`, a str is the string that
    it is in a line of JSON.

    Raises:
        TypeError, ValueError: in a sentence that names the column and the row.
    """
    texts = list(values)
    rows: Iterable[int] = range(len(texts))  # that are to be written here
    if text_format != "text":
        texts, rows = _core.json_texts(texts, strings_are_values, json_member)
    try:
        for row in rows:
            is_value = strings_are_values and isinstance(texts[row], str)
            texts[row] = to_json(texts[row]) if is_value else to_text(texts[row], text_format)
    except (TypeError, ValueError) as error:
        raise type(error)(f"column {column!r}, row {row}: {error}") from None
    return texts
