"""Figures of few rounds: medians with intervals that assume no distribution, quantiles, and fitted powers."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95

# The 97.5% quantiles of Student's t for 1 to 10 degrees of freedom: NIST/SEMATECH e-Handbook, 1.3.6.7.2.
T_975 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


@dataclass(frozen=True)
class Estimate:
    """A figure and its interval, which holds the true one with the probability `level`."""

    value: float
    low: float
    high: float
    level: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


def median(values: Sequence[float]) -> Estimate:
    """The median, and the narrowest interval between order statistics that is sure by `LEVEL`.

    That is the sign test turned around: the number of values below the true median is binomial. Fewer than six values
    cannot be that sure; then the interval is from the least to the greatest, and `level` says how sure that is.
    """
    ordered = sorted(values)
    number = len(ordered)
    rank, level = 0, _coverage(number, 0)
    while rank + 1 < (number + 1) // 2 and _coverage(number, rank + 1) >= LEVEL:
        rank += 1
        level = _coverage(number, rank)
    return Estimate(statistics.median(ordered), ordered[rank], ordered[number - 1 - rank], level)


def _coverage(number: int, rank: int) -> float:
    """How likely the true median lies between the values of these ranks from either end, from 0."""
    return 1 - sum(math.comb(number, below) for below in range(rank + 1)) / 2.0 ** (number - 1)


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that `share` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def exponent(points: Sequence[tuple[float, float]]) -> Estimate:
    """Fits y = c * x^k by least squares of the logarithms. Returns k with its t-interval, which takes in both noise and
    how far the points are from any power. REQUIRES: three points or more, of different positive x."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    x_mean, y_mean = statistics.fmean(xs), statistics.fmean(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / spread
    rest = sum((y - y_mean - slope * (x - x_mean)) ** 2 for x, y in zip(xs, ys))
    freedom = len(points) - 2
    margin = T_975[min(freedom, len(T_975)) - 1] * math.sqrt(rest / freedom / spread)
    return Estimate(slope, slope - margin, slope + margin, LEVEL)
