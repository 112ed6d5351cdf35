"""Changepoints with heaps: by merging, and by medians."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_merge(library):
    def run(series, segments):
        starts = np.empty(len(series), np.int64)
        return starts[: library.merge(len(series), series, segments, starts)]

    return run


def c_divide(library):
    def run(series, least):
        gain = np.empty(1)
        return library.divide(len(series), series, least, gain), gain[0]

    return run


def steps(length: int, parts: int):
    rng = np.random.default_rng(30)
    return np.repeat(rng.standard_normal(parts), length // parts) + 0.3 * rng.standard_normal(length)


def cases():
    yield Case(
        name="heap changepoints, merging",
        source=SOURCE,
        forms={"loops": "merge", "whole arrays": "merge_argmin"},
        arguments=lambda: (steps(2000, 10), 10),
        c=c_merge,
    )
    yield Case(
        name="heap changepoints, medians",
        source=SOURCE,
        forms={"loops": "divide", "pushpop": "divide_pushpop", "whole arrays": "divide_median"},
        arguments=lambda: (steps(3000, 3), 30),
        c=c_divide,
    )
