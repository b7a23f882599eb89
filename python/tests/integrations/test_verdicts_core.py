"""The core of the integrations: pairs of Python values, and what becomes of each."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pickle
from pathlib import Path
from typing import Any

import pytest

import leafscore as ls
from leafscore.integrations.verdicts import NoScore, PairScorer, Verdict, judge


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Invoice:
    total: decimal.Decimal
    day: datetime.date
    colours: list[Colour]


class Model:
    """What the integrations see of a model of pydantic."""

    def model_dump(self, mode: str) -> dict[str, Any]:
        assert mode == "json"
        return {"total": "12.50", "day": "2026-01-02", "colours": ["red"]}


def test_texts_are_read_and_values_of_python_become_json() -> None:
    expected = {"total": "12.50", "day": "2026-01-02", "colours": ["red"]}
    invoice = Invoice(decimal.Decimal("12.50"), datetime.date(2026, 1, 2), [Colour.RED])
    answers = [expected, str(expected).replace("'", '"'), invoice, Model(), {"day": "2026-01-02", "colours": ["red"]}]
    verdicts = PairScorer("json_similarity").many([expected] * 5, answers)
    assert [verdict.score for verdict in verdicts] == [1, 1, 1, 1, 2 / 3]
    assert all(verdict.error is None for verdict in verdicts)


def test_one_and_many_say_the_same_as_score_pair() -> None:
    pairs: list[tuple[Any, Any]] = [({"a": 1, "b": 2}, '{"a": 1}'), ("Oslo", "Olso"), (3, 3.0), ([1], None), (None, None)]
    for scorer in ("json_similarity", "exact_match", {"type": "levenshtein", "threshold": 0.4}, "static_json"):
        pair_scorer = PairScorer(scorer)
        many = pair_scorer.many(*zip(*pairs))
        assert many == [pair_scorer(*pair) for pair in pairs] == [judge(*pair, scorer) for pair in pairs]
    many = PairScorer("json_similarity").many(*zip(*pairs))
    assert [verdict.score for verdict in many] == [0.5, 0.5, 1, 0, 0]
    assert many[0].details == {"matched_leaves": 1, "total_leaves": 2}
    assert many[0].reason == "leafscore: 0.5000"


def test_a_missing_answer_is_zero_and_says_so_and_what_nobody_can_judge_is_an_error() -> None:
    missing = PairScorer("exact_match")({"a": 1}, None)
    assert (missing.score, missing.outcome, missing.error) == (0, "unanswered", None)
    assert missing.judged() is missing
    assert "no answer" in missing.reason
    unreadable = PairScorer({"type": "json_similarity", "target_output_key": "total"})({"total": 1}, {"sum": 1})
    assert (unreadable.score, unreadable.outcome, unreadable.error) == (0, "unreadable", None)
    absent = PairScorer({"type": "json_similarity", "target_output_key": "total"})({"sum": 1}, {"total": 1})
    assert absent.outcome == "error" and absent.error == absent.reason and "total" in absent.reason
    with pytest.raises(NoScore, match="total"):
        absent.judged()


@pytest.mark.parametrize(("pair", "side"), [((object(), 1), "expected value"), ((1, {"a": [{1, 2}]}), "answer")])
def test_a_value_that_json_cannot_hold_is_an_error_of_its_pair_alone(pair: tuple[Any, Any], side: str) -> None:
    bad, good = PairScorer("exact_match").many([pair[0], 2], [pair[1], 2])
    assert bad.outcome == "error" and bad.error is not None and side in bad.error
    assert good.score == 1


def test_scorers_that_are_none_and_plans_of_several_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ls.Error, match="no such scorer"):
        PairScorer("no such scorer")
    with pytest.raises(ls.Error, match="exact_match, json_similarity: make one"):
        PairScorer(ls.Plan(["exact_match", "json_similarity"]))
    config = tmp_path / "one.yaml"
    config.write_text("evaluators:\n- {name: total, type: exact_match}\n")
    assert PairScorer(config).name == "total"
    with pytest.raises(ValueError, match="1 expected values for 2"):
        PairScorer("exact_match").many([1], [1, 2])


def test_it_pickles() -> None:
    again = pickle.loads(pickle.dumps(PairScorer({"type": "levenshtein", "name": "text"})))
    assert again("abcd", "abcx") == Verdict(0.75, "scored", "leafscore: 0.7500", True, {"distance": 1})
