"""How well each field matches in the answers of each model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .aggregate import Aggregate
from .options import CELLS_SHOWN, FIELDS_SHOWN, MODELS_SHOWN, fair

LEAST_CHANGE = 1e-9  # less is rounding


@dataclass
class HeatCell:
    mean: float
    records: int
    change: float | None  # from the base


@dataclass
class HeatRow:
    field: str
    cells: list[HeatCell | None]


@dataclass
class HeatMap:
    """Fields that cost the most come first: from the base, or where there is none, from a full match."""

    scorer: str
    models: list[str]
    rows: list[HeatRow]
    all_models: int
    all_fields: int
    has_base: bool


def heat_map(aggregate: Aggregate, scorer: str, base: Aggregate | None, order: Sequence[str] = ()) -> HeatMap | None:
    """Models stand in the order given, others behind them; with a base, those that lost most stand first.

    Without `by`, the base is one model, whatever its name.

    RETURNS: None where no line of the scorer lists fields.
    """
    fields = aggregate.fields.get(scorer)
    if not fields:
        return None
    models = [model for model in in_order(aggregate.models, order) if any(model in cells for cells in fields.values())]
    before = _before(base, scorer, models)
    changes = _changes(fields, before)
    models.sort(key=lambda model: changes.get(model, 0))
    shown = models[:MODELS_SHOWN]
    ranked = sorted(fields, key=lambda name: (_rank(fields[name], before.get(name)), name))
    rows = []
    rows_shown = fair(FIELDS_SHOWN, CELLS_SHOWN // max(1, len(shown)), len(aggregate.fields))
    for name in ranked[:rows_shown]:
        cells = [_cell(fields[name].get(model), before.get(name, {}).get(model)) for model in shown]
        rows.append(HeatRow(name, cells))
    return HeatMap(scorer, shown, rows, len(models), len(fields), bool(before))


def in_order(models: Iterable[str], order: Sequence[str]) -> list[str]:
    """The models, those of an order first."""
    places = {model: place for place, model in enumerate(order)}
    return sorted(models, key=lambda model: places.get(model, len(places)))


def _before(base: Aggregate | None, scorer: str, models: list[str]) -> dict[str, dict[str, list[float]]]:
    """The sums of the base by field and model."""
    fields = base.fields.get(scorer, {}) if base else {}
    if base is None or base.by is not None:
        return fields
    return {name: {model: total for model in models for total in cells.values()} for name, cells in fields.items()}


def _rank(now: dict[str, list[float]], before: dict[str, list[float]] | None) -> float:
    """How much a field costs, the greatest loss first."""
    loss = 0.0
    for model, (matched, count) in now.items():
        if before is None:
            loss += count - matched
        elif model in before:
            loss += count * before[model][0] / before[model][1] - matched
    return -loss


def _changes(fields: dict[str, dict[str, list[float]]], before: dict[str, dict[str, list[float]]]) -> dict[str, float]:
    """How much the fields of each model changed since the base, on average."""
    found: dict[str, list[float]] = {}
    for name, base in before.items():
        for model, total in fields.get(name, {}).items():
            if (cell := _cell(total, base.get(model))) is not None and cell.change is not None:
                found.setdefault(model, []).append(cell.change)
    return {model: sum(changes) / len(changes) for model, changes in found.items()}


def _cell(total: list[float] | None, before: list[float] | None) -> HeatCell | None:
    if total is None:
        return None
    mean = total[0] / total[1]
    change = mean - before[0] / before[1] if before else None
    return HeatCell(mean, int(total[1]), 0 if change is not None and abs(change) < LEAST_CHANGE else change)
