"""The figures of a run in a few lines, as `print(scores)` shows them."""

from __future__ import annotations

from typing import Any, Mapping

GROUPS_SHOWN = 10


def digest(rows: int, report: Mapping[str, Any]) -> str:
    """Returns a line for each scorer and for its first groups: the mean, the counts, and why records have no score.

    Args:
        rows: how many there are.
        report: their figures, as `Scores.report` gives them.
    """
    table: list[tuple[str, ...]] = [("", "mean", "scored", "passed", "not scored")]
    for scorer in report["scorers"]:
        reasons = [f"{reason['records']:,} {reason['reason']}" for reason in scorer["reasons"]]
        table.append(_row(scorer["scorer"], scorer, ", ".join(reasons)))
        groups = scorer["groups"]
        table += [_row(f"  {group['field']}={group['value']}", group, "") for group in groups[:GROUPS_SHOWN]]
        if len(groups) > GROUPS_SHOWN:
            table.append((f"  and {len(groups) - GROUPS_SHOWN:,} more groups", "", "", "", ""))
    columns = [column for column in zip(*table) if any(column[1:])]
    lines = map("  ".join, zip(*map(_aligned, columns)))
    return "\n".join([f"{rows:,} {'record' if rows == 1 else 'records'}", *map(str.rstrip, lines)])


def _row(name: str, figures: Mapping[str, Any], reasons: str) -> tuple[str, ...]:
    mean, pass_rate = figures["over_all"]["mean"], figures["over_all"]["pass_rate"]
    scored = f"{figures['scored']:,} of {figures['asked']:,}"
    return name, _figure(mean, ".4f"), scored, _figure(pass_rate, ".1%"), reasons


def _figure(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _aligned(column: tuple[str, ...]) -> list[str]:
    """Names and reasons go to the left, figures to the right."""
    width = max(map(len, column))
    return [cell.ljust(width) if column[0] in ("", "not scored") else cell.rjust(width) for cell in column]
