"""Python's values as JSON texts."""

from __future__ import annotations

import json
import re
from typing import Any, Iterable

try:
    import orjson
except ImportError:
    orjson = None  # type: ignore[assignment]

# What orjson writes otherwise than json: NaN and infinities as null, 1e+16 as 1e16 and 1e-07 as 1e-7. Most texts lack
# all of these beginnings, which is soon found out.
_BEGINNINGS = (b"null", b"e-", b"e1", b"e2", b"e3")
_WRITTEN_OTHERWISE = re.compile(rb"null|\de-?\d")


def to_json(value: Any) -> bytes:
    """Returns a value as JSON: what json.dumps gives, sooner where orjson is there."""
    if orjson is not None:
        try:
            text = orjson.dumps(
                value,
                option=orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS,
            )
        except TypeError:
            pass
        else:
            if not any(part in text for part in _BEGINNINGS) or not _WRITTEN_OTHERWISE.search(text):
                return text
    separators = (",", ":")
    try:
        return json.dumps(value, ensure_ascii=False, separators=separators).encode()
    except UnicodeEncodeError:  # a surrogate, which JSON can escape
        return json.dumps(value, separators=separators).encode()


def to_text(value: Any, text_format: str) -> bytes | str | None:
    """Returns a value as the text of a column: texts are taken as they are, and None is a missing value."""
    if value is None or isinstance(value, (str, bytes)):
        return value
    if text_format == "text":
        raise TypeError(f"a column of the format 'text' holds str, bytes and None, not {type(value).__name__}")
    return to_json(value)


def to_texts(values: Iterable[Any], text_format: str) -> list[bytes | str | None]:
    return [to_text(value, text_format) for value in values]
