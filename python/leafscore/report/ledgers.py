"""How the score of a record came about, place by place, as its lines tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..convert.json_text import NumberText, dump
from .edits import Segment, edits
from .lines import Line, match_of, rows_of
from .options import LEAVES_SHOWN, VALUE_CHARACTERS
from .texts import cut, text_of


@dataclass
class Place:
    """The values of a place on each side, as JSON; None for a missing one."""

    path: str
    expected: str | None = None
    base: str | None = None
    now: str | None = None
    base_match: float | None = None
    match: float | None = None
    weight: float = 1


@dataclass
class LedgerRow:
    path: str
    expected: list[Segment] | None
    actual: list[Segment] | None
    base: str | None
    base_match: float | None
    match: float | None
    share: float | None
    differs: bool


@dataclass
class Ledger:
    rows: list[LedgerRow]
    places: int  # the rows may be some of these
    has_base: bool
    has_shares: bool


def facts_of(line: Line) -> list[tuple[str, str]]:
    """Returns the details without their lists of places."""
    details = line.get("details")
    if not isinstance(details, dict):
        return []
    lists = {name for name, value in details.items() if _holds_objects(value)}
    return [(name, cut(text_of(value), VALUE_CHARACTERS)) for name, value in details.items() if name not in lists]


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(row, dict) for row in value)


def places_of(now: Line | None, base: Line | None) -> list[Place]:
    """The places of both lines, in the order of the first."""
    places: dict[str, Place] = {}
    for line, is_base in ((now, False), (base, True)):
        for row in rows_of(line) if line else []:
            told = match_of({name: plain(value) for name, value in row.items()})
            if told is None:
                continue
            path, match, weight = told
            place = places.setdefault(path, Place(path, weight=weight))
            actual = _json(row, "actual", "model_value")
            place.expected = place.expected or _json(row, "expected", "gold_value")
            if is_base:
                place.base, place.base_match = actual, match
            else:
                place.now, place.match = actual, match
    return list(places.values())


def places_told(worst: dict[str, Any]) -> list[Place]:
    """The places that changed according to a comparison."""
    return [
        Place(field["path"], field["expected"], field["base"], field["now"], field["base_match"], field["now_match"])
        for field in worst["fields"]
    ]


def plain(value: Any) -> Any:
    """The float of a number that is told by its digits."""
    return float(value.text) if isinstance(value, NumberText) else value


def _json(row: dict[str, Any], name: str, other: str) -> str | None:
    key = name if name in row else other
    return dump(row[key]) if key in row else None


def ledger(places: list[Place], *, has_base: bool, all_places: bool) -> Ledger:
    """
    Args:
        all_places: whether these make up the score, so that each has a share of it.
    """
    weights = sum(place.weight for place in places)
    # Those that differ first go in, so that none of them is left out for others.
    differing = [place for place in places if _differs(place)]
    kept = {id(place) for place in [*differing, *(p for p in places if not _differs(p))][:LEAVES_SHOWN]}
    rows = [
        _row(place, place.weight / weights if all_places and weights > 0 else None)
        for place in places
        if id(place) in kept
    ]
    return Ledger(rows, len(places), has_base, all_places)


def _differs(place: Place) -> bool:
    return place.match != 1 or (place.base_match is not None and place.base_match != 1)


def _row(place: Place, share: float | None) -> LedgerRow:
    expected, actual = (cut(text, VALUE_CHARACTERS) if text is not None else None for text in (place.expected, place.now))
    if expected is not None and actual is not None:
        marked: tuple[list[Segment] | None, list[Segment] | None] = edits(expected, actual)
    else:
        marked = _alone(expected), _alone(actual)
    base = cut(place.base, VALUE_CHARACTERS) if place.base is not None else None
    return LedgerRow(place.path, *marked, base, place.base_match, place.match, share, _differs(place))


def _alone(text: str | None) -> list[Segment] | None:
    return None if text is None else [Segment(text, True)]
