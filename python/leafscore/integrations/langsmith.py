"""An evaluator for LangSmith's `evaluate`, and wherever evaluators of openevals go: a plain function of the same arguments.

>>> from leafscore.integrations.langsmith import create_leafscore_evaluator
>>> evaluator = create_leafscore_evaluator("json_similarity", key="invoice")
>>> evaluator(outputs={"total": 12.5, "city": "Oslo"}, reference_outputs={"total": 12.5, "city": "Rome"})["score"]
0.5

It needs neither package. An answer that cannot be judged has no score, the reason as its comment, and the mark that LangSmith
itself gives to feedback of an evaluator that failed (`extra={"error": True}`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from leafscore.integrations.verdicts import OneScorer, PairScorer, Verdict

Evaluator = Callable[..., "dict[str, Any]"]


def create_leafscore_evaluator(
    scorer: OneScorer = "json_similarity",
    *,
    key: str | None = None,
    outputs_key: str | None = None,
    reference_key: str | None = None,
) -> Evaluator:
    """Makes an evaluator that compares outputs with reference outputs.

    Args:
        scorer: as in `PairScorer`.
        key: the name of the feedback; None: the scorer's.
        outputs_key, reference_key: the member of the outputs, and of the reference outputs, that is compared; None: all
            of them. An answer without the member is no answer.

    Raises:
        Error: for a scorer that does not exist, or options that are wrong.
    """
    pairs = PairScorer(scorer)
    feedback_key = key or pairs.name

    def evaluate(*, outputs: Any, reference_outputs: Any = None, **_: Any) -> dict[str, Any]:
        expected = _member(reference_outputs, reference_key)
        if expected is None or expected == {}:
            verdict = Verdict(0.0, "error", "leafscore: error: there are no reference outputs to compare with")
        else:
            verdict = pairs(expected, _member(outputs, outputs_key))
        feedback: dict[str, Any] = {"key": feedback_key, "score": verdict.score, "comment": verdict.reason}
        if verdict.error is not None:
            return {**feedback, "score": None, "extra": {"error": True}}
        metadata = {"outcome": verdict.outcome, "passed": verdict.passed, **verdict.details}
        return {**feedback, "metadata": metadata}

    evaluate.__name__ = feedback_key
    return evaluate


def _member(value: Any, key: str | None) -> Any:
    if key is None:
        return value
    return value.get(key) if isinstance(value, Mapping) else None
