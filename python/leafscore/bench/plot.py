"""A result as a plot: speeds with their intervals, and how times grow with the size of records.

Vega-Lite draws it, through vl-convert, which `pip install vl-convert-python` brings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .._errors import Error
from .results import Result
from .verdicts import verdict

FORMATS = (".svg", ".png", ".json")
SIZES = {"records": "bytes of a record", "texts": "times as long texts"}
WIDTH = 560
GOOD, BAD = "#1f77b4", "#d62728"


def check(path: str) -> None:
    """ERRORS: Error for a name of no format, and where the plot could not be drawn."""
    if not path.endswith(FORMATS):
        raise Error(f"--plot {path}: its name ends in {', '.join(FORMATS)}")
    if not path.endswith(".json"):
        _converter()


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise Error("a plot needs vl-convert: pip install vl-convert-python") from None
    return vl_convert


def draw(result: Result, path: str) -> bytes:
    """Returns the plot in the format that the name of the file says; .json is the specification itself."""
    specification = json.dumps(spec(result))
    if path.endswith(".json"):
        return specification.encode()
    converter = _converter()
    if path.endswith(".svg"):
        return str(converter.vegalite_to_svg(specification)).encode()
    return bytes(converter.vegalite_to_png(specification, scale=2))


def spec(result: Result) -> dict[str, Any]:
    """The plot in Vega-Lite."""
    panels = [_speeds(list(_rates(result)))]
    sizes = list(_sizes(result))
    if sizes:
        panels.append(_growth(sizes, SIZES[result.options.growth]))
    schema = "https://vega.github.io/schema/vega-lite/v5.json"
    return {"$schema": schema, "vconcat": panels, "resolve": {"scale": {"color": "independent"}}}


def _rates(result: Result) -> Iterator[dict[str, Any]]:
    for outcome in result.outcomes:
        rate = outcome.rate()
        if rate is not None:
            said = verdict(outcome)
            good = said in ("agrees", "reference")
            name = outcome.name if good else f"{outcome.name}: {said}"
            figures = {"rate": rate.value, "low": rate.low, "high": rate.high}
            yield {"contestant": name, "answers": "agree" if good else "do not", **figures}


def _sizes(result: Result) -> Iterator[dict[str, Any]]:
    for outcome in result.outcomes:
        if not outcome.failed and not outcome.growth.errors:
            for size, time in outcome.growth.points():
                yield {"contestant": outcome.name, "size": size, "microseconds": time / 1000}


def _speeds(rows: list[dict[str, Any]]) -> dict[str, Any]:
    name = {"field": "contestant", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 320}}
    scale = {"type": "log"}
    color = {
        "field": "answers",
        "type": "nominal",
        "scale": {"domain": ["agree", "do not"], "range": [GOOD, BAD]},
        "legend": {"title": "answers"},
    }
    rate = {"field": "rate", "type": "quantitative", "scale": scale, "title": "pairs a second, one thread"}
    low = {"field": "low", "type": "quantitative", "scale": scale, "title": "pairs a second, one thread"}
    rule = {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": {"x": low, "x2": {"field": "high"}}}
    point = {"mark": {"type": "point", "filled": True, "size": 60}, "encoding": {"x": rate}}
    return {"data": {"values": rows}, "width": WIDTH, "encoding": {"y": name, "color": color}, "layer": [rule, point]}


def _growth(rows: list[dict[str, Any]], title: str) -> dict[str, Any]:
    x = {"field": "size", "type": "quantitative", "scale": {"type": "log"}, "title": title}
    y = {"field": "microseconds", "type": "quantitative", "scale": {"type": "log"}, "title": "time of a record, us"}
    color = {"field": "contestant", "type": "nominal", "sort": None, "legend": {"labelLimit": 320}}
    encoding = {"x": x, "y": y, "color": color}
    return {"data": {"values": rows}, "width": WIDTH, "mark": {"type": "line", "point": True}, "encoding": encoding}
