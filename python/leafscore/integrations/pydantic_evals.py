"""An evaluator of pydantic-evals.

>>> from leafscore.integrations.pydantic_evals import LeafscoreEvaluator
>>> dataset = Dataset(name="invoices", cases=[...], evaluators=[LeafscoreEvaluator()])    # doctest: +SKIP

A case that cannot be judged is a failure of the evaluator in the report (`evaluator_failures`), not a score.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from leafscore.integrations.verdicts import NoScore, PairScorer


@dataclass(repr=False)
class LeafscoreEvaluator(Evaluator[Any, Any, Any]):  # type: ignore[misc]
    """Compares the output with the expected output.

    The score has the scorer's name. A scorer that passes or fails pairs gives an assertion, too: its name and "_passed".
    In a file of a dataset it is `LeafscoreEvaluator: {scorer: {type: json_similarity}}`, read with
    `custom_evaluator_types=[LeafscoreEvaluator]`.
    """

    scorer: str | dict[str, Any] = "json_similarity"

    def __post_init__(self) -> None:
        self._pairs = PairScorer(self.scorer)

    def get_default_evaluation_name(self) -> str:
        return self._pairs.name

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, Any]:
        """ERRORS: NoScore for a case without an expected output, and for a pair that cannot be judged."""
        if ctx.expected_output is None:
            raise NoScore("leafscore: the case has no expected_output to compare with")
        verdict = await asyncio.to_thread(self._pairs, ctx.expected_output, ctx.output)
        score = EvaluationReason(value=verdict.judged().score, reason=verdict.reason)
        if verdict.passed is None:
            return {self._pairs.name: score}
        return {self._pairs.name: score, f"{self._pairs.name}_passed": verdict.passed}
