"""The metric in DeepEval itself."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
pytest.importorskip("deepeval")

from deepeval import assert_test, evaluate  # noqa: E402
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402

from leafscore.integrations.deepeval import LeafscoreMetric  # noqa: E402

GOLD = '{"city": "Oslo", "total": 20}'
BAD = {"type": "json_similarity", "target_output_key": "sum"}


def case(actual: str, expected: str | None = GOLD) -> LLMTestCase:
    return LLMTestCase(input="q", actual_output=actual, expected_output=expected)


def run(cases: list[LLMTestCase], metric: LeafscoreMetric, run_async: bool, **errors: bool) -> list[Any]:
    """Returns the data of the metric for each case, in the order of the cases; None for one that was skipped."""
    result = evaluate(
        test_cases=cases,
        metrics=[metric],
        async_config=AsyncConfig(run_async=run_async),
        cache_config=CacheConfig(write_cache=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        error_config=ErrorConfig(**errors),
    )
    by_answer = {one.actual_output: (one.metrics_data or [None])[0] for one in result.test_results}
    return [by_answer[one.actual_output] for one in cases]


@pytest.mark.parametrize("run_async", [True, False])
def test_scores_reasons_and_verdicts(run_async: bool) -> None:
    cases = [case('```json\n{"total": 20.0, "city": "Oslo"}\n```'), case('{"city": "Oslo"}'), case("no idea")]
    data = run(cases, LeafscoreMetric("json_similarity", threshold=0.5), run_async)
    assert [one.score for one in data] == [1, 0.5, 0]
    assert [one.success for one in data] == [True, True, False]
    assert data[1].reason == "leafscore: 0.5000"
    assert data[0].name == "leafscore json_similarity"


@pytest.mark.parametrize("run_async", [True, False])
def test_copies_for_concurrent_runs_keep_scorer_and_threshold(run_async: bool) -> None:
    """They were copies with the default scorer."""
    near = {"type": "levenshtein", "threshold": 0.7}
    [data] = run([case("Oslx", "Oslo")], LeafscoreMetric(near), run_async)
    assert (data.name, data.score, data.success) == ("leafscore levenshtein", 0.75, True)
    [data] = run([case("Oslx", "Oslo")], LeafscoreMetric(near, threshold=0.9), run_async)
    assert (data.score, data.success) == (0.75, False)


def test_the_scorer_says_what_passes_unless_there_is_a_threshold() -> None:
    near = {"type": "levenshtein", "threshold": 0.7}
    for metric, wanted in (
        (LeafscoreMetric(near), True),
        (LeafscoreMetric(near, threshold=0.9), False),
        (LeafscoreMetric("json_similarity"), False),
        (LeafscoreMetric("json_similarity", threshold=0.7), True),
    ):
        metric.measure(case("Oslx", "Oslo"))
        assert (metric.score, metric.is_successful()) == (0.75, wanted)


@pytest.mark.parametrize("run_async", [True, False])
def test_what_cannot_be_judged_is_an_error_of_the_metric(run_async: bool) -> None:
    [data] = run([case(GOLD)], LeafscoreMetric(BAD), run_async, ignore_errors=True)
    assert (data.score, data.success) == (None, False)
    assert "sum" in data.error
    with pytest.raises(Exception, match="sum"):
        run([case(GOLD)], LeafscoreMetric(BAD), run_async)


def test_a_case_without_an_expected_output_is_skipped_where_that_is_wanted() -> None:
    with pytest.raises(Exception, match="expected_output"):
        run([case("x", None)], LeafscoreMetric(), False)
    run([case("x", None)], LeafscoreMetric(), False, skip_on_missing_params=True)


def test_a_metric_used_again_forgets_the_error_before() -> None:
    metric = LeafscoreMetric(BAD)
    with pytest.raises(Exception, match="sum"):
        metric.measure(case(GOLD))
    assert metric.error is not None and not metric.is_successful()
    assert asyncio.run(metric.a_measure(case('{"sum": 1}', '{"sum": 1}'))) == 1
    assert metric.error is None and metric.is_successful()


def test_assert_test_fails_as_a_test_of_pytest() -> None:
    assert_test(case(GOLD), [LeafscoreMetric()], run_async=False)
    with pytest.raises(AssertionError, match="leafscore json_similarity"):
        assert_test(case("{}"), [LeafscoreMetric()], run_async=False)
