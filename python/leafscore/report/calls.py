"""The tool calls of a record: those that were expected and those that were made, each in their order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ..convert.json_text import dump
from .edits import Segment, edits
from .ledgers import plain
from .lines import Line, match_of
from .options import LEAVES_SHOWN, VALUE_CHARACTERS
from .texts import cut, text_of

_PLACE = re.compile(r"(calls|made)\[(\d{1,9})\]\.?", re.ASCII)


@dataclass
class Call:
    name: str
    numbers: list[int]  # of the expected calls that it belongs to; an expected call has its own
    verdict: str
    credit: float | None  # for a partly right call
    arguments: list[Segment]  # one line each
    differing: list[str]
    takes_any: bool  # for an expected call: whether it does not mention arguments


@dataclass
class Calls:
    """Both sides, the first calls of each."""

    expected: list[Call]
    made: list[Call]
    all_expected: int
    all_made: int
    is_cut: bool  # in the line itself


def calls_of(line: Line | None) -> Calls | None:
    """The calls that a line lists; None of a line that does not list both sides, as those of some revisions."""
    details = line.get("details") if line else None
    if not isinstance(details, dict):
        return None
    leaves, rows = (_objects(details.get(name)) for name in ("leaves", "made"))
    expected = {place[0]: leaf for leaf in leaves or () if (place := _place(leaf.get("path"), "calls"))}
    made = {place: row for row in rows or () if (place := _place(row.get("call"), "made"))}
    if leaves is None or rows is None or len(made) != len(rows):
        return None
    contents: dict[int, Any] = {}
    for leaf in leaves:
        if isinstance(position := leaf.get("actual_position"), int):
            contents.setdefault(position, leaf.get("actual"))
    left = [
        _call(leaf.get("expected"), leaf.get("actual"), leaf, leaf, [number])
        for number, leaf in list(expected.items())[:LEAVES_SHOWN]
    ]
    right = []
    for (position, name), row in list(made.items())[:LEAVES_SHOWN]:
        numbers = [number for number, leaf in expected.items() if leaf.get("actual_position") == position]
        own = row.get("expected_position")
        leaf = expected[own if own in numbers else numbers[0]] if numbers else {}
        content = contents.get(position, {"name": name})
        right.append(_call(content, leaf.get("expected"), row, leaf, numbers))
    return Calls(left, right, len(expected), len(made), details.get("details_cut") is True)


def _objects(value: Any) -> list[dict[str, Any]] | None:
    return value if isinstance(value, list) and all(isinstance(row, dict) for row in value) else None


def _place(path: Any, side: str) -> tuple[int, str] | None:
    """Position and name of a call, as its path has them."""
    found = _PLACE.match(path) if isinstance(path, str) else None
    return (int(found[2]), path[found.end() :]) if found and found[1] == side else None


def _call(value: Any, other: Any, judged: dict[str, Any], leaf: dict[str, Any], numbers: list[int]) -> Call:
    """
    Args:
        other: the call on the other side.
        judged: what has the verdict on this side.
        leaf: what tells the differences between the two.
    """
    call, partner = (side if isinstance(side, dict) else {} for side in (value, other))
    differing = leaf.get("differing")
    paths = [text_of(path) for path in differing] if isinstance(differing, list) else []
    verdict = text_of(judged.get("verdict"))
    match = match_of({name: plain(member) for name, member in leaf.items()}) if verdict == "partial" else None
    return Call(
        text_of(call.get("name", value)),
        [number + 1 for number in numbers],
        verdict,
        match[1] if match else None,
        _arguments(call, partner.get("arguments"), paths),
        [path or "all" for path in paths],
        judged is leaf and "name" in call and "arguments" not in call,
    )


def _arguments(call: dict[str, Any], others: Any, differing: list[str]) -> list[Segment]:
    """The arguments, a line for each, where those that differ are marked."""
    if call.get("bad_arguments") is True:
        return [Segment("arguments that are no JSON object", True)]
    if "arguments" not in call:
        return []
    arguments = call["arguments"]
    if not isinstance(arguments, dict):
        return [Segment(cut(dump(arguments), VALUE_CHARACTERS), bool(differing))]
    segments: list[Segment] = []
    room = VALUE_CHARACTERS
    for name, value in arguments.items():
        text = cut(dump(value), VALUE_CHARACTERS)
        segments.append(Segment("\n" * bool(segments) + f"{name}: ", False))
        if not any(_is_within(path, name) for path in differing):
            segments.append(Segment(text, False))
        elif isinstance(others, dict) and name in others:
            segments += edits(text, cut(dump(others[name]), VALUE_CHARACTERS))[0]
        else:
            segments.append(Segment(text, True))
        room -= len(name) + len(text)
        if room < 0:
            return [*segments, Segment("\n…", False)]
    return segments


def _is_within(path: str, name: str) -> bool:
    """Whether a path leads to an argument or into it; a name that a path could take for steps is quoted in it."""
    return any(path == step or path.startswith((f"{step}.", f"{step}[")) for step in (name, f"[{dump(name)}]"))
