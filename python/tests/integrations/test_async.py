"""Scores awaited: the same as `score`, with an event loop that goes on, and an end when a task is cancelled."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

import leafscore as ls

RECORDS = [{"id": n, "expected": {"n": n, "m": 1}, "actual": {"n": n % 2, "m": 1}} for n in range(100)]


def test_it_gives_what_score_gives_and_errors_reach_the_task() -> None:
    async def several() -> list[Any]:
        calls = [ls.ascore(RECORDS, ["json_similarity", "exact_match"], keep="id") for _ in range(4)]
        return await asyncio.gather(*calls)

    wanted = list(ls.score(RECORDS, ["json_similarity", "exact_match"], keep="id"))
    assert [list(scores) for scores in asyncio.run(several())] == [wanted] * 4
    with pytest.raises(ls.Error, match="no column 'gold'"):
        asyncio.run(ls.ascore({"actual": []}, "exact_match", expected="gold"))
    with pytest.raises(TypeError, match="unknown option"):
        asyncio.run(ls.ascore(RECORDS, "exact_match", colour="red"))  # type: ignore[call-arg]


def test_progress_is_told() -> None:
    told: list[int] = []
    asyncio.run(ls.ascore(RECORDS, "exact_match", progress=told.append))
    assert told[-1] == len(RECORDS)


def slow_data() -> dict[str, list[str]]:
    """Some minutes of work: many pairs of long texts that have nothing in common."""
    expected, actual = '"' + "abcdefgh" * 4_000 + '"', '"' + "ijklmnop" * 4_000 + '"'
    return {"expected": [expected] * 20_000, "actual": [actual] * 20_000}


def test_the_event_loop_goes_on_and_a_cancelled_task_stops_the_engine() -> None:
    ticks = 0

    async def cancelled_soon() -> float:
        nonlocal ticks
        task = asyncio.ensure_future(ls.ascore(slow_data(), "levenshtein", threads=1))
        for _ in range(20):
            await asyncio.sleep(0.02)
            ticks += 1
        assert not task.done()
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - began

    before = threading.active_count()
    assert asyncio.run(cancelled_soon()) < 20
    assert ticks == 20
    assert threading.active_count() <= before
