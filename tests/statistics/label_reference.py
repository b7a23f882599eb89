#!/usr/bin/env python3
"""Prints the figures of tests/statistics/label_correction_test.cc, computed a second time, with 40 digits.

Usage: tests/statistics/label_reference.py
"""
from decimal import Decimal, getcontext

getcontext().prec = 40
Z = Decimal("1.959963984540054235524594430520551527")


def clipped(share):
    return min(max(share, Decimal(0)), Decimal(1))


def corrected(passed, records, both_pass, judge_passes, people_pass, both_fail):
    """Returns the rate of Rogan and Gladen (1978), and the limits of Lang and Reiczigel (2014), section 2.3."""
    raw = passed / records
    sensitivity = both_pass / (both_pass + people_pass)
    specificity = both_fail / (both_fail + judge_passes)
    rate = clipped((raw + specificity - 1) / (sensitivity + specificity - 1))
    n = records + Z * Z
    n_se = both_pass + people_pass + 2
    n_sp = both_fail + judge_passes + 2
    p = (passed + Z * Z / 2) / n
    se = (both_pass + 1) / n_se
    sp = (both_fail + 1) / n_sp
    if se + sp - 1 <= Z * (se * (1 - se) / n_se + sp * (1 - sp) / n_sp).sqrt():
        return rate, Decimal(0), Decimal(1)
    t = clipped((p + sp - 1) / (se + sp - 1))
    shift = 2 * Z * Z * (t * se * (1 - se) / n_se - (1 - t) * sp * (1 - sp) / n_sp)
    variance = p * (1 - p) / n + t**2 * se * (1 - se) / n_se + (1 - t) ** 2 * sp * (1 - sp) / n_sp
    reach = Z * variance.sqrt() / (se + sp - 1)
    return rate, clipped(t + shift - reach), clipped(t + shift + reach)


for case in [(196, 300, 36, 14, 4, 26), (80, 100, 50, 5, 5, 40), (500, 1000, 10, 5, 5, 10), (999, 1000, 95, 1, 5, 9),
             (10, 1000, 9, 5, 1, 95)]:
    print(case, *(f"{figure:.12f}" for figure in corrected(*map(Decimal, case))))
