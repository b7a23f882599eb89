"""The code that is timed in the process of a contestant: leafscore's engine, or a function of Python.

Both score many records in `run` and one in `run_one`, from inputs that are made before time starts. Their results are
turned into answers afterwards: a number, or a sentence that says why there is none.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from .. import _core
from .._arrow import pyarrow
from .._plan import Plan
from .growth import Pair

Answer = Union[float, str]


class Engine:
    """A scorer of leafscore: texts in columns in memory, which it parses itself."""

    chunk = 4096  # records between two checks of the time

    def __init__(self, config: str, path: str):
        self._plan = Plan._from_text(config, path)
        self._scorer = self._plan.scorer_names[0]
        pyarrow("a benchmark")  # loaded from the beginning, so that it is not measured

    def inputs(self, pairs: Sequence[Pair]) -> Any:
        expected, actual = zip(*pairs)
        return _core.text_table(["expected", "actual"], [list(expected), list(actual)])

    def run(self, inputs: Any, threads: int) -> Any:
        return self._plan.score(inputs, threads=threads)

    def answers(self, results: Any) -> list[Answer]:
        return [_judged(**row) for row in results.to_arrow().column(self._scorer).to_pylist()]

    def inputs_one(self, pair: Pair) -> Any:
        return pair

    def run_one(self, inputs: Any) -> Any:
        return self._plan.score_pair(*inputs, threads=1)

    def answer_one(self, result: Any) -> Answer:
        score = result[self._scorer]
        return _judged(score.outcome, score.score, score.reason, score.message)

    def changed(self, inputs: Any, pairs: Sequence[Pair]) -> bool:
        return False  # texts do not change


def _judged(outcome: str, score: float | None, reason: str | None, message: str | None, **_: Any) -> Answer:
    return score if score is not None else f"{outcome}: {reason} ({message})"


class Raised:
    """An exception in the place of a result."""

    def __init__(self, error: BaseException):
        self.sentence = f"raised {type(error).__name__}: {error}"[:300]


class Function:
    """A function of (expected, actual), which are Python values. A coroutine function is awaited, call by call."""

    chunk = 1

    def __init__(self, function: Callable[[Any, Any], Any]):
        self._function = function
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)
        )
        self._loop = asyncio.new_event_loop() if self._is_async else None

    def inputs(self, pairs: Sequence[Pair]) -> Any:
        return [(json.loads(expected), json.loads(actual)) for expected, actual in pairs]

    def run(self, inputs: Any, threads: int) -> Any:
        if self._loop is not None:
            return self._loop.run_until_complete(self._run_async(inputs))
        function, results = self._function, []
        for expected, actual in inputs:
            try:
                results.append(function(expected, actual))
            except BaseException as error:  # also SystemExit, which must not end the harness
                results.append(Raised(error))
        return results

    async def _run_async(self, inputs: Any) -> Any:
        results: list[Any] = []
        for expected, actual in inputs:
            try:
                results.append(await self._function(expected, actual))
            except BaseException as error:
                results.append(Raised(error))
        return results

    def answers(self, results: Any) -> list[Answer]:
        return [as_answer(result) for result in results]

    def inputs_one(self, pair: Pair) -> Any:
        return self.inputs([pair])

    def run_one(self, inputs: Any) -> Any:
        return self.run(inputs, 1)

    def answer_one(self, result: Any) -> Answer:
        return as_answer(result[0])

    def changed(self, inputs: Any, pairs: Sequence[Pair]) -> bool:
        """Whether the values are not as they were handed over any more."""
        try:
            return json.dumps(inputs) != json.dumps(self.inputs(pairs))
        except (TypeError, ValueError, RecursionError):
            return True


def as_answer(result: Any) -> Answer:
    """A number, or the number in the member or attribute `score`. Anything else is no answer."""
    if isinstance(result, Raised):
        return result.sentence
    try:
        if isinstance(result, Mapping):
            result = result.get("score")
        elif not isinstance(result, numbers.Real) and hasattr(result, "score"):
            result = result.score
        if not isinstance(result, numbers.Real):
            return f"returned no number, but {type(result).__name__}"
        value = float(result)
    except Exception as error:
        return Raised(error).sentence
    return value if math.isfinite(value) else f"returned {value}"
