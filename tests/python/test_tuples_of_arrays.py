"""Tuples of arrays at the boundary: what is taken, what is refused, and what the caller sees afterwards."""

import threading

import numpy as np
import pytest

import pydd

SOURCE = """
def add(t: Tuple(Array(float64, 1), Array(float64, 1)), x: float = 1.0):
    return (t[0] + t[1]) * x


def put(t: Tuple(Array(float64, 1), int, Tuple(Array(int32, 1), float))):
    t[0][0] = 7.0
    t[2][0][0] = t[1]


def shift(t: Tuple(Array(float64, 1), Array(float64, 1))):
    for i in range(t[0].size):
        t[0][i] = t[1][i] + 1


def same(t: Tuple(Array(float64, 1), Array(float64, 1))):
    return t


def either(t: Tuple(Array(float64, 1), int) | Tuple(Array(int64, 1), int)):
    return t[0].sum() + t[1]
"""


@pytest.fixture(scope="module", params=["-O0", "-O3"])
def module(request):
    return pydd.load(SOURCE, options=[request.param])


def test_items_are_the_callers_arrays(module):
    a, b = np.zeros(3), np.zeros(2, np.int32)
    module.put((a, 5, (b, 0.5)))
    assert a[0] == 7.0 and b[0] == 5
    x, y = np.ones(2), np.ones(2)
    t = module.same((x, y))
    assert t[0] is x and t[1] is y


def test_by_name_and_default(module):
    t = (np.ones(2), np.ones(2))
    assert module.add(t=t).tolist() == [2.0, 2.0]
    assert module.add(t, 2.0).tolist() == [4.0, 4.0]
    assert module.add(x=3.0, t=t).tolist() == [6.0, 6.0]


def test_strided_and_overlapping(module):
    a = np.arange(10.0)
    assert module.add((a[::2], a[::-2])).tolist() == [9.0] * 5
    b = np.zeros(6)
    module.shift((b[1:], b[:-1]))
    assert b.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("t", "said"),
    [
        ([np.ones(1), np.ones(1)], r"argument 't' of add\(\) must be a tuple of 2 items, got list"),
        ((np.ones(1),), r"argument 't' of add\(\) must be a tuple of 2 items, got one of 1"),
        (np.ones((2, 1)), r"must be a tuple of 2 items, got "),
        ((np.ones(1), np.ones(1, np.float32)), r"argument 't\[1\]' of add\(\)"),
        ((np.ones(1), np.ones((1, 1))), r"argument 't\[1\]' of add\(\)"),
        ((np.ones(1), 1.0), r"argument 't\[1\]' of add\(\)"),
    ],
)
def test_refused(module, t, said):
    with pytest.raises(TypeError, match=said):
        module.add(t)


def test_versions(module):
    assert module.either((np.array([0.5, 1.0]), 1)) == 2.5
    assert module.either((np.array([5, 6]), 1)) == 12
    with pytest.raises(TypeError):
        module.either((np.ones(1, np.float32), 1))


def test_read_only(module):
    a = np.zeros(3)
    a.flags.writeable = False
    assert module.add((a, a)).tolist() == [0.0] * 3
    with pytest.raises(TypeError, match=r"'t\[0\]' of put\(\) is read-only"):
        module.put((a, 1, (np.zeros(1, np.int32), 0.5)))


def test_missing(module):
    with pytest.raises(TypeError):
        module.add()


def test_threads(module):
    a, wrong = np.arange(1000.0), []

    def work():
        for _ in range(200):
            if module.add((a, a))[-1] != 1998.0:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
