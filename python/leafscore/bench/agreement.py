"""Whether two contestants give the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .records import Record
from .scoring import Answer


@dataclass(frozen=True)
class Difference:
    record: Record
    reference: Answer
    answer: Answer


@dataclass
class Agreement:
    """Counts of the records that both were asked for. A sentence in place of a score is no score."""

    asked: int = 0
    compared: int = 0  # fewer if one was too slow for all
    equal: int = 0  # both have a score, and these differ by no more than the tolerance
    neither: int = 0  # has a score
    differ: int = 0
    only_reference: int = 0  # has a score
    only_contestant: int = 0
    largest: Difference | None = None  # of two scores
    first: list[Difference] = field(default_factory=list)

    @property
    def disagreements(self) -> int:
        return self.differ + self.only_reference + self.only_contestant

    @property
    def share(self) -> float:
        """The share of the records that have equal scores."""
        return self.equal / self.compared if self.compared else 0.0

    @property
    def whole(self) -> bool:
        return 0 < self.compared == self.asked and not self.disagreements

    @property
    def largest_difference(self) -> float:
        return _distance(self.largest) if self.largest else 0.0


def compare(
    records: Sequence[Record], reference: Sequence[Answer], answers: Sequence[Answer], tolerance: float, shown: int = 5
) -> Agreement:
    """Compares the answers to the records that both were asked for, and keeps the first `shown` that differ."""
    found = Agreement(len(records))
    for record, theirs, ours in zip(records, reference, answers):
        found.compared += 1
        difference = Difference(record, theirs, ours)
        if isinstance(theirs, str) or isinstance(ours, str):
            if isinstance(theirs, str) and isinstance(ours, str):
                found.neither += 1
                continue
            found.only_reference += isinstance(ours, str)
            found.only_contestant += isinstance(theirs, str)
        else:
            if found.largest is None or _distance(difference) > found.largest_difference:
                found.largest = difference
            if _distance(difference) <= tolerance:
                found.equal += 1
                continue
            found.differ += 1
        if len(found.first) < shown:
            found.first.append(difference)
    return found


def _distance(difference: Difference) -> float:
    return abs(float(difference.answer) - float(difference.reference))
