"""Lists of tuples at the boundary: what is taken, what is refused, and what the caller sees afterwards."""

import threading

import numpy as np
import pytest

import pydd

SOURCE = """
import heapq

def total(xs: List(Tuple(int, float))):
    t = 0.0
    for k, v in xs:
        t += k * v
    return t


def put(xs: List(Tuple(int, float)), i: int, k: int, v: float):
    xs[i] = (k, v)
    return xs


def push(xs: List(Tuple(int, float)), k: int, v: float):
    xs.append((k, v))


def keep(xs: List(Tuple(int, float)), n: int):
    while len(xs) > n:
        xs.pop(0)


def change_and_fail(xs: List(Tuple(int, float)), i: int):
    xs.append((i, 1.5))
    return xs[i]


def both(xs: List(Tuple(int, float)), ys: List(Tuple(int, float))):
    xs.append((1, 2.0))
    return ys[-1]


def lengths(xs: List(Tuple(int, float)), ys: List(Tuple(int, float))):
    before = len(ys)
    xs.append((1, 2.0))
    return before, len(ys)


def plain_lengths(xs: List(int), ys: List(int)):
    before = len(ys)
    xs.append(1)
    return before, len(ys)


def dict_lengths(d: Dict(int, int), e: Dict(int, int)):
    before = len(e)
    d[7] = 1
    return before, len(e)


def unlike(xs: List(Tuple(int, Tuple(int, int))), ys: List(Tuple(Tuple(int, int), int))):
    return ys


def third(xs: List(int), ys: List(float), zs: List(float)):
    zs[0] = 5.5
    return ys[0]


def nested(xs: List(Tuple(Tuple(int, int), bool))):
    return [(b, a) for a, b in xs], xs[0]


def small(xs: List(Tuple(int8, float32, complex64))):
    return xs[0], xs


def heap(h: Heap(float, int)):
    heapq.heapify(h)


def made(n: int):
    return [(i, i * 0.5) for i in range(n)]
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("tuples") / "tuple_kernels.pydd"
    path.write_text(SOURCE)
    return pydd.load(path)


def test_items_are_copied_in(kernels):
    assert kernels.total([(1, 2.0), (3, 0.5)]) == 3.5
    assert kernels.total([]) == 0.0
    assert kernels.total([(1, 2), (np.int64(3), np.float32(0.5))]) == 3.5
    assert kernels.total([(True, 2)]) == 2.0


def test_only_what_changed_is_new(kernels):
    a, b, c = (1000, 2.5), (2000, 3.5), (3000, 4.5)
    xs = [a, b, c]
    assert kernels.put(xs, 1, 7, 0.5) is xs
    assert xs == [a, (7, 0.5), c]
    assert xs[0] is a and xs[2] is c
    kernels.push(xs, 8, 1.0)
    assert xs == [a, (7, 0.5), c, (8, 1.0)] and xs[0] is a
    kernels.keep(xs, 1)
    assert xs == [(8, 1.0)]
    assert type(xs[0]) is tuple and type(xs[0][0]) is int and type(xs[0][1]) is float


def test_an_exception_keeps_what_was_changed(kernels):
    xs = [(1, 2.0)]
    with pytest.raises(IndexError, match="list index out of range"):
        kernels.change_and_fail(xs, 5)
    assert xs == [(1, 2.0), (5, 1.5)]


def test_one_list_twice(kernels):
    xs = []
    assert kernels.both(xs, xs) == (1, 2.0)
    assert xs == [(1, 2.0)]
    ys = [(3, 4.0)]
    assert kernels.both(xs, ys) == (3, 4.0)
    assert kernels.lengths(xs, xs) == (2, 3)
    assert kernels.lengths(xs, ys) == (1, 1)
    zs, table = [1], {1: 2}
    assert kernels.plain_lengths(zs, zs) == (1, 2)
    assert kernels.dict_lengths(table, table) == (1, 2)


def test_one_list_with_items_of_two_structures(kernels):
    assert kernels.unlike([], [((1, 2), 3)]) == [((1, 2), 3)]
    xs = [(1, (2, 3))]
    with pytest.raises(TypeError, match="ys"):
        kernels.unlike(xs, xs)


def test_one_list_for_the_second_and_third_parameter(kernels):
    xs = [1, 2]
    assert kernels.third(xs, xs, xs) == 5.5
    assert xs == [5.5, 2]


def test_nested_and_small_types(kernels):
    assert kernels.nested([((1, 2), True), ((3, 4), False)]) == (
        [(True, (1, 2)), (False, (3, 4))],
        ((1, 2), True),
    )
    first, _ = kernels.small([(1, 0.5, 1j)])
    assert first == (1, 0.5, 1j) and type(first[0]) is np.int8 and type(first[1]) is np.float32
    with pytest.raises(OverflowError, match="out of bounds for int8"):
        kernels.small([(300, 0.5, 1j)])


def test_what_is_refused(kernels):
    with pytest.raises(
        TypeError, match=r"argument 'xs' of total\(\) must be a list of tuples, got tuple; use list\(xs\)"
    ):
        kernels.total(((1, 2.0),))
    with pytest.raises(TypeError, match=r"item 1 of argument 'xs' of total\(\)"):
        kernels.total([(1, 2.0), 3])
    with pytest.raises(TypeError, match=r"item 0 of argument 'xs' of total\(\)"):
        kernels.total([(1, 2.0, 3)])
    with pytest.raises(TypeError, match=r"item 0 of argument 'xs' of total\(\)"):
        kernels.total([(1.5, 2.0)])
    with pytest.raises(TypeError):
        kernels.total(np.zeros((2, 2)))
    with pytest.raises(TypeError):
        kernels.nested([(1, 2)])


def test_an_item_that_changes_the_list(kernels):
    class Shrinks:
        def __index__(self):
            del xs[1:]
            return 4

    xs = [(Shrinks(), 0.5), (1, 2.0), (3, 4.0)]
    assert kernels.total(xs) == 2.0


def test_a_subclass_of_list(kernels):
    class Own(list):
        pass

    xs = Own([(3.0, 1), (1.0, 2)])
    kernels.heap(xs)
    assert xs == [(1.0, 2), (3.0, 1)] and type(xs) is Own


def test_results_are_new(kernels):
    assert kernels.made(3) == [(0, 0.0), (1, 0.5), (2, 1.0)]
    assert kernels.made(0) == []


def test_many_threads(kernels):
    wrong = []

    def work(k):
        for _ in range(200):
            xs = [(k, 1.0)] * 50
            kernels.push(xs, k, 2.0)
            if kernels.total(xs) != k * 52.0:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
