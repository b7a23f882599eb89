"""The evaluator in LangSmith's evaluate, without its service, and beside an evaluator of openevals."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from leafscore.integrations.langsmith import create_leafscore_evaluator

GOLD = {"city": "Oslo", "total": 20}


def test_whole_outputs_and_single_members() -> None:
    whole = create_leafscore_evaluator()
    assert whole(inputs={"q": 1}, outputs={"city": "Oslo"}, reference_outputs=GOLD)["score"] == 0.5
    part = create_leafscore_evaluator("levenshtein", key="city", outputs_key="answer", reference_key="city")
    feedback = part(outputs={"answer": "Osla"}, reference_outputs=GOLD)
    assert (feedback["key"], feedback["score"], feedback["metadata"]["distance"]) == ("city", 0.75, 1)
    missing = part(outputs={"other": 1}, reference_outputs=GOLD)
    assert (missing["score"], missing["metadata"]["outcome"]) == (0, "unanswered")


@pytest.mark.parametrize("reference", [None, {}, {"sum": 1}])
def test_what_cannot_be_judged_has_no_score(reference: Any) -> None:
    evaluator = create_leafscore_evaluator({"type": "json_similarity", "target_output_key": "total"}, key="total")
    feedback = evaluator(outputs=GOLD, reference_outputs=reference)
    assert feedback["score"] is None and feedback["extra"] == {"error": True}
    assert feedback["comment"].startswith("leafscore: error: ")


def test_langsmith_evaluates_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("langsmith")
    from langsmith import Client, evaluate
    from langsmith.schemas import Example

    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    outputs = {"right": {"city": "Oslo", "total": 20.0}, "half": {"city": "Oslo"}, "bad": {"city": "Oslo"}}
    gold: dict[str, Any] = {"right": GOLD, "half": GOLD, "bad": {}}
    dataset = uuid.uuid4()
    examples = [
        Example(id=uuid.uuid4(), dataset_id=dataset, inputs={"q": q}, outputs=gold[q]) for q in outputs
    ]
    results = evaluate(
        lambda inputs: outputs[inputs["q"]],
        data=examples,
        evaluators=[create_leafscore_evaluator(key="invoice")],
        upload_results=False,
        client=Client(api_key="none", auto_batch_tracing=False),
    )
    found = {row["example"].inputs["q"]: row["evaluation_results"]["results"] for row in results}
    assert {q: [one.score for one in each] for q, each in found.items()} == {"right": [1], "half": [0.5], "bad": [None]}
    [bad] = found["bad"]
    assert (bad.key, bad.extra) == ("invoice", {"error": True})
    assert "no reference outputs" in bad.comment
    assert found["half"][0].metadata["matched_leaves"] == 1


def test_it_stands_in_for_an_evaluator_of_openevals() -> None:
    pytest.importorskip("openevals")
    from openevals.exact import exact_match

    ours = create_leafscore_evaluator("exact_match")
    for outputs in (GOLD, {"total": 20, "city": "Oslo"}, {"total": 21, "city": "Oslo"}):
        theirs = exact_match(outputs=outputs, reference_outputs=GOLD)
        mine = ours(outputs=outputs, reference_outputs=GOLD)
        assert mine["key"] == theirs["key"] and bool(mine["score"]) == theirs["score"]
        assert {"key", "score", "comment", "metadata"} <= mine.keys() & theirs.keys()
