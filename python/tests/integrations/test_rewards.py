"""Rewards, and what easy answers would earn: against what `score` and `lint` say, and as TRL and verifiers call them."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
from importlib import util
from pathlib import Path
from typing import Any

import pytest

import leafscore as ls
from leafscore.integrations.rewards import EasyAnswer, Reward, answer_text, earned_by, easy_answers

GOLD = [{"currency": "EUR", "total": total} for total in (1, 22, 333, 4444)]
BAD = {"type": "json_similarity", "target_output_key": "total"}


def test_a_reward_is_the_score_and_none_where_nobody_can_judge() -> None:
    completions = ['{"currency": "EUR", "total": 1}', '```\n{"currency": "EUR"}\n```', "no idea", None]
    assert Reward(expected="gold")(completions=completions, gold=GOLD, prompts=["q"] * 4) == [1, 0.5, 0, 0]
    told: dict[str, float] = {}
    rewards = Reward(BAD)(completions=completions[:2], expected=[GOLD[0], {"sum": 1}], log_metric=told.__setitem__)
    assert rewards == [1, None]
    assert told == {"leafscore_json_similarity/not_judged": 1}
    with pytest.raises(ValueError, match="no column 'expected'.*but answer, prompts"):
        Reward()(completions=["x"], answer=["x"], prompts=["q"])


def test_completions_are_texts_or_messages() -> None:
    assert answer_text("x") == "x"
    assert answer_text([{"role": "assistant", "content": "x"}]) == "x"
    assert answer_text([{"role": "assistant", "tool_calls": []}, {"role": "tool", "content": "y"}, {"content": "x"}]) == "x"
    assert answer_text([{"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}]) == "ab"
    assert answer_text([{"role": "assistant", "tool_calls": []}]) is None
    assert answer_text([]) is None
    assert Reward("exact_match")(completions=[[{"role": "assistant", "content": "3"}]], expected=[3]) == [1]


def test_workers_get_it_by_pickle_and_it_has_a_name() -> None:
    reward = pickle.loads(pickle.dumps(Reward("json_similarity", "gold", name="invoice")))
    assert reward.__name__ == "invoice"
    assert reward(completions=["{}"], gold=["{}"]) == Reward(expected="gold")(completions=["{}"], gold=["{}"])


def test_easy_answers_are_those_of_lint() -> None:
    report = ls.lint([{"id": n, "expected": gold} for n, gold in enumerate(GOLD)], "json_similarity", parse_texts="always")
    wanted = {each["answer"]: (each["mean"], each["asked"]) for each in report.figures["answers"]}
    found = easy_answers(GOLD, "json_similarity")
    assert {easy.answer: (easy.reward, easy.asked) for easy in found} == wanted
    assert [easy.reward for easy in found] == sorted((easy.reward for easy in found), reverse=True)
    assert EasyAnswer("constant_leaves", 0.5, 4, 4, 4) in found
    # Gold in texts is the same gold.
    texts = [json.dumps(gold) for gold in GOLD]
    assert easy_answers(texts, "json_similarity") == found
    # A scorer that compares texts as texts has the easy answers of texts.
    report = ls.lint([{"id": n, "expected": text} for n, text in enumerate(texts)], "levenshtein", parse_texts="always")
    assert {easy.answer: easy.reward for easy in easy_answers(texts, "levenshtein")} == {
        each["answer"]: each["mean"] for each in report.figures["answers"]
    }


def test_a_constant_answer_earns_its_mean() -> None:
    assert earned_by({"currency": "EUR"}, GOLD, "json_similarity") == 0.5
    assert earned_by("{}", GOLD, "json_similarity") == 0
    assert earned_by(GOLD[0], GOLD, "exact_match") == 0.25
    with pytest.raises(ValueError, match="no expected values"):
        earned_by("x", [], "exact_match")


def test_check_names_what_a_policy_would_find() -> None:
    with pytest.raises(ls.Error, match=r"more than 0.4 under json_similarity: .*constant_leaves 0.5000 on 4 of 4"):
        Reward().check(GOLD, limit=0.4)
    Reward("exact_match").check(GOLD, limit=0.4)
    # At the limit itself it is no finding.
    dearest = Reward().easy_answers(GOLD)[0].reward
    Reward().check(GOLD, limit=dearest)


def test_trl_calls_it_as_its_own_rewards() -> None:
    """TRL needs torch, so that only its source is looked at: how GRPOTrainer calls and names a reward function."""
    spec = util.find_spec("trl")
    if spec is None or spec.origin is None:
        pytest.skip("the package trl is not installed")
    trainer = Path(spec.origin).parent / "trainer"
    source = " ".join((trainer / "grpo_trainer.py").read_text().split())
    assert "reward_func( prompts=prompts, completions=completions, completion_ids=completion_ids_list, **reward_kwargs )" in source
    assert "reward if reward is not None else torch.nan" in source
    assert 'reward_kwargs["log_metric"] = ' in source
    assert 'getattr(func, "__name__", type(func).__name__)' in (trainer / "utils.py").read_text()
    parameters = inspect.signature(Reward()).parameters.values()
    assert [each.kind.name for each in parameters] == ["POSITIONAL_OR_KEYWORD", "VAR_KEYWORD"]


def test_verifiers_scores_a_trace_with_it() -> None:
    vf: Any = pytest.importorskip("verifiers.v1")
    from leafscore.integrations.verifiers import leafscore_reward

    class Data(vf.TaskData):  # type: ignore[misc]
        answer: Any = None

    class Task(vf.Task[Data]):  # type: ignore[misc]
        invoice = leafscore_reward("json_similarity", weight=2.0, name="invoice")
        total = leafscore_reward(BAD, name="total")

    def scored(gold: Any, reply: str | None) -> Any:
        task = Task(Data(prompt="q", answer=gold), vf.TaskConfig())
        trace = vf.Trace.model_construct(root_reply=reply, rewards={}, metrics={}, nodes=[])
        asyncio.run(task.score(trace))
        return trace.rewards

    half = scored(GOLD[1], '{"currency": "EUR", "total": "x"}')
    assert (half["invoice"].score, half["invoice"].value, half["total"].score) == (0.5, 1, 0)
    none = scored(GOLD[1], None)
    assert (none["invoice"].score, none["total"].score) == (0, 0)
    with pytest.raises(Exception, match="total"):
        scored({"sum": 1}, "{}")
