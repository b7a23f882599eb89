"""A metric of DeepEval.

>>> from leafscore.integrations.deepeval import LeafscoreMetric
>>> assert_test(test_case, [LeafscoreMetric("json_similarity", threshold=0.9)])    # doctest: +SKIP

A test case that cannot be judged raises, as DeepEval's metrics do: with `ErrorConfig(ignore_errors=True)` the metric has
the error, and with `skip_on_missing_params=True` a test case without an expected output is skipped.
"""

from __future__ import annotations

import asyncio
from typing import Any

from deepeval.errors import MissingTestCaseParamsError
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase, SingleTurnParams

from leafscore.integrations.verdicts import OneScorer, PairScorer


class LeafscoreMetric(BaseMetric):  # type: ignore[misc]
    """Compares the actual output with the expected output, which may both be JSON."""

    _required_params = [SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.EXPECTED_OUTPUT]

    def __init__(
        self,
        scorer: OneScorer = "json_similarity",
        threshold: float | None = None,
        scorer_decides: bool | None = None,
    ) -> None:
        """Takes a scorer as `PairScorer` does. `threshold` is the least score that passes; None: the scorer's own
        verdict, and for scorers without one a score of 1 (`scorer_decides`). ERRORS: leafscore.Error as in `PairScorer`.
        """
        self._pairs = PairScorer(scorer)
        # DeepEval copies metrics for concurrent runs by the attributes with the names of these arguments, and needs a
        # threshold to report passing at all.
        self.scorer = scorer
        self.threshold = 1.0 if threshold is None else threshold
        self.scorer_decides = threshold is None if scorer_decides is None else scorer_decides
        self.async_mode = False

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Sets score, reason and success. ERRORS: NoScore, MissingTestCaseParamsError."""
        self.score, self.success, self.reason, self.error = None, False, None, None
        for param in ("actual_output", "expected_output"):
            if getattr(test_case, param) is None:
                self.error = f"'{param}' is missing for the '{self.__name__}' metric"
                raise MissingTestCaseParamsError(self.error)
        verdict = self._pairs(test_case.expected_output, test_case.actual_output)
        self.error = verdict.error
        self.score, self.reason = verdict.judged().score, verdict.reason
        self.score_breakdown = verdict.details
        self.success = verdict.passes(None if self.scorer_decides else self.threshold)
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        return await asyncio.to_thread(self.measure, test_case)

    def is_successful(self) -> bool:
        return bool(self.success) and self.error is None

    @property
    def __name__(self) -> str:
        return f"leafscore {self._pairs.name}"
