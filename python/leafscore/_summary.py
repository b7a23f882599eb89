"""Figures of results that merge exactly, whatever the parts they are taken over."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from ._arrow import pyarrow
from ._data import reader_of
from ._digest import GROUPS_SHOWN, aligned, figure
from ._errors import Error

# Sums count in units of 2^-62, to which the engine's sums count each score. A score is taken in two parts, as 64 bits
# hold the sums of as many rows as a batch can have then only.
_PART_BITS = 31
_UNITS = 1 << 2 * _PART_BITS
_OUTCOMES = ("scored", "unreadable", "unanswered", "error")


@dataclass
class _Counts:
    scored: int = 0
    unreadable: int = 0
    unanswered: int = 0
    error: int = 0
    verdicts: int = 0
    passed: int = 0
    sum: int = 0  # of the scores, in _UNITS

    def __iadd__(self, other: _Counts) -> _Counts:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def figures(self) -> dict[str, Any]:
        asked = self.scored + self.unreadable + self.unanswered + self.error
        # Integers divide with one rounding.
        return {
            "asked": asked,
            "scored": self.scored,
            "unreadable": self.unreadable,
            "unanswered": self.unanswered,
            "errors": self.error,
            "mean": self.sum / (asked * _UNITS) if asked else None,
            "mean_scored": self.sum / (self.scored * _UNITS) if self.scored else None,
            "passed": self.passed if self.verdicts else None,
            "pass_rate": self.passed / asked if self.verdicts else None,
        }


class Summary:
    """Figures of records for each scorer, and for each value of a column, if one is named.

    Figures over all that was asked count a record without a score as 0 and as not passed. Summaries pickle, compare
    by their counts, and add up: `a + b` is the summary of the records of both, bit for bit.
    """

    def __init__(self, scorers: list[str], by: str | None = None) -> None:
        self.scorers = list(scorers)
        self.by = by
        self._counts: dict[Any, dict[str, _Counts]] = {}

    def add(self, results: Any) -> None:
        """Adds results, as `Scores`, or tables or batches of their schema. Raises Error for another `by`."""
        pa = pyarrow("a summary")
        for batch in reader_of(pa, results):
            if self.by is not None and self.by not in batch.schema.names:
                raise Error(f"the results have no column {self.by!r}; name it in `keep`")
            for scorer in self.scorers:
                self._add(pa, batch, scorer)

    def _add(self, pa: Any, batch: Any, scorer: str) -> None:
        import pyarrow.compute as pc

        column = batch.column(scorer)
        outcome, score, passed = (pc.struct_field(column, name) for name in ("outcome", "score", "passed"))
        scaled = pc.multiply(pc.fill_null(score, 0.0), float(1 << _PART_BITS))
        high = pc.floor(scaled)
        low = pc.round(pc.multiply(pc.subtract(scaled, high), float(1 << _PART_BITS)), round_mode="half_to_even")
        columns: dict[str, Any] = {name: pc.cast(pc.equal(outcome, name), pa.int64()) for name in _OUTCOMES}
        columns["verdicts"] = pc.cast(pc.is_valid(passed), pa.int64())
        columns["passed"] = pc.cast(pc.fill_null(passed, False), pa.int64())
        columns["high"] = pc.cast(high, pa.int64())
        columns["low"] = pc.cast(low, pa.int64())
        group = batch.column(self.by) if self.by is not None else pa.nulls(len(batch), pa.string())
        if pa.types.is_string_view(group.type):  # of polars, by which pyarrow does not group
            group = group.cast(pa.large_string())
        table = pa.table({"group": group, **columns})
        sums = table.group_by("group", use_threads=False).aggregate([(name, "sum") for name in columns])
        for row in sums.to_pylist():
            counts = {name: row[f"{name}_sum"] for name in columns}
            total = (counts.pop("high") << _PART_BITS) + counts.pop("low")
            self._of(row["group"], scorer).__iadd__(_Counts(**counts, sum=total))

    def _of(self, group: Any, scorer: str) -> _Counts:
        return self._counts.setdefault(group, {}).setdefault(scorer, _Counts())

    def merge(self, other: Summary) -> None:
        """Adds the records of another summary. Raises ValueError for one of other scorers or another column."""
        if (self.scorers, self.by) != (other.scorers, other.by):
            raise ValueError("summaries that merge are of the same scorers, and by the same column")
        for group, scorers in other._counts.items():
            for scorer, counts in scorers.items():
                self._of(group, scorer).__iadd__(counts)

    def __add__(self, other: Summary) -> Summary:
        if not isinstance(other, Summary):
            return NotImplemented
        merged = Summary(self.scorers, self.by)
        merged.merge(self)
        merged.merge(other)
        return merged

    def __radd__(self, other: object) -> Summary:
        """Makes `sum` of summaries possible, which begins with 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, Summary) else NotImplemented

    def to_dict(self) -> dict[Any, Any]:
        """Returns {scorer: figures}, or {value: {scorer: figures}} where there is a column; None for rows without."""
        groups = {
            group: {scorer: counts.figures() for scorer, counts in scorers.items()}
            for group, scorers in sorted(self._counts.items(), key=lambda item: (item[0] is None, str(item[0])))
        }
        if self.by is not None:
            return groups
        return groups.get(None, {scorer: _Counts().figures() for scorer in self.scorers})

    def __getitem__(self, key: Any) -> Any:
        return self.to_dict()[key]

    def __repr__(self) -> str:
        return "\n".join(aligned(self._rows()))

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        return _html.view(_html.figures_table(self._rows()))

    def _rows(self) -> list[tuple[str, ...]]:
        """Returns a table: a row for each scorer, or for each of the first groups and each scorer."""
        groups = self.to_dict() if self.by is not None else {None: self.to_dict()}
        rows: list[tuple[str, ...]] = [("", "mean", "scored", "passed", "not scored")]
        for group, scorers in itertools.islice(groups.items(), GROUPS_SHOWN):
            name = "" if self.by is None else f"{self.by}={group} "
            rows += [_row(name + scorer, figures) for scorer, figures in scorers.items()]
        if len(groups) > GROUPS_SHOWN:
            rows.append((f"and {len(groups) - GROUPS_SHOWN:,} more groups", "", "", "", ""))
        return rows


def _row(name: str, figures: dict[str, Any]) -> tuple[str, ...]:
    others = ", ".join(f"{figures[key]:,} {key}" for key in ("unreadable", "unanswered", "errors") if figures[key])
    scored = f"{figures['scored']:,} of {figures['asked']:,}"
    return name, figure(figures["mean"], ".4f"), scored, figure(figures["pass_rate"], ".1%"), others
