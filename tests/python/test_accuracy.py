"""Elementary functions are as accurate as docs/math.md says, on processors with and without fused multiply-add."""

import os

import accuracy
import numpy as np
import pytest

COUNT = 20000 if os.environ.get("PYDD_LONG") else 100


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    folder = tmp_path_factory.mktemp("accuracy")
    return {cpu: accuracy.build(folder, cpu) for cpu in ("native", "generic")}


@pytest.mark.parametrize("name", accuracy.NAMES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("cpu", ["native", "generic"])
def test_error_is_bounded(modules, cpu, dtype, name):
    distance, where = accuracy.worst(modules[cpu], name, dtype, COUNT, seed=1)
    widened = dtype == np.float32 and (cpu == "generic" or name in accuracy.ALWAYS_WIDENED)
    assert distance <= (accuracy.WIDENED if widened else accuracy.BOUNDS[dtype][name]), where


@pytest.mark.parametrize("name", accuracy.NAMES)
def test_vectors_and_single_elements_agree(modules, name):
    """The end of a loop is not vectorised: where an element stands makes no difference."""
    x, y = accuracy.samples(name, np.float64, 50)
    whole, single = np.empty_like(x), np.empty_like(x)
    function = getattr(modules["native"], f"{name}_64")
    function(x, y, whole)
    for i in range(len(x)):
        function(x[i : i + 1], y[i : i + 1], single[i : i + 1])
    assert np.array_equal(whole, single, equal_nan=True)
    function(x[::-1], y[::-1], single)
    assert np.array_equal(whole, single[::-1], equal_nan=True)


def test_strict_results_do_not_depend_on_the_processor(tmp_path):
    strict = [
        accuracy.build(tmp_path, cpu, "--strict-fp", *more)
        for cpu, *more in (["native"], ["generic"], ["native", "-O0"])
    ]
    for name in accuracy.NAMES:
        for dtype in (np.float64, np.float32):
            x, y = accuracy.samples(name, dtype, 200)
            results = [np.empty_like(x) for _ in strict]
            for module, out in zip(strict, results):
                getattr(module, f"{name}_{dtype().itemsize * 8}")(x, y, out)
            for other in results[1:]:
                assert np.array_equal(results[0], other, equal_nan=True), name
