"""Reads the marks of other tools, which are numbers, letters, words and verdicts, as a score and a verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from .json_text import NumberText, dump

WORDS = {
    **dict.fromkeys(("true", "yes", "pass", "passed"), True),
    **dict.fromkeys(("false", "no", "fail", "failed"), False),
}


@dataclass(frozen=True)
class Mark:
    """A value under a metric; without a score, `why` tells why, and `no_number` has a value that is none."""

    score: float | None = None
    passed: bool | None = None
    why: str = ""
    no_number: str | None = None


NOTHING = Mark(why="the tool has no score for it")


def mark_of(value: Any) -> Mark:
    """The mark that a value stands for: a number, a truth value, or either of them as a text."""
    if isinstance(value, bool):
        return Mark(float(value), value)
    if value is None or value == "":
        return NOTHING
    if isinstance(value, str) and value.strip().lower() in WORDS:
        return mark_of(WORDS[value.strip().lower()])
    try:
        number = float(value.text if isinstance(value, NumberText) else value)
    except (TypeError, ValueError, OverflowError):
        shown = dump(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        return Mark(why=f"the tool's value is no number: {shown}", no_number=shown)
    return Mark(why="the tool's score is NaN") if math.isnan(number) else Mark(number)


def with_verdict(mark: Mark, verdict: Any) -> Mark:
    """The mark with a verdict of its own, which is its score as well where it has none."""
    passed = verdict_of(verdict)
    if passed is None:
        return mark
    return Mark(float(passed), passed) if mark is NOTHING else replace(mark, passed=passed)


def verdict_of(value: Any) -> bool | None:
    """Whether a value says that something passed; None where it says nothing of it."""
    mark = mark_of(value)
    return mark.score == 1 if mark.score in (0, 1) else None
