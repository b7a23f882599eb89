"""Scorers of other packages, by short names. A package is imported where it is asked for, and only then.

An adapter calls its package as the package's documentation does, with its defaults, and hands over Python values. The
function that it makes takes the expected and the actual value and returns a similarity from 0 to 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Function = Callable[[Any, Any], Any]


def _uipath(evaluator: str, class_name: str) -> Callable[[], Function]:
    def make() -> Function:
        from uipath.eval import evaluators
        from uipath.eval.models import AgentExecution

        judge = getattr(evaluators, class_name).model_validate(
            {"id": evaluator, "evaluatorConfig": {"name": class_name, "targetOutputKey": "*"}}
        )

        async def score(expected: Any, actual: Any) -> Any:
            execution = AgentExecution(agent_input={}, workload_output=actual, workload_trace=[])
            return await judge.validate_and_evaluate_criteria(execution, {"expectedOutput": expected})

        return score

    return make


def _autoevals(module: str, class_name: str, as_text: bool) -> Callable[[], Function]:
    def make() -> Function:
        judge = getattr(__import__(f"autoevals.{module}", fromlist=[class_name]), class_name)()
        if as_text:
            return lambda expected, actual: judge(output=_text(actual), expected=_text(expected))
        return lambda expected, actual: judge(output=actual, expected=expected)

    return make


def _deepdiff() -> Function:
    from deepdiff import DeepDiff

    return lambda expected, actual: 1 - DeepDiff(expected, actual, get_deep_distance=True).get("deep_distance", 0)


def _rapidfuzz(measure: str) -> Callable[[], Function]:
    def make() -> Function:
        import rapidfuzz.distance

        similarity = getattr(rapidfuzz.distance, measure).normalized_similarity
        return lambda expected, actual: similarity(_text(expected), _text(actual))

    return make


def _text(value: Any) -> str:
    """A text as it is, any other value as compact JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


ADAPTERS: dict[str, Callable[[], Function]] = {
    "uipath:json-similarity": _uipath("json-similarity", "JsonSimilarityEvaluator"),
    "uipath:exact-match": _uipath("exact-match", "ExactMatchEvaluator"),
    "autoevals:JSONDiff": _autoevals("json", "JSONDiff", as_text=False),
    "autoevals:Levenshtein": _autoevals("string", "Levenshtein", as_text=True),
    "deepdiff:distance": _deepdiff,
    "rapidfuzz:levenshtein": _rapidfuzz("Levenshtein"),
    "rapidfuzz:jaro-winkler": _rapidfuzz("JaroWinkler"),
}
PACKAGES = tuple(dict.fromkeys(name.split(":")[0] for name in ADAPTERS))
