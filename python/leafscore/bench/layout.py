"""Numbers and tables as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from ..convert.counts import printable
from .figures import Estimate

GAP = "  "


def number(value: float) -> str:
    """Three digits that count."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def nanoseconds(value: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if value >= size:
            return f"{number(value / size)} {unit}"
    return f"{number(value)} ns"


def percent(share: float) -> str:
    """A percentage that is 100 only for all."""
    return f"{int(share * 1000) / 10:.1f}%"


def interval(found: Estimate) -> str:
    return f"({number(found.low)} to {number(found.high)})"


def times(found: Estimate | None) -> str:
    """A ratio; where its interval holds 1, chance may have made it."""
    if found is None:
        return ""
    if found.holds(1):
        return f"no difference seen {interval(found)}"
    return f"{number(found.value)} {interval(found)}"


def short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def grid(title: str, rows: list[list[str]], texts: Sequence[int]) -> str:
    """Aligns columns: those of `texts` to the left. A row of one or two cells is a sentence, and as wide as it is."""
    rows = [[printable(cell) for cell in row] for row in rows]
    full = [row for row in rows if len(row) > 2]
    widths = [max(len(row[column]) for row in full) for column in range(len(rows[0]))]
    widths[0] = max(widths[0], *(len(row[0]) for row in rows if len(row) == 2), 0)
    lines = [title]
    for row in rows:
        cells = [
            cell.ljust(width) if column in texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append(GAP.join(cells if len(row) > 1 else row).rstrip())
    return "\n".join(lines)
