"""A scorer of inspect_ai.

>>> from leafscore.integrations.inspect_ai import leafscore_scorer
>>> task = Task(dataset=..., solver=..., scorer=leafscore_scorer("json_similarity"))    # doctest: +SKIP

`inspect score LOG --scorer leafscore/integrations/inspect_ai.py@leafscore_scorer` scores a log that is there.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from leafscore.integrations.verdicts import Verdict, judge

NO_TARGET = Verdict(0.0, "error", "leafscore: error: the sample has no target")


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]
def leafscore_scorer(
    scorer: str | dict[str, Any] = "json_similarity", expected_metadata: str | None = None
) -> Scorer:
    """Compares the completion with the target, or with the JSON value that the sample's metadata has under a key.

    Of several targets the best score counts, as any of them would do. An answer that cannot be read has 0.
    """

    async def score(state: TaskState, target: Target) -> Score:
        values = list(target) if expected_metadata is None else [state.metadata[expected_metadata]]
        verdicts = [judge(each, state.output.completion, scorer) for each in values]
        best = max(verdicts, key=lambda one: one.score, default=NO_TARGET)
        return Score(
            value=best.score,
            answer=state.output.completion,
            explanation=best.reason,
            metadata={"outcome": best.outcome, "passed": best.passed},
        )

    return score
