"""Functions for tasks of lm_eval, to be named in a task's file.

lm_eval looks for functions in a Python file beside the task, so a `utils.py` there says

    from leafscore.integrations.lm_eval import process_results

and the task

    process_results: !function utils.process_results
    metric_list: [{metric: leafscore, aggregation: mean, higher_is_better: true}]

`process_results_with` makes one for another scorer, or another field of the documents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from leafscore.integrations.verdicts import judge

ProcessResults = Callable[[dict[str, Any], list[Any]], dict[str, float]]


def process_results_with(
    scorer: str | dict[str, Any] = "json_similarity", target: str = "target", metric: str = "leafscore"
) -> ProcessResults:
    """A function for `process_results`: compares the first answer with the document's field `target`.

    The metric is a number from 0 to 1 for each document; an answer that cannot be read has 0.
    """

    def process(doc: dict[str, Any], results: list[Any]) -> dict[str, float]:
        answer = results[0] if results else None
        answer = answer[0] if isinstance(answer, (list, tuple)) and answer else answer
        return {metric: judge(doc[target], answer, scorer).score}

    return process


process_results = process_results_with()
