#!/usr/bin/env python3
"""Writes tests/data/statistics/reference.jsonl: data sets, and what SciPy and statsmodels make of them. A line each.

Usage: tests/statistics/reference.py > tests/data/statistics/reference.jsonl   (packages: numpy, scipy, statsmodels)
"""
import json
import warnings

import numpy as np
from scipy import stats
from statsmodels.api import OLS
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

CONFIDENCE = 0.95
MARGIN = 0.05
POWER = 0.8


def data_sets(random):
    """Differences of scores: verdicts, rounded and plain scores, tiny, equal and one-sided ones."""
    for size in [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16]:
        for _ in range(5):
            yield random.integers(-1, 2, size).astype(float)
            yield np.round(random.normal(0.1, 0.3, size), 1)
        yield np.abs(np.round(random.normal(0.1, 0.3, size), 2))
        yield np.full(size, 0.25)
    yield np.zeros(7)
    for size in [17, 20, 25, 33, 41, 50]:
        for shift in [0, 0.05, 0.2, -0.6]:
            yield np.round(random.normal(shift, 0.3, size), 9)
        yield -np.abs(np.round(random.normal(0, 0.3, size), 9))
    for size in [51, 64, 100, 150]:
        for shift in [0, 0.04, -0.1]:
            yield random.choice([-1.0, 0, 0, 0, 0, 1], size) + np.round(random.normal(shift, 0.01, size), 2)
            yield np.round(np.clip(random.normal(shift, 0.3, size), -1, 1), 3)
            yield random.choice([-1.0, 0, 0, 0, 1, 1], size)


def wilcoxon(differences):
    left = differences[differences != 0]
    if len(left) == 0:
        return 1.0
    if len(left) > 50:
        return stats.wilcoxon(left, method="asymptotic", correction=False).pvalue
    if len(np.unique(np.abs(left))) == len(left):
        return stats.wilcoxon(left, method="exact").pvalue
    if len(left) > 16:
        return None  # nothing in SciPy counts that many choices of signs
    every = stats.PermutationMethod(n_resamples=np.inf)
    return stats.wilcoxon(left, method=every).pvalue


def facts(differences):
    size = len(differences)
    result = {"differences": differences.tolist()}
    result["wilcoxon"] = wilcoxon(differences)
    passing, failing = int(np.sum(differences > 0.5)), int(np.sum(differences < -0.5))
    result["turned"] = [passing, failing]
    result["mcnemar"] = stats.binomtest(passing, passing + failing).pvalue if passing + failing else 1.0
    if np.ptp(differences) == 0:
        return result
    interval = stats.ttest_1samp(differences, 0).confidence_interval(CONFIDENCE)
    result["t"] = {
        "p": stats.ttest_1samp(differences, 0).pvalue,
        "low": interval.low,
        "high": interval.high,
        "equivalence": DescrStatsW(differences).ttost_mean(-MARGIN, MARGIN)[0],
        "detectable": TTestPower().solve_power(
            nobs=size, alpha=1 - CONFIDENCE, power=POWER, alternative="two-sided") * np.std(differences, ddof=1),
    }
    if size >= 8:
        clusters = np.arange(size) % max(3, size // 3)
        fit = OLS(differences, np.ones(size)).fit(
            cov_type="cluster", cov_kwds={"groups": clusters, "df_correction": True}, use_t=True)
        if fit.bse[0] > 1e-12:
            result["clustered"] = {"clusters": clusters.tolist(), "error": fit.bse[0], "p": fit.pvalues[0]}
    return result


def families(random):
    for size in [1, 2, 3, 5, 10, 40]:
        p_values = random.choice(np.round(random.beta(0.4, 2, size), 4), size)
        yield {
            "p_values": p_values.tolist(),
            "holm": multipletests(p_values, method="holm")[1].tolist(),
            "benjamini_hochberg": multipletests(p_values, method="fdr_bh")[1].tolist(),
        }


def rankings(random):
    """Two rankings of the same things, with and without ties."""
    for size in [1, 2, 3, 4, 5, 7, 10, 25]:
        for levels in [2, 3, 10, 1000]:
            for _ in range(7):
                one = random.integers(0, levels, size) / levels
                other = np.where(random.random(size) < 0.5, one, random.integers(0, levels, size) / levels)
                tau = stats.kendalltau(one, other, variant="b").statistic
                yield {"one": one.tolist(), "other": other.tolist(), "tau": None if np.isnan(tau) else tau}


def main():
    warnings.simplefilter("ignore")
    random = np.random.default_rng(20261122)
    for differences in data_sets(random):
        print(json.dumps(facts(differences), default=float))
    for family in families(random):
        print(json.dumps(family))
    for ranking in rankings(random):
        print(json.dumps(ranking, default=float))


if __name__ == "__main__":
    main()
