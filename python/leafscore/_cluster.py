"""The code that workers of a cluster run, whichever framework hands them their rows."""

from __future__ import annotations

import pickle
from typing import Any, Iterable, Mapping

from ._arrow import pyarrow
from ._options import checked, names
from ._plan import Plan
from ._summary import Summary

# These options are about all rows, but a worker sees only a part of them.
_NOT_FOR_PARTS = {
    "gold": "join the gold with the data first, so that each row has its expected value",
    "id": "name it in keep",
    "group_by": "name its columns in keep, and ask summary(by=...)",
    "max_groups": "summaries have no limit",
    "progress": "the framework shows its own",
}


class PartScorer:
    """Scores a part of the rows. A pure function of its part, so a part can be scored again, and parts in any order.

    It pickles; each process makes engines of its own.
    """

    def __init__(self, plan: Plan, options: Mapping[str, Any], cpus: float) -> None:
        """Raises TypeError for options that parts cannot have, and Error for those that are wrong."""
        for name, instead in _NOT_FOR_PARTS.items():
            if options.get(name) is not None:
                raise TypeError(f"{name} is no option of scoring in parts: {instead}")
        self.plan = plan
        self.options = {"threads": max(1, int(cpus)), **{k: v for k, v in options.items() if v is not None}}
        given = checked(self.options)
        self.keep = names(given["keep"])
        more = (*names(given.get("calls")), *plan.record_fields)
        self.columns = list(dict.fromkeys((*self.keep, given["expected"], given["actual"], *more)))
        self.schema()  # so that a mistake is told here, and not by a worker

    def schema(self) -> Any:
        """Returns the pyarrow.Schema of the results, in which kept columns count as texts."""
        pa = pyarrow("scoring in parts")
        nothing = pa.table({name: pa.array([], pa.string()) for name in self.columns})
        return self.plan.score_stream(nothing, **self.options).schema

    def __call__(self, part: Any) -> Any:
        """Returns the pyarrow.Table of the results of a part, in the order of its rows."""
        return self.plan.score(part, **self.options).to_arrow()


class PartSummary:
    """Summarises a part of the results, as a table of one row, which `merged` takes."""

    COLUMN = "summary"

    def __init__(self, plan: Plan, by: str | None) -> None:
        self.scorers = plan.scorer_names
        self.by = by

    @property
    def columns(self) -> list[str]:
        return [*([self.by] if self.by is not None else []), *self.scorers]

    def __call__(self, parts: Iterable[Any]) -> Any:
        pa = pyarrow("a summary")
        summary = Summary(self.scorers, self.by)
        for part in parts:
            if part.num_rows > 0:
                summary.add(part)
        return pa.table({self.COLUMN: pa.array([pickle.dumps(summary)], pa.binary())})

    def merged(self, summaries: Iterable[bytes]) -> Summary:
        merged = Summary(self.scorers, self.by)
        for summary in summaries:
            merged.merge(pickle.loads(summary))
        return merged
