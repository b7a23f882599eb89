"""The core of all integrations: pairs of Python values scored with one scorer, and what became of each."""

from __future__ import annotations

import decimal
import enum
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union

from leafscore.convert.json_text import dump

if TYPE_CHECKING:
    from leafscore import Judges, Plan

#: A scorer: its type, a dict of its type and options, a plan of one scorer, or the path of a configuration of one.
OneScorer = Union[str, "Mapping[str, Any]", "Plan", "os.PathLike[str]"]


class NoScore(Exception):
    """A pair could not be judged, and the answer is not to blame: its expected value, its record or a judge is."""


@dataclass(frozen=True)
class Verdict:
    """A score from 0 to 1, and a sentence about it.

    An answer that is missing or cannot be read has 0, as in leafscore's figures over all that was asked. With the
    outcome "error" or "not_asked" nobody judged the answer, so its 0 is no score: `error` says why.
    """

    score: float
    outcome: str
    reason: str
    passed: bool | None = None
    details: dict[str, float] = field(default_factory=dict)

    @property
    def error(self) -> str | None:
        """Why the pair could not be judged; None for a score, also for the 0 of an answer that is missing."""
        return self.reason if self.outcome in ("error", "not_asked") else None

    def passes(self, threshold: float | None = None) -> bool:
        """Whether the score reaches the threshold; with None, whether the scorer says that it passes, or else is 1."""
        if self.passed is not None and threshold is None:
            return self.passed
        return self.outcome == "scored" and self.score >= (1 if threshold is None else threshold)

    def judged(self) -> Verdict:
        """Returns the verdict. ERRORS: NoScore, for tools that report an exception as a failed evaluation."""
        if self.error is not None:
            raise NoScore(self.error)
        return self


class PairScorer:
    """One scorer for many pairs. It holds nothing that changes, so any number of threads may use it; it pickles."""

    def __init__(self, scorer: OneScorer = "json_similarity", *, judges: Judges | None = None) -> None:
        """ERRORS: leafscore.Error for a scorer that does not exist, wrong options, and a plan of several scorers."""
        from leafscore import Error  # here, as the native part takes time to load
        from leafscore._plan import as_plan

        self._plan = as_plan(scorer)
        if len(self._plan.scorer_names) != 1:
            names = ", ".join(self._plan.scorer_names)
            raise Error(f"an integration takes one scorer, and the plan has {names}: make one integration for each")
        self.name = self._plan.scorer_names[0]
        self._judges = judges

    def __call__(self, expected: Any, actual: Any) -> Verdict:
        return self.many([expected], [actual])[0]

    def many(self, expected: Sequence[Any], actual: Sequence[Any]) -> list[Verdict]:
        """Scores the pairs in one call of the engine, in parallel. REQUIRES: equal lengths.

        Objects and arrays that either side holds in a text are read, as frameworks know only texts. A None in `actual`
        is a missing answer.
        """
        if len(expected) != len(actual):
            raise ValueError(f"there are {len(expected)} expected values for {len(actual)} answers")
        verdicts: dict[int, Verdict] = {}
        rows: list[int] = []
        texts: tuple[list[str], list[str]] = ([], [])
        for row, pair in enumerate(zip(expected, actual)):
            if pair[1] is None:
                verdicts[row] = Verdict(0.0, "unanswered", "leafscore: unanswered: there is no answer")
                continue
            try:
                sides = [_json(value, side) for value, side in zip(pair, ("expected value", "answer"))]
            except TypeError as error:
                verdicts[row] = Verdict(0.0, "error", f"leafscore: error: {error}")
                continue
            rows.append(row)
            for column, text in zip(texts, sides):
                column.append(text)
        if rows:
            data = {"expected": texts[0], "actual": texts[1]}
            formats: Any = {"expected_format": "json", "actual_format": "json", "parse_texts": "always"}
            scores = self._plan.score(data, **formats, judges=self._judges, details="basic")
            verdicts.update((row, _verdict(result[self.name])) for row, result in zip(rows, scores))
        return [verdicts[row] for row in range(len(actual))]


def judge(expected: Any, actual: Any, scorer: OneScorer) -> Verdict:
    """Scores one pair: see `PairScorer`, which is quicker for many."""
    return PairScorer(scorer)(expected, actual)


def _verdict(result: Mapping[str, Any]) -> Verdict:
    outcome, score, passed = result["outcome"], result["score"], result["passed"]
    if score is None:
        return Verdict(0.0, outcome, f"leafscore: {outcome}: {result['message'] or result['reason']}", passed)
    details = {name: float(value) for name, value in result.items() if name != "score" and _is_number(value)}
    return Verdict(score, outcome, f"leafscore: {score:.4f}", passed, details)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def json_value(value: Any, side: str = "expected value") -> Any:
    """Returns a value as one that JSON can hold. ERRORS: TypeError that names the side, for a value of another type."""
    notes: list[str] = []
    dump(value, notes.append)
    return value if "not_json" not in notes else _plain(value, side)


def _json(value: Any, side: str) -> str:
    notes: list[str] = []
    text = dump(value, notes.append)
    return text if "not_json" not in notes else dump(_plain(value, side))


def _plain(value: Any, side: str) -> Any:
    """Returns models of pydantic, data classes, enumerations, dates and the like as values of JSON."""
    if value is None or isinstance(value, (str, bool, int, float)) and not isinstance(value, enum.Enum):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(member, side) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, side) for item in value]
    if isinstance(value, decimal.Decimal):
        return str(value)  # as pydantic writes it
    from leafscore._values import json_member  # here, as the native part takes time to load

    try:
        member = json_member(value)
    except TypeError as error:
        raise TypeError(f"the {side}: {error}") from None
    return _plain(member, side)
