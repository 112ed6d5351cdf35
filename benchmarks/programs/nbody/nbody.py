"""Gravity between all pairs of bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_accelerations(x, y, z, mass):
    return len(x), x, y, z, mass, np.empty((len(x), 3))


def cases():
    def bodies(n):
        return tuple(np.random.default_rng(4).random((4, n)).copy())

    yield Case(
        name="n-body",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "accelerations", "whole arrays": "by_arrays", "broadcasting": "by_points"},
        takes={"broadcasting": lambda x, y, z, mass: (np.stack([x, y, z], axis=1), mass)},
        arguments=lambda: bodies(600),
        c=c_accelerations,
        small=lambda: bodies(40),
    )
