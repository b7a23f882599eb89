"""Plans: what to score with."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from . import _core
from ._errors import Error
from ._options import (
    ENGINE_OPTIONS,
    PairOptions,
    Scorer,
    ScoreOptions,
    checked,
    engine_options,
)
from ._schemas import with_schema
from ._scores import Scores, ScoreStream, open_scores
from ._values import to_text

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MAX_ENGINES = 8  # that a plan keeps, for as many sets of options


@dataclass(frozen=True)
class Score:
    """The result of a scorer for one pair.

    Attributes:
        scorer: its name in the plan.
        outcome: "scored", "unreadable", "unanswered", "error" or, of a record that does not ask the scorer,
            "not_asked".
        score: from 0 to 1; None where the pair is not scored.
        passed: the verdict of a scorer that passes or fails pairs; else None.
        metrics: named numbers beside the score.
        reason, message: why the pair is not scored; else None.
    """

    scorer: str
    outcome: str
    score: float | None
    passed: bool | None = None
    metrics: dict[str, float | None] = field(default_factory=dict)
    reason: str | None = None
    message: str | None = None

    def __float__(self) -> float:
        return float("nan") if self.score is None else self.score

    def _repr_html_(self) -> str:
        from . import _html  # here, as most programs show nothing

        return _html.view(_html.facts({name: value for name, value in vars(self).items() if value != {}}))


class Plan:
    """Configured scorers, in their order. Plans do not change, compare by what they say, and pickle.

    >>> plan = Plan(["json_similarity", {"type": "levenshtein", "name": "text", "threshold": 0.8}])
    >>> plan.scorer_names
    ['json_similarity', 'text']

    Any number of threads may use one.
    """

    def __init__(self, scorers: Sequence[Scorer] | Scorer) -> None:
        """Takes scorers by type, or as dicts of `type`, `name` and options; one may be given alone.

        The option `schema` may be a model of pydantic or a data class.

        Raises:
            Error: for an unknown type or option, a value out of its range, and a name twice. `option` names the
                option, and `line` is the position of the scorer, from 1.
        """
        each = [with_schema(scorer) for scorer in _each(scorers)]
        for number, scorer in enumerate(each, 1):
            if isinstance(scorer, Mapping):
                _check_name(scorer.get("name"), number)
                if "type" not in scorer:
                    raise Error(f"scorer {number} has no type, but {', '.join(map(repr, scorer))}", line=number)
        self._set(_core.Plan(each))

    @classmethod
    def from_config(cls, path: str | os.PathLike[str]) -> Plan:
        """Reads a configuration, YAML or JSON, as the command's --config does.

        Raises:
            Error: that names the file, the line and the option.
            OSError: when the file cannot be read.
        """
        with open(path, encoding="utf-8") as file:
            return cls._from_text(file.read(), os.fspath(path))

    @classmethod
    def _from_text(cls, config: str, name: str = "config") -> Plan:
        plan = cls.__new__(cls)
        plan._set(_core.Plan.from_config(config, name))
        return plan

    def _set(self, plan: _core.Plan) -> None:
        self._plan = plan
        self._engines: dict[tuple[object, ...], _core.Engine] = {}

    @property
    def scorer_names(self) -> list[str]:
        return self._plan.scorer_names()

    @property
    def record_fields(self) -> list[str]:
        """The columns that scorers read beside the expected and the actual values, as `schema_key` names one."""
        return self._plan.record_fields()

    def config(self) -> str:
        """Returns the plan as a configuration in canonical form, from which `Plan.from_config` makes an equal plan."""
        return self._plan.config()

    def score(self, data: Any, **options: Unpack[ScoreOptions]) -> Scores:
        """Scores data, and returns the results of all rows: see `leafscore.score`."""
        return self.score_stream(data, **options).read_all()

    def score_stream(self, data: Any, **options: Unpack[ScoreOptions]) -> ScoreStream:
        """Scores data batch by batch as results are asked for: see `leafscore.score_stream`."""
        given = checked(options)
        return open_scores(self, self._engine(engine_options(given)), data, given)

    def score_pair(self, expected: Any, actual: Any, **options: Unpack[PairOptions]) -> dict[str, Score]:
        """Scores one pair. Texts are JSON, and so is what other values are written as.

        >>> Plan(["exact_match"]).score_pair({"a": [1]}, '{"a": [1]}')["exact_match"].score
        1.0

        Returns:
            A `Score` for each scorer, by its name.
        """
        for name in options:
            if name not in ENGINE_OPTIONS:
                raise TypeError(f"{name!r} is no option of a pair; valid: {', '.join(ENGINE_OPTIONS)}")
        engine = self._engine(engine_options({name: value for name, value in options.items() if value is not None}))
        pair = _to_bytes(expected, "expected"), _to_bytes(actual, "actual")
        scores = [Score(*_with_cure(values)) for values in engine.score_pair(*pair)]
        return {score.scorer: score for score in scores}

    def _engine(self, options: dict[str, Any]) -> _core.Engine:
        if "judges" in options:  # which are let go of when the call ends
            return _core.Engine(self._plan, options)
        # A forked process makes its own: threads of its parent may have held locks of these.
        key = (os.getpid(), *sorted(options.items()))
        try:
            engine = self._engines.get(key)
        except TypeError:  # a list or a dict, which the engine refuses by the option's name
            return _core.Engine(self._plan, options)
        if engine is None:
            engine = _core.Engine(self._plan, options)
            if len(self._engines) >= _MAX_ENGINES:
                self._engines.clear()
            self._engines[key] = engine
        return engine

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan._from_text, (self.config(),)

    def __eq__(self, other: object) -> bool:
        return self.config() == other.config() if isinstance(other, Plan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.config())

    def __repr__(self) -> str:
        return f"Plan({self.scorer_names})"


def _check_name(name: Any, number: int) -> None:
    """Raises Error for a name that no column can have: Arrow's end at a NUL, and are UTF-8."""
    if isinstance(name, str) and any(c == "\0" or "\ud800" <= c <= "\udfff" for c in name):
        raise Error(f"scorer {number}: the name {name!r} holds a NUL or half a character", line=number, option="name")


def _each(scorers: Any) -> list[Any]:
    if isinstance(scorers, (str, Mapping)):
        return [scorers]
    if isinstance(scorers, Iterable) and not isinstance(scorers, bytes):
        return list(scorers)
    raise TypeError(
        "scorers are the name of a type, as 'json_similarity', a dict of type and options, a list of these, a Plan, or "
        f"the path of a configuration; not {type(scorers).__name__}"
    )


def _with_cure(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns what the engine says of a pair, and how to give a string where JSON is wanted."""
    *others, reason, message = values
    if reason == "invalid_json" and message.startswith("expected:"):
        message += "; a text is JSON here, so give a string as json.dumps(text)"
    return (*others, reason, message)


def _to_bytes(value: Any, side: str) -> bytes:
    try:
        text = to_text(value, "json") if value is not None else "null"
    except (TypeError, ValueError) as error:
        raise type(error)(f"{side}: {error}") from None
    assert text is not None
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


@dataclass(frozen=True)
class ImportedConfig:
    """The import of another tool's configuration.

    Attributes:
        plan: its scorers.
        gold: the expected values that the file holds, records of `id` and `expected`, as `gold` of `score` takes them.
        notes: what runs, what does not and why, as `leafscore check` prints it.
    """

    plan: Plan
    gold: list[dict[str, Any]]
    notes: list[str]


def import_config(path: str | os.PathLike[str]) -> ImportedConfig:
    """Reads an evaluator or evaluation set of UiPath, a suite of AgentV or a configuration of ours (docs/migrate.md).

    Raises:
        Error: that names the file and the line, for what its tool refuses, too, and where nothing of it can be done here.
    """
    imported = _core.import_plan(os.fspath(path))
    plan = Plan.__new__(Plan)
    plan._set(imported.plan)
    return ImportedConfig(plan, [json.loads(record) for record in imported.gold], imported.notes)


def as_plan(scorers: Sequence[Scorer] | Scorer | Plan | os.PathLike[str]) -> Plan:
    """Returns the plan of `scorers`: a plan, scorers, or the path of a configuration."""
    if isinstance(scorers, Plan):
        return scorers
    if isinstance(scorers, os.PathLike) or (isinstance(scorers, str) and scorers.endswith((".yaml", ".yml", ".json"))):
        return Plan.from_config(scorers)
    return _plan_of_type(scorers) if isinstance(scorers, str) else Plan(scorers)


@lru_cache(maxsize=8)
def _plan_of_type(scorer: str) -> Plan:
    """Returns a plan that one call leaves to the next, so that its engine is made once."""
    return Plan(scorer)
