"""The common part of the namespaces of data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from leafscore._errors import no_column
from leafscore._options import checked
from leafscore._plan import as_plan

if TYPE_CHECKING:
    from leafscore import Plan, Scorer, Scores, Summary


class Scoring:
    """`df.leafscore`: scores the rows of a data frame. Each library's subclass takes its frames apart and makes them."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def scores(self, scorers: Sequence[Scorer] | Scorer | Plan, **options: Any) -> Scores:
        """Returns `leafscore.Scores`, with `report` and `explain`. Arguments are those of `leafscore.score`: texts in
        columns are JSON, and with expected_format="text" they are texts."""
        given = checked(options)
        names = [given["actual"], *given["keep"], *given["group_by"]]
        if given.get("calls"):
            names.append(given["calls"])
        names.append(given["id"] if given.get("gold") is not None else given["expected"])
        missing = [name for name in names if name not in self._frame.columns]
        if missing:
            raise no_column("the data frame has", missing[0], list(self._frame.columns))
        plan = as_plan(scorers)
        names += [name for name in plan.record_fields if name in self._frame.columns]
        return plan.score({name: self._column(name) for name in dict.fromkeys(names)}, **options)

    def summary(self, scorers: Sequence[Scorer] | Scorer | Plan, by: str | None = None, **options: Any) -> Summary:
        """Returns the figures of all rows, or for each value of the column `by`. Rows without a score count as 0."""
        return self.scores(scorers, **{**options, "keep": [by] if by else []}).summary(by)

    def _column(self, name: str) -> Any:
        """Returns a column as texts in Arrow data, or else as a list of values, which are written as JSON."""
        raise NotImplementedError

