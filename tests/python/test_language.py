"""The names of `from pydd import *`, with the meaning that kernels have under CPython."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

import pydd
from pydd import intrepydd as lib


def test_star_import_brings_the_language_and_nothing_else():
    namespace = {}
    exec("from pydd import *", namespace)
    del namespace["__builtins__"]
    assert set(namespace) == set(pydd.__all__)
    assert not {"sum", "min", "max", "any", "all", "abs", "pow", "time"} & set(namespace)
    exec("from pydd.intrepydd import *", namespace)
    assert namespace["sum"] is lib.sum
    assert "compile" not in namespace and "load" not in namespace


def test_every_name_exists():
    module = importlib.import_module("pydd.intrepydd")
    assert [name for name in lib.__all__ if not hasattr(module, name)] == []


def test_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        pydd.no_such_name  # noqa: B018


def test_importing_pydd_does_not_import_numpy():
    code = "import sys, pydd; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_both_spellings_of_a_type_are_equal():
    assert lib.Array(lib.float64, 2) == lib.Array[lib.float64, 2]
    assert lib.List(lib.int64) == lib.List[lib.int64]
    assert lib.Array(lib.float64, 2) != lib.Array(lib.float64, 1)
    assert repr(lib.Dict(lib.int64, lib.Array(lib.float32, 2))) == "Dict(int64, Array(float32, 2))"


def test_types_can_be_alternatives():
    assert repr(lib.Array(lib.float32) | lib.Array(lib.float64)) == "Union(Array(float32), Array(float64))"
    assert repr(lib.float32 | lib.Array(lib.float64)) == "Union(float32, Array(float64))"


def test_abbreviations():
    assert (lib.J, lib.long, lib.I, lib.D, lib.double, lib.F) == (
        np.int64,
        np.int64,
        np.int32,
        np.float64,
        np.float64,
        np.float32,
    )


@pytest.mark.parametrize("dtype", [lib.int32(), lib.int32, "int32", np.dtype("int32")])
def test_a_dtype_may_be_an_instance_or_a_type(dtype):
    for made in (lib.zeros(3, dtype), lib.empty((3,), dtype), lib.zeros([3], dtype)):
        assert made.dtype == np.int32 and made.shape == (3,)
    assert lib.zeros_2d((2, 3), dtype).shape == (2, 3)
    assert lib.arange(0, 6, 2, dtype).tolist() == [0, 2, 4]


def test_default_dtype_is_float64():
    assert lib.zeros((2, 3)).dtype == np.float64


def test_shape_and_stride():
    a = np.zeros((2, 3), np.float32)
    assert (lib.shape(a, 1), lib.shape(a), lib.stride(a, 0)) == (3, (2, 3), 12)


def test_rows_and_columns_are_views():
    a = np.arange(6.0).reshape(2, 3)
    lib.get_row(a, 1)[0] = -1.0
    lib.get_col(a, 2)[0] = -2.0
    assert a.tolist() == [[0, 1, -2], [-1, 4, 5]]
    lib.set_row(a, 0, 7.0)
    lib.set_col(a, 1, np.array([8.0, 9.0]))
    assert a.tolist() == [[7, 8, 7], [-1, 9, 5]]


def test_sum_rows_counts_a_row_as_often_as_it_is_listed():
    a = np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])
    assert lib.sum_rows(a, np.array([0, 2, 2], np.int32)).tolist() == [201.0, 402.0]


def test_in_place_operations():
    a = np.ones(3)
    lib.plus_eq(a, np.array([1.0, 2.0, 3.0]))
    lib.minus_eq(a, 1.0)
    assert a.tolist() == [1.0, 2.0, 3.0]
    lib.fill(a, 4.0)
    assert a.tolist() == [4.0, 4.0, 4.0]


def test_reductions_of_arrays_lists_and_scalars():
    a = np.array([[1, 5], [7, 3]])
    assert lib.sum(a) == 16 and lib.sum([1, 2]) == 3 and lib.sum(x for x in (1, 2)) == 3
    assert lib.sum(a, axis=0).tolist() == [8, 8]
    assert lib.min(a) == 1 and lib.max([3, 4]) == 4 and lib.min(3, 2, 4) == 2
    assert lib.max(a, 1).tolist() == [5, 7]
    assert lib.any([0, 1]) and not lib.all(np.array([0, 1]))


def test_min_and_max_propagate_nan():
    assert (
        np.isnan(lib.min(1.0, np.nan)) and np.isnan(lib.max(np.nan, 1.0)) and np.isnan(lib.min([2.0, np.nan]))
    )


def test_argmin_of_a_matrix_is_an_index_for_each_dimension():
    a = np.array([[4, 5, 6], [7, 1, 9]])
    assert lib.argmin(a) == (1, 1) and lib.argmax(a) == (1, 2)
    assert lib.argmin(a[0]) == 0
    assert lib.argmin(a, axis=0).tolist() == [0, 1, 0]


def test_where_gives_indices_of_a_vector():
    found = lib.where(np.array([False, True, False, True]))
    assert found.tolist() == [1, 3] and found.dtype == np.int32
    assert lib.where1(np.array([1, 1, 1]), 2).tolist() == [0, 1]
    assert lib.where(np.array([True, False]), 1, 2).tolist() == [1, 2]
    assert [axis.tolist() for axis in lib.where(np.eye(2))] == [[0, 1], [0, 1]]


def test_allclose_with_a_scalar_is_a_bound():
    assert lib.allclose(np.array([0.5, -0.5]), 0.5) and not lib.allclose(np.array([0.5, -0.6]), 0.5)
    assert lib.allclose(np.array([1.0]), np.array([1.0 + 1e-12]))


def test_elementwise_names():
    a = np.array([1.0, 4.0])
    assert lib.sqrt(a).tolist() == [1.0, 2.0] and lib.minus(a).tolist() == [-1.0, -4.0]
    assert lib.div(a, 2).tolist() == [0.5, 2.0] and lib.pow(a, 2).tolist() == [1.0, 16.0]
    assert lib.elemwise_not(np.array([0, 3])).tolist() == [True, False]
    assert lib.log(np.array([8.0]), 2.0) == pytest.approx([3.0])
    assert lib.neq(a, 1.0).tolist() == [False, True]


def test_compatibility_check():
    assert lib.compatibility_check(np.zeros((2, 3)), np.zeros(3))
    assert not lib.compatibility_check(np.zeros((2, 3)), np.zeros(2))


def test_matrix_products():
    a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0])
    assert lib.matmult(a, b).tolist() == [-1.0, -1.0] and lib.innerprod(b, b) == 2.0
    assert lib.transpose(a).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    with pytest.raises(ValueError, match="1-D"):
        lib.innerprod(a, b)


def test_numbers_from_text():
    assert (lib.hextoi("ff"), lib.stoi("12"), lib.strtol("101", 2)) == (255, 12, 5)
