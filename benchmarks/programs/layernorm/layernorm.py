"""Rows brought to mean 0 and variance 1."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_layernorm(x, scale, shift):
    return *x.shape, x, scale, shift, np.empty_like(x)


def cases():
    def problem(m, n):
        rng = np.random.default_rng(13)
        return rng.random((m, n)), rng.random(n), rng.random(n)

    yield Case(
        name="layer norm",
        source=Path(__file__).with_suffix(".pydd"),
        forms={
            "loops": "layernorm",
            "rows": "layernorm_rows",
            "steps": "layernorm_steps",
            "whole arrays": "layernorm_arrays",
        },
        arguments=lambda: problem(1000, 512),
        c=c_layernorm,
        small=lambda: problem(80, 64),
    )
