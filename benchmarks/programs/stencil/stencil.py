"""Heat on a plate, in the caches and far beyond them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_heat(library):
    def run(start, steps):
        u, v = start.copy(), start.copy()
        library.heat(u, v, *start.shape, steps)
        return v if steps % 2 else u

    return run


def cases():
    def plate(size):
        return np.random.default_rng(3).random((size, size))

    def case(name, size, steps, **more):
        return Case(
            name=name,
            source=SOURCE,
            forms={"loops": "heat", "whole arrays": "heat_arrays"},
            arguments=lambda: (plate(size), steps),
            c=c_heat,
            small=lambda: (plate(32), steps),
            **more,
        )

    yield case("stencil", 300, 20)
    # Read and written by the two copies and by each step.
    size, steps = 2000, 3
    yield case("stencil, in memory", size, steps, bytes=16 * size**2 * (2 + steps))
