"""Values as people see them. The page's templates escape markup."""

from __future__ import annotations

import json
import re
from typing import Any

from .._shown import cut, seen
from ..convert.json_text import dump, parse

__all__ = ["counted", "cut", "pretty", "seen", "text_of", "typeset", "whole"]

_MINUS = re.compile(r"(?<![\w.-])-(?=\d+\.\d{4}\b)")  # before a figure, as the command writes them
_ARROW = re.compile(r"(?<=\d) -> (?=\d)")


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


def typeset(sentence: str) -> str:
    """A sentence of the command with the signs of print, so that its figures look like those of tables.

    >>> typeset("it regressed: 0.2719 -> 0.2418 (-0.0301)")
    'it regressed: 0.2719 → 0.2418 (−0.0301)'
    """
    return _ARROW.sub(" → ", _MINUS.sub("−", sentence))


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
