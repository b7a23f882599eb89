"""Configurations of other tools, against the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import pytest

import leafscore as ls

ORIGINS = Path(__file__).resolve().parents[2] / "tests" / "data" / "origins"
SETS = ORIGINS / "uipath" / "evaluations" / "eval-sets"


@pytest.mark.parametrize("name", ["weights", "classes", "lines"])
def test_a_set_gives_the_scores_of_the_command(name: str, run: Callable[..., str]) -> None:
    imported = ls.import_config(SETS / f"{name}.json")
    outputs = ORIGINS / "uipath" / "outputs" / f"{name}.jsonl"
    records = [json.loads(line) for line in outputs.read_text().splitlines()]
    scores = imported.plan.score(records, gold=imported.gold, actual="output").to_arrow().to_pylist()
    lines = run("score", outputs, "-c", SETS / f"{name}.json", "--actual-field", "output", "-q").splitlines()
    answered = {record["id"]: row for record, row in zip(records, scores)}
    compared = 0
    for line in map(json.loads, lines):
        if line["id"] in answered:
            assert answered[line["id"]][line["scorer"]]["score"] == line.get("score"), line
            compared += 1
    assert compared >= len(records)


def test_notes_tell_what_cannot_run_and_an_evaluator_alone_has_no_gold() -> None:
    suite = ls.import_config(ORIGINS / "agentv" / "invoice.eval.yaml")
    assert suite.gold and all(set(record) == {"id", "expected"} for record in suite.gold)
    alone = ls.import_config(ORIGINS / "uipath" / "evaluations" / "evaluators" / "js-all.json")
    assert alone.gold == []
    assert any(": runs: " in note for note in alone.notes)
    assert alone.plan.score_pair({"expectedOutput": {"a": 1}}, {"a": 1})


def test_from_config_names_the_other_way_and_what_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ls.Error, match="is a file of UiPath: .*import_config"):
        ls.Plan.from_config(SETS / "weights.json")
    ours = tmp_path / "ours.yaml"
    ours.write_text("evaluators:\n- {name: e, type: exact_match}\n")
    assert ls.import_config(ours).plan.scorer_names == ["e"]
    with pytest.raises(ls.Error, match="none.json"):
        ls.import_config(tmp_path / "none.json")
