"""The namespace `leafscore` of data frames of polars, which importing this module adds.

>>> import polars as pl
>>> import leafscore.integrations.polars
>>> df = pl.DataFrame({"id": ["a", "b"], "expected": ['{"n": 1}', '{"n": 2}'], "actual": ['{"n": 1}', None]})
>>> df.leafscore.score("exact_match").select("id", "exact_match.score", "exact_match.outcome").rows()
[('a', 1.0, 'scored'), ('b', None, 'unanswered')]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import polars as pl

from leafscore.integrations._frames import Scoring

if TYPE_CHECKING:
    from leafscore import Plan, Scorer


@pl.api.register_dataframe_namespace("leafscore")
class LeafscoreNamespace(Scoring):
    """`df.leafscore`. Structs, lists and numbers are written as JSON."""

    def score(self, scorers: Sequence[Scorer] | Scorer | Plan, **options: Any) -> pl.DataFrame:
        """Returns the frame with the columns `NAME.score`, `NAME.outcome` and the others of each scorer behind its own.
        A row without a score has null there, and its reason. Arguments are those of `leafscore.score`."""
        scores = self.scores(scorers, **{**options, "keep": []})
        return pl.concat([self._frame, scores.to_polars(flat=True)], how="horizontal")

    def _column(self, name: str) -> Any:
        column = self._frame[name]
        return column if column.dtype == pl.String else column.to_list()
