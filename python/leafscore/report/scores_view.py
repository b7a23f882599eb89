"""The page's views of scores: leaderboards, fields and distributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import charts
from .aggregate import Aggregate, Distribution
from .answers import Best, Reasons, best, reasons_of_losses
from .heat_map import HeatMap, heat_map, in_order
from .intervals import Interval, intervals
from .names import Names, Noun, Rows
from .options import ALL_CHARTED, ALL_ROWS_SHOWN, CHARTED, ROWS_SHOWN, SCORERS_SHOWN, fair
from .pages import Pages
from .records_view import WorstRow
from .summaries import FieldRates, Reliability
from .verdicts import Changes, Shown, Verdict

TROUBLES = (
    ("unreadable", "Unreadable"),
    ("unanswered", "Unanswered"),
    ("errors", "Errors"),
    ("nothing_compared", "Nothing compared"),
    ("of_other_kind", "Wrong type"),
    ("lacking", "Lacking"),
    ("repeated", "Repeated"),
    ("not_asked", "Not asked"),
)


@dataclass
class Cause:
    """The fault that costs a model most."""

    model: str
    name: str
    ids: int
    share: float
    mean: float
    mean_without: float | None  # over all other ids; None if there are none

    @property
    def cost(self) -> float:
        """As the command has it, to which others that are not there are right."""
        return (1 if self.mean_without is None else self.mean_without) - self.mean


@dataclass
class Board:
    """The leaderboard of a scorer, as the command makes it."""

    scorer: str
    noun: Noun
    shown: Shown
    intervals: list[Interval | None]  # of the rows shown
    has_passes: bool
    ranked: bool
    troubles: list[tuple[str, str]]  # counts that are not 0 for all models, by member and heading
    causes: list[Cause]  # the costliest first

    @property
    def all_scored(self) -> bool:
        """Whether all models have a score for all that was asked, so that both means are the same."""
        return all(row["coverage"] == 1 for row in self.shown.rows)

    @property
    def asked(self) -> int | None:
        """How much each model was asked; None if they differ."""
        counts = {row["asked"] for row in self.shown.rows}
        return counts.pop() if len(counts) == 1 else None


@dataclass
class MatchBoard:
    """The models of a scorer by matches, as the command ranks them."""

    scorer: str
    shown: Shown

    @property
    def has_strengths(self) -> bool:
        return any(row["strength"] is not None for row in self.shown.rows)

    @property
    def not_compared(self) -> bool:
        return any(row["not_compared"] for row in self.shown.rows)


@dataclass
class Spread:
    """The distributions of a scorer by model."""

    scorer: str
    shown: Shown  # of (model, its Distribution, the one of the base)
    chart: dict[str, Any]
    reasons: list[tuple[str, str, int]]


@dataclass
class Report:
    title: str
    version: str
    files: list[str]
    verified: bool = True
    lines: int = 0
    names: Names = field(default_factory=Names)
    charted: int = CHARTED  # models in a chart
    verdict: Verdict | None = None
    comparison: dict[str, Any] | None = None
    changes: list[Changes] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    parts: list[Board] = field(default_factory=list)  # of the groups that the records belong to
    matches: list[MatchBoard] = field(default_factory=list)
    best: list[Best] = field(default_factory=list)  # of each scorer
    losses: Reasons | None = None  # of the best, by the first scorer
    causes: Reasons | None = None  # of what changed
    heat_maps: list[HeatMap] = field(default_factory=list)
    fields_left_out: int = 0
    without_fields: list[str] = field(default_factory=list)
    field_rates: list[FieldRates] = field(default_factory=list)
    reliabilities: list[Reliability] = field(default_factory=list)
    spreads: list[Spread] = field(default_factory=list)
    worst: list[WorstRow] = field(default_factory=list)
    pages: Pages = field(default_factory=Pages)


def add_scores(report: Report, rows: Rows, now: Aggregate, base: Aggregate | None, runs: Rows) -> None:
    """Args: runs: rows of whole files, where the others are parts of them; else none."""
    report.verified = all(row["verified"] for row in [*rows, *runs])
    report.lines = now.lines + (base.lines if base else 0)
    report.fields_left_out = now.fields_left_out
    if now.models_left_out:
        first = f"{len(now.models):,} {report.names.noun.many}"
        report.doubts.append(f"fields and distributions cover only the first {first}")
    if any(row["repeated"] for row in rows):
        said = "fields, distributions and worst records cover all lines, also repeated ones that the means leave out"
        report.doubts.append(said)
    by_scorer, runs_by_scorer = _by_scorer(rows), _by_scorer(runs)
    if len(by_scorer) > SCORERS_SHOWN:
        report.doubts.insert(0, f"leaderboards and distributions cover {SCORERS_SHOWN} of {len(by_scorer):,} scorers")
    scorers = list(by_scorer)[:SCORERS_SHOWN]
    report.charted = fair(CHARTED, ALL_CHARTED, len(scorers))
    shown = fair(ROWS_SHOWN, ALL_ROWS_SHOWN, len(scorers))
    for scorer in scorers:
        ordered = ranked = _ordered(by_scorer[scorer])
        noun = report.names.noun
        if scorer in runs_by_scorer:
            ordered = ordered[::-1]  # what is weak matters of parts
            ranked, noun = _ordered(runs_by_scorer[scorer]), report.names.of_files
            if len(report.files) == 1:  # lines of several files count as one in each part
                report.parts.append(_board(scorer, report.names.noun, ordered, shown))
        models = [row["model"] for row in ordered]
        report.boards.append(_board(scorer, noun, ranked, shown))
        report.best.append(best(scorer, ranked))
        if scorer in now.distributions:
            report.spreads.append(_spread(scorer, models, now, base, shown, report.charted))
        found = heat_map(now, scorer, base, models)
        if found is None:
            report.without_fields.append(scorer)
        else:
            report.heat_maps.append(found)
        if report.losses is None:
            report.losses = reasons_of_losses(report.best[0], ranked, found)


def add_matches(report: Report, rows: Rows) -> None:
    by_scorer = list(_by_scorer(rows).items())
    if len(by_scorer) > SCORERS_SHOWN:
        report.doubts.append(f"matches are shown under {SCORERS_SHOWN} of {len(by_scorer):,} scorers")
    shown = fair(ROWS_SHOWN, ALL_ROWS_SHOWN, min(len(by_scorer), SCORERS_SHOWN) or 1)
    for scorer, of_scorer in by_scorer[:SCORERS_SHOWN]:
        report.matches.append(MatchBoard(scorer, Shown(of_scorer[:shown], len(of_scorer))))


def _by_scorer(rows: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(row["scorer"], []).append(row)
    return found


def _ordered(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or 0, -(row["over_all"]["mean"] or 0)))


def _board(scorer: str, noun: Noun, rows: Rows, shown_rows: int) -> Board:
    passes = any(row["over_all"]["pass_rate"] is not None for row in rows)
    troubles = [(name, heading) for name, heading in TROUBLES if any(row[name] for row in rows)]
    shown, ranked = Shown(rows[:shown_rows], len(rows)), rows[0]["rank"] is not None
    return Board(scorer, noun, shown, intervals(shown.rows), passes, ranked, troubles, _causes(shown.rows))


def _causes(rows: Rows) -> list[Cause]:
    found = []
    for row in rows:
        told = row["cause"]
        if told["name"] is not None:
            mean = row["over_all"]["mean"] or 0
            found.append(Cause(row["model"], told["name"], told["ids"], told["share"], mean, told["mean_without"]))
    return sorted(found, key=lambda cause: -cause.cost)


def _spread(
    scorer: str, models: list[str], now: Aggregate, base: Aggregate | None, shown_rows: int, charted: int
) -> Spread:
    found = {model: now.distributions[scorer][model] for model in in_order(now.distributions[scorer], models)}
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
