"""Charts as specifications of Vega-Lite. Names are values in their data, never parts of an expression."""

from __future__ import annotations

from typing import Any

from .aggregate import BINS, Distribution
from .texts import seen

LABEL_CHARACTERS = 40
ROW = 30  # pixels


def labels(names: list[str]) -> dict[str, str]:
    """Short names for axes, each another one."""
    short: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        text = seen(name).replace("\n", " ").replace("\t", " ")
        text = text if len(text) <= LABEL_CHARACTERS else text[: LABEL_CHARACTERS - 1] + "…"
        number, base = 1, text or '""'
        text = base
        while text in taken:
            number += 1
            text = f"{base} ({number})"
        taken.add(text)
        short[name] = text
    return short


def _tooltip(name: str, *figures: str) -> list[dict[str, str]]:
    return [{"field": name, "type": "nominal"}, *({"field": figure, "type": "quantitative"} for figure in figures)]


def changes(rows: list[dict[str, Any]], shown: int) -> dict[str, Any]:
    """Differences of means with their intervals, and the margin within which none matters."""
    named = labels([row["name"] for row in rows])
    values = []
    for row in rows[:shown]:
        told = {"difference": row["difference"], **row["interval"], "verdict": row["verdict"]}
        values.append({"of": named[row["name"]], **told})
    x = {"type": "quantitative", "title": "change of the mean"}
    colour = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": ["regressed", "inconclusive", "equivalent", "improved"]},  # coloured by the page's theme
        "legend": {"orient": "bottom", "title": None},
    }
    tooltip = _tooltip("of", "difference", "low", "high")
    y = {"field": "of", "type": "nominal", "sort": None, "title": None}
    shared = {"y": y, "color": colour, "tooltip": tooltip}
    zero = {"data": {"values": [{}]}, "mark": {"type": "rule", "style": "zero"}, "encoding": {"x": {"datum": 0, **x}}}
    return {"data": {"values": values}, "layer": [zero, *_intervals("difference", x, shared)], "height": ROW * len(values)}


def _intervals(middle: str, x: dict[str, Any], shared: dict[str, Any]) -> list[dict[str, Any]]:
    """A line from low to high, and a point at what is between."""
    line = {"x": {"field": "low", **x}, "x2": {"field": "high"}, **shared}
    point = {"x": {"field": middle, **x}, **shared}
    return [
        {"mark": {"type": "rule", "strokeWidth": 3}, "encoding": line},
        {"mark": {"type": "point", "filled": True, "size": 100, "opacity": 1}, "encoding": point},
    ]


def distributions(found: dict[str, Distribution], others: dict[str, Distribution], shown: int) -> dict[str, Any]:
    """Shares of lines by score, a row of bars for each model; `others` are those of the base."""
    models = list(found)[:shown]
    named = labels(models)
    values = []
    for model in models:
        for side, distribution in (("now", found[model]), ("base", others.get(model))):
            if distribution is None:
                continue
            lines = distribution.scored + sum(distribution.outcomes.values())
            for number, lines_in in enumerate(distribution.bins):
                if lines_in:
                    place = {"from": number / BINS, "to": (number + 1) / BINS, "share": lines_in / lines}
                    values.append({"model": named[model], "side": side, **place, "lines": lines_in})
    axis = {"values": [number / 10 for number in range(11)], "format": ".1f", "grid": False}
    x: dict[str, Any] = {"field": "from", "type": "quantitative", "title": "score", "axis": axis}
    x.update(bin={"binned": True, "step": 1 / BINS}, scale={"domain": [0, 1]})
    y: dict[str, Any] = {"field": "share", "type": "quantitative", "title": None, "stack": None}
    y["axis"] = {"format": ".0%", "tickCount": 3}
    tooltip = _tooltip("model", "from", "to", "share", "lines")
    encoding = {"x": x, "x2": {"field": "to"}, "y": y, "tooltip": tooltip}
    outline: dict[str, Any] = {"style": "base", "filled": False}
    sides: list[tuple[str, dict[str, Any]]] = [("now", {}), ("base", outline)]
    layers: list[dict[str, Any]] = []
    for side, mark in sides[: 2 if others else 1]:
        bars: dict[str, Any] = {"type": "bar", "binSpacing": 1, **mark}
        only = {"filter": {"field": "side", "equal": side}}
        layers.append({"mark": bars, "transform": [only], "encoding": encoding})
    header = {"labelAngle": 0, "labelAlign": "left", "labelPadding": 4, "title": None}
    return {
        "data": {"values": values},
        "facet": {"row": {"field": "model", "type": "nominal", "sort": None, "header": header}},
        "spec": {"layer": layers, "height": 64},
        "spacing": 10,
    }
