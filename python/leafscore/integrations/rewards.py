"""Reward functions for reinforcement learning, and what answers that know nothing would earn under them.

>>> from leafscore.integrations.rewards import Reward
>>> reward = Reward("json_similarity", expected="answer")
>>> reward(completions=['{"total": 12.5}', "no idea"], answer=['{"total": 12.5}', '{"total": 7}'])
[1.0, 0.0]
>>> GRPOTrainer(model, reward_funcs=[reward], train_dataset=dataset)    # doctest: +SKIP

Before training, look at what is to be had without knowing the answer. Every policy finds it:

>>> gold = [{"currency": "EUR", "total": total} for total in (1, 2, 3, 4)]
>>> {easy.answer: easy.reward for easy in easy_answers(gold, "json_similarity")}["constant_leaves"]
0.5
>>> earned_by({"currency": "EUR", "total": 0}, gold, "json_similarity")
0.5
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Optional

from leafscore.convert.json_text import parse
from leafscore.integrations.verdicts import OneScorer, PairScorer, json_value

if TYPE_CHECKING:
    from leafscore import Judges


class Reward:
    """A reward function of TRL (`reward_funcs`): scores completions against a column of the dataset.

    A completion is a text, or a list of messages whose last one is the answer. It pickles, as TRL's workers need, unless
    it has judges.
    """

    def __init__(
        self,
        scorer: OneScorer = "json_similarity",
        expected: str = "expected",
        *,
        judges: Judges | None = None,
        name: str | None = None,
    ) -> None:
        """Takes a scorer as `PairScorer` does, the column of the expected values, and the name in the trainer's logs.
        ERRORS: leafscore.Error for a scorer that does not exist, or options that are wrong.
        """
        self._pairs = PairScorer(scorer, judges=judges)
        self._scorer = scorer
        self.expected = expected
        self.__name__ = name or f"leafscore_{self._pairs.name}"

    def __call__(self, completions: Sequence[Any], **columns: Any) -> list[Optional[float]]:
        """Returns a reward from 0 to 1 for each completion.

        None, which TRL leaves out of the sum, where the expected value or a judge is at fault; how many these are is a
        metric in the log of a trainer that takes metrics (`log_metric`). ERRORS: ValueError for a column that is not there.
        """
        if self.expected not in columns:
            given = ", ".join(sorted(name for name, value in columns.items() if isinstance(value, list)))
            raise ValueError(f"the dataset has no column {self.expected!r} with the expected values, but {given or 'none'}")
        verdicts = self._pairs.many(columns[self.expected], [answer_text(one) for one in completions])
        log: Callable[[str, float], None] | None = columns.get("log_metric")
        if log is not None:
            log(f"{self.__name__}/not_judged", float(sum(verdict.error is not None for verdict in verdicts)))
        return [verdict.score if verdict.error is None else None for verdict in verdicts]

    def easy_answers(self, expected: Iterable[Any]) -> list[EasyAnswer]:
        return easy_answers(expected, self._scorer)

    def check(self, expected: Iterable[Any], limit: float = 0.5) -> None:
        """ERRORS: leafscore.Error where an answer that knows nothing earns more than `limit` on average, with all of
        those that do."""
        import leafscore

        found = [easy for easy in self.easy_answers(expected) if easy.reward > limit]
        if found:
            earned = ", ".join(f"{easy.answer} {easy.reward:.4f} on {easy.asked} of {easy.records}" for easy in found)
            raise leafscore.Error(
                f"easy answers earn more than {limit:g} under {self._pairs.name}: {earned}; a policy will find them. "
                "Choose a scorer that does not pay for them, or options that leave out what never varies (docs/lint.md)"
            )


@dataclass(frozen=True)
class EasyAnswer:
    """The score of an answer that is given without knowing the right one (docs/lint.md).

    Attributes:
        answer: its name: empty_object, most_common_gold, constant_leaves, superset and others.
        reward: the mean reward over the records that it can be given to.
        asked: how many these are.
        records: how many records there are.
        passed: how many of them it passes, by the scorer's verdict or with 0.5, though it is not the expected one.
    """

    answer: str
    reward: float
    asked: int
    records: int
    passed: int


def easy_answers(expected: Iterable[Any], scorer: OneScorer) -> list[EasyAnswer]:
    """Returns what each easy answer of `leafscore lint` earns, the dearest first. ERRORS: leafscore.Error for no values
    that can be judged."""
    import leafscore
    from leafscore._plan import as_plan

    plan = as_plan(scorer)
    records = [{"id": number, "expected": value} for number, value in enumerate(_structures(expected, plan))]
    figures = leafscore.lint(records, plan, parse_texts="always").figures
    found = [
        EasyAnswer(each["answer"], float(each["mean"]), each["asked"], len(records), each["wrong_passed"])
        for each in figures["answers"]
        if each["mean"] is not None
    ]
    return sorted(found, key=lambda easy: -easy.reward)


def _structures(expected: Iterable[Any], scorer: OneScorer) -> list[Any]:
    """Returns the values, with JSON in texts read where the scorer reads it, too: easy answers are made of what it holds."""
    values = [json_value(value) for value in expected]
    read = [_read(value) for value in values]
    verdicts = PairScorer(scorer).many(values, read)
    return [one if verdict.score == 1 else value for value, one, verdict in zip(values, read, verdicts)]


def _read(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        found = parse(value)
    except ValueError:
        return value
    return found if isinstance(found, (dict, list)) else value


def earned_by(answer: Any, expected: Iterable[Any], scorer: OneScorer) -> float:
    """Returns the mean reward of one answer that is given whatever is asked: what a policy earns that has collapsed to it.
    Pairs that cannot be judged count as 0. ERRORS: ValueError for no expected values."""
    values = list(expected)
    if not values:
        raise ValueError("there are no expected values")
    return sum(verdict.score for verdict in PairScorer(scorer).many(values, [answer] * len(values))) / len(values)


def answer_text(completion: Any) -> Any:
    """Returns the answer in a completion: a text as it is, and of messages the content of the last one; None for none."""
    if not isinstance(completion, list):
        return completion
    content = completion[-1].get("content") if completion and isinstance(completion[-1], Mapping) else None
    if isinstance(content, list):  # parts; only texts can be answers
        texts = [part["text"] for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
        return "".join(texts) if texts else None
    return content
