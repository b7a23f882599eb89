"""Facts about a contestant's answers, to be read beside its speed."""

from __future__ import annotations

from collections.abc import Iterator

from .results import Outcome, Result


def verdict(outcome: Outcome) -> str:
    """Returns the note beside a speed: whether the answers can be trusted."""
    if outcome.failed:
        return "FAILED"
    agreement = outcome.agreement
    flaws = []
    if agreement and agreement.disagreements:
        flaws.append(f"{agreement.disagreements:,} of {agreement.compared:,} DIFFER")
    if outcome.errors:
        flaws.append(f"{outcome.errors:,} of {len(outcome.answers):,} WITHOUT A SCORE")
    if outcome.unlike:
        flaws.append(f"{outcome.unlike:,} CHANGE FROM PASS TO PASS")
    if outcome.changed:
        flaws.append(f"CHANGES {outcome.changed:,} INPUTS")
    if agreement and not agreement.compared:
        flaws.append("NOT COMPARED")
    if agreement is None and outcome.is_alone:
        flaws.append("NOT COMPARED")
    if flaws or agreement is None:
        return ", ".join(flaws) or "reference"
    return "agrees" if agreement.whole else f"agrees on {agreement.compared:,} of {agreement.asked:,}"


def notes(outcome: Outcome, result: Result) -> Iterator[str]:
    """Returns further facts about a contestant."""
    if outcome.failed:
        yield f"failed: {outcome.failed}"
    for answer in dict.fromkeys(answer for answer in outcome.answers[:10_000] if isinstance(answer, str)):
        yield f"without a score, as: {answer}"
        break
    if outcome.printed:
        yield f"printed {outcome.printed:,} bytes, which takes time"
    if times := outcome.remembers():
        yield f"records took {times:.0f} times as long the first time; where it remembers answers, its speed is not real"
    if 0 < len(outcome.answers) < len(result.data.records) and not outcome.failed:
        yield f"answered {len(outcome.answers):,} of {len(result.data.records):,} records in its time (--seconds)"
