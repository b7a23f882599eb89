"""Scores that another tool computed, as lines of scores with a manifest: compare, leaderboard and report take them.

A line is a sample under a metric. All samples that were asked stay the denominator: a sample without a score has a line that
says why, under each metric that samples like it have. The samples are held in memory, some 500 bytes each, as the
metrics are known only when all are read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import ModuleType
from typing import Any

from .counts import Counts
from .errors import ConvertError
from .inputs import STANDARD_INPUT, Input
from .json_text import dump
from .marks import NOTHING, Mark, mark_of, with_verdict
from .origins import Origin
from .outputs import STANDARD_OUTPUT, is_direct, lines_to, refuse_inputs, whole_path
from .samples import MISSING, Options, Sample, follow_paths, id_text, lookup

NAME = "scores"
OUTPUT = "scores.jsonl, also with .gz, or -, with the manifest that compare, leaderboard and report ask for"
NEARLY = 1e-9  # how far sums of fractions may exceed 0 or 1


@dataclass
class _Row:
    """A sample, as far as its lines need it."""

    number: int  # in the run, counted from 1
    id: Any  # MISSING if there is none
    family: tuple[int, str | None, str]  # input, task, and family of the reader
    groups: dict[str, Any]
    marks: dict[str, Mark]
    outcome: str
    reason: str
    why: str


def convert_scores(
    sources: Sequence[Input], output: str, module: ModuleType, options: Options, counts: Counts
) -> None:
    """Writes the scores in the inputs, which are all of one format, and their manifest."""
    _check_output(output, sources)
    origins = [_origin(module, source) for source in sources]
    made = _manifest_of(module, origins, options)
    for source in sources:
        _add_files(made, source)
    rows = list(_rows(sources, module, options, made, counts))
    metrics = _Metrics(rows, origins, options, counts)
    for name in metrics.names:
        made.add_scorer(name, {key: dump(value) for key, value in metrics.settings(name).items()})
    with _scores_to(output, made) as put:
        for row in rows:
            for name in metrics.of(row):
                line = _line(row, name, metrics, counts)
                counts.add("lines")
                put(dump(line, counts.add) + "\n")
    _tell_models(rows, counts)


def _check_output(output: str, sources: Sequence[Input]) -> None:
    if any(source.is_stream for source in sources):
        raise ConvertError(
            "scores are not read from a pipe, as the manifest has the checksum of a file: name a file"
        )
    if output.removesuffix(".gz").endswith((".csv", ".zst")):
        raise ConvertError(f"scores are JSON Lines, perhaps with .gz: give another name than {output}")
    if not is_direct(output):
        refuse_inputs(_beside(output), (source.path for source in sources if source.name != STANDARD_INPUT))


def _beside(output: str) -> str:
    return output + ".manifest.json"


def _origin(module: ModuleType, source: Input) -> Origin:
    return module.origin(source) if hasattr(module, "origin") else Origin()


def _manifest_of(module: ModuleType, origins: Sequence[Origin], options: Options) -> Any:
    try:
        from .._core import ConvertedScores
    except ImportError:
        raise ConvertError(
            "scores need the whole package leafscore, with its compiled module: pip install it"
        ) from None
    versions = sorted({origin.version for origin in origins if origin.version})
    ids = f"the member {options.id_field}" if options.id_field else module.IDS
    return ConvertedScores(origins[0].tool, " and ".join(versions), module.NAME, ids)


def _add_files(made: Any, source: Input) -> None:
    """Adds an input, or all files of one that is a folder."""
    from .._errors import Error

    folder = source.path.is_dir()
    files = sorted(path for path in source.path.rglob("*") if path.is_file()) if folder else [source.name]
    for file in files:
        try:
            made.add_input(str(file))
        except Error as error:
            raise ConvertError(str(error)) from None


def _rows(
    sources: Sequence[Input], module: ModuleType, options: Options, made: Any, counts: Counts
) -> Iterator[_Row]:
    paths = _Paths(options)
    seen: set[str] = set()
    answers: set[tuple[str | None, str, str]] = set()
    number = 0
    for place, source in enumerate(sources):
        for sample in module.read(source, options, counts):
            number += 1
            counts.add("records")
            if not sample.unreadable:
                follow_paths(sample, options, counts)
                paths.follow(sample)
            row = _row(sample, options, number, place)
            key = None if row.id is MISSING else id_text(row.id)
            if key is None:
                counts.add("unnamed")
                made.add_record(None, None)
            elif key not in seen:
                seen.add(key)
                asked = sample.expected if sample.test is MISSING else sample.test
                made.add_record(key, None if asked is MISSING else dump(asked))
            if key is not None:
                answer = (sample.model, sample.family, key)
                counts.add("further_answers", answer in answers)
                answers.add(answer)
            yield row
    paths.check()


def _row(sample: Sample, options: Options, number: int, place: int) -> _Row:
    chosen = sample.id if sample.score_id is MISSING else sample.score_id
    groups = {name: value for name in ("model", "task") if (value := getattr(sample, name)) is not None}
    groups |= {name: sample.extra[name] for name in ("epoch", *options.keep) if name in sample.extra}
    outcome, reason, why = "error", "no_score", sample.error or sample.unscored or ""
    if sample.unreadable:
        outcome, reason = "unreadable", "invalid_json"
    elif sample.not_run:
        outcome, reason = "unanswered", "no_answer"
    return _Row(
        number,
        chosen if sample.named else MISSING,
        (place, sample.task, sample.family),
        groups,
        sample.scores,
        outcome,
        reason,
        why,
    )


class _Paths:
    """The options --score and --passed, which take the place of the scores that the format is known to have."""

    def __init__(self, options: Options):
        self._scores = [(_named(text) if "=" in text else (text, text)) for text in options.score]
        self._passed = options.passed
        self._found: set[str] = set()
        self._first: Any = None
        if self._passed and len(self._scores) > 1:
            raise ConvertError("--passed belongs to one --score: convert the other scores apart")

    def follow(self, sample: Sample) -> None:
        if not self._scores and not self._passed:
            return
        source = sample.source()
        self._first = source if self._first is None else self._first
        marks = {name: mark_of(self._at(source, path)) for name, path in self._scores}
        if self._passed:
            [name] = marks or [self._passed]
            marks[name] = with_verdict(marks.get(name, NOTHING), self._at(source, self._passed))
        sample.scores = marks

    def _at(self, source: Any, path: str) -> Any:
        found = lookup(source, path)
        if found is MISSING:
            return None
        self._found.add(path)
        return found

    def check(self) -> None:
        """ERRORS: ConvertError for a path that leads nowhere in all samples."""
        wanted = [path for _, path in self._scores] + ([self._passed] if self._passed else [])
        for path in wanted:
            if path not in self._found:
                raise ConvertError(f"no sample has {path}{_members(self._first)}")


def _members(sample: Any) -> str:
    names = ", ".join(map(str, sample)) if isinstance(sample, dict) else ""
    return f"; the first one has: {names}" if names else ""


def _named(text: str) -> tuple[str, str]:
    name, _, rest = text.partition("=")
    if not name or not rest:
        raise ConvertError(f"{text} is not NAME=...")
    return name, rest


@dataclass
class _Range:
    """The range of a tool's scores, from the worst to the best."""

    worst: float = 0.0
    best: float = 1.0
    given: bool = False

    def scaled(self, score: float) -> float:
        part = (score - self.worst) / (self.best - self.worst)
        if -NEARLY <= part <= 1 + NEARLY:
            return min(max(part, 0.0), 1.0) + 0.0
        return part


@dataclass
class _Metrics:
    """Which metrics each row is asked for, and how their scores are scaled."""

    rows: list[_Row]
    origins: Sequence[Origin]
    options: Options
    counts: Counts
    names: list[str] = field(default_factory=list)
    _of_family: dict[tuple[int, str | None, str], list[str]] = field(default_factory=dict)
    _of_input: dict[int, list[str]] = field(default_factory=dict)
    _ranges: dict[str, _Range] = field(default_factory=dict)
    _tasks: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._find()
        self._choose()
        for text in self.options.score_range:
            self._take_range(text)
        self._check()

    def of(self, row: _Row) -> list[str]:
        """The metrics of a row: those of samples like it, or else of its input, or else all."""
        if row.family in self._of_family and row.outcome != "unreadable":
            return self._of_family[row.family]
        return self._of_input.get(row.family[0], self.names)

    def range_of(self, name: str) -> _Range:
        return self._ranges.get(name) or self._ranges.get("") or _Range()

    def settings(self, name: str) -> dict[str, Any]:
        """Returns the facts that comparable scores of this metric share."""
        scale = self.range_of(name)
        return {
            "metric": name,
            "range": [scale.worst, scale.best] if scale.given else None,
            "tasks": dict(sorted(self._tasks.get(name, {}).items())),
        }

    def _find(self) -> None:
        texts: dict[str, str] = {}
        numbers: set[str] = set()
        for row in self.rows:
            for name, mark in row.marks.items():
                if mark.no_number is not None:
                    texts.setdefault(name, mark.no_number)
                else:
                    numbers.add(name)
        for name in sorted(set(texts) - numbers):
            self.counts.say(f"left out: {name}, as its values are no numbers (the first is {texts[name]})")
        for row in self.rows:
            for name in row.marks:
                if name in numbers:
                    self._add(name, row)
        for place, origin in enumerate(self.origins):  # for inputs in which no sample has a score
            if place not in self._of_input and origin.metrics:
                self._of_input[place] = list(origin.metrics)
                _extend(self.names, origin.metrics)

    def _add(self, name: str, row: _Row) -> None:
        place, task, _ = row.family
        _extend(self._of_family.setdefault(row.family, []), [name])
        _extend(self._of_input.setdefault(place, []), [name])
        _extend(self.names, [name])
        if task is not None:
            self._tasks.setdefault(name, {})[task] = self.origins[place].tasks.get(task, {})

    def _choose(self) -> None:
        for name in self.options.metric:
            if name not in self.names:
                raise ConvertError(f"there is no metric {name}{_nearest(name, self.names)}")
        if self.options.metric:
            lists = (self.names, *self._of_family.values(), *self._of_input.values())
            for each in lists:
                each[:] = [name for name in each if name in self.options.metric]
        if not self.names:
            raise ConvertError(
                "there are no scores in the inputs: name where they are with --score or --passed"
            )

    def _take_range(self, text: str) -> None:
        name, limits = _named(text) if "=" in text else ("", text)
        if name and name not in self.names:
            raise ConvertError(f"there is no metric {name} for --score-range{_nearest(name, self.names)}")
        try:
            worst, best = map(float, limits.split(":"))
        except ValueError:
            raise ConvertError(f"--score-range {text} is not LOW:HIGH, as 0:5 is") from None
        if worst == best or not math.isfinite(worst - best):
            raise ConvertError(f"--score-range {text} has no room between its ends")
        self._ranges[name] = _Range(worst, best, given=True)

    def _check(self) -> None:
        """ERRORS: ConvertError for scores out of range, and for a metric that shall be low and is not turned round."""
        for name in self.names:
            scale = self.range_of(name)
            base = name.split(",")[0]
            if scale.worst < scale.best and any(base in origin.less_is_better for origin in self.origins):
                raise ConvertError(
                    f"less is better under {name}: --score-range {name}=WORST:BEST turns it round, "
                    "or --metric chooses others"
                )
            scores = [
                (mark.score, row)
                for row in self.rows
                if (mark := row.marks.get(name)) is not None and mark.score is not None
            ]
            outside = [(score, row) for score, row in scores if not 0 <= scale.scaled(score) <= 1]
            if outside:
                score, row = outside[0]
                least, most = (f"{pick(value for value, _ in scores):g}" for pick in (min, max))
                raise ConvertError(
                    f"{name} has scores that are not from {scale.worst:g} to {scale.best:g}: {score:g} of {_shown_id(row)} "
                    f"is the first of {len(outside):,}, and all go from {least} to {most}; --score-range "
                    f"{name}=WORST:BEST scales them, or --metric chooses others"
                )


def _extend(names: list[str], more: Sequence[str]) -> None:
    names.extend(name for name in more if name not in names)


def _nearest(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name, names, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{hint} It has: {', '.join(names)}" if hint else f"; there is: {', '.join(names)}"


def _shown_id(row: _Row) -> str:
    return f"sample {row.number}" if row.id is MISSING else id_text(row.id)


def _line(row: _Row, name: str, metrics: _Metrics, counts: Counts) -> dict[str, Any]:
    line: dict[str, Any] = {"id": row.id}
    if row.id is MISSING:
        line = {"id": row.number, "id_from": "record"}
    line["scorer"] = name
    if row.groups:
        line["groups"] = row.groups
    mark = row.marks.get(name, NOTHING)
    if mark.score is not None:
        line |= {"outcome": "scored", "score": metrics.range_of(name).scaled(mark.score)}
        return line if mark.passed is None else line | {"passed": mark.passed}
    kinds = {"unreadable": "unreadable_scores", "unanswered": "not_run"}
    counts.add("failed" if row.why and row.outcome == "error" else kinds.get(row.outcome, "no_score"))
    return line | {"outcome": row.outcome, "reason": row.reason, "message": row.why or mark.why}


@contextmanager
def _scores_to(output: str, made: Any) -> Iterator[Any]:
    """Writes lines and then the manifest, which gets its name before the scores get theirs; or ends with it as a line."""
    with lines_to(output) as lines:

        def put(line: str) -> None:
            made.add_lines(line)
            lines.write(line.removesuffix("\n"))

        yield put
        if output == STANDARD_OUTPUT or is_direct(output):
            lines.write(made.trailer().removesuffix("\n"))
        else:
            with whole_path(_beside(output)) as partial:
                partial.write_text(made.manifest(), encoding="utf-8")


def _tell_models(rows: Sequence[_Row], counts: Counts) -> None:
    models = {str(row.groups["model"]) for row in rows if "model" in row.groups}
    if len(models) > 1:
        counts.say(
            f"the scores are of {len(models)} models: leaderboard --by model ranks them, "
            "and compare --between model=A,B compares two"
        )
