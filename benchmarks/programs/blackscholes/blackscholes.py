"""Prices of options."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.special import erf

from case import Case


def prices_arrays(spot, strike, years, rate, volatility):
    def normal(x):
        return 0.5 * (1.0 + erf(x * math.sqrt(0.5)))

    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    calls = spot * normal(d1) - discounted * normal(d2)
    puts = discounted * normal(-d2) - spot * normal(-d1)
    return calls, puts


def prices(spot, strike, years, rate, volatility):
    half = math.sqrt(0.5)
    n = len(spot)
    calls = np.empty(n)
    puts = np.empty(n)
    for i in range(n):
        spread = volatility * math.sqrt(years[i])
        d1 = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread
        d2 = d1 - spread
        discounted = strike[i] * math.exp(-rate * years[i])
        up, down = 0.5 * (1.0 + math.erf(d1 * half)), 0.5 * (1.0 + math.erf(d2 * half))
        not_up, not_down = 0.5 * (1.0 + math.erf(-d1 * half)), 0.5 * (1.0 + math.erf(-d2 * half))
        calls[i] = spot[i] * up - discounted * down
        puts[i] = discounted * not_down - spot[i] * not_up
    return calls, puts


def c_prices(library):
    def run(spot, strike, years, rate, volatility):
        calls, puts = np.empty_like(spot), np.empty_like(spot)
        library.prices(len(spot), spot, strike, years, rate, volatility, calls, puts)
        return calls, puts

    return run


def cases():
    def options(n):
        rng = np.random.default_rng(5)
        return rng.uniform(10, 50, n), rng.uniform(10, 50, n), rng.uniform(1, 2, n), 0.1, 0.2

    yield Case(
        name="Black-Scholes",
        source=Path(__file__).with_suffix(".pydd"),
        function="prices",
        numpy=prices_arrays,
        numba=prices,
        c=c_prices,
        arguments=lambda: options(50_000),
        small=lambda: options(500),
    )
