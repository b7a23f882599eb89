"""Scores Spark data frames, on all machines of a cluster: docs/scale.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Sequence

from ._cluster import PartScorer, PartSummary
from ._options import Scorer, ScoreOptions
from ._plan import Plan, as_plan
from ._summary import Summary

if TYPE_CHECKING:
    from typing_extensions import Unpack


def score(df: Any, scorers: Sequence[Scorer] | Scorer | Plan, **options: Unpack[ScoreOptions]) -> Any:
    """Scores a Spark data frame row by row.

    Args:
        df: the expected and the actual values are strings, of JSON if no option says otherwise. Spark maps no columns
            with a dot in their name.
        scorers: as in `leafscore.score`; a configuration's path is read here, not by the workers.
        options: those of `leafscore.score`, but for gold, id, group_by, max_groups and progress. `threads` is
            spark.task.cpus (1), if it is not given.

    Returns:
        A data frame, computed when it is asked for: the kept columns, and a struct for each scorer, as those of
        `leafscore.Scores`.

    Raises:
        Error, TypeError: for scorers and options that are wrong.
    """
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    scorer = PartScorer(as_plan(scorers), options, int(df.sparkSession.conf.get("spark.task.cpus", "1")))
    rows = df.select(*scorer.columns)
    fields = [
        rows.schema[field.name] if field.name in scorer.keep else StructField(field.name, from_arrow_type(field.type))
        for field in scorer.schema()
    ]

    def score_part(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield from scorer(batch).to_batches()

    return rows.mapInArrow(score_part, StructType(fields))


def summary(scores: Any, scorers: Sequence[Scorer] | Scorer | Plan, by: str | None = None) -> Summary:
    """Returns the summary of a data frame of scores: each partition is summarised where it is, then these merge.

    Args:
        scores: what `score` returned, or what was written of that and read again.
        scorers: those that it was made with.
        by: a kept column; None: over all rows.
    """
    summarise = PartSummary(as_plan(scorers), by)
    parts = scores.select(*summarise.columns).mapInArrow(
        lambda batches: iter(summarise(batches).to_batches()), f"{summarise.COLUMN} binary"
    )
    return summarise.merged(bytes(row[0]) for row in parts.collect())
