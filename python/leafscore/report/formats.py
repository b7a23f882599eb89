"""Figures as the page shows them: what is not known is a dash, and nothing is rounded to a certainty."""

from __future__ import annotations

DASH = "–"
MINUS = "−"


def number(value: float | None) -> str:
    """
    >>> number(0.8954248), number(1), number(None), number(0.99999)
    ('0.8954', '1', '–', '>0.9999')
    """
    if value is None:
        return DASH
    if value in (0, 1):
        return str(int(value))
    return {"1.0000": ">0.9999", "0.0000": "<0.0001"}.get(text := f"{value:.4f}", text)


def signed(value: float | None) -> str:
    """
    >>> signed(-0.04687), signed(0), signed(0.1)
    ('−0.0469', '0', '+0.1000')
    """
    if value is None:
        return DASH
    sign = "" if value == 0 else "+" if value > 0 else MINUS
    return sign + number(abs(value)) if abs(value) < 1 else f"{sign}{abs(value):g}"


def percent(value: float | None) -> str:
    """
    >>> percent(0.9999), percent(1), percent(0.9231), percent(0.0001)
    ('>99.9%', '100%', '92.3%', '<0.1%')
    """
    if value is None:
        return DASH
    if value in (0, 1):
        return f"{value:.0%}"
    return {"100.0%": ">99.9%", "0.0%": "<0.1%"}.get(text := f"{value:.1%}", text)


def chance(value: float | None) -> str:
    """A p-value."""
    return DASH if value is None else "<0.0001" if value < 0.0001 else f"{value:.4f}"


def count(value: int | None) -> str:
    return DASH if value is None else f"{value:,}"


def between(interval: dict[str, float | None]) -> str:
    low, high = interval["low"], interval["high"]
    return DASH if low is None or high is None else f"{signed(low)} to {signed(high)}"
