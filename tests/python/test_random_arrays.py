"""Statements over whole arrays against CPython, on random programs (`random_arrays.py`)."""

import os

import numpy as np
import pytest
from random_arrays import Program

import pydd
from pydd import python

LONG = bool(os.environ.get("PYDD_LONG"))
LENGTHS = (0, 1, 5, 19)


def outcome(function, given, steps):
    """Results and arguments afterwards, or the exception's name."""
    arguments = [np.copy(each) for each in given]
    with np.errstate(all="ignore"):
        try:
            results = function(*arguments, steps)
        except (IndexError, ValueError) as error:
            return type(error).__name__, []
    return "", [*results, *arguments]


@pytest.mark.parametrize("seed", range(1000 if LONG else 6))
def test_as_under_cpython(seed):
    program = Program(seed)
    compiled = pydd.load(program.text, options=["--verify"])
    interpreted = python.loads(program.text)
    rng = np.random.default_rng(seed)
    for name, rank in program.ranks.items():
        for length in LENGTHS:
            shape = (length, 3)[:rank]
            given = [np.round(rng.normal(size=shape) * 4) / 2 for _ in range(3)]
            found = outcome(getattr(compiled, name), given, 2)
            expected = outcome(getattr(interpreted, name), given, 2)
            assert found[0] == expected[0]
            for one, other in zip(found[1], expected[1], strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=f"{name}{given}")
