"""The records with the lowest scores, in bounded memory."""

from __future__ import annotations

import heapq
from dataclasses import dataclass


@dataclass
class Record:
    """The lines of one record, which follow one another: one of each scorer, as bytes."""

    id: str
    model: str
    file: str
    lines: dict[str, bytes]
    fields: dict[str, str]  # the groups


class Worst:
    """The records whose scores are lowest under a scorer, and the first ones without a score. Ties: the first."""

    def __init__(self, limit: int):
        self._limit = limit
        self._scored: list[tuple[float, int, Record]] = []  # a heap, the best of them first
        self._unscored: list[Record] = []

    def offer(self, number: int, score: float | None, record: Record) -> None:
        """REQUIRES: wants(score)."""
        if score is None:
            self._unscored.append(record)
            return
        entry = (-score, -number, record)
        if len(self._scored) < self._limit:
            heapq.heappush(self._scored, entry)
        else:
            heapq.heapreplace(self._scored, entry)

    def wants(self, score: float | None) -> bool:
        if score is None:
            return len(self._unscored) < self._limit
        if len(self._scored) < self._limit:
            return score < 1
        return bool(self._scored) and -score > self._scored[0][0]

    def records(self) -> list[Record]:
        """Up to the limit, those without a score first: at most half, where there are enough others."""
        scored = [entry[2] for entry in sorted(self._scored, key=lambda entry: entry[:2], reverse=True)]
        room = max(self._limit // 2, self._limit - len(scored))
        return [*self._unscored[:room], *scored][: self._limit]
