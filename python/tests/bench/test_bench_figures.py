"""Medians, intervals, powers and agreement, against what was computed elsewhere."""

from __future__ import annotations

import random

import pytest
from leafscore.bench.agreement import compare
from leafscore.bench.figures import exponent, median, quantile
from leafscore.bench.growth import factors, grown
from leafscore.bench.layout import number, percent, times
from leafscore.bench.records import Record


def test_the_interval_of_a_median_is_that_of_the_sign_test() -> None:
    found = median([9, 1, 8, 2, 7, 3, 6, 4, 5])
    assert (found.value, found.low, found.high) == (5, 2, 8)
    assert found.level == 1 - 2 * (1 + 9) / 512


def test_few_rounds_say_how_sure_they_are() -> None:
    found = median([3, 1, 2])
    assert (found.value, found.low, found.high, found.level) == (2, 1, 3, 0.75)
    assert median([7]).level == 0
    assert median([1, 2, 3, 4, 5, 6]).level == 1 - 2 / 64


def test_quantiles_are_values_that_were_measured() -> None:
    hundred = list(range(1, 101))
    assert [quantile(hundred, share) for share in (0.5, 0.95, 0.99, 1)] == [50, 95, 99, 100]
    assert quantile([4], 0.99) == 4


def test_a_power_is_fitted_exactly() -> None:
    found = exponent([(x, 3 * x**2) for x in (1, 2, 4, 8)])
    assert found.value == pytest.approx(2, abs=1e-12)
    assert found.high - found.low < 1e-9


def test_the_interval_of_a_power_is_scipys() -> None:
    """SciPy: linregress of the logarithms, and t.ppf(0.975, 3) times its standard error."""
    found = exponent([(100, 3.1), (200, 5.8), (400, 12.5), (800, 23.0), (1600, 50.5)])
    assert (found.value, found.low, found.high) == pytest.approx((1.0039396, 0.9301629, 1.0777162), abs=2e-5)


def test_agreement_counts_each_record_once() -> None:
    rows = [Record(str(i), f"record {i}", "1", "1") for i in range(6)]
    found = compare(rows, [0.5, 0.5, 0.5, "error", "error", 1.0], [0.5, 0.75, "raised", 0.5, "raised", 1 + 1e-10], 1e-9)
    assert (found.compared, found.equal, found.neither, found.differ) == (6, 2, 1, 1)
    assert (found.only_reference, found.only_contestant) == (1, 1)
    assert found.largest_difference == 0.25
    assert [difference.record.id for difference in found.first] == ["1", "2", "3"]
    assert not found.whole and found.share == 2 / 6


def test_agreement_is_about_what_both_answered() -> None:
    rows = [Record(str(i), f"record {i}", "1", "1") for i in range(3)]
    assert compare(rows, [1.0, 1.0, 1.0], [1.0], 0).compared == 1
    assert not compare(rows, [], [1.0], 0).whole


def test_larger_records_hold_the_same_content() -> None:
    pairs = [(f'{{"a": {i}}}', f'"{i}"') for i in range(5)]
    assert factors(5) == [1, 2, 4]
    assert grown(pairs, "records", 2) == [
        ('{"r0": {"a": 0}, "r1": {"a": 1}}', '{"r0": "0", "r1": "1"}'),
        ('{"r0": {"a": 2}, "r1": {"a": 3}}', '{"r0": "2", "r1": "3"}'),
    ]
    assert grown([('{"k": ["ab", 1]}', '"\\u00e9"')], "texts", 2) == [('{"k": ["abab", 1]}', '"\\u00e9\\u00e9"')]


def test_what_chance_may_have_made_is_not_called_faster() -> None:
    assert times(median([0.9, 1.0, 1.1, 0.95, 1.05, 1.0])) == "no difference seen (0.9 to 1.1)"
    assert times(median([2.0, 2.1, 2.2, 2.3, 2.4, 2.5])) == "2.25 (2 to 2.5)"


def test_a_percentage_is_100_only_for_all() -> None:
    assert [percent(share) for share in (1, 0.99999, 0)] == ["100.0%", "99.9%", "0.0%"]
    assert [number(value) for value in (1234567, 12.345, 0.0012345)] == ["1,230,000", "12.3", "0.00123"]


def test_of_equals_few_are_told_apart() -> None:
    """Two that are alike differ by chance: in no more than 2 * 10 / 512 of all runs of nine rounds is that seen."""
    chance = random.Random(1)
    told = sum(not median([chance.lognormvariate(0, 0.3) for _ in range(9)]).holds(1) for _ in range(20_000))
    assert told / 20_000 == pytest.approx(20 / 512, abs=0.004)
