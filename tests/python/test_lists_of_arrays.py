"""Lists of arrays at the boundary: arrays go in and out without a copy, and stay the objects they were."""

import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import pydd

SOURCE = """
import numpy as np


def total(xs: List(Array(float64, 1))):
    t = 0.0
    for x in xs:
        t += x.sum()
    return t


def scale(xs: List(Array(float64, 1)), i: int, k: float):
    xs[i] *= k
    return xs


def grow(xs: List(Array(float64, 1)), n: int):
    first = xs[0]
    for i in range(n):
        xs.append(first[i:])
    xs[0] = np.full(2, 7.0)
    return first


def rotate(xs: List(Array(float64, 1))):
    xs.append(xs.pop(0))
    return xs[0], xs[-1]


def put(xs: List(Array(float64, 1)), a: Array(float64, 1)):
    xs.append(a)
    a[0] = 5.0
    xs[0][1] = 6.0
    return a[1]


def change_and_fail(xs: List(Array(float64, 1)), i: int):
    xs[0][0] = 4.0
    xs.append(np.ones(1))
    return xs[i]


def levels(xs: List(List(Array(float64, 2)))):
    xs[0][0][0, 0] = 3.0
    xs.append([xs[0][0].T])
    return [len(x) for x in xs]


def made(n: int):
    return [np.full((i, 2), i) * 1.0 for i in range(n)]


def with_numbers(a: Array(float64, 1), n: int):
    return n, [a, a[::-1], a * 2], [[a]]


def sizes(xs: List(Array(float64, 1)) | List(Array(int64, 1))):
    return np.concatenate(xs).dtype == np.int64, len(xs)
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("lists_of_arrays") / "lists_of_arrays.pydd"
    path.write_text(SOURCE)
    return pydd.load(path)


def arrays(*lengths):
    return [np.arange(float(n)) for n in lengths]


def test_arrays_are_passed_without_a_copy(kernels):
    xs = arrays(3, 2)
    first, second = xs
    assert kernels.scale(xs, 1, 10.0) is xs
    assert xs[0] is first and xs[1] is second
    assert second.tolist() == [0.0, 10.0]
    assert kernels.total(xs) == 13.0 and kernels.total([]) == 0.0


def test_what_changed_goes_back(kernels):
    xs = arrays(3, 2)
    first, second = xs
    assert kernels.grow(xs, 2) is first
    assert len(xs) == 4 and xs[1] is second and xs[0].tolist() == [7.0, 7.0]
    assert xs[2] is first and xs[3].base is first and xs[3].tolist() == [1.0, 2.0]
    xs[3][0] = 9.0
    assert first[1] == 9.0


def test_moved_items_stay_the_objects_they_were(kernels):
    xs = arrays(3, 2, 1)
    a, b, c = xs
    new_first, new_last = kernels.rotate(xs)
    assert [id(x) for x in xs] == [id(b), id(c), id(a)]
    assert new_first is b and new_last is a


def test_an_array_that_is_an_argument_too(kernels):
    (a,) = arrays(4)
    xs = [a]
    assert kernels.put(xs, a) == 6.0
    assert xs[0] is a and xs[1] is a and a.tolist() == [5.0, 6.0, 2.0, 3.0]
    xs = [a[2:]]
    assert kernels.put(xs, a) == 6.0
    assert a.tolist() == [5.0, 6.0, 2.0, 6.0] and xs[1] is a


def test_views_of_any_layout(kernels):
    matrix = np.arange(12.0).reshape(3, 4)
    xs = [matrix[:, 1], matrix[1, ::-1], matrix[0, :0]]
    assert kernels.total(xs) == 1 + 5 + 9 + 4 + 5 + 6 + 7
    kernels.scale(xs, 0, 2.0)
    assert matrix[:, 1].tolist() == [2.0, 10.0, 18.0]


def test_what_is_refused(kernels):
    good = np.zeros(2)
    with pytest.raises(
        TypeError, match=r"'xs\[1\]' of total\(\) must be a float64 array, got int64; use xs\[1\].astype"
    ):
        kernels.total([good, np.zeros(2, int)])
    with pytest.raises(
        TypeError, match=r"'xs\[0\]' of total\(\) must be a 1-dimensional float64 array, got 2 dimensions"
    ):
        kernels.total([np.zeros((2, 2))])
    with pytest.raises(TypeError, match=r"'xs\[1\]' of total\(\) must be a float64 array, got list"):
        kernels.total([good, [1.0]])
    with pytest.raises(TypeError, match="must be a list of arrays, got ndarray"):
        kernels.total(np.zeros((2, 2)))
    with pytest.raises(TypeError, match="must be a list of arrays, got tuple"):
        kernels.total((good,))
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    assert kernels.total([frozen]) == 0.0
    with pytest.raises(TypeError, match=r"'xs\[0\]' of scale\(\) is read-only"):
        kernels.scale([frozen], 0, 2.0)


def test_changes_stay_after_an_exception(kernels):
    xs = arrays(2)
    with pytest.raises(IndexError):
        kernels.change_and_fail(xs, 7)
    assert [x.tolist() for x in xs] == [[4.0, 1.0], [1.0]]


def test_lists_of_lists_of_arrays(kernels):
    m = np.array([[0.0, 1.0], [2.0, 3.0]])
    xs = [[m, m], []]
    assert kernels.levels(xs) == [2, 0, 1]
    assert xs[0][0] is m and xs[0][1] is m and m[0, 0] == 3.0
    assert xs[2][0].base is m and xs[2][0].tolist() == [[3.0, 2.0], [1.0, 3.0]]


def test_versions_are_chosen_by_the_first_item(kernels):
    assert kernels.sizes([np.zeros(1)]) == (False, 1)
    assert kernels.sizes([np.zeros(1, np.int64)] * 2) == (True, 2)


def test_results_keep_their_memory(kernels):
    xs = kernels.made(4)
    assert [x.shape for x in xs] == [(0, 2), (1, 2), (2, 2), (3, 2)]
    last = xs[3]
    del xs
    gc.collect()
    kernels.made(50)
    assert last.tolist() == [[3.0, 3.0]] * 3 and last.flags.writeable
    a = np.arange(3.0)
    n, (own, reversed_, doubled), [[also]] = kernels.with_numbers(a, 5)
    assert n == 5 and own is a and also is a and reversed_.base is a
    assert doubled.tolist() == [0.0, 2.0, 4.0]


def test_references_do_not_leak(kernels):
    a = np.arange(3.0)
    xs = [a, np.zeros(2)]
    before = sys.getrefcount(a)
    for _ in range(100):
        kernels.total(xs)
        kernels.with_numbers(a, 1)
        with pytest.raises(IndexError):
            kernels.change_and_fail(xs[:], 100)
    assert sys.getrefcount(a) == before
    made = kernels.made(2)
    gone = weakref.ref(made[1])
    del made
    gc.collect()
    assert gone() is None


def test_from_several_threads(kernels):
    shared = [np.ones(1000) for _ in range(50)]
    found = []

    def work():
        for _ in range(100):
            found.append(kernels.total(shared))
            assert len(kernels.made(20)) == 20

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [50_000.0] * 400
