"""A scorer for mlflow.genai.evaluate.

>>> from leafscore.integrations.mlflow import leafscore_scorer
>>> mlflow.genai.evaluate(data=data, scorers=[leafscore_scorer("json_similarity")])    # doctest: +SKIP

A row that cannot be judged has a feedback with an error, not a value.
"""

from __future__ import annotations

from typing import Any

from mlflow.entities import Feedback
from mlflow.genai.scorers import Scorer
from mlflow.genai.scorers import scorer as scorer_of_mlflow

from leafscore.integrations.verdicts import NoScore, OneScorer, PairScorer


def leafscore_scorer(
    scorer: OneScorer = "json_similarity", *, expected: str = "expected_response", name: str | None = None
) -> Scorer:
    """Compares the outputs with one of the expectations of the row.

    A scorer that passes or fails pairs gives a second feedback: its name and "_passed".

    Args:
        scorer: as in `PairScorer`.
        expected: the name of the expectation.
        name: the name of the feedback; None: the scorer's.

    Raises:
        Error: for a scorer that does not exist, or options that are wrong.
    """
    pairs = PairScorer(scorer)
    key = name or pairs.name

    @scorer_of_mlflow(name=key)  # type: ignore[untyped-decorator]
    def score(outputs: Any, expectations: dict[str, Any] | None) -> list[Feedback]:
        if not expectations or expected not in expectations:
            raise NoScore(f"leafscore: the row has no expectation {expected!r} to compare with")
        verdict = pairs(expectations[expected], outputs).judged()
        notes = {name: str(value) for name, value in {"outcome": verdict.outcome, **verdict.details}.items()}
        feedback = [Feedback(name=key, value=verdict.score, rationale=verdict.reason, metadata=notes)]
        if verdict.passed is not None:
            feedback.append(Feedback(name=f"{key}_passed", value=verdict.passed, rationale=verdict.reason))
        return feedback

    return score
