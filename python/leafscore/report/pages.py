"""The page of a record: what each scorer says of it, what was expected, and what was answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import causes
from .calls import Calls, calls_of
from .data import Texts
from .edits import Row, side_by_side
from .ledgers import Ledger, facts_of, ledger, places_of, places_told
from .lines import Line
from .options import LINES_SHOWN, TEXT_CHARACTERS
from .texts import cut, pretty, whole
from .worst import Record


@dataclass
class Judgement:
    """The result of a scorer for the record, and for the base, if there is one."""

    scorer: str
    line: Line
    base: Line | None
    ledger: Ledger | None
    facts: list[tuple[str, str]]
    too_long: bool = False
    calls: list[tuple[str, Calls]] = field(default_factory=list)  # replaces a ledger, with the time when it was made


@dataclass
class Comparison:
    """Two texts beside each other."""

    left: str
    right: str
    rows: list[Row]
    notes: list[str]


@dataclass
class Page:
    number: int
    id: str
    model: str
    file: str
    fields: dict[str, str] = field(default_factory=dict)
    judgements: list[Judgement] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    steps: list[Callable[[], None]] = field(default_factory=list)  # fill it, once it is known to be shown

    @property
    def causes(self) -> list[str]:
        """The faults of the answer under any scorer."""
        return list(dict.fromkeys(cause for one in self.judgements for cause in causes.listed(one.line)))

    def complete(self) -> None:
        for step in self.steps:
            step()
        self.steps.clear()


class Pages:
    """The pages, by record, numbered in the order in which they are asked for."""

    def __init__(self) -> None:
        self.pages: dict[tuple[str, str, str], Page] = {}

    def of(self, id_text: str, model: str, file: str) -> Page:
        return self.pages.setdefault((id_text, model, file), Page(len(self.pages) + 1, id_text, model, file))

    def __iter__(self) -> Any:
        return iter(self.pages.values())


def fill(page: Page, now: Record | None, base: Record | None, texts: Texts | None, base_texts: Texts | None) -> None:
    """Adds what the lines and the records tell."""
    page.fields = now.fields if now else base.fields if base else {}
    known = {judgement.scorer for judgement in page.judgements}
    for scorer in dict.fromkeys([*(now.lines if now else ()), *(base.lines if base else ())]):
        if scorer not in known:
            page.judgements.append(_judgement(scorer, now, base))
    _compare_texts(page, texts, base_texts)


def _judgement(scorer: str, now: Record | None, base: Record | None) -> Judgement:
    lines = [_line(record, scorer) for record in (now, base)]
    sides = zip(("now", "in the base") if lines[1] else ("",), lines)
    calls = [(side, found) for side, line in sides if (found := calls_of(line))]
    places = places_of(*lines) if not calls else []
    made = ledger(places, has_base=lines[1] is not None, all_places=True) if places else None
    line = lines[0] or {"scorer": scorer, "outcome": None}
    too_long = any(record is not None and record.lines.get(scorer) == b"" for record in (now, base))
    facts = [fact for fact in facts_of(line) if not calls or fact[0] not in ("leaves", "made")]  # which may be empty
    return Judgement(scorer, line, lines[1], made, facts, too_long, calls)


def _line(record: Record | None, scorer: str) -> Line | None:
    raw = record.lines.get(scorer) if record else None
    return whole(raw) if raw else None


def tell(page: Page, scorer: str, worst: dict[str, Any]) -> None:
    """Adds what a comparison tells of a record, for pages without its lines."""
    if all(judgement.scorer != scorer for judgement in page.judgements):
        sides = []
        for side in ("now", "base"):
            line = {"scorer": scorer, "outcome": worst[f"{side}_outcome"], "score": worst[side]}
            sides.append({**line, "passed": worst[f"{side}_passed"]})
        places = places_told(worst)
        made = ledger(places, has_base=True, all_places=False) if places else None
        page.judgements.append(Judgement(scorer, sides[0], sides[1], made, []))
    if not page.comparisons:
        texts = [Texts(worst["expected"], worst[f"{side}_answer"]) for side in ("now", "base")]
        _compare_texts(page, *texts)


def _compare_texts(page: Page, texts: Texts | None, base_texts: Texts | None) -> None:
    texts, base_texts = texts or Texts(), base_texts or Texts()
    expected = texts.expected if texts.expected is not None else base_texts.expected
    sides = [("Expected", expected, "Actual", texts.actual)]
    if base_texts.actual is not None:
        sides.append(("Answer in the base", base_texts.actual, "Answer now", texts.actual))
    for left, one, right, other in sides:
        if one is not None or other is not None:
            page.comparisons.append(_beside(left, one, right, other))


def _beside(left: str, one: str | None, right: str, other: str | None) -> Comparison:
    notes = [f"{side}: there is no such value." for side, text in ((left, one), (right, other)) if text is None]
    rows = side_by_side(cut(pretty(one or ""), TEXT_CHARACTERS), cut(pretty(other or ""), TEXT_CHARACTERS))
    if len(rows) > LINES_SHOWN:
        notes.append(f"Showing {LINES_SHOWN:,} of {len(rows):,} lines.")
    return Comparison(left, right, rows[:LINES_SHOWN], notes)
