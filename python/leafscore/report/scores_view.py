"""What the page shows of scores: leaderboards, fields and distributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import charts
from .aggregate import Aggregate, Distribution
from .heat_map import HeatMap, heat_map
from .options import ALL_CHARTED, ALL_ROWS_SHOWN, CHARTED, ROWS_SHOWN, SCORERS_SHOWN, fair
from .pages import Pages
from .records_view import WorstRow
from .verdicts import Changes, Shown, Verdict

TROUBLES = (
    ("unreadable", "Unreadable"),
    ("unanswered", "Unanswered"),
    ("errors", "Errors"),
    ("nothing_compared", "Nothing compared"),
    ("lacking", "Lacking"),
    ("repeated", "Repeated"),
    ("not_asked", "Not asked"),
)


@dataclass
class Board:
    """The leaderboard of a scorer, as the command makes it."""

    scorer: str
    shown: Shown
    chart: dict[str, Any]
    has_passes: bool
    ranked: bool
    troubles: list[tuple[str, str]]  # counts that are not 0 for all models, by member and heading

    @property
    def best(self) -> dict[str, Any]:
        best: dict[str, Any] = self.shown.rows[0]
        return best


@dataclass
class Spread:
    """The distributions of a scorer by model."""

    scorer: str
    shown: Shown  # of (model, Distribution, that of the base)
    chart: dict[str, Any]
    reasons: list[tuple[str, str, int]]


@dataclass
class Report:
    title: str
    version: str
    files: list[str]
    verified: bool = True
    lines: int = 0
    charted: int = CHARTED  # models in a chart
    verdict: Verdict | None = None
    comparison: dict[str, Any] | None = None
    changes: list[Changes] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    heat_maps: list[HeatMap] = field(default_factory=list)
    fields_left_out: int = 0
    without_fields: list[str] = field(default_factory=list)
    spreads: list[Spread] = field(default_factory=list)
    worst: list[WorstRow] = field(default_factory=list)
    pages: Pages = field(default_factory=Pages)


def add_scores(report: Report, rows: list[dict[str, Any]], now: Aggregate, base: Aggregate | None) -> None:
    report.verified = all(row["verified"] for row in rows)
    report.lines = now.lines + (base.lines if base else 0)
    report.fields_left_out = now.fields_left_out
    if now.models_left_out:
        report.doubts.append(f"fields and distributions are of the first {len(now.models):,} models")
    if any(row["repeated"] for row in rows):
        report.doubts.append("fields, distributions and worst records are of all lines, also of repeated ones that the means leave out")
    by_scorer: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_scorer.setdefault(row["scorer"], []).append(row)
    if len(by_scorer) > SCORERS_SHOWN:
        report.doubts.insert(0, f"leaderboards and distributions are of {SCORERS_SHOWN} of {len(by_scorer):,} scorers")
    scorers = list(by_scorer)[:SCORERS_SHOWN]
    report.charted = fair(CHARTED, ALL_CHARTED, len(scorers))
    shown = fair(ROWS_SHOWN, ALL_ROWS_SHOWN, len(scorers))
    for scorer in scorers:
        report.boards.append(_board(scorer, by_scorer[scorer], shown, report.charted))
        if scorer in now.distributions:
            report.spreads.append(_spread(scorer, now, base, shown, report.charted))
        found = heat_map(now, scorer, base)
        if found is None:
            report.without_fields.append(scorer)
        else:
            report.heat_maps.append(found)


def _board(scorer: str, rows: list[dict[str, Any]], shown_rows: int, charted: int) -> Board:
    rows = sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or 0, -(row["over_all"]["mean"] or 0)))
    passes = any(row["over_all"]["pass_rate"] is not None for row in rows)
    troubles = [(name, heading) for name, heading in TROUBLES if any(row[name] for row in rows)]
    shown, ranked = Shown(rows[:shown_rows], len(rows)), rows[0]["rank"] is not None
    return Board(scorer, shown, charts.means(rows, charted), passes, ranked, troubles)


def _spread(scorer: str, now: Aggregate, base: Aggregate | None, shown_rows: int, charted: int) -> Spread:
    found = now.distributions[scorer]
    others: dict[str, Distribution] = base.distributions.get(scorer, {}) if base else {}
    if base is not None and base.by is None:
        others = {model: other for model in found for other in others.values()}
    rows = [(model, one, others.get(model)) for model, one in list(found.items())[:shown_rows]]
    reasons: dict[tuple[str, str], int] = {}
    for one in found.values():
        for reason, lines in one.reasons.items():
            reasons[reason] = reasons.get(reason, 0) + lines
    told = [(*reason, lines) for reason, lines in sorted(reasons.items(), key=lambda entry: -entry[1])]
    return Spread(scorer, Shown(rows, len(found)), charts.distributions(found, others, charted), told)
