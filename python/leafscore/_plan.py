"""Plans: what to score with."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from . import _core
from ._errors import Error
from ._options import ENGINE_OPTIONS, Scorer, ScoreOptions, checked, engine_options
from ._scores import Scores, ScoreStream, open_scores
from ._values import to_text

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MAX_ENGINES = 8  # that a plan keeps, for as many sets of options


@dataclass(frozen=True)
class Score:
    """What a scorer says of one pair.

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


class Plan:
    """Configured scorers, in their order. Plans do not change, compare by what they say, and pickle.

    >>> plan = Plan(["json_similarity", {"type": "levenshtein", "name": "text", "threshold": 0.8}])
    >>> plan.scorer_names
    ['json_similarity', 'text']

    Any number of threads may use one.
    """

    def __init__(self, scorers: Sequence[Scorer] | Scorer) -> None:
        """Takes scorers by type, or as dicts of `type`, `name` and options; one may be given alone.

        Raises:
            Error: for an unknown type or option, a value out of its range, and a name twice. `option` names the
                option, and `line` is the position of the scorer, from 1.
        """
        each = [scorers] if isinstance(scorers, (str, Mapping)) else list(scorers)
        for number, scorer in enumerate(each, 1):
            if isinstance(scorer, Mapping):
                _check_name(scorer.get("name"), number)
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

    def config(self) -> str:
        """Returns the plan as a configuration in canonical form, of which `Plan.from_config` makes an equal plan."""
        return self._plan.config()

    def score(self, data: Any, **options: Unpack[ScoreOptions]) -> Scores:
        """Scores data, and returns the results of all rows: see `leafscore.score`."""
        return self.score_stream(data, **options).read_all()

    def score_stream(self, data: Any, **options: Unpack[ScoreOptions]) -> ScoreStream:
        """Scores data batch by batch as results are asked for: see `leafscore.score_stream`."""
        given = checked(options)
        return open_scores(self, self._engine(engine_options(given)), data, given)

    def score_pair(self, expected: Any, actual: Any, /, **options: Unpack[ScoreOptions]) -> dict[str, Score]:
        """Scores one pair. Texts are JSON, and so is what other values are written as.

        >>> Plan(["exact_match"]).score_pair({"a": [1]}, '{"a": [1]}')["exact_match"].score
        1.0

        Returns:
            A `Score` for each scorer, by its name.
        """
        for name in options:
            if name not in ENGINE_OPTIONS:
                raise TypeError(f"{name!r} is no option of a pair; valid: {', '.join(ENGINE_OPTIONS)}")
        engine = self._engine(engine_options(checked(options)))
        scores = [Score(*values) for values in engine.score_pair(_to_bytes(expected), _to_bytes(actual))]
        return {score.scorer: score for score in scores}

    def _engine(self, options: dict[str, Any]) -> _core.Engine:
        if "judges" in options:  # which are let go of when the call ends
            return _core.Engine(self._plan, options)
        # A forked process makes its own: threads of its parent may have held locks of these.
        key = (os.getpid(), *sorted(options.items()))
        engine = self._engines.get(key)
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


def _to_bytes(value: Any) -> bytes:
    text = to_text(value, "json") if value is not None else "null"
    assert text is not None
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


@dataclass(frozen=True)
class ImportedConfig:
    """What a configuration of another tool comes to.

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
    return Plan(scorers)
