"""Measurements, and the figures that follow from them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from .agreement import Agreement
from .contestants import Contestant
from .figures import Estimate, exponent, median, quantile
from .growth import MIN_SIZES
from .records import Data
from .scoring import Answer

# A tail of fewer records than this is not reported: of 100 records, a single one is the 99th percentile.
PERCENTILES = {50: 1, 95: 20, 99: 100}
REMEMBERS = 10  # times as fast as the first time: more than processor caches can explain


@dataclass(frozen=True)
class Timing:
    """One round: how often all records were scored, and the nanoseconds of that."""

    passes: int
    real: int
    cpu: int
    records: int

    @property
    def real_ns(self) -> float:
        """The time of one record."""
        return self.real / self.passes / self.records

    @property
    def cpu_ns(self) -> float:
        return self.cpu / self.passes / self.records


@dataclass
class Growth:
    """The time of records of several sizes: by factor, the size of a record and the time of one, by round.

    The size is in bytes where records are joined. Where texts are repeated it is how often: the rest does not grow.
    """

    sizes: dict[int, float] = field(default_factory=dict)
    times: dict[int, list[float]] = field(default_factory=dict)
    errors: int = 0

    def points(self) -> list[tuple[float, float]]:
        return [(self.sizes[factor], statistics.median(times)) for factor, times in self.times.items()]

    def exponent(self) -> Estimate | None:
        """The power of the size that the time grows with; None where that cannot be told."""
        return None if self.flaw() else exponent(self.points())

    def flaw(self) -> str:
        """Why there is no exponent; empty where there is one."""
        if self.errors:
            return f"{self.errors:,} larger records have no score"
        return "too slow, or too few records" if len(self.times) < MIN_SIZES else ""


@dataclass
class Outcome:
    """The result of one contestant."""

    contestant: Contestant
    answers: list[Answer] = field(default_factory=list)
    first_ns: list[int] = field(default_factory=list)  # of each chunk of answers
    agreement: Agreement | None = None  # with its counterpart
    is_alone: bool = False  # neither compared with another nor another with it
    failed: str | None = None
    changed: int = 0  # records whose values it changed
    unlike: int = 0  # answers of a later pass that differ from the first pass
    printed: int = 0
    memory: tuple[int, int] | None = None  # with the records loaded, and at the peak
    timed: int = 0  # how many of the records are timed
    timings: dict[tuple[int, int], list[Timing]] = field(default_factory=dict)  # by records and threads
    latencies: list[list[int]] = field(default_factory=list)  # nanoseconds of each record, by round
    growth: Growth = field(default_factory=Growth)

    @property
    def name(self) -> str:
        return self.contestant.name

    @property
    def errors(self) -> int:
        """Records without a score."""
        return sum(isinstance(answer, str) for answer in self.answers)

    def main(self) -> list[Timing]:
        """The rounds with one thread; none of a contestant that failed, or has no score to show for its time."""
        return [] if self.failed or self.errors == len(self.answers) else self.timings.get((self.timed, 1), [])

    def rate(self) -> Estimate | None:
        """Records a second."""
        return rate(self.main()) if self.main() else None

    def latency(self, percent: int) -> Estimate | None:
        """The latency of single records in nanoseconds: the median over rounds of this percentile of a round."""
        if self.failed or not self.latencies or len(self.latencies[0]) < PERCENTILES[percent]:
            return None
        return median([quantile(times, percent / 100) for times in self.latencies])

    def remembers(self) -> float | None:
        """How many times as long records took the first time, where that is strange: has it kept the answers?"""
        if self.failed or self.contestant.is_engine or len(self.latencies) < 2:
            return None
        later = [statistics.median(times) for times in zip(*self.latencies)]
        ratio = statistics.median(first / max(time, 1) for first, time in zip(self.first_ns, later))
        return ratio if ratio > REMEMBERS else None


@dataclass(frozen=True)
class Options:
    """How to measure: see `leafscore bench --help`."""

    rounds: int = 9
    seconds: float = 60
    min_seconds: float = 0.2
    time_limit: float = 30
    threads: Sequence[int] = (1,)
    growth: str = "records"
    tolerance: float = 1e-9
    seed: int = 1


@dataclass
class Result:
    """A whole run."""

    data: Data
    options: Options
    outcomes: list[Outcome]
    machine: dict[str, str]
    busy: float  # the share of the processors that was busy with something else just before

    def ratio(self, outcome: Outcome) -> Estimate | None:
        """How many times as long a record takes as with what it is compared with, on the same records, by round."""
        if outcome.contestant.against is None:
            return None
        other = self.outcomes[outcome.contestant.against]
        if other.failed:
            return None
        return ratio(outcome.main(), other.timings.get((outcome.timed, 1), []))

    @property
    def all_agree(self) -> bool:
        return not any(
            each.failed or each.errors or each.unlike or each.changed or (each.agreement and not each.agreement.whole)
            for each in self.outcomes
        )


def rate(rounds: Sequence[Timing]) -> Estimate:
    """Records a second."""
    return median([1e9 / each.real_ns for each in rounds])


def ratio(times: Sequence[Timing], others: Sequence[Timing]) -> Estimate | None:
    """The median over rounds of the ratio of the times in a round."""
    pairs = list(zip(times, others))
    return median([ours.real_ns / theirs.real_ns for ours, theirs in pairs]) if pairs else None
