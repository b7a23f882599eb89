"""Figures of score files that the command does not give, gathered in one pass and bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .lines import NONE, Line, field_of, match_of, rows_of, score_lines, without_positions
from .names import Names
from .options import CELLS_HELD, LINE_BYTES_HELD
from .texts import text_of, whole
from .worst import Record, Worst

BINS = 20
MODELS_HELD = 5_000


@dataclass
class Distribution:
    """Lines of a model under a scorer, by score and by outcome."""

    bins: list[int] = field(default_factory=lambda: [0] * BINS)
    scored: int = 0
    zero: int = 0
    one: int = 0
    wrong_type: int = 0  # answers of another type than expected, such as prose for an object
    outcomes: Counter[str] = field(default_factory=Counter)  # those without a score
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, line: Line) -> None:
        self.wrong_type += line.get("of_other_kind") is True
        score = line.get("score")
        if line["outcome"] != "scored" or not isinstance(score, (int, float)):
            self.outcomes[line["outcome"]] += 1
            self.reasons[line["outcome"], line.get("reason", "")] += 1
            return
        self.scored += 1
        self.bins[min(int(score * BINS), BINS - 1)] += 1
        self.zero += score == 0
        self.one += score == 1


class Aggregate:
    """All lines of some score files, by scorer and model."""

    def __init__(
        self, by: str | None, worst: int, wanted: set[tuple[str, str]] | None = None, names: Names | None = None
    ):
        """Args: wanted: ids and models whose records are kept, where the command has chosen them already."""
        self.by = by
        self._names = names or Names()
        self.lines = 0
        self.models: dict[str, None] = {}
        self.distributions: dict[str, dict[str, Distribution]] = {}
        self.fields: dict[str, dict[str, dict[str, list[float]]]] = {}  # scorer, field, model: sum and count
        self.fields_left_out = 0
        self.models_left_out = False
        self.worst: dict[str, Worst] = {}
        self.kept: dict[tuple[str, str, str], Record] = {}  # by id, model and file, for the wanted ones
        self._limit = worst
        self._wanted = wanted
        self._cells = 0

    def want(self, records: set[tuple[str, str]]) -> None:
        """Keeps the records of these ids and models, of what is read from now on."""
        self._wanted = records

    def read(self, path: str) -> None:
        """Adds the lines of a file. ERRORS: ReportError, OSError."""
        file_model = self._names.model_of_file(path)
        for record in _records(path):
            line = record[0][1]
            model = file_model if self.by is None else field_of(line, self.by)
            model = self._names.model(NONE if model is None else model)
            self.lines += len(record)
            if model not in self.models:
                if len(self.models) == MODELS_HELD:
                    self.models_left_out = True
                    continue
                self.models[model] = None
            self._add(record, model, path)

    def _add(self, record: list[tuple[bytes, Line]], model: str, path: str) -> None:
        for _, line in record:
            scorer = line["scorer"]
            distribution = self.distributions.setdefault(scorer, {}).get(model)
            if distribution is None:
                distribution = self.distributions[scorer][model] = Distribution()
            distribution.add(line)
            if "details" in line:
                self._add_fields(scorer, model, line)
        if self._wanted is not None:
            key = _id(*record[0]), model
            if key in self._wanted:
                self.kept[(*key, path)] = _held(record, model, path)
            return
        held = None
        for _, line in record:
            worst = self.worst.setdefault(line["scorer"], Worst(self._limit))
            score = line.get("score") if line["outcome"] == "scored" else None
            if worst.wants(score):
                held = held or _held(record, model, path)
                worst.offer(score, held)

    def _add_fields(self, scorer: str, model: str, line: Line) -> None:
        sums: dict[str, list[float]] = {}
        for row in rows_of(line):
            place = match_of(row)
            if place is not None:
                sum_of = sums.setdefault(without_positions(place[0]), [0.0, 0.0])
                sum_of[0] += place[1] * place[2]
                sum_of[1] += place[2]
        if not sums:
            return
        fields = self.fields.setdefault(scorer, {})
        for name, (matched, weight) in sums.items():
            if weight == 0:
                continue
            models = fields.get(name)
            cell = None if models is None else models.get(model)
            if cell is None:
                if self._cells == CELLS_HELD:
                    self.fields_left_out += 1
                    continue
                self._cells += 1
                cell = fields.setdefault(name, {})[model] = [0.0, 0]
            cell[0] += matched / weight
            cell[1] += 1


def _records(path: str) -> Iterator[list[tuple[bytes, Line]]]:
    """Lines that follow one another and are of one record."""
    record: list[tuple[bytes, Line]] = []
    key: Any = None
    for raw, line in score_lines(path):
        own = line.get("id"), line.get("groups"), line.get("source"), line.get("record")
        if record and own == key and all(line["scorer"] != other["scorer"] for _, other in record):
            record.append((raw, line))
            continue
        if record:
            yield record
        record, key = [(raw, line)], own
    if record:
        yield record


def _held(record: list[tuple[bytes, Line]], model: str, path: str) -> Record:
    first = record[0][1]
    lines = {line["scorer"]: raw if len(raw) <= LINE_BYTES_HELD else b"" for raw, line in record}
    fields = {name: text_of(value) for name, value in (first.get("groups") or {}).items()}
    return Record(_id(*record[0]), model, path, lines, fields)


def _id(raw: bytes, line: Line) -> str:
    """The text of an id; a number stays as written, whatever a float keeps of it."""
    value = line.get("id")
    return text_of(whole(raw)["id"] if isinstance(value, float) else value)
