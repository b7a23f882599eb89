"""The figures of a run in a few lines, as `print(scores)` and a notebook show them."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

GROUPS_SHOWN = 10
_FIGURES = ("mean", "scored", "passed")  # columns that go to the right


def digest(rows: int, report: Mapping[str, Any]) -> str:
    """Returns a line for each scorer and for its first groups: the mean, the counts, and why records have no score.

    Args:
        rows: how many there are.
        report: their figures, as `Scores.report` gives them.
    """
    return "\n".join([counted(rows), *aligned(figure_rows(report)), *notes(report)])


def counted(rows: int) -> str:
    return f"{rows:,} {'record' if rows == 1 else 'records'}"


def figure_rows(report: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Returns a table, heads first: a row for each scorer, and for its first groups."""
    table: list[tuple[str, ...]] = [("", "mean", "scored", "passed", "not scored")]
    for scorer in report["scorers"]:
        reasons = [f"{reason['records']:,} {reason['reason']}" for reason in scorer["reasons"]]
        table.append(_row(scorer["scorer"], scorer, ", ".join(reasons)))
        groups = scorer["groups"]
        table += [_row(f"  {group['field']}={group['value']}", group, "") for group in groups[:GROUPS_SHOWN]]
        if len(groups) > GROUPS_SHOWN:
            table.append((f"  and {len(groups) - GROUPS_SHOWN:,} more groups", "", "", "", ""))
    return table


def notes(report: Mapping[str, Any]) -> list[str]:
    """Returns a sentence about each thing that is probably a mistake in how the data were given."""
    found = []
    unread = max((_unread(scorer) for scorer in report["scorers"]), default=(0, 0))
    if unread[0] > 0:
        one = unread[0] == 1
        first = f", the first in row {unread[1] - 1}" if unread[1] > 0 else ""
        found.append(
            f"{unread[0]:,} expected {'value is' if one else 'values are'} no JSON{first}: texts in columns are JSON; with "
            'expected_format="text" they are strings'
        )
    return found


def _unread(scorer: Mapping[str, Any]) -> tuple[int, int]:
    """Returns how many expected values are no JSON, and the number of the first such record, from 1; 0 if unknown."""
    records = {(reason["outcome"], reason["reason"]): reason["records"] for reason in scorer["reasons"]}
    first = 0
    if ("unreadable", "invalid_json") not in records:
        causes = {cause["cause"]: cause["example_record"] for cause in scorer.get("causes", ())}
        first = causes.get("invalid_json", 0)
    return records.get(("error", "invalid_json"), 0), first


def aligned(table: Sequence[tuple[str, ...]]) -> list[str]:
    """Returns the lines of a table, less its empty columns."""
    columns = zip(*without_empty(table))
    return [line.rstrip() for line in map("  ".join, zip(*map(_aligned_column, columns)))]


def without_empty(table: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Returns a table less its empty columns."""
    return list(zip(*(column for column in zip(*table) if any(column[1:]))))


def to_the_right(table: Sequence[tuple[str, ...]]) -> list[int]:
    """Returns the columns that hold figures."""
    return [column for column, head in enumerate(table[0]) if head in _FIGURES]


def _row(name: str, figures: Mapping[str, Any], reasons: str) -> tuple[str, ...]:
    mean, pass_rate = figures["over_all"]["mean"], figures["over_all"]["pass_rate"]
    scored = f"{figures['scored']:,} of {figures['asked']:,}"
    return name, figure(mean, ".4f"), scored, figure(pass_rate, ".1%"), reasons


def figure(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _aligned_column(column: tuple[str, ...]) -> list[str]:
    """Names and reasons go to the left, figures to the right."""
    width = max(map(len, column))
    return [cell.rjust(width) if column[0] in _FIGURES else cell.ljust(width) for cell in column]
