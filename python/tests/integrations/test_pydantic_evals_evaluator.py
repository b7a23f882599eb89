"""The evaluator in pydantic-evals itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_evals")

from pydantic import BaseModel  # noqa: E402
from pydantic_evals import Case, Dataset  # noqa: E402

from leafscore.integrations.pydantic_evals import LeafscoreEvaluator  # noqa: E402


class Invoice(BaseModel):
    city: str
    total: float


def evaluate(evaluator: LeafscoreEvaluator, outputs: dict[str, Any], expected: dict[str, Any]) -> Any:
    cases = [Case(name=name, inputs=name, expected_output=value) for name, value in expected.items()]
    dataset: Dataset[Any, Any, Any] = Dataset(name="test", cases=cases, evaluators=[evaluator])
    return dataset.evaluate_sync(lambda name: outputs[name], progress=False)


def test_scores_are_in_the_report() -> None:
    oslo = Invoice(city="Oslo", total=20)
    outputs = {"model": oslo, "text": '```json\n{"city": "Oslo", "total": 20.0}\n```', "wrong": {"city": "Olso", "total": 20}, "none": None}
    report = evaluate(LeafscoreEvaluator(), outputs, dict.fromkeys(outputs, oslo))
    scores = {case.name: case.scores["json_similarity"] for case in report.cases}
    assert {name: score.value for name, score in scores.items()} == {"model": 1, "text": 1, "wrong": 0.75, "none": 0}
    assert scores["wrong"].reason == "leafscore: 0.7500"
    assert "no answer" in scores["none"].reason
    assert not any(case.evaluator_failures for case in report.cases)


def test_a_verdict_is_an_assertion() -> None:
    evaluator = LeafscoreEvaluator({"type": "levenshtein", "threshold": 0.7, "name": "text"})
    report = evaluate(evaluator, {"near": "abcx", "far": "wxyz"}, {"near": "abcd", "far": "abcd"})
    assert {case.name: case.scores["text"].value for case in report.cases} == {"near": 0.75, "far": 0}
    assert {case.name: case.assertions["text_passed"].value for case in report.cases} == {"near": True, "far": False}


def test_what_cannot_be_judged_is_a_failure_of_the_evaluator() -> None:
    evaluator = LeafscoreEvaluator({"type": "json_similarity", "target_output_key": "total"})
    report = evaluate(evaluator, {"bad": {"total": 1}, "no gold": {"total": 1}}, {"bad": {"sum": 1}, "no gold": None})
    failures = {case.name: case.evaluator_failures for case in report.cases}
    assert not any(case.scores for case in report.cases)
    assert "total" in failures["bad"][0].error_message
    assert failures["no gold"][0].error_message == "NoScore: leafscore: the case has no expected_output to compare with"


def test_it_is_written_to_a_file_of_a_dataset_and_read_again(tmp_path: Path) -> None:
    evaluator = LeafscoreEvaluator({"type": "levenshtein", "threshold": 0.7})
    dataset: Dataset[Any, Any, Any] = Dataset(name="test", cases=[Case(inputs=1)], evaluators=[evaluator])
    path = tmp_path / "set.yaml"
    dataset.to_file(path, custom_evaluator_types=[LeafscoreEvaluator])
    again: Dataset[Any, Any, Any] = Dataset.from_file(path, custom_evaluator_types=[LeafscoreEvaluator])
    assert again.evaluators == [evaluator]
