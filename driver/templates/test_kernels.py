"""The kernels against NumPy, and against the same source run by Python: `python -m pytest`."""

import numpy as np
import pydd
import pytest
from main import SOURCE, kernels


@pytest.fixture(params=[(0, 3), (1, 0), (1000, 3)], ids=str)
def points(request):
    return np.random.default_rng(1).normal(size=request.param)


def test_norms(points):
    np.testing.assert_allclose(kernels.norms(points), np.linalg.norm(points, axis=1))


def test_norms_in_python(points):
    np.testing.assert_allclose(kernels.norms(points), pydd.interpret(SOURCE).norms(points))
