"""The logistic map and Kepler's equation, over arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_variant(function: str):
    def variant(library):
        def run(first, *more):
            result = np.empty(len(first))
            getattr(library, function)(len(first), first, *more, result)
            return result

        return run

    return variant


def cases():
    # Chaos makes every rounding large, so few steps there; below 3.5 the map is periodic.
    yield Case(
        name="logistic map",
        source=SOURCE,
        forms={"loops": "iterate", "in place": "iterate_in_place", "whole arrays": "iterate_arrays"},
        arguments=lambda: (np.linspace(2.5, 3.5, 20_000), 0.3, 100),
        c=c_variant("iterate"),
    )
    yield Case(
        name="Lyapunov exponents",
        source=SOURCE,
        forms={"loops": "lyapunov", "whole arrays": "lyapunov_arrays"},
        arguments=lambda: (np.linspace(2.51, 3.5, 5000), 0.3, 50),
        c=c_variant("lyapunov"),
        check=lambda found, expected: np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8),
    )
    yield Case(
        name="Kepler's equation",
        source=SOURCE,
        forms={"loops": "kepler", "masks": "kepler_masks", "max": "kepler_max", "any": "kepler_any"},
        arguments=lambda: (np.linspace(0.0, 2.0 * np.pi, 20_000), 0.4),
        c=c_variant("kepler"),
    )
