"""The verdicts of a comparison for the top of the page. All figures are the comparison's."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import charts
from .names import Names
from .options import ALL_ROWS_SHOWN, CHARTED, FIELDS_SHOWN, ROWS_SHOWN, SCORERS_SHOWN, fair
from .texts import counted, seen, typeset

GRAVEST = ("regressed", "inconclusive", "improved", "equivalent")


@dataclass
class Shown:
    """Some rows of a table, and how many it has."""

    rows: list[Any]
    of: int


@dataclass
class Changes:
    """The changes under a scorer from the base to a new file."""

    file: str
    scorer: str
    all: dict[str, Any]
    groups: Shown
    fields: Shown
    rates: Shown  # precision, recall and F1 of fields, all of them together first; only those that changed
    outcomes: list[dict[str, Any]]
    causes: list[dict[str, Any]]  # what is wrong with answers, if that changed
    elsewhere: float | None
    base_errors: int
    now_errors: int
    nothing_compared: int
    notes: list[str]
    chart: dict[str, Any] | None = None
    chart_is_cut: bool = False  # at groups of too few records

    @property
    def has_passes(self) -> bool:
        """Whether the scorer passes or fails records."""
        return self.all["now_pass_rate"] is not None

    @property
    def has_shares(self) -> bool:
        """Whether most of the change of the mean is a sum over fields and outcomes, as it is not for an F1."""
        told = abs(self.elsewhere or 0) <= abs(self.all["difference"]) / 2
        return told and any(row["contribution"] for row in self.fields.rows)


@dataclass
class Verdict:
    kind: str
    sentence: str
    gates: list[dict[str, Any]] = field(default_factory=list)
    confidence: str = ""

    @property
    def failed(self) -> int:
        return sum(not gate["passed"] for gate in self.gates)


def verdict(comparison: dict[str, Any]) -> Verdict:
    """The verdict, the change that it rests on in the words of the command, and the gates, those that failed first."""
    kind = comparison["verdict"]
    gates = [{**gate, "sentence": typeset(gate["sentence"])} for gate in comparison["gates"]]
    gates.sort(key=lambda gate: gate["passed"])
    sentence = typeset(comparison["headline"].removeprefix(kind).removeprefix(": "))
    return Verdict(kind, sentence + "." if sentence else "", gates, confidence(comparison))


def confidence(comparison: dict[str, Any]) -> str:
    """Returns the confidence of intervals, such as 95%."""
    return f"{100 * (1 - comparison['alpha']):.6g}%"


def changes(comparison: dict[str, Any]) -> list[Changes]:
    """For each new file and scorer what changed, the gravest first."""
    found = [(file["file"], scorer) for file in comparison["files"] for scorer in file["scorers"]]
    found.sort(key=lambda one: (GRAVEST.index(one[1]["all"]["verdict"]), one[1]["all"]["difference"]))
    shown = min(len(found), SCORERS_SHOWN)
    return [_changes(file, scorer, shown) for file, scorer in found[:shown]]


def overview(found: list[Changes], names: Names) -> dict[str, Any] | None:
    """The chart of all of them; None of a single one, which the top of the page tells."""
    files = len({one.file for one in found})
    rows = [{**one.all, "name": f"{one.scorer} · {Path(names.file(one.file)).name}" if files > 1 else one.scorer} for one in found]
    return charts.changes(rows, 2 * CHARTED)[0] if len(rows) > 1 else None


def _size(row: dict[str, Any]) -> tuple[float, float]:
    """Sorts fields by their part of a change, the greatest first; without such parts, by their own change."""
    return -abs(row["contribution"] or 0), -abs(row["difference"] * row["records"])


def _rates(rows: list[dict[str, Any]], shown: int) -> Shown:
    """All fields together, and the rates of fields that changed, those with the smallest p if there are many."""
    changed = [number for number, row in enumerate(rows) if row["field"] is not None and row["wins"] + row["losses"]]
    together = [number for number, row in enumerate(rows) if row["field"] is None]
    kept = together + sorted(changed, key=lambda number: rows[number]["p"])[:shown]
    return Shown([rows[number] for number in sorted(kept)], len(together) + len(changed))


def _changes(file: str, scorer: dict[str, Any], tables: int) -> Changes:
    groups_shown, fields_shown = (fair(most, ALL_ROWS_SHOWN, tables) for most in (ROWS_SHOWN, FIELDS_SHOWN))
    groups = sorted(scorer["groups"], key=lambda row: (GRAVEST.index(row["verdict"]), row["difference"]))
    fields = sorted(scorer["fields"], key=_size)
    told = {name: scorer[name] for name in ("outcomes", "causes", "elsewhere", "base_errors", "now_errors", "nothing_compared", "notes")}
    made = Changes(
        file,
        scorer["scorer"],
        scorer["all"],
        Shown(groups[:groups_shown], len(groups)),
        Shown(sorted(fields[:fields_shown], key=lambda row: row["contribution"] or 0), len(fields)),
        _rates(scorer.get("field_rates", []), fields_shown),
        **told,
    )
    if groups:
        rows = [{"name": "all", **scorer["all"]}, *({"name": row["group"], **row} for row in groups)]
        made.chart, made.chart_is_cut = charts.changes(rows, CHARTED)
    return made


def doubts(comparison: dict[str, Any]) -> list[str]:
    """Returns the reasons to doubt the figures."""
    found = []
    pairs = sum(len(file["scorers"]) for file in comparison["files"])
    if pairs > SCORERS_SHOWN:
        found.append(f"of {pairs:,} scorers in files, the changes of {SCORERS_SHOWN} are shown, the gravest")
    for file in comparison["files"]:
        name = seen(Path(file["file"]).name)
        for key, where in (("only_base", "the base"), ("only_now", name)):
            if file[key]["count"]:
                ids = ", ".join(file[key]["first"][:5])
                count = counted(file[key]["count"], "id has lines", "ids have lines")
                count_as = "are left out" if comparison["common_only"] else "count as 0 in the other"
                found.append(f"{count} only in {where} and {count_as}: {ids}")
        for key, where in (("base_repeated", "the base"), ("now_repeated", name)):
            if file[key]:
                found.append(f"{counted(file[key], 'line', 'lines')} of {where} do not count, as others of their id do")
        if file["not_asked"]:
            found.append(f"{counted(file['not_asked'], 'line is', 'lines are')} left out, with an id that is not in the gold")
    return [*comparison["warnings"], *found]
