"""JSON that loses nothing: what Python's parser would change silently is kept as it was written, or refused.

Python reads 1e999 as infinity, 0.10 as 0.1 and -0 as 0, refuses whole numbers of more than 4,300 digits, and keeps one
of two values under the same key. Scores depend on all of these, so such numbers stay texts of digits
(`NumberText`), and an object that has a key twice is an error of its line.
"""

from __future__ import annotations

import base64
import datetime
import json
import math
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

WRITER_RECURSION_LIMIT = 50_000
MAX_INT_DIGITS = 4000  # Python rejects integers of more than 4,300 digits
SURROGATES = re.compile("[\ud800-\udfff]")

Note = Callable[[str], None]


class NumberText:
    """A JSON number that no int or float of Python writes as it was written."""

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberText) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


def _float(text: str) -> float | NumberText:
    value = float(text)
    return value if repr(value) == text else NumberText(text)


def _int(text: str) -> int | NumberText:
    return int(text) if len(text) <= MAX_INT_DIGITS and text != "-0" else NumberText(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    keys = [key for key, _ in pairs]
    twice = next(key for key in keys if keys.count(key) > 1)
    raise ValueError(f"the key {json.dumps(twice)} is there twice")


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_int=_int)
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def parse(raw: bytes | str) -> Any:
    """The value of a JSON text. ERRORS: ValueError, with a sentence without the place of the text."""
    try:
        text = raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from None
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise ValueError("it nests too deep") from None


def dump(value: Any, note: Note = lambda kind: None) -> str:
    """The JSON text of a value, on one line, that encodes to UTF-8.

    What JSON does not know becomes text; `note` hears of each such value: "not_finite" or "not_json".
    """
    try:
        text = _encoder.encode(value)
    except (TypeError, ValueError, RecursionError):
        text = _slowly(value, note)
    if SURROGATES.search(text):  # half a surrogate pair has no UTF-8, but JSON's escapes can express it
        text = SURROGATES.sub(lambda half: f"\\u{ord(half.group()):04x}", text)
    return text


def as_text(value: Any, note: Note = lambda kind: None) -> str:
    """A value for a format that holds only texts: a text as it is, anything else as JSON."""
    if not isinstance(value, str):
        return dump(value, note)
    if SURROGATES.search(value):
        note("surrogates")
        return SURROGATES.sub("\ufffd", value)
    return value


def _slowly(value: Any, note: Note) -> str:
    """For values that the encoder refuses: it takes a frame of Python a level, and so more than the reader did."""
    parts: list[str] = []
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, WRITER_RECURSION_LIMIT))
    try:
        _write(value, parts.append, note)
    finally:
        sys.setrecursionlimit(limit)
    return "".join(parts)


def _write(value: Any, put: Callable[[str], None], note: Note) -> None:
    if isinstance(value, NumberText):
        put(value.text)
    elif isinstance(value, Mapping):
        for number, (key, member) in enumerate(value.items()):
            put("{" if number == 0 else ", ")
            put(_encoder.encode(str(key)) + ": ")
            _write(member, put, note)
        put("}" if value else "{}")
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            put("[" if number == 0 else ", ")
            _write(item, put, note)
        put("]" if value else "[]")
    elif isinstance(value, float) and not math.isfinite(value):
        note("not_finite")
        put('"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"')
    elif value is None or isinstance(value, (str, bool, int, float)):
        put(_encoder.encode(value))
    else:
        note("not_json")
        put(_encoder.encode(_text_of(value)))


def _text_of(value: Any) -> str:
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return str(value)
