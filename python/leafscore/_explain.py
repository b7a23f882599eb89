"""Scores explained to people."""

from __future__ import annotations

import json
import operator
from typing import Any, Callable, Mapping

from . import _core
from ._arrow import pyarrow
from ._errors import Error, nearest


class Explanation(str):
    """How scores came about: a text that notebooks show as it is laid out."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        return _html.view(_html.preformatted(self))


_NOT_DETAILS = ("outcome", "score", "passed", "reason", "message", "causes", "leaves", "leaves_cut")


def explain_row(
    score: Callable[..., Any], source: Any, options: Mapping[str, Any], which: str | int, scorer: str | None
) -> Explanation:
    """Scores a row of `source` once more with `score`, as `Plan.score`, and tells how its scores came about."""
    pa = pyarrow("explain")
    if isinstance(source, pa.RecordBatchReader):
        raise TypeError(
            "the data were a file or a stream, which was read once; score a table of them to explain its rows, or the "
            "row alone with details='leaves'"
        )
    if "gold" in options:
        raise TypeError("explain does not know data with gold; score the row alone with its expected value")
    table = pa.table(source) if hasattr(source, "__arrow_c_stream__") else pa.Table.from_batches([pa.record_batch(source)])
    row = _find(table, options["id"], which) if isinstance(which, str) else operator.index(which)
    if not -len(table) <= row < len(table):
        raise IndexError(f"there is no row {row} among {len(table)}")
    one = table.slice(row % len(table), 1)
    given = {**options, "details": "leaves", "keep": [], "group_by": [], "progress": None}
    results = score(one, **given).to_arrow().to_pylist()[0]
    if scorer is not None and scorer not in results:
        meant = nearest(scorer, list(results)) or ";"
        raise KeyError(f"the plan has no scorer {scorer!r}{meant} valid: {', '.join(results)}")
    return explain_results(results if scorer is None else {scorer: results[scorer]})


def explain_results(results: Mapping[str, Mapping[str, Any]]) -> Explanation:
    """Returns how scores came about, by the name of their scorer, of results with details="leaves"."""
    each = (_core.explain_score(_line(name, result), False) for name, result in results.items())
    return Explanation("\n".join(each))


def _find(table: Any, column: str, text: str) -> int:
    if column not in table.schema.names:
        raise Error(f"the data have no column {column!r}; name it by the option `id`, or give a row's number")
    import pyarrow as pa
    import pyarrow.compute as pc

    row: int = pc.index(pc.cast(table.column(column), pa.string()), text).as_py()
    if row < 0:
        raise KeyError(f"no row has the id {text!r} in the column {column!r}")
    return row


def _line(scorer: str, result: Mapping[str, Any]) -> str:
    """Returns a result as a line of scores."""
    line: dict[str, Any] = {"id": "", "scorer": scorer, "outcome": result["outcome"]}
    causes = {"causes": result["causes"]} if result["causes"] else {}
    if result["outcome"] != "scored":
        return json.dumps({**line, **causes, "reason": result["reason"], "message": result["message"]})
    line["score"] = _whole(result["score"])
    if result["passed"] is not None:
        line["passed"] = result["passed"]
    details = {name: _whole(value) for name, value in result.items() if name not in _NOT_DETAILS and value is not None}
    if result["leaves"]:
        details["leaves"] = [_leaf(leaf) for leaf in result["leaves"]]
    return json.dumps({**line, **causes, "details": details})


def _whole(value: Any) -> Any:
    """Returns a number as lines of scores have it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _leaf(leaf: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: json.loads(leaf[name]) for name in ("expected", "actual") if leaf[name] is not None}
    return {"path": leaf["path"], **values, "similarity": _whole(leaf["similarity"])}
