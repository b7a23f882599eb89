"""Means with their intervals, as a table draws them: places on an axis that all its rows share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Z = 1.96
PADDING = 0.04  # of the axis, at both ends


@dataclass
class Interval:
    """A mean and its interval of 1.96 standard errors; the places are shares of the axis."""

    low: float
    high: float
    left: float = 0
    middle: float = 0
    right: float = 0


def intervals(rows: list[dict[str, Any]]) -> list[Interval | None]:
    """Those of rows of a leaderboard; None where there is no mean."""
    means = [row["over_all"]["mean"] for row in rows]
    errors = [Z * (row["over_all"]["standard_error"] or 0) for row in rows]
    made = [
        None if mean is None else Interval(max(0, mean - error), min(1, mean + error)) for mean, error in zip(means, errors)
    ]
    known = [interval for interval in made if interval is not None]
    if not known:
        return made
    low, high = min(interval.low for interval in known), max(interval.high for interval in known)
    room = (high - low) * PADDING or 0.5
    low, high = low - room, high + room
    for mean, interval in zip(means, made):
        if interval is not None:
            places = ((value - low) / (high - low) for value in (interval.low, mean, interval.high))
            interval.left, interval.middle, interval.right = places
    return made
