"""Window and beamforming of radar data."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import twins
from case import Case


@twins.variant
def c_beams(data, window, weights):
    pulses, channels, ranges = data.shape
    result = np.empty((pulses, len(weights), ranges), np.complex128)
    return pulses, channels, ranges, len(weights), data, window, weights, result


def cases():
    def radar(pulses, channels, ranges, beams):
        rng = np.random.default_rng(9)

        def complex_normal(*shape):
            return rng.normal(size=shape) + 1j * rng.normal(size=shape)

        return complex_normal(pulses, channels, ranges), np.hamming(pulses), complex_normal(beams, channels)

    yield Case(
        name="STAP step",
        source=Path(__file__).with_suffix(".pydd"),
        forms={"loops": "beams_loops", "by pulses": "beams", "stacked": "beams_stacked"},
        c=c_beams,
        library=True,
        arguments=lambda: radar(16, 16, 512, 12),
    )
