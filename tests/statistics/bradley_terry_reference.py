#!/usr/bin/env python3
"""Computes what tests/statistics/bradley_terry_test.cc compares with, by numpy and SciPy: strengths by a general
optimiser from the likelihood, and their covariance from numerical second derivatives of it."""
import numpy
from scipy.optimize import minimize
from scipy.stats import norm

POINTS = numpy.array([  # of the row against the column: wins, and halves for ties
    [0, 30, 12.5, 0, 7],
    [14, 0, 20, 9, 0],
    [3.5, 8, 0, 11.5, 16],
    [0, 4, 6.5, 0, 9],
    [2, 0, 5, 10, 0],
])


def loss(strengths: numpy.ndarray) -> float:
    differences = strengths[:, None] - strengths[None, :]
    return float((POINTS * numpy.log1p(numpy.exp(-differences))).sum())


def main() -> None:
    models = len(POINTS)

    def whole(free: numpy.ndarray) -> numpy.ndarray:  # the sum is 0
        return numpy.append(free, -free.sum())

    found = minimize(lambda free: loss(whole(free)), numpy.zeros(models - 1), method="BFGS", tol=1e-14)
    strengths = whole(found.x)
    print("strengths", [round(float(x), 6) for x in strengths])
    step = 1e-4
    basis = numpy.vstack([numpy.eye(models - 1), -numpy.ones(models - 1)])
    hessian = numpy.zeros((models - 1, models - 1))
    for i in range(models - 1):
        for j in range(models - 1):
            one, two = basis[:, i] * step, basis[:, j] * step
            around = loss(strengths + one + two) + loss(strengths - one - two)
            hessian[i, j] = (around - loss(strengths + one - two) - loss(strengths - one + two)) / (4 * step * step)
    covariance = basis @ numpy.linalg.inv(hessian) @ basis.T
    print("errors", [round(float(x), 4) for x in numpy.sqrt(covariance.diagonal())])
    quantile = norm.ppf(1 - 0.025 / (models * (models - 1) / 2))
    for other in (1, 3):
        error = numpy.sqrt(covariance[0, 0] + covariance[other, other] - 2 * covariance[0, other])
        difference = strengths[0] - strengths[other]
        print("0 -", other, [round(float(difference + side * quantile * error), 4) for side in (-1, 1)])


if __name__ == "__main__":
    main()
