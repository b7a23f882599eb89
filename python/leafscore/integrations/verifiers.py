"""A reward of a task of verifiers (its package `verifiers.v1`).

    import verifiers.v1 as vf
    from leafscore.integrations.verifiers import leafscore_reward

    class InvoiceTask(vf.Task[InvoiceData]):
        invoice = leafscore_reward("json_similarity", expected="answer")

`leafscore.integrations.rewards` tells what easy answers would earn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import verifiers.v1 as vf

from leafscore.integrations.verdicts import OneScorer, PairScorer


def leafscore_reward(
    scorer: OneScorer = "json_similarity",
    *,
    expected: str = "answer",
    weight: float = 1.0,
    name: str = "leafscore",
) -> Callable[[Any, vf.Trace], Awaitable[float]]:
    """Makes a reward from 0 to 1 that compares the last reply with a field of the task's data.

    A trace without a reply earns 0. One that cannot be judged fails the scoring of its trace (NoScore, in a TaskError).

    Args:
        scorer: as in `PairScorer`.
        expected: the field with the expected value.
        weight: as of `vf.reward`.
        name: the name of the reward in traces.

    Raises:
        Error: for a scorer that does not exist, or options that are wrong.
    """
    pairs = PairScorer(scorer)

    async def reward(self: Any, trace: Any) -> float:
        verdict = await asyncio.to_thread(pairs, getattr(self.data, expected), trace.last_reply or None)
        return verdict.judged().score

    reward.__name__ = name
    marked: Callable[[Any, vf.Trace], Awaitable[float]] = vf.reward(weight=weight)(reward)
    return marked
