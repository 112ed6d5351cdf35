"""The mean of an image over rings."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def c_by_pixels(library):
    def run(image, row, column, rings, width):
        total = np.zeros(rings)
        library.by_pixels(*image.shape, image, row, column, rings, width, total)
        return total

    return run


def cases():
    yield Case(
        name="azimuthal integration",
        source=Path(__file__).with_suffix(".pydd"),
        forms={
            "loops": "by_pixels",
            "masks": "by_masks",
            "histogram": "by_histogram",
            "digitize": "by_digitize",
            "bincount": "by_bincount",
        },
        arguments=lambda: (np.random.default_rng(33).random((400, 400)), 199.3, 201.7, 64, 3.1),
        c=c_by_pixels,
    )
