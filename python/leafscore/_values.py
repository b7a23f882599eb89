"""Python's values as JSON texts."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import re
import uuid
from itertools import compress
from typing import Any, Callable, Iterable, Mapping, Sequence

try:
    import orjson
except ImportError:
    orjson = None  # type: ignore[assignment]

# What orjson writes otherwise than json: NaN and infinities as null, 1e+16 as 1e16 and 1e-07 as 1e-7. Most texts have
# no null and no "e" before a digit, which is soon found out.
_MAY_HAVE_EXPONENT = re.compile(rb"e[-0-9]")
_EXPONENT = re.compile(rb"\de-?\d")
_WRITTEN_OTHERWISE = re.compile(rb"null|\de-?\d")
_NOT_FINITE = re.compile(r"\b(?:nan|inf)\b")
_ENCODERS: list[json.JSONEncoder] = []  # of all characters as they are, and of ASCII alone
_TEXT_KINDS = (str, bytes, bytearray, memoryview)
_BATCH = 4096  # values that orjson writes in one call

# What a class that inherits from one of JSON's kinds holds, whatever its own methods make of it.
_PLAIN_KINDS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (str, str.__str__),
    (int, int.__index__),
    (float, float.__float__),
    (list, list),
    (tuple, list),
)


def to_json(value: Any) -> bytes:
    """Returns a value as JSON: what json.dumps gives, sooner where orjson is there. It also knows enumerations, dates,
    UUIDs, decimals, data classes, models of pydantic, and what numpy and pandas hold.

    >>> to_json({"day": datetime.date(2026, 1, 2), "total": decimal.Decimal("1.50")})
    b'{"day":"2026-01-02","total":1.5}'

    Raises:
        TypeError, ValueError: in a sentence, for other values.
    """
    if orjson is not None:
        try:
            text = orjson.dumps(value, json_member, _ORJSON_OPTIONS)
        except TypeError:  # also for what json writes, as keys that are numbers
            pass
        else:
            if not _is_written_otherwise(text):
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


def _is_written_otherwise(text: bytes) -> bool:
    """Tells whether json may write something in this text of orjson otherwise."""
    if b"null" not in text and not _MAY_HAVE_EXPONENT.search(text):
        return False
    return _WRITTEN_OTHERWISE.search(text) is not None


def _without_odd_numbers(values: Sequence[Any], text: bytes) -> bool:
    """Tells whether every null in this text of orjson is a None, and no number has an exponent: what Python prints of
    dicts, lists and numbers shows any NaN or infinity."""
    if _MAY_HAVE_EXPONENT.search(text) and _EXPONENT.search(text):
        return False
    printed = repr(values)
    return ("nan" not in printed and "inf" not in printed) or _NOT_FINITE.search(printed) is None


if orjson is not None:
    _ORJSON_OPTIONS = (
        orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
    )
    # Stands between the values of a batch. JSON escapes line ends in texts, so that no value holds one.
    _SEPARATOR = orjson.Fragment(b"\n") if hasattr(orjson, "Fragment") else None


def _batch_to_json(values: Sequence[Any]) -> list[bytes]:
    """Returns the JSON of each of many values, which orjson writes several times as fast in one call."""
    if orjson is None or _SEPARATOR is None:
        return [to_json(value) for value in values]
    odd: list[None] = []  # has an item for each value that is no plain one of JSON

    def member(value: Any) -> Any:
        odd.append(None)
        return json_member(value)

    parts = [_SEPARATOR] * (2 * len(values) - 1)
    parts[::2] = values
    try:
        text = orjson.dumps(parts, member, _ORJSON_OPTIONS)
    except TypeError:
        return [to_json(value) for value in values]
    texts = text[1:-1].split(b",\n,")
    if _is_written_otherwise(text) and (odd or not _without_odd_numbers(values, text)):
        for row, part in enumerate(texts):
            if _is_written_otherwise(part):
                texts[row] = to_json(values[row])
    return texts


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
    kinds = set(map(type, texts))
    as_they_are = {bytes, type(None)} if strings_are_values else {bytes, str, type(None)}
    if kinds <= as_they_are:
        return texts
    is_plain = text_format != "text" and not any(
        issubclass(kind, _TEXT_KINDS) and kind not in (bytes, str) for kind in kinds
    )
    try:
        if not is_plain:
            return [_text(value, text_format, strings_are_values) for value in texts]
        rows = list(compress(range(len(texts)), [value.__class__ not in as_they_are for value in texts]))
        for begin in range(0, len(rows), _BATCH):
            some = rows[begin : begin + _BATCH]
            for row, text in zip(some, _batch_to_json([texts[row] for row in some])):
                texts[row] = text
        return texts
    except (TypeError, ValueError) as error:
        raise _with_row(error, texts, column, text_format, strings_are_values) from None


def _text(value: Any, text_format: str, strings_are_values: bool) -> bytes | str | None:
    return to_json(value) if strings_are_values and isinstance(value, str) else to_text(value, text_format)


def _with_row(
    error: Exception, values: Sequence[Any], column: str, text_format: str, strings_are_values: bool
) -> Exception:
    """Returns the error of the first value that is no text, with its row."""
    for row, value in enumerate(values):
        try:
            _text(value, text_format, strings_are_values)
        except (TypeError, ValueError) as why:
            return type(why)(f"column {column!r}, row {row}: {why}")
    return error
