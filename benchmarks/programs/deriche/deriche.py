"""Deriche's recursive filter."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def c_deriche(library):
    def run(image, alpha):
        result = np.empty(image.shape)
        library.deriche(*image.shape, alpha, image, *np.empty((2, *image.shape)), result)
        return result

    return run


def cases():
    yield Case(
        name="deriche",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "deriche", "whole arrays": "deriche_arrays"},
        arguments=lambda: (np.random.default_rng(17).random((300, 400)), 0.25),
        c=c_deriche,
    )
