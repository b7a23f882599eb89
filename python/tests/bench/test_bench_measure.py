"""Rounds by a clock that passes with counted work, so that figures are known before."""

from __future__ import annotations

import json
from typing import Any, Callable

import pytest
from bench_testing import Clock, measured
from leafscore.bench import google_json, table
from leafscore.bench.answers import records_of_a_pass
from leafscore.bench.plot import spec
from leafscore.bench.verdicts import verdict


@pytest.fixture(autouse=True)
def little_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage is collected before each round; of this process, which holds all that tests hold, that takes long."""
    monkeypatch.setattr("gc.collect", lambda: 0)


def timed(clock: Clock, cost: Callable[[int], float], score: float = 0.5) -> Callable[[Any, Any], float]:
    """A scorer that takes `cost` of the characters of a record."""

    def function(expected: Any, actual: Any) -> float:
        clock.now += int(cost(len(json.dumps([expected, actual]))))
        return score

    return function


def test_a_quadratic_scorer_grows_with_exponent_2() -> None:
    clock = Clock()
    scorers = {"linear": timed(clock, lambda size: 10 * size), "quadratic": timed(clock, lambda size: size * size)}
    linear, quadratic = (outcome.growth.exponent() for outcome in measured(scorers, clock).outcomes)
    assert linear is not None and quadratic is not None
    assert linear.value == pytest.approx(1, abs=0.05)
    assert quadratic.value == pytest.approx(2, abs=0.05)
    assert 1.9 < quadratic.low < quadratic.high < 2.1


def test_a_scorer_that_is_quadratic_in_texts_grows_with_exponent_2() -> None:
    clock = Clock()

    def quadratic(expected: Any, actual: Any) -> float:
        clock.now += 1000 * len(expected["b"]) ** 2
        return 1.0

    found = measured({"quadratic": quadratic}, clock, growth="texts").outcomes[0].growth.exponent()
    assert found is not None and found.value == pytest.approx(2, abs=1e-6)


def test_rates_ratios_and_times_are_those_of_the_clock() -> None:
    clock = Clock()
    scorers = {"one": timed(clock, lambda size: 1000), "three": timed(clock, lambda size: 3000)}
    found = measured(scorers, clock, growth="none")
    one, three = found.outcomes
    assert one.rate().value == 1e6  # type: ignore[union-attr]
    assert one.latency(50).value == 1000  # type: ignore[union-attr]
    ratio = found.ratio(three)
    assert ratio is not None and (ratio.value, ratio.low, ratio.high) == (3, 3, 3)
    assert one.latency(95) is not None and one.latency(99) is None  # of 64 records
    assert found.all_agree


def test_a_slow_scorer_gets_fewer_records_and_its_reference_the_same() -> None:
    clock = Clock()
    scorers = {"fast": timed(clock, lambda size: 1000), "slow": timed(clock, lambda size: 1e8)}
    found = measured(scorers, clock, growth="none", seconds=34)  # a second for a pass
    fast, slow = found.outcomes
    assert (fast.timed, slow.timed, len(slow.answers)) == (64, 10, 61)  # what the first takes does not count
    assert not found.all_agree and verdict(slow) == "agrees on 61 of 64"
    assert set(fast.timings) == {(64, 1), (10, 1)}
    assert fast.timings[10, 1][0].records == 60  # ten records six times, as many as go into a call of 64
    ratio = found.ratio(slow)
    assert ratio is not None and ratio.value == 1e5
    assert "answered 61 of 64 records" in table.render(found)


def test_what_chunks_cost_apart_from_their_records_is_not_counted_for_each() -> None:
    assert records_of_a_pass([1, 3, 7], [800_000_000, 810_000_000, 830_000_000], 1) == 4  # the last four took 0.83 s
    assert records_of_a_pass([1, 3, 7], [1_000, 2_000, 4_000], 1) == 7
    assert records_of_a_pass([1, 2, 3], [400_000_000] * 3, 1) == 2
    assert records_of_a_pass([1], [5_000_000_000], 1) == 1


def test_a_scorer_of_other_answers_every_time_is_told() -> None:
    clock = Clock()
    numbers = iter(range(10**9))

    def changing(expected: Any, actual: Any) -> float:
        clock.now += 1000
        return next(numbers) / 1e9

    found = measured({"steady": timed(clock, lambda size: 1000), "changing": changing}, clock, growth="none")
    assert found.outcomes[1].unlike == 64
    assert "CHANGE FROM PASS TO PASS" in table.render(found)
    assert not found.all_agree


def test_a_scorer_that_remembers_is_told() -> None:
    clock = Clock()
    seen: set[str] = set()

    def remembering(expected: Any, actual: Any) -> float:
        key = json.dumps([expected, actual])
        clock.now += 1000 if key in seen else 100_000
        seen.add(key)
        return 0.5

    found = measured({"honest": timed(clock, lambda size: 1000), "remembering": remembering}, clock, growth="none")
    text = table.render(found)
    assert "remembering: records took 100 times as long the first time" in text
    assert "honest: records" not in text


def test_a_scorer_without_a_score_has_no_speed() -> None:
    clock = Clock()

    def broken(expected: Any, actual: Any) -> None:
        clock.now += 1

    found = measured({"good": timed(clock, lambda size: 1000), "broken": broken}, clock, growth="none")
    assert found.outcomes[1].rate() is None
    assert "64 of 64 WITHOUT A SCORE" in table.render(found)


def test_one_that_is_compared_with_nothing_says_so() -> None:
    clock = Clock()
    found = measured({"only": timed(clock, lambda size: 1000)}, clock, growth="none")
    assert "NOT COMPARED" in table.render(found)


def test_the_json_is_google_benchmarks() -> None:
    clock = Clock()
    scorers = {"one": timed(clock, lambda size: 1000), "two": timed(clock, lambda size: 2000, score=0.25)}
    whole = json.loads(google_json.render(measured(scorers, clock, growth="none")))
    assert {"date", "host_name", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "caches"} <= set(whole["context"])
    found = compared(whole["benchmarks"])
    assert {name: [times for kind, times in each if kind == "iteration"] for name, each in found.items()} == {
        "one/threads:1": [(1000, 1000, "ns")] * 9,
        "two/threads:1": [(2000, 2000, "ns")] * 9,
        **{f"{name}/threads:1_{kind}": [] for name in ("one", "two") for kind in ("mean", "median", "stddev", "cv")},
    }
    assert found["two/threads:1_median"] == [("aggregate", (2000, 2000, "ns"))]
    assert found["two/threads:1_stddev"] == [("aggregate", (0, 0, "ns"))]
    each = whole["benchmarks"][0]
    assert (each["run_name"], each["repetitions"], each["threads"]) == ("one/threads:1", 9, 1)
    assert whole["benchmarks"][-1]["agreement"] == 0
    assert whole["leafscore"]["contestants"][1]["agreement"]["differ"] == 64


def compared(benchmarks: list[dict[str, Any]]) -> dict[str, list[tuple[str, tuple[float, float, str]]]]:
    """What Google Benchmark's tools/compare.py takes of a file: the times of each name, in the order of repetitions."""
    ordered = sorted(benchmarks, key=lambda each: each.get("repetition_index", -1))
    found: dict[str, list[tuple[str, tuple[float, float, str]]]] = {}
    for each in ordered:
        if all(key in each for key in ("time_unit", "real_time", "cpu_time")):
            assert each["time_unit"] in ("ns", "us", "ms", "s")
            times = (each["real_time"], each["cpu_time"], each["time_unit"])
            found.setdefault(each["name"], []).append((each["run_type"], times))
    return found


def test_the_plot_marks_what_disagrees() -> None:
    clock = Clock()
    scorers = {"one": timed(clock, lambda size: size), "two": timed(clock, lambda size: size, score=0.25)}
    panels = spec(measured(scorers, clock))["vconcat"]
    assert [row["answers"] for row in panels[0]["data"]["values"]] == ["agree", "do not"]
    assert len(panels[1]["data"]["values"]) == 2 * 7
