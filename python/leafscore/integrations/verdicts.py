"""What the integrations need of the package's core: one pair scored, whatever becomes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leafscore.convert.json_text import dump


@dataclass(frozen=True)
class Verdict:
    """A score from 0 to 1, which is 0 where there is none, and a sentence about it."""

    score: float
    outcome: str
    reason: str
    passed: bool | None = None


def judge(expected: Any, actual: Any, scorer: str | Mapping[str, Any]) -> Verdict:
    """Scores one pair with one scorer, a name or its options, as the command scores the record that holds the pair.

    Objects and arrays that either side holds in a text are read, as frameworks know only texts; None is no answer. A
    pair that cannot be scored has 0, as in leafscore's figures over all that was asked. ERRORS: leafscore.Error for a
    scorer that there is not, or options that are wrong.
    """
    import leafscore  # here, as its native part takes time to load

    if actual is None:
        return Verdict(0.0, "unanswered", "leafscore: unanswered: there is no answer")
    result = leafscore.score_pair(dump(expected), dump(actual), scorer, parse_texts="always")
    if result.score is None:
        return Verdict(0.0, result.outcome, f"leafscore: {result.outcome}: {result.message}", result.passed)
    return Verdict(result.score, result.outcome, f"leafscore: {result.score:.4f}", result.passed)
