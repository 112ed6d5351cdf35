"""Library functions whose result an annotation describes: what CPython does not check."""

import numpy as np
import pytest

import pydd

SOURCE = """
import numpy as np


def vector(a: Array(float64, 3)) -> Array(float64, 1):
    return np.squeeze(a)


def number(a: Array(float64, 2)):
    b: Array(float64, 0) = a.squeeze()
    return b
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    path = tmp_path_factory.mktemp("annotated") / "annotated_kernels.pydd"
    path.write_text(SOURCE)
    return pydd.load(path)


def test_squeeze_leaves_what_is_promised(lib):
    a = np.arange(8.0).reshape(1, 1, 8)[..., ::2]
    assert np.array_equal(lib.vector(a), [0, 2, 4, 6]) and np.shares_memory(lib.vector(a), a)
    assert lib.number(np.ones((1, 1))) == 1


@pytest.mark.parametrize("shape, axes", [((1, 1, 1), 0), ((1, 2, 3), 2), ((2, 0, 3), 3)])
def test_squeeze_leaves_something_else(lib, shape, axes):
    with pytest.raises(ValueError, match=f"squeeze leaves {axes} axes, where the annotation promises 1"):
        lib.vector(np.ones(shape))
