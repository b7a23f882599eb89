"""Texts as people see them. The page's templates escape markup; this is about what cannot be seen or is too long."""

from __future__ import annotations

import json
import re
from typing import Any

from ..convert.json_text import dump, parse

# Characters that would change how other text is shown, or that are invisible; joiners stay, as scripts and emoji need
# them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def seen(text: str) -> str:
    r"""The text with what cannot be seen as escapes, as JSON has them; tabs and line ends stay.

    >>> seen("gpt\u200b-4")
    'gpt\\u200B-4'
    """
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04X}", text)


def cut(text: str, characters: int) -> str:
    """The text, or how it begins and a note of how long it is.

    >>> cut("abcdef", 3)
    'abc… (cut: 6 characters)'
    """
    return text if len(text) <= characters else f"{text[:characters]}… (cut: {len(text):,} characters)"


def text_of(value: Any) -> str:
    """A name of any JSON value: texts as they are, others as JSON, as the command names groups and ids."""
    try:
        return value if isinstance(value, str) else _compact(value)
    except RecursionError:
        return dump(value)


def _compact(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{dump(key)}:{_compact(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    return dump(value)


def whole(raw: bytes) -> Any:
    """The value of JSON with each number as it is written. ERRORS: ValueError."""
    try:
        return parse(raw)
    except ValueError:
        return json.loads(raw)  # an object in it has a key twice


def pretty(value: Any) -> str:
    """A value over several lines; a text as it is, or laid out if it holds an object or array."""
    if isinstance(value, str):
        try:
            held = whole(value.encode("utf-8", "surrogatepass")) if value.lstrip()[:1] in ("{", "[") else None
        except (ValueError, RecursionError):
            held = None
        if held is None:
            return value
        value = held
    try:
        return _laid_out(value)
    except RecursionError:
        return dump(value)


def _laid_out(value: Any, indent: str = "") -> str:
    inner = indent + "  "
    if isinstance(value, dict) and value:
        members = (f"{inner}{dump(key)}: {_laid_out(member, inner)}" for key, member in value.items())
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(inner + _laid_out(item, inner) for item in value) + f"\n{indent}]"
    return dump(value)


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
