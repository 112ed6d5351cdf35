"""Logistic regression, in double and single precision."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_fit(function: str):
    def variant(library):
        def run(X, *more):
            w = np.zeros(X.shape[1], X.dtype)
            getattr(library, function)(*X.shape, X, *more, w)
            return w

        return run

    return variant


def problem(kind: type, rows: int, columns: int):
    rng = np.random.default_rng(35)
    X = rng.standard_normal((rows, columns))
    y = rng.random(rows) < 1.0 / (1.0 + np.exp(-X @ rng.standard_normal(columns)))
    return X.astype(kind), y.astype(kind), 0.5, 20


def check_single(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def cases():
    yield Case(
        name="logistic regression",
        source=SOURCE,
        forms={"loops": "fit", "expit": "fit_expit", "whole arrays": "fit_arrays"},
        arguments=lambda: problem(np.float64, 2000, 40),
        c=c_fit("fit"),
        library=True,
    )
    yield Case(
        name="logistic regression, float32",
        source=SOURCE,
        forms={"loops": "fit32", "whole arrays": "fit32_arrays"},
        arguments=lambda: problem(np.float32, 2000, 40),
        c=c_fit("fit32"),
        check=check_single,
        library=True,
    )
