"""The evaluator in Strands itself."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("strands_evals")

from strands_evals import Case, Experiment  # noqa: E402

from leafscore.integrations.strands_evals import LeafscoreEvaluator  # noqa: E402

GOLD = {"city": "Oslo", "total": 20}


def run(evaluator: LeafscoreEvaluator, outputs: dict[str, Any], gold: Any = GOLD) -> dict[str, Any]:
    """Returns what Strands reports of each case."""
    cases: list[Any] = [Case(name=name, input=name, expected_output=gold) for name in outputs]
    report: Any = Experiment(cases=cases, evaluators=[evaluator]).run_evaluations(lambda case: {"output": outputs[case.name]})
    report = report[0] if isinstance(report, list) else report
    names = [case["name"] for case in report.cases]
    return {
        name: (report.scores[row], report.test_passes[row], report.reasons[row], report.detailed_results[row])
        for row, name in enumerate(names)
    }


def test_scores_reasons_and_verdicts() -> None:
    outputs = {"right": '```json\n{"total": 20.0, "city": "Oslo"}\n```', "half": {"city": "Oslo"}, "none": "no idea"}
    found = run(LeafscoreEvaluator("json_similarity", threshold=0.5), outputs)
    assert {name: each[:2] for name, each in found.items()} == {"right": (1, True), "half": (0.5, True), "none": (0, False)}
    assert found["half"][2] == "leafscore: 0.5000"
    [detail] = found["half"][3]
    assert (detail.label, detail.metadata) == ("scored", {"matched_leaves": 1, "total_leaves": 2})


@pytest.mark.parametrize(("gold", "words"), [({"sum": 1}, "total"), (None, "no expected_output")])
def test_what_cannot_be_judged_is_an_error_of_the_evaluator(gold: Any, words: str) -> None:
    evaluator = LeafscoreEvaluator({"type": "json_similarity", "target_output_key": "total"})
    score, passed, reason, details = run(evaluator, {"case": GOLD}, gold)["case"]
    assert (passed, details) == (False, [])
    assert reason.startswith("Evaluator error: leafscore: ") and words in reason


def test_it_is_written_and_read_with_an_experiment() -> None:
    evaluator = LeafscoreEvaluator({"type": "levenshtein"}, threshold=0.5, name="text")
    saved = Experiment(cases=[Case(name="a", input="a")], evaluators=[evaluator]).to_dict()
    again = Experiment.from_dict(saved, custom_evaluators=[LeafscoreEvaluator]).evaluators[0]
    assert again.to_dict() == evaluator.to_dict()
    assert again.get_name() == "text"
