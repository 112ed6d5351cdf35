"""Deriche's recursive filter."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_deriche(image, alpha):
    return *image.shape, alpha, image, *np.empty((2, *image.shape)), np.empty(image.shape)


def cases():
    yield Case(
        name="deriche",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "deriche", "whole arrays": "deriche_arrays"},
        arguments=lambda: (np.random.default_rng(17).random((300, 400)), 0.25),
        c=c_deriche,
    )
