"""The Mandelbrot set: the kernel of `examples/mandelbrot.pydd`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import mandelbrot as example
from case import Case


def escape_times(width, height, limit):
    times = np.zeros((height, width), np.int64)
    for row in range(height):
        ci = 3.0 * row / height - 1.5
        for column in range(width):
            cr = 3.0 * column / width - 2.0
            zr = 0.0
            zi = 0.0
            steps = 0
            while steps < limit and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                steps += 1
            times[row, column] = steps
    return times


def c_escape_times(library):
    def run(width, height, limit):
        times = np.empty((height, width), np.int64)
        library.escape_times(width, height, limit, times)
        return times

    return run


def cases():
    yield Case(
        name="Mandelbrot",
        source=Path(example.__file__).with_suffix(".pydd"),
        function="escape_times",
        numpy=example.by_arrays,
        numba=escape_times,
        c=c_escape_times,
        arguments=lambda: (200, 150, 100),
        small=lambda: (20, 15, 100),
        check=example.check_equal,
    )
