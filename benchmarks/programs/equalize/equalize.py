"""Histogram and gather."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_equalize(picture, levels):
    return len(picture), picture, levels, np.empty(len(picture))


def cases():
    for name, n in ("histogram and gather", 200_000), ("histogram and gather, in memory", 4_000_000):
        yield Case(
            name=name,
            source=Path(__file__).with_suffix(".pydd"),
            forms={"loops": "equalize", "whole arrays": "equalize_arrays"},
            arguments=lambda n=n: (np.random.default_rng(7).random(n) ** 2, 1024),
            c=c_equalize,
        )
