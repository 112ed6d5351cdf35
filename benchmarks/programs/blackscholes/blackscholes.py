"""Prices of options."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant(results=2)
def c_prices(spot, strike, years, rate, volatility):
    calls, puts = np.empty_like(spot), np.empty_like(spot)
    return len(spot), spot, strike, years, rate, volatility, calls, puts


def cases():
    def options(n):
        rng = np.random.default_rng(5)
        return rng.uniform(10, 50, n), rng.uniform(10, 50, n), rng.uniform(1, 2, n), 0.1, 0.2

    yield Case(
        name="Black-Scholes",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "prices", "whole arrays": "prices_arrays"},
        arguments=lambda: options(50_000),
        c=c_prices,
        small=lambda: options(500),
    )
