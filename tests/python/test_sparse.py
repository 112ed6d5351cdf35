"""Sparse matrices in and out of SciPy: what is shared, what is refused, and matrices whose structure is wrong."""

import importlib
from pathlib import Path

import networkx
import numpy as np
import pytest
import scipy.sparse as sp

import pydd

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SOURCE = """
import numpy as np

def times(A: SparseMat(float64), x: Array(float64, 1)):
    y = np.zeros(2)
    return y.sum() + (A @ x)

def product(A: SparseArray(float64, 2), B: SparseArray(float64, 2)):
    return A @ B, A.T @ B, A @ B.T, A + B, A - B.T, A.multiply(B), B.T.multiply(A)

def one(A: SparseMat(float64), i: int64, j: int64):
    return A[i, j]

def same(A: SparseMat(float64)):
    return A

def write(A: SparseMat(float64), value: float64):
    A.data[0] = value

def twice(A: SparseMat(float64), B: SparseMat(float64), value: float64):
    A.data[0] = value
    return B.data[0], A, B

def any_values(A: SparseMat(float32 | float64)):
    return A.sum()
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("sparse") / "sparse_kernels.pydd"
    path.write_text(SOURCE)
    return pydd.load(path)


def broken(change):
    matrix = sp.csr_matrix(np.eye(3))
    change(matrix)
    return matrix


def set_index(matrix, k, value):
    matrix.indices[k] = value


def set_bounds(matrix, *bounds):
    matrix.indptr[:] = bounds


def shorten(matrix, part):
    setattr(matrix, part, getattr(matrix, part)[:-1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: set_index(m, 1, 3), "row 1 of the sparse matrix has index 3, not below 3"),
        (lambda m: set_index(m, 2, -1), "row 2 of the sparse matrix has index -1, not below 3"),
        (
            lambda m: set_bounds(m, 0, 1000, 2, 3),
            "row 0 of the sparse matrix has entries 0 to 1000, but 3 are",
        ),
        (lambda m: set_bounds(m, 0, 2, 1, 3), "row 1 of the sparse matrix has entries 2 to 1"),
        (lambda m: set_bounds(m, -1, 1, 2, 3), "row 0 of the sparse matrix begins at -1"),
        (lambda m: shorten(m, "data"), "row 2 of the sparse matrix has entries 2 to 3, but 2 are stored"),
        (lambda m: shorten(m, "indices"), "row 2 of the sparse matrix has entries 2 to 3, but 2 are stored"),
        (lambda m: shorten(m, "indptr"), "has 3 rows and 3 bounds of rows"),
    ],
)
def test_a_wrong_structure_raises(kernels, change, message):
    with pytest.raises(ValueError, match=message) as caught:
        kernels.times(broken(change), np.arange(3.0))
    if "bounds" not in message:
        assert caught.traceback[-1].lineno + 1 == 6


def test_a_large_matrix_is_checked_too(kernels):
    matrix = sp.csr_matrix(np.ones((400, 400)))
    matrix.indices[399 * 400] = -1
    matrix.indices[5 * 400 + 3] = 400
    with pytest.raises(ValueError, match="row 5 of the sparse matrix has index 400, not below 400") as caught:
        kernels.times(matrix, np.arange(400.0))
    assert caught.traceback[-1].lineno + 1 == 6
    matrix = sp.csr_matrix(np.ones((400, 400)))
    matrix.indptr[200:] = 10**6
    with pytest.raises(ValueError, match="row 199 of the sparse matrix has entries 79600 to 1000000"):
        kernels.times(matrix, np.arange(400.0))


def test_only_rows_that_are_touched_are_checked(kernels):
    matrix = broken(lambda m: set_index(m, 1, 7))
    assert kernels.one(matrix, 2, 2) == 1.0
    with pytest.raises(ValueError, match="row 1"):
        kernels.one(matrix, 1, 1)


@pytest.mark.parametrize("change", [lambda m: set_index(m, 1, 9), lambda m: set_bounds(m, 0, 2, 1, 3)])
def test_products_and_sums_check_both_operands(kernels, change):
    good, bad = sp.csr_array(np.eye(3)), sp.csr_array(np.eye(3))
    change(bad)
    for pair in ((good, bad), (bad, good)):
        with pytest.raises(ValueError, match="row 1 of the sparse matrix"):
            kernels.product(*pair)


def test_a_parameter_comes_back_as_the_callers_object(kernels):
    for matrix in (sp.csr_matrix(np.eye(2)), sp.csr_array(np.eye(2)), sp.csc_matrix(np.eye(2))):
        assert kernels.same(matrix) is matrix


def test_writes_are_seen_by_the_caller(kernels):
    matrix = sp.csr_matrix(np.eye(2))
    kernels.write(matrix, 5.0)
    assert matrix[0, 0] == 5.0


def test_one_matrix_twice(kernels):
    matrix = sp.csr_matrix(np.eye(2))
    value, first, second = kernels.twice(matrix, matrix, 5.0)
    assert value == 5.0 and first is matrix and second is matrix


def test_read_only_data_is_refused_where_it_is_written(kernels):
    matrix = sp.csr_matrix(np.eye(2))
    matrix.data.flags.writeable = False
    with pytest.raises(TypeError, match=r"A\.data.*read-only"):
        kernels.write(matrix, 5.0)
    assert kernels.one(matrix, 0, 0) == 1.0


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (np.eye(2), "must be a sparse float64 matrix, got ndarray; use scipy.sparse.csr_array"),
        (sp.csr_matrix(np.eye(2, dtype=np.float32)), r"got float32; use A.astype\(np.float64\)"),
        (None, "must be a sparse float64 matrix, got NoneType"),
        (sp.coo_array(np.ones(3)), "must have two dimensions, got 1"),
    ],
)
def test_other_arguments_are_refused(kernels, argument, message):
    with pytest.raises(TypeError, match=message):
        kernels.one(argument, 0, 0)


def test_another_format_is_refused_where_it_is_written(kernels):
    with pytest.raises(TypeError, match=r"is a csc_matrix, and write\(\) would write to a copy"):
        kernels.write(sp.csc_matrix(np.eye(2)), 1.0)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
def test_every_format_is_taken(kernels, form):
    matrix = sp.csr_matrix(np.array([[1.0, 0.0, 2.0], [0.0, 0.5, 0.0]])).asformat(form)
    assert np.array_equal(kernels.times(matrix, np.arange(3.0)), matrix @ np.arange(3.0))


def test_indices_of_both_widths(kernels):
    wide = sp.csr_array(np.array([[1.0, 0.0], [2.0, 3.0]]))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    narrow = sp.csr_array(np.array([[1.0, 5.0], [0.0, 3.0]]))
    for pair in ((wide, wide), (wide, narrow), (narrow, wide), (narrow, narrow)):
        expected = pair[0] @ pair[1]
        got = kernels.product(*pair)[0]
        assert got.indices.dtype == expected.indices.dtype
        assert np.array_equal(got.toarray(), expected.toarray())


def test_values_of_two_types(kernels):
    assert kernels.any_values(sp.csr_matrix(np.eye(2, dtype=np.float32))).dtype == np.float32
    assert isinstance(kernels.any_values(sp.csr_matrix(np.eye(2))), float)
    with pytest.raises(TypeError, match="no version of any_values"):
        kernels.any_values(sp.csr_matrix(np.eye(2, dtype=np.int32)))


# 1.2 million entries of int64 values, which are not part of this repository. SciPy counts as many triangles.
IMDB = Path(__file__).resolve().parents[3] / "shared" / "data" / "imdb_matrix.npz"


@pytest.fixture(scope="module")
def counting():
    return pydd.load(EXAMPLES / "triangles.pydd")


def test_triangles_of_a_random_graph(counting, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    example = importlib.import_module("triangles")
    graph = example.random_graph(200, 2000)
    expected = example.by_scipy(graph)
    assert expected > 0
    assert counting.triangles(graph) == counting.triangles_by_rows(graph) == expected


def test_triangles_as_networkx_counts_them(counting):
    graph = networkx.gnp_random_graph(60, 0.2, seed=3)
    matrix = sp.csr_matrix(networkx.to_scipy_sparse_array(graph, dtype=np.int64))
    assert counting.triangles(matrix) == sum(networkx.triangles(graph).values()) // 3


@pytest.mark.skipif(not IMDB.exists(), reason="the graph of actors is not here")
def test_triangles_of_the_graph_of_actors(counting):
    graph = sp.load_npz(IMDB)
    assert counting.triangles_by_rows(graph) == 24_620_528


def with_index(matrix, index):
    matrix.indptr, matrix.indices = matrix.indptr.astype(index), matrix.indices.astype(index)
    return matrix


def with_gaps(matrix):
    """The same matrix, each array every second element of a longer one."""
    for name in ("indptr", "indices", "data"):
        array = getattr(matrix, name)
        longer = np.full(2 * len(array), 77, array.dtype)
        longer[::2] = array
        setattr(matrix, name, longer[::2])
    return matrix


def unaligned(matrix):
    """The same matrix with values at odd addresses."""
    raw = np.zeros(matrix.data.nbytes + 1, np.uint8)
    data = raw[1:].view(matrix.dtype)
    data[:] = matrix.data
    matrix.data = data
    return matrix


@pytest.mark.parametrize("change", [with_gaps, unaligned])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_arrays_of_a_matrix_may_have_gaps(kernels, change, index):
    plain = sp.random(40, 40, 0.2, random_state=3, format="csr")
    matrix = change(with_index(plain.copy(), index))
    assert not (matrix.data.flags.c_contiguous and matrix.data.flags.aligned)
    x = np.arange(40.0)
    np.testing.assert_allclose(kernels.times(matrix, x), plain @ x)
    np.testing.assert_allclose(kernels.times(matrix, np.repeat(x, 2)[::2]), plain @ x)
    assert kernels.any_values(matrix) == pytest.approx(plain.sum())
    other = sp.csr_array(plain)
    array = change(with_index(sp.csr_array(plain), index))
    for got, expected in zip(kernels.product(array, other), kernels.product(other, other), strict=True):
        np.testing.assert_array_equal(got.toarray(), expected.toarray())


@pytest.mark.parametrize("change", [with_gaps, unaligned])
def test_values_with_gaps_are_not_written_to_a_copy(kernels, change):
    matrix = change(sp.csr_matrix(np.eye(3)))
    with pytest.raises(TypeError, match=r"would write to a copy of them; pass A\.copy\(\)"):
        kernels.write(matrix, 5.0)
    assert matrix.data[0] == 1.0
    copied = matrix.copy()
    kernels.write(copied, 5.0)
    assert copied.data[0] == 5.0
