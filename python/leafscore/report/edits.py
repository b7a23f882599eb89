"""How two texts differ, for people: segments that are the same, or on one side only."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple, Sequence

_MAX_PAIRS = 60_000  # equal characters, words or lines, which determine the time
_CONTEXT = 3  # equal lines shown around those that differ


class Segment(NamedTuple):
    text: str
    changed: bool


class Row(NamedTuple):
    """A line of both sides. `left` and `right` are None where a side has none, `skipped` counts equal lines left out."""

    left: list[Segment] | None
    right: list[Segment] | None
    changed: bool
    skipped: int = 0


def edits(left: str, right: str) -> tuple[list[Segment], list[Segment]]:
    """The segments of both texts.

    >>> edits("12.50", "12.5")
    ([Segment(text='12.5', changed=False), Segment(text='0', changed=True)], [Segment(text='12.5', changed=False)])
    """
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    middles = left[start : len(left) - end], right[start : len(right) - end]
    both = _middle(*middles)
    before, after = Segment(left[:start], False), Segment(left[len(left) - end :], False)
    first, second = (_joined([before, *segments, after]) for segments in both)
    return first, second


def _middle(left: str, right: str) -> tuple[list[Segment], list[Segment]]:
    """Characters are matched with characters, or where that takes too long, words with words."""
    if _pairs(left, right) <= _MAX_PAIRS:
        return _matched(left, right)
    words = [re.findall(r"\s+|\w+|[^\w\s]", text) for text in (left, right)]
    if _pairs(*words) <= _MAX_PAIRS:
        return _matched(*words)
    return [Segment(left, True)], [Segment(right, True)]


def _pairs(left: Sequence[str], right: Sequence[str]) -> int:
    counts = Counter(right)
    return sum(number * counts[item] for item, number in Counter(left).items())


def _matched(left: Sequence[str], right: Sequence[str]) -> tuple[list[Segment], list[Segment]]:
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    # Single letters that happen to be equal in a rewritten text do not help readers.
    common = sum(len("".join(left[block.a : block.a + block.size])) for block in blocks)
    if common * 3 < min(len("".join(left)), len("".join(right))):
        return [Segment("".join(left), True)], [Segment("".join(right), True)]
    first: list[Segment] = []
    second: list[Segment] = []
    a = b = 0
    for block in blocks:
        first.append(Segment("".join(left[a : block.a]), True))
        second.append(Segment("".join(right[b : block.b]), True))
        a, b = block.a + block.size, block.b + block.size
        same = Segment("".join(left[block.a : a]), False)
        first.append(same)
        second.append(same)
    return first, second


def _joined(segments: list[Segment]) -> list[Segment]:
    joined: list[Segment] = []
    for segment in segments:
        if not segment.text:
            continue
        if joined and joined[-1].changed == segment.changed:
            joined[-1] = Segment(joined[-1].text + segment.text, segment.changed)
        else:
            joined.append(segment)
    return joined


def side_by_side(left: str, right: str) -> list[Row]:
    """The lines of both texts beside each other, without most of those that are equal."""
    lines = left.split("\n"), right.split("\n")
    rows: list[Row] = []
    if _pairs(*lines) > _MAX_PAIRS:
        return [_equal_or_changed(one, other) for one, other in zip_longest(*lines)]
    for kind, a, a_end, b, b_end in SequenceMatcher(None, *lines, autojunk=False).get_opcodes():
        if kind == "equal":
            rows += _equal(lines[0][a:a_end], first=a == 0, last=a_end == len(lines[0]))
            continue
        for number in range(max(a_end - a, b_end - b)):
            one = lines[0][a + number] if a + number < a_end else None
            other = lines[1][b + number] if b + number < b_end else None
            rows.append(_changed(one, other))
    return rows


def _equal_or_changed(one: str | None, other: str | None) -> Row:
    same = one is not None and one == other
    return Row([Segment(one or "", False)], [Segment(one or "", False)], False) if same else _changed(one, other)


def _changed(one: str | None, other: str | None) -> Row:
    if one is not None and other is not None:
        return Row(*edits(one, other), changed=True)
    left, right = (None if text is None else _whole_line(text) for text in (one, other))
    return Row(left, right, changed=True)


def _whole_line(text: str) -> list[Segment]:
    content = text.lstrip(" ")
    return _joined([Segment(text[: len(text) - len(content)], False), Segment(content, True)])


def _equal(lines: list[str], *, first: bool, last: bool) -> list[Row]:
    rows = [Row([Segment(line, False)], [Segment(line, False)], changed=False) for line in lines]
    head, tail = (0 if first else _CONTEXT), (0 if last else _CONTEXT)
    skipped = len(rows) - head - tail
    if skipped < 4:
        return rows
    return [*rows[:head], Row(None, None, changed=False, skipped=skipped), *rows[len(rows) - tail :]]
