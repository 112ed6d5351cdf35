"""The mean of an image over rings."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_by_pixels(image, row, column, rings, width):
    return *image.shape, image, row, column, rings, width, np.zeros(rings)


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
