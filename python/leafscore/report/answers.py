"""The answers that a reader wants first: which model is best, how sure that is, and what got worse, where and why.

All figures are those of the command, or counts of lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import causes
from .aggregate import Aggregate
from .heat_map import HeatMap
from .names import Names
from .texts import counted
from .verdicts import Changes

SHOWN = 3  # names in a sentence
LEAST_SHARE = 0.2  # of a change: the least that is named as a possible cause
OUTCOMES = ("unreadable", "unanswered", "errors")


@dataclass
class Best:
    """The top of a leaderboard."""

    scorer: str
    leaders: list[dict[str, Any]]  # rows: the first, and those that no test distinguishes from it
    behind: dict[str, Any] | None  # the first row after these
    models: int
    ranked: bool

    @property
    def p(self) -> float | None:
        """The p value between the first and the second, or between the last leader and the next model."""
        p: float | None = self.leaders[-1]["p_next"]
        return p

    @property
    def key(self) -> tuple[bool, frozenset[str]]:
        """The parts that scorers agree on."""
        return self.ranked, frozenset(row["model"] for row in self.leaders)


@dataclass
class Part:
    """Something that a change or a loss is made of, and how much of it."""

    name: str
    change: float | None = None
    count: str = ""


@dataclass
class Reasons:
    """Where a mean changed, or where points are lost, the most of it first."""

    scorer: str
    file: str = ""  # of a change
    groups: list[Part] = field(default_factory=list)
    groups_alike: int = 0  # that went the same way
    groups_of: int = 0
    fields: list[Part] = field(default_factory=list)
    has_shares: bool = True  # whether fields say how much of the change of the mean they explain
    why: list[Part] = field(default_factory=list)  # outcomes and causes that changed
    without_score: list[Part] = field(default_factory=list)
    wrong_type: list[Part] = field(default_factory=list)


def best(scorer: str, rows: list[dict[str, Any]]) -> Best:
    """The top of the rows of a scorer, which are in the order of their ranks."""
    first = rows[0]
    ranked = first["rank"] is not None
    tied = set(first["tied_with"]) if ranked else set()
    leaders = [first, *(row for row in rows[1:] if row["model"] in tied)]
    others = [row for row in rows if row not in leaders and row["rank"] is not None]
    return Best(scorer, leaders, others[0] if others else None, len(rows), ranked)


def reasons_of_change(changes: Sequence[Changes], names: Names, now: Aggregate | None, base: Aggregate | None) -> Reasons:
    """Where a mean went: groups and fields that went the same way, outcomes that changed, answers of the wrong type.

    Told of the gravest change, or of another one with its verdict or in its file that is a sum over fields.
    """
    kind, file = changes[0].all["verdict"], changes[0].file
    alike = [one for one in changes if one.all["verdict"] == kind] + [one for one in changes if one.file == file]
    change = next((one for one in alike if one.has_shares), changes[0])
    found = Reasons(change.scorer, change.file, has_shares=change.has_shares)
    found.groups_of = change.groups.of - sum(row["pooled_groups"] > 0 for row in change.groups.rows)
    if kind not in ("regressed", "improved"):
        return found
    sign = 1 if kind == "improved" else -1
    groups = [row for row in change.groups.rows if row["verdict"] == kind]
    found.groups_alike = len(groups)
    found.groups = [Part(row["group"], row["difference"]) for row in _most(groups, "difference", sign)]
    by = "contribution" if change.has_shares else "difference"
    fields = [row for row in change.fields.rows if change.has_shares or row["verdict"] == kind]
    found.fields = [Part(row["field"], row[by]) for row in _most(fields, by, sign)]
    for row in _most(change.outcomes, "contribution", sign):
        records, ends = counted(row["records"], "record", "records"), (row[end] or "no line" for end in ("from", "to"))
        found.why.append(Part(f"{records} went from {' to '.join(ends)}", row["contribution"]))
    wrong = [row for row in change.causes if sign * (row["base_records"] - row["now_records"]) > 0]
    found.why += [Part(causes.change_of(row), row["contribution"]) for row in _most(wrong, "contribution", sign)]
    before = _of_wrong_type(base, change.scorer, None)
    # If a field names models, lines of several files are counted as one.
    several = len({one.file for one in changes}) > 1
    one_model = names.model_of_file(change.file) if now and now.by is None else None
    after = before if several and one_model is None else _of_wrong_type(now, change.scorer, one_model)
    # An answer loses or gains at most the whole score.
    if not wrong and sign * (before - after) / change.all["records"] > LEAST_SHARE * abs(change.all["difference"]):
        found.why.append(Part(f"{counted(after, 'answer has', 'answers have')} the wrong type ({before:,} before)"))
    return found


def _of_wrong_type(aggregate: Aggregate | None, scorer: str, model: str | None) -> int:
    """How many answers are of another type than what is expected: those of one model, or of all."""
    found = aggregate.distributions.get(scorer, {}) if aggregate else {}
    return sum(one.wrong_type for name, one in found.items() if model in (None, name))


def _most(rows: list[dict[str, Any]], figure: str, sign: int) -> list[dict[str, Any]]:
    """The rows whose figure has the sign, the greatest first."""
    chosen = [row for row in rows if sign * (row[figure] or 0) > 0]
    return sorted(chosen, key=lambda row: -sign * row[figure])[:SHOWN]


def reasons_of_losses(top: Best, rows: list[dict[str, Any]], heat: HeatMap | None) -> Reasons:
    """The weakest fields of the leaders, and the models with answers that have no score or are of the wrong type."""
    found = Reasons(top.scorer)
    models = {row["model"] for row in top.leaders}
    is_whole = len(rows) == 1  # so that all columns are of it
    places = [number for number, model in enumerate(heat.models) if is_whole or model in models] if heat else []
    losses = []
    for row in heat.rows if heat else ():
        cells = [cell for number in places if (cell := row.cells[number]) is not None]
        records = sum(cell.records for cell in cells)
        if records:
            mean = sum(cell.mean * cell.records for cell in cells) / records
            losses.append(((1 - mean) * records, row.field, mean))
    worst = sorted(losses, key=lambda loss: -loss[0])[:SHOWN]
    found.fields = [Part(name, mean) for loss, name, mean in worst if loss > 0]
    found.without_score = _counted(rows, OUTCOMES)
    found.wrong_type = _counted(rows, ("of_other_kind",))
    return found


def _counted(rows: list[dict[str, Any]], names: tuple[str, ...]) -> list[Part]:
    """The models with most of these, and how many they have."""
    counts = [(sum(row[name] for name in names), row) for row in rows]
    most = sorted((count for count in counts if count[0]), key=lambda count: -count[0])[:SHOWN]
    return [Part(row["model"], None, f"{count:,} of {row['asked']:,}") for count, row in most]
