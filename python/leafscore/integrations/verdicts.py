"""What the integrations need of the package's core: one pair scored, whatever becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """A score from 0 to 1, which is 0 where there is none, and a sentence about it."""

    score: float
    outcome: str
    reason: str
    passed: bool | None


def judge(expected: Any, actual: Any, scorer: str | Mapping[str, Any]) -> Verdict:
    """Scores one pair with one scorer, a name or its options.

    ERRORS: what leafscore raises for a scorer that it does not know, or options that are wrong. A pair that cannot be
    scored is no error: as in leafscore's figures over all that was asked, it has 0.
    """
    import leafscore  # here, as its native part takes time to load

    return verdict_of(leafscore.score_pair(expected, actual, scorer))


def verdict_of(result: Any) -> Verdict:
    outcome = str(result.outcome)
    scored = outcome == "scored"
    reason = f"leafscore: {result.score:.4f}" if scored else f"leafscore: {outcome}: {result.message}"
    return Verdict(float(result.score) if scored else 0.0, outcome, reason, result.passed)
