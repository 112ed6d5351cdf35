"""`pydd.jit` on the random programs of whole arrays (`random_arrays.py`), as functions of a Python file."""

import importlib.util
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import pydd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from random_arrays import Program
from test_random_arrays import outcome

LONG = bool(os.environ.get("PYDD_LONG"))


@pytest.mark.falls_back
@pytest.mark.parametrize("seed", range(100_000, 100_300 if LONG else 100_003))
def test_as_in_python(seed, tmp_path):
    program = Program(seed)
    file = tmp_path / f"random_{seed}.py"
    file.write_text("from __future__ import annotations\n" + program.text)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rng = np.random.default_rng(seed)
    compiled = 0
    for name, rank in program.ranks.items():
        function = getattr(module, name)
        kernel = pydd.jit(function, opt=rng.choice([0, 3]))
        for dtype, length in [("f8", 5), ("f4", 7), ("f8", 0)]:
            given = [np.round(rng.normal(size=(length, 3)[:rank]) * 4) / 2 for _ in range(3)]
            given = [each.astype(dtype) for each in given]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found, expected = outcome(kernel, given, 2), outcome(function, given, 2)
            assert found[0] == expected[0], name
            tolerance = 1e-9 if dtype == "f8" else 1e-3
            for one, other in zip(found[1], expected[1], strict=True):
                assert np.asarray(one).dtype == np.asarray(other).dtype
                np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance, err_msg=name)
        compiled += len(kernel.signatures)
    assert compiled > 0
