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


def changes(rows: list[dict[str, Any]], shown: int) -> tuple[dict[str, Any], bool]:
    """Differences of means with their intervals.

    Groups of too few records to tell anything do not set the axis. Intervals that go beyond it end in an arrow.

    RETURNS: the chart, and whether anything goes beyond.
    """
    named = labels([row["name"] for row in rows])
    first, last = _axis(rows[:shown])
    values = []
    for row in rows[:shown]:
        low, high = (row["difference"] if end is None else end for end in (row["interval"]["low"], row["interval"]["high"]))
        told = {"difference": row["difference"], **row["interval"], "verdict": row["verdict"]}
        told |= {"from": min(max(low, first), last), "to": max(min(high, last), first)}
        told |= {"left": low < first, "right": high > last, "inside": first <= row["difference"] <= last}
        values.append({"of": named[row["name"]], **told})
    x: dict[str, Any] = {"type": "quantitative", "title": "change of the mean"}
    x |= {"scale": {"domain": [first, last], "nice": False}, "axis": {"labelOverlap": True, "labelSeparation": 8}}
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
    layers = [zero, *_intervals(x, shared), _arrow("left", "from", x, shared), _arrow("right", "to", x, shared)]
    chart = {"data": {"values": values}, "layer": layers, "height": ROW * len(values)}
    return chart, any(value["left"] or value["right"] for value in values)


def reliability(bins: list[dict[str, Any]]) -> dict[str, Any]:
    """The share of right values by confidence, beside the diagonal on which both are equal."""
    axis = {"values": [number / 10 for number in range(0, 11, 2)], "format": ".1f"}
    shared: dict[str, Any] = {"type": "quantitative", "scale": {"domain": [0, 1]}, "axis": axis}
    x = {"field": "confidence", "title": "confidence", **shared}
    y = {"field": "precision", "title": "share that is right", **shared}
    place = {"x": x, "y": y}
    diagonal = {"data": {"values": [{"confidence": end, "precision": end} for end in (0, 1)]}}
    size = {"field": "values", "type": "quantitative", "legend": None, "scale": {"range": [30, 400]}}
    points = {**place, "size": size, "tooltip": _tooltip("from", "to", "values", "confidence", "precision")[1:]}
    return {
        "data": {"values": bins},
        "layer": [
            {**diagonal, "mark": {"type": "line", "style": "base"}, "encoding": place},
            {"mark": {"type": "line"}, "encoding": place},
            {"mark": {"type": "point", "filled": True, "opacity": 1}, "encoding": points},
        ],
        "height": 260,
    }


def _axis(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """Both ends: those of 0 and of the intervals of rows that can tell a change, with some room."""
    told = [row for row in rows if row.get("could_fail", True)] or rows
    ends = [0.0, *(row["difference"] for row in told)]
    ends += [end for row in told for end in row["interval"].values() if end is not None]
    room = 0.05 * (max(ends) - min(ends)) or 0.05
    return max(-1, min(ends) - room), min(1, max(ends) + room)


def _intervals(x: dict[str, Any], shared: dict[str, Any]) -> list[dict[str, Any]]:
    """A line from low to high as far as the axis goes, and a point at the difference."""
    line = {"x": {"field": "from", **x}, "x2": {"field": "to"}, **shared}
    point = {"x": {"field": "difference", **x}, **shared}
    inside = {"filter": {"field": "inside", "equal": True}}
    return [
        {"mark": {"type": "rule", "strokeWidth": 3}, "encoding": line},
        {
            "mark": {"type": "point", "filled": True, "size": 100, "opacity": 1},
            "transform": [inside],
            "encoding": point,
        },
    ]


def _arrow(side: str, field: str, x: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """Where an interval goes on beyond this end of the axis."""
    mark = {"type": "point", "filled": True, "shape": f"triangle-{side}", "size": 130, "opacity": 1}
    only = {"filter": {"field": side, "equal": True}}
    return {"mark": mark, "transform": [only], "encoding": {"x": {"field": field, **x}, **shared}}


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
        "spacing": 18,
    }
