"""The scorer in mlflow itself: an evaluation that is kept in a database of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mlflow")

import mlflow  # noqa: E402

import leafscore as ls  # noqa: E402
from leafscore.integrations.mlflow import leafscore_scorer  # noqa: E402


@pytest.fixture
def tracking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    mlflow.set_experiment("test")


def feedback(result: Any) -> dict[str, dict[str, Any]]:
    """Returns the feedback of each row, by the row's input."""
    found: dict[str, dict[str, Any]] = {}
    for row in result.result_df.itertuples():
        assessments = [one if isinstance(one, dict) else one.to_dictionary() for one in row.assessments]
        question = row.request["q"] if isinstance(row.request, dict) else row.request
        found[question] = {one["assessment_name"]: one for one in assessments if "feedback" in one}
    return found


def test_scores_and_errors_are_feedback_of_each_row(tracking: None) -> None:
    answers = {"right": {"total": 12.5}, "text": '```json\n{"total": 12.5}\n```', "wrong": {"total": "x"}}
    data = [
        {"inputs": {"q": q}, "outputs": output, "expectations": {"expected_response": '{"total": 12.50}'}}
        for q, output in answers.items()
    ]
    data.append({"inputs": {"q": "no gold"}, "outputs": {"total": 1}, "expectations": {"other": 1}})
    data.append({"inputs": {"q": "bad gold"}, "outputs": {"total": 1}, "expectations": {"expected_response": {"sum": 1}}})
    scorer = leafscore_scorer({"type": "json_similarity", "target_output_key": "total", "name": "total"})
    rows = feedback(mlflow.genai.evaluate(data=data, scorers=[scorer]))
    values = {q: of_row["total"]["feedback"].get("value") for q, of_row in rows.items()}
    assert values == {"right": 1, "text": 1, "wrong": 0, "no gold": None, "bad gold": None}
    for q, words in (("no gold", "no expectation 'expected_response'"), ("bad gold", "total")):
        assert words in rows[q]["total"]["feedback"]["error"]["error_message"]
    assert rows["wrong"]["total"]["metadata"]["outcome"] == "scored"


def test_called_alone_and_with_another_expectation() -> None:
    scorer = leafscore_scorer("json_similarity", expected="gold", name="invoice")
    assert scorer.name == "invoice"
    [one] = scorer(outputs={"a": 1}, expectations={"gold": {"a": 1, "b": 2}})
    assert (one.name, one.value, one.metadata["total_leaves"]) == ("invoice", 0.5, "2.0")
    near = leafscore_scorer({"type": "levenshtein", "threshold": 0.7})(
        outputs="Oslx", expectations={"expected_response": "Oslo"}
    )
    assert [(each.name, each.value) for each in near] == [("levenshtein", 0.75), ("levenshtein_passed", True)]
    with pytest.raises(ls.Error, match="no such"):
        leafscore_scorer("no such")
