"""Heat on a plate, in the caches and far beyond them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def heat_arrays(start, steps):
    u, v = start.copy(), start.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, v = v, u
    return u


def heat_loops(start, steps):
    u, v = start.copy(), start.copy()
    rows, columns = start.shape
    for _ in range(steps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def c_heat(library):
    def run(start, steps):
        u, v = start.copy(), start.copy()
        library.heat(u, v, *start.shape, steps)
        return v if steps % 2 else u

    return run


def cases():
    def plate(size):
        return np.random.default_rng(3).random((size, size))

    def case(name, function, size, steps, **more):
        return Case(
            name=name,
            source=SOURCE,
            function=function,
            numpy=heat_arrays,
            numba=heat_loops,
            c=c_heat,
            arguments=lambda: (plate(size), steps),
            **more,
        )

    yield case("stencil", "heat", 300, 20, small=lambda: (plate(32), 20))
    yield case("stencil, whole arrays", "heat_arrays", 300, 20)
    # Read and written by the two copies and by each step.
    size, steps = 2000, 3
    moved = 16 * size**2 * (2 + steps)
    yield case("stencil, in memory", "heat", size, steps, small=lambda: (plate(32), steps), bytes=moved)
