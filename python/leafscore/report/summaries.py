"""Precision, recall and F1 by field, and how far confidences are right, as the summaries of the runs have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import charts
from .data import manifest_of, read_json
from .errors import ReportError
from .lines import NONE
from .names import Names
from .options import ALL_ROWS_SHOWN, FIELDS_SHOWN, SCORERS_SHOWN, fair
from .verdicts import Shown

RATES = ("precision", "recall", "f1")
COUNTS = ("true_positives", "false_positives", "false_negatives")
CALIBRATION = ("values", "without_confidence", "right", "expected_calibration_error", "brier_score", "auroc")
REVIEW = ("share", "checked", "errors_found", "share_of_errors")
BIN = ("from", "to", "values", "confidence", "precision")


@dataclass
class FieldRates:
    """The figures of the fields of a model under a scorer."""

    scorer: str
    model: str
    what: str  # what the fields are: fields or tools
    micro: dict[str, float | None]
    macro: dict[str, float | None]
    fields: Shown


@dataclass
class Reliability:
    """How far the confidences that answers state for their values are right, under a scorer in a run."""

    scorer: str
    model: str
    figures: dict[str, Any]
    least_sure: dict[str, Any]
    bins: list[dict[str, Any]]  # without empty ones
    chart: dict[str, Any]


@dataclass
class FromSummaries:
    """The figures of some summaries, and reasons to doubt them."""

    field_rates: list[FieldRates] = field(default_factory=list)
    reliabilities: list[Reliability] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


def from_summaries(
    summaries: Sequence[str], scores: Sequence[str], by: str | None, names: Names
) -> FromSummaries:
    """ERRORS: ReportError, OSError."""
    files = {checksum: file for file in scores if (checksum := _checksum(manifest_of(file)))}
    found: list[FieldRates] = []
    reliabilities: list[Reliability] = []
    doubts = []
    for path in summaries:
        summary = _read(path)
        file = files.get(_checksum(summary.get("provenance")) or "")
        if file is None:
            doubts.append(f"it is not known whether {Path(path).name} is the summary of these scores")
        try:
            model = names.model_of_file(file or path)
            tables = list(_tables(summary, model, by, names))
            reliabilities += _reliabilities(summary, model)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise ReportError(f"{path} is not the summary of a run (leafscore score --summary)") from None
        if not tables:
            doubts.append(f"{Path(path).name} has no precision and recall by field: no scorer of its run counts fields")
        found += tables
    if len(found) > SCORERS_SHOWN:
        doubts.append(f"precision and recall by field are shown in {SCORERS_SHOWN} of {len(found):,} tables")
    if len(reliabilities) > SCORERS_SHOWN:
        doubts.append(f"confidences are shown in {SCORERS_SHOWN} of {len(reliabilities):,} tables")
    found = sorted(found[:SCORERS_SHOWN], key=lambda table: table.scorer)
    for table in found:
        del table.fields.rows[fair(FIELDS_SHOWN, ALL_ROWS_SHOWN, len(found)) :]
    return FromSummaries(found, reliabilities[:SCORERS_SHOWN], doubts)


def _read(path: str) -> dict[str, Any]:
    value = read_json(path, "the summary of a run (leafscore score --summary)")
    return value if isinstance(value, dict) else {}


def _checksum(provenance: Any) -> str | None:
    """Returns the checksum of the scores that a run wrote, which its manifest and its summary both have."""
    try:
        return str(provenance["output"]["checksum"])
    except (LookupError, TypeError):
        return None


def _tables(summary: dict[str, Any], model: str, by: str | None, names: Names) -> Iterator[FieldRates]:
    """For each scorer that counts fields one of each model, where the models are groups of the summary; else one."""
    types = {one["name"]: one["type"] for one in summary.get("provenance", {}).get("scorers", ())}
    for scorer in summary["scorers"]:
        what = "tools" if types.get(scorer["scorer"]) == "tool_calls" else "fields"
        groups = [group for group in scorer["groups"] if group["field"] == by]
        for group in groups or [scorer]:
            if "micro" not in group:
                continue
            of = model
            if groups:
                of = names.model({"none": NONE, "other": "(other)"}.get(group["kind"], str(group["value"])))
            fields = [
                {"field": str(one["field"]), **_figures(one, (*RATES, *COUNTS))} for one in group.get("fields", ())
            ]
            fields.sort(key=lambda one: -one["false_positives"] - one["false_negatives"])
            micro, macro = (_figures(group[name], RATES) for name in ("micro", "macro"))
            yield FieldRates(str(scorer["scorer"]), of, what, micro, macro, Shown(fields, len(fields)))


def _reliabilities(summary: dict[str, Any], model: str) -> Iterator[Reliability]:
    for scorer in summary["scorers"]:
        if "calibration" not in scorer:
            continue
        told = scorer["calibration"]
        bins = [one for row in told["bins"] if (one := _figures(row, BIN))["values"]]
        figures, least_sure = _figures(told, CALIBRATION), _figures(told["least_sure"], REVIEW)
        yield Reliability(str(scorer["scorer"]), model, figures, least_sure, bins, charts.reliability(bins))


def _figures(row: dict[str, Any], members: Sequence[str]) -> dict[str, Any]:
    """ERRORS: ValueError for what is no figure, such as a text."""
    figures = {name: row[name] for name in members}
    if not all(value is None or isinstance(value, (int, float)) for value in figures.values()):
        raise ValueError(figures)
    return figures
