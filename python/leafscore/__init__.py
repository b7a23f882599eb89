"""leafscore: fast, exact scoring of structured answers of AI systems.

>>> import leafscore as ls
>>> data = {"expected": ['{"city": "Oslo", "temp": 20}'], "actual": ['{"city": "Olso", "temp": 20}']}
>>> scores = ls.score(data, "json_similarity")
>>> print(scores)
1 record
                   mean  scored
json_similarity  0.7500  1 of 1
>>> [row["json_similarity"]["score"] for row in scores]
[0.75]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from . import _core
from ._async import ascore
from ._distances import Column, jaro_winkler, levenshtein
from ._errors import Error
from ._evaluate import Evaluation, evaluate
from ._judges import Judges
from ._lint import LintReport, lint
from ._options import PairOptions, Scorer, ScoreOptions
from ._plan import ImportedConfig, Plan, Score, as_plan, import_config
from ._runs import Comparison, Leaderboard, compare, leaderboard, score_files, write_lines
from ._scores import Scores, ScoreStream
from ._summary import Summary

if TYPE_CHECKING:
    from typing_extensions import Unpack

__version__ = _core.version()

__all__ = [
    "Column",
    "Comparison",
    "Error",
    "Evaluation",
    "ImportedConfig",
    "Judges",
    "Leaderboard",
    "LintReport",
    "PairOptions",
    "Plan",
    "Score",
    "ScoreOptions",
    "ScoreStream",
    "Scorer",
    "Scores",
    "Summary",
    "__version__",
    "ascore",
    "compare",
    "evaluate",
    "import_config",
    "jaro_winkler",
    "leaderboard",
    "levenshtein",
    "lint",
    "score",
    "score_files",
    "score_pair",
    "score_stream",
    "write_lines",
]


def score(data: Any, scorers: Sequence[Scorer] | Scorer | Plan, **options: Unpack[ScoreOptions]) -> Scores:
    """Scores data row by row.

    Args:
        data: anything with the Arrow PyCapsule interface (a table, batch or reader of pyarrow, polars, pandas,
            DuckDB); the path or glob of Parquet, Arrow, CSV or JSON Lines files; a dict of columns; a list or iterator of
            records (dicts) or of pairs (expected, actual); or a tuple of two columns. Values that are no texts are
            written as JSON; texts of columns are JSON already, and those of records and pairs are strings. A null is a
            missing value.
        scorers: a scorer or several, each its type or a dict of its type, name and options; a `Plan`; or the path of
            a configuration.
        options: see `ScoreOptions`.

    Returns:
        `Scores` with a row for each row of the data.

    Raises:
        Error: for options, columns and data that are wrong. Faults of a row are in its results.
        KeyboardInterrupt: soon after Ctrl-C.
    """
    return as_plan(scorers).score(data, **options)


def score_stream(
    data: Any, scorers: Sequence[Scorer] | Scorer | Plan, **options: Unpack[ScoreOptions]
) -> ScoreStream:
    """Scores data batch by batch, as results are asked for, in bounded memory: arguments are those of `score`."""
    return as_plan(scorers).score_stream(data, **options)


def score_pair(
    expected: Any, actual: Any, scorer: Scorer | Plan = "json_similarity", **options: Unpack[PairOptions]
) -> Score:
    """Scores one pair with one scorer. Texts are JSON, and so is what other values are written as.

    >>> score_pair({"a": 1, "b": 2}, '{"a": 1}', "json_similarity").score
    0.5
    """
    plan = as_plan(scorer)
    if len(plan.scorer_names) > 1:
        raise TypeError("score_pair takes one scorer; Plan(scorers).score_pair gives a Score for each of several")
    return next(iter(plan.score_pair(expected, actual, **options).values()))
