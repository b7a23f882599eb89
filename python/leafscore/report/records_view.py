"""The table of the worst records, and their pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from . import causes
from .aggregate import Aggregate
from .data import Texts, find_texts
from .lines import Line, loads, match_of, rows_of, without_positions
from .names import Names
from .pages import Page, Pages, fill, tell
from .texts import whole
from .worst import Record

REASONS_SHOWN = 3
SEARCHED_CHARACTERS = 1_000  # of fields of a row that it does not show


@dataclass
class WorstRow:
    """A record under a scorer."""

    page: Page
    scorer: str
    outcome: str | None
    score: float | None  # over all: 0 if there is none
    base: float | None
    passed: bool | None
    why: list[str]
    more: int = 0
    fields: str = ""  # all of them, for the search
    causes: list[str] = field(default_factory=list)  # what is wrong with the answer

    @property
    def state(self) -> str:
        """The value that the filter looks at."""
        if self.outcome != "scored" or self.passed is None:
            return self.outcome or "no line"
        return "passed" if self.passed else "failed"

    @property
    def change(self) -> float | None:
        return None if self.base is None or self.score is None else self.score - self.base


def lowest(aggregate: Aggregate, data: tuple[str, ...]) -> tuple[list[WorstRow], Pages, list[str]]:
    """The records with the lowest scores of each scorer."""
    pages, rows = Pages(), []
    held: dict[int, Record] = {}
    chosen = [(scorer, record) for scorer, worst in aggregate.worst.items() for record in worst.records()]
    for scorer, record in chosen:
        page = pages.of(record.id, record.model, record.file)
        held.setdefault(page.number, record)
        rows.append(_row(page, scorer, record))
    texts, doubtful = find_texts(data, list(held.values()))
    for number, (page, record) in enumerate(zip(pages, held.values())):
        page.steps.append(partial(fill, page, record, None, texts.get(number), None))
    return sorted(rows, key=lambda row: row.score or 0), pages, doubtful


def _row(page: Page, scorer: str, record: Record) -> WorstRow:
    raw = record.lines.get(scorer)
    line = whole(raw) if raw else {"outcome": None}
    score = None if raw == b"" else float(str(line.get("score", 0)))
    row = WorstRow(page, scorer, line["outcome"], score, None, line.get("passed"), [], causes=causes.listed(line))
    if line["outcome"] not in ("scored", None):
        row.why = [str(line.get("message") or line.get("reason") or "")]
        return row
    places = [told for place in rows_of(line) if (told := match_of(_numbers(place)))]
    worst = sorted((place for place in places if place[1] < 1), key=lambda place: (place[1] - 1) * place[2])
    _tell_fields(row, [place[0] for place in worst])
    return row


def _tell_fields(row: WorstRow, paths: list[str]) -> None:
    row.why, row.more = paths[:REASONS_SHOWN], max(0, len(paths) - REASONS_SHOWN)
    row.fields = " ".join(dict.fromkeys(map(without_positions, paths)))[:SEARCHED_CHARACTERS]


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    return {name: float(row[name].text) if hasattr(row[name], "text") else row[name] for name in row}


def wanted(comparison: dict[str, Any], names: Names, file: str, *, base: bool) -> set[tuple[str, str]]:
    """The ids and models of the records that fell most, as lines of this file have them."""
    return {
        (worst["id"], names.model_of_file(file) if worst["group"] is None else worst["group"])
        for one in comparison["files"]
        if base or one["file"] == file
        for scorer in one["scorers"]
        for worst in scorer["worst"]
    }


def fallen(
    comparison: dict[str, Any], names: Names, now: Aggregate | None, base: Aggregate | None, data: tuple[str, ...]
) -> tuple[list[WorstRow], Pages, list[str]]:
    """The records that fell most. The aggregates hold their lines; without, the comparison alone tells of them."""
    pages, rows, told = Pages(), [], []
    for file in comparison["files"]:
        for scorer in file["scorers"]:
            for worst in scorer["worst"]:
                model = names.model_of_file(file["file"]) if worst["group"] is None else worst["group"]
                page = pages.of(worst["id"], model, file["file"])
                line = _line_of(_kept(now, page.id, page.model, page.file), scorer["scorer"])
                rows.append(_fallen_row(page, scorer["scorer"], worst, line))
                told.append((page, scorer["scorer"], worst))
    base_name = comparison["base"]
    found: list[tuple[Page, Record | None, Record | None]] = []
    for page in pages:
        before = page.model if comparison["by"] else names.model_of_file(base_name)
        found.append((page, _kept(now, page.id, page.model, page.file), _kept(base, page.id, before, base_name)))
    records = [record for _, *both in found for record in both if record is not None]
    texts, doubtful = find_texts(data, records)
    numbers = {id(record): number for number, record in enumerate(records)}
    for page, one, other in found:
        known: list[Texts | None] = [texts.get(numbers[id(record)]) if record else None for record in (one, other)]
        if one or other:
            page.steps.append(partial(fill, page, one, other, *known))
    for page, name, worst in told:
        page.steps.append(partial(tell, page, name, worst))
    return sorted(rows, key=lambda row: row.change or 0), pages, doubtful


def _kept(aggregate: Aggregate | None, id_text: str, model: str, file: str) -> Record | None:
    return aggregate.kept.get((id_text, model, file)) if aggregate else None


def _line_of(record: Record | None, scorer: str) -> Line:
    raw = record.lines.get(scorer) if record else None
    line: Line = loads(raw) if raw else {}
    return line


def _fallen_row(page: Page, scorer: str, worst: dict[str, Any], line: Line) -> WorstRow:
    """Args: line: the record's line in the new file, which may be empty."""
    means, passed = (worst["now"] or 0, worst["base"] or 0), worst["now_passed"]
    row = WorstRow(page, scorer, worst["now_outcome"], *means, passed, [], causes=causes.listed(line))
    _tell_fields(row, [changed["path"] for changed in worst["fields"]])
    if worst["base_outcome"] != worst["now_outcome"]:
        row.why, row.more = [f"{worst['base_outcome'] or 'no line'} to {worst['now_outcome'] or 'no line'}"], 0
    return row
