"""The Mandelbrot set."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import mandelbrot as example
import twins
from case import Case


@twins.variant
def c_escape_times(width, height, limit):
    return width, height, limit, np.empty((height, width), np.int64)


def cases():
    yield Case(
        name="Mandelbrot",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "escape_times", "complex": "escape_times_complex", "masks": "escape_times_masks"},
        arguments=lambda: (200, 150, 100),
        c=c_escape_times,
        small=lambda: (20, 15, 100),
        check=example.check_equal,
    )
