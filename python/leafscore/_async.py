"""Scoring from coroutines."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Sequence

from ._options import Scorer, ScoreOptions
from ._plan import Plan, as_plan
from ._scores import Scores, _progress

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Cancelled(Exception):
    """Ends the engine's work for a task that is cancelled."""


async def ascore(data: Any, scorers: Sequence[Scorer] | Scorer | Plan, **options: Unpack[ScoreOptions]) -> Scores:
    """Scores data as `score` does, on a thread, so that the event loop goes on meanwhile.

    >>> import asyncio
    >>> scores = asyncio.run(ascore([{"expected": {"a": 1}, "actual": {"a": 1}}], "json_similarity"))
    >>> scores[0]["json_similarity"]["score"]
    1.0

    Args:
        data, scorers, options: as in `score`. `progress` is called on that thread.

    Raises:
        Error: as `score` does.
        asyncio.CancelledError: when the task is cancelled, after the rows in work, as Ctrl-C ends `score`.
    """
    import asyncio  # here, as it takes longer to load than the package

    cancelled = threading.Event()
    tell, end = _progress(options.get("progress"))

    def watch(records: int) -> None:
        if cancelled.is_set():
            raise _Cancelled
        if tell is not None:
            tell(records)

    def work() -> Scores:
        given: ScoreOptions = {**options, "progress": watch}
        try:
            return as_plan(scorers).score(data, **given)
        finally:
            end()

    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        cancelled.set()
        await asyncio.wait({working})
        if not working.cancelled():
            working.exception()  # which asyncio would report as never looked at
        raise
