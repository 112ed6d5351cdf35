"""Iterations side by side and loops over time against CPython, on random programs (`random_loops.py`)."""

import os

import numpy as np
import pytest
from random_loops import Program

import pydd
from pydd import python

LONG = bool(os.environ.get("PYDD_LONG"))
LENGTHS = (0, 1, 3, 17, 37)


def arguments(rng, dtype, length):
    """Numbers with few digits, among them sometimes one that is none."""

    def numbers(scale, digits):
        return np.round(rng.normal(size=length) * scale) / digits

    x, y = numbers(4, 2), numbers(3, 4)
    if length and rng.random() < 0.2:
        x[rng.integers(length)] = rng.choice([np.nan, np.inf, -np.inf, -0.0])
    if dtype == "complex128":
        x, y = x + 1j * numbers(2, 2), y - 1j * numbers(2, 4)
    return x.astype(dtype), y.astype(dtype), int(rng.integers(0, 9))


@pytest.mark.parametrize("seed", range(1000 if LONG else 8))
def test_as_under_cpython(seed):
    program = Program(seed)
    compiled = pydd.load(program.text, options=["--strict-fp", "--verify"])
    interpreted = python.loads(program.text)
    rng = np.random.default_rng(seed)
    for name in program.names:
        for length in LENGTHS:
            given = arguments(rng, program.dtype, length)
            results = []
            for module in (compiled, interpreted):
                arrays = [np.copy(each) for each in given[:2]]
                with np.errstate(all="ignore"):
                    results.append((*getattr(module, name)(*arrays, given[2]), *arrays))
            for one, other in zip(*results, strict=True):
                # What is returned is declared to be of the program's type, which Python does not look at.
                other = np.asarray(other, np.asarray(one).dtype)
                np.testing.assert_array_equal(one, other, err_msg=f"{name}{given}")


def test_programs_run_side_by_side(tmp_path, capfd):
    """What the programs are for is done to most of them."""
    for seed in range(3):
        source = tmp_path / f"program_{seed}.pydd"
        source.write_text(Program(seed).text)
        pydd.compile(source, options=["--strict-fp", "--report"])
    assert capfd.readouterr().err.count("[loop-in-lanes]") >= 6
