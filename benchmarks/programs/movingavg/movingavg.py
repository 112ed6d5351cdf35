"""Moving averages: with a sum that is carried on, and with a sum for each window."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_variant(name):
    def of(library):
        def run(x, k):
            result = np.empty(len(x) - k + 1)
            getattr(library, name)(len(x), k, x, result)
            return result

        return run

    return of


def cases():
    def series(n):
        return np.random.default_rng(14).random(n)

    yield Case(
        name="moving average, carried",
        source=SOURCE,
        forms={"loops": "running_sum", "in place": "cumulative_inplace", "cumsum": "cumulative"},
        arguments=lambda: (series(200_000), 20),
        c=c_variant("running_sum"),
    )
    yield Case(
        name="moving average, windows",
        source=SOURCE,
        forms={
            "loops": "two_loops",
            "slices": "windows",
            "comprehension": "listed",
            "index matrix": "gathered",
            "convolution": "convolved",
        },
        arguments=lambda: (series(30_000), 20),
        c=c_variant("two_loops"),
    )
