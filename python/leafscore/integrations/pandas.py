"""The accessor `leafscore` of data frames of pandas, which importing this module adds.

>>> import pandas as pd
>>> import leafscore.integrations.pandas
>>> df = pd.DataFrame({"expected": [{"n": 1}, {"n": 2}], "actual": ['{"n": 1}', None]}, index=["a", "b"])
>>> df.leafscore.score("exact_match")["exact_match.score"].to_dict()
{'a': 1.0, 'b': nan}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import pandas as pd

from leafscore.integrations._frames import Scoring

if TYPE_CHECKING:
    from leafscore import Plan, Scorer


@pd.api.extensions.register_dataframe_accessor("leafscore")
class LeafscoreAccessor(Scoring):
    """`df.leafscore`. Dicts, lists and numbers are written as JSON; NaN and None are missing values."""

    def score(self, scorers: Sequence[Scorer] | Scorer | Plan, **options: Any) -> pd.DataFrame:
        """Returns the frame with the columns `NAME.score`, `NAME.outcome` and the others of each scorer behind its own.
        A row without a score has NaN there, and its reason. Arguments are those of `leafscore.score`."""
        scores = self.scores(scorers, **{**options, "keep": []}).to_pandas()
        return pd.concat([self._frame, scores.set_axis(self._frame.index)], axis="columns")

    def _column(self, name: str) -> Any:
        missing = self._frame[name].isna().to_list()
        return [None if gone else value for gone, value in zip(missing, self._frame[name].to_list())]
