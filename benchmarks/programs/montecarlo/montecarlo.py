"""Monte Carlo: a quarter of a circle, and an option on the mean of a price."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


def c_number(function: str):
    def variant(library):
        def run(*arguments):
            result = np.empty(1)
            getattr(library, function)(*arguments, result)
            return result[0]

        return run

    return variant


def cases():
    yield Case(
        name="Monte Carlo circle",
        source=SOURCE,
        forms={"loops": "circle", "columns": "circle_columns", "whole arrays": "circle_arrays"},
        arguments=lambda: (200_000, 39),
        c=c_number("circle"),
    )
    yield Case(
        name="Monte Carlo circle, generator",
        source=SOURCE,
        forms={"loops": "circle_generator", "whole arrays": "circle_generator_arrays"},
        arguments=lambda: (200_000, 39),
    )
    yield Case(
        name="Monte Carlo option",
        source=SOURCE,
        forms={"loops": "option", "products": "option_products", "whole arrays": "option_arrays"},
        arguments=lambda: (4000, 50, 100.0, 98.0, 0.02, 0.2, 40),
        c=c_number("option"),
    )
