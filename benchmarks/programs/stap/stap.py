"""Window and beamforming of radar data."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case


def by_arrays(data, window, weights):
    return np.conj(weights) @ (data * window[:, None, None])


def beams(data, window, weights):
    pulses, channels, ranges = data.shape
    count = weights.shape[0]
    result = np.zeros((pulses, count, ranges), np.complex128)
    for p in range(pulses):
        for b in range(count):
            for c in range(channels):
                weight = np.conj(weights[b, c])
                for r in range(ranges):
                    result[p, b, r] += weight * (data[p, c, r] * window[p])
    return result


def c_beams(library):
    def run(data, window, weights):
        pulses, channels, ranges = data.shape
        result = np.empty((pulses, len(weights), ranges), np.complex128)
        library.beams(pulses, channels, ranges, len(weights), data, window, weights, result)
        return result

    return run


def cases():
    def radar(pulses, channels, ranges, beams):
        rng = np.random.default_rng(9)

        def complex_normal(*shape):
            return rng.normal(size=shape) + 1j * rng.normal(size=shape)

        return complex_normal(pulses, channels, ranges), np.hamming(pulses), complex_normal(beams, channels)

    yield Case(
        name="STAP step",
        source=Path(__file__).with_suffix(".pydd"),
        function="beams",
        numpy=by_arrays,
        numba=beams,
        c=c_beams,
        arguments=lambda: radar(16, 16, 512, 12),
    )
