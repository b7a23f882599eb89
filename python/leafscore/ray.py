"""Scores Ray datasets, on all machines of a cluster: docs/scale.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from ._cluster import PartScorer, PartSummary
from ._options import Scorer, ScoreOptions
from ._plan import Plan, as_plan
from ._summary import Summary

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Actor:
    """A part scorer as Ray wants it: a class that each actor makes an object of."""

    def __init__(self, scorer: PartScorer) -> None:
        self._scorer = scorer

    def __call__(self, block: Any) -> Any:
        return self._scorer(block)


def score(
    dataset: Any,
    scorers: Sequence[Scorer] | Scorer | Plan,
    *,
    workers: int | tuple[int, int] | None = None,
    cpus: float = 1,
    **options: Unpack[ScoreOptions],
) -> Any:
    """Scores a ray.data.Dataset row by row.

    Args:
        dataset: the expected and the actual values are texts, of JSON if no option says otherwise.
        scorers: as in `leafscore.score`; a configuration's path is read here, not by the workers.
        workers: how many actors score, or the (fewest, most); None: as many as the cluster has room for.
        cpus: CPUs of each actor, which are its threads unless `threads` says otherwise.
        options: those of `leafscore.score`, but for gold, id, group_by, max_groups and progress.

    Returns:
        A ray.data.Dataset, computed when it is asked for: the kept columns, and a struct for each scorer, as those of
        `leafscore.Scores`. Keep an id: Ray's datasets promise no order.

    Raises:
        Error, TypeError: for scorers and options that are wrong.
    """
    from ray.data import ActorPoolStrategy

    scorer = PartScorer(as_plan(scorers), options, cpus)
    if workers is None or isinstance(workers, tuple):
        fewest, most = workers or (1, None)
        pool = ActorPoolStrategy(min_size=fewest, max_size=most)
    else:
        pool = ActorPoolStrategy(size=workers)
    return dataset.select_columns(scorer.columns).map_batches(
        _Actor,
        fn_constructor_args=(scorer,),
        batch_format="pyarrow",
        batch_size=None,  # whole blocks, which are not copied
        compute=pool,
        num_cpus=cpus,
    )


def summary(scores: Any, scorers: Sequence[Scorer] | Scorer | Plan, by: str | None = None) -> Summary:
    """Returns the summary of a dataset of scores: where the rows are, each block is summarised, then these merge.

    Args:
        scores: what `score` returned, or what was written of that and read again.
        scorers: those that it was made with.
        by: a kept column; None: over all rows.
    """
    summarise = PartSummary(as_plan(scorers), by)
    parts = scores.select_columns(summarise.columns).map_batches(
        lambda block: summarise([block]), batch_format="pyarrow", batch_size=None
    )
    return summarise.merged(row[summarise.COLUMN] for row in parts.iter_rows())
