"""The records with the lowest scores, in bounded memory."""

from __future__ import annotations

import heapq
import zlib
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
    """The records whose scores are lowest under a scorer, and the first ones without a score.

    Of equal scores, those with the lowest checksums of id and model are taken: which is as good as random, so that no model
    is shown alone because it comes first.
    """

    def __init__(self, limit: int):
        self._limit = limit
        self._scored: list[tuple[float, int, int, Record]] = []  # a heap, the best of them first
        self._unscored: list[Record] = []
        self._number = 0

    def wants(self, score: float | None) -> bool:
        """Whether a record of this score may be one of them."""
        if score is None:
            return len(self._unscored) < self._limit
        if len(self._scored) < self._limit:
            return score < 1
        return bool(self._scored) and -score >= self._scored[0][0] and score < 1

    def offer(self, score: float | None, record: Record) -> None:
        """REQUIRES: wants(score)."""
        if score is None:
            self._unscored.append(record)
            return
        self._number += 1  # so that no two entries are equal
        key = zlib.crc32(f"{record.id}\0{record.model}".encode("utf-8", "surrogatepass"))
        entry = (-score, -key, -self._number, record)
        if len(self._scored) < self._limit:
            heapq.heappush(self._scored, entry)
        elif entry > self._scored[0]:
            heapq.heapreplace(self._scored, entry)

    def records(self) -> list[Record]:
        """Up to the limit, those without a score first: at most half, where there are enough others."""
        scored = [entry[3] for entry in sorted(self._scored, reverse=True)]
        room = max(self._limit // 2, self._limit - len(scored))
        return [*self._unscored[:room], *scored][: self._limit]
