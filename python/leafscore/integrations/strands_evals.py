"""An evaluator of Strands (the package strands-agents-evals).

>>> from leafscore.integrations.strands_evals import LeafscoreEvaluator
>>> Experiment(cases=cases, evaluators=[LeafscoreEvaluator("json_similarity", threshold=0.9)])    # doctest: +SKIP

A case that cannot be judged raises, which Strands reports as a failed case with "Evaluator error" and the reason.
"""

from __future__ import annotations

from typing import Any

from strands_evals.evaluators import Evaluator
from strands_evals.types.evaluation import EvaluationData, EvaluationOutput

from leafscore.integrations.verdicts import NoScore, OneScorer, PairScorer


class LeafscoreEvaluator(Evaluator[Any, Any]):  # type: ignore[misc]
    """Compares the actual output with the expected output."""

    def __init__(
        self, scorer: OneScorer = "json_similarity", threshold: float | None = None, name: str | None = None
    ) -> None:
        """Takes a scorer as `PairScorer` does. `threshold` is the least score that passes; None: the scorer's own
        verdict, and for scorers without one a score of 1. ERRORS: leafscore.Error as in `PairScorer`.
        """
        self._pairs = PairScorer(scorer)
        super().__init__(name=name or self._pairs.name)
        self.scorer = scorer
        self.threshold = threshold

    def evaluate(self, evaluation_case: EvaluationData[Any, Any]) -> list[EvaluationOutput]:
        """ERRORS: NoScore for a case without an expected output, and for a pair that cannot be judged."""
        if evaluation_case.expected_output is None:
            raise NoScore("leafscore: the case has no expected_output to compare with")
        verdict = self._pairs(evaluation_case.expected_output, evaluation_case.actual_output).judged()
        output = EvaluationOutput(
            score=verdict.score,
            test_pass=verdict.passes(self.threshold),
            reason=verdict.reason,
            label=verdict.outcome,
            metadata=verdict.details,
        )
        return [output]
