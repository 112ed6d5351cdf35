"""Dicts of lists, lists of dicts and their like at the boundary: what stands in several places is one object, in and out."""

import copy
import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import pydd

SOURCE = """
from collections import defaultdict

import numpy as np


def add(d: Dict(int, List(int)), k: int, x: int):
    if k in d:
        d[k].append(x)
    else:
        d[k] = [x]
    return d


def both(d: Dict(int, List(int)), xs: List(int)):
    xs.append(1)
    d[7] = xs
    d[7].append(2)
    return len(d[1])


def read_and_change(d: Dict(int, List(int)), e: Dict(int, List(int))):
    e[1].append(5)
    return len(d[1])


def change_and_fail(d: Dict(int, List(int)), k: int):
    d[1].append(9)
    d[2] = [8]
    return d[k][0]


def of_arrays(d: Dict(int, Array(float64, 1)), k: int):
    d[k][0] = -1.0
    d[k + 1] = d[k][1:]
    d[k + 2] = np.zeros(2)
    return d[k]


def of_dicts(d: Dict(int, Dict(int, float))):
    for k in d:
        d[k][k] = 0.5
    return [len(e) for e in d.values()]


def sets(xs: List(Set(int)), n: int):
    first = xs[0]
    for i in range(n):
        first.add(i)
        xs.append({i})
    return first, xs


def tuples(xs: List(Tuple(int, List(float), Dict(int, int)))):
    for i, a, d in xs:
        a.append(0.5 * i)
        d[i] = len(a)
    xs.append((9, [0.5], {1: 2}))
    return xs[0]


def shared(n: int):
    a = [n]
    d = {1: a, 2: a}
    s = {n}
    return a, d, [a, a], [s, s], [(1, a)], {3: d}


def graph(edges: Array(int64, 2)):
    adj = defaultdict(set)
    for i in range(len(edges)):
        adj[int(edges[i, 0])].add(int(edges[i, 1]))
    return adj


def append_through_both(rows: List(List(int)), d: Dict(int, List(List(int)))):
    rows[0].append(7)
    d[0][0].append(8)
    n = len(rows)
    d[0].append([9])
    return rows[0] if len(rows) > n else [n]


def count(d: Dict(int, Set(int))):
    return sum([len(s) for s in d.values()])
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("containers") / "containers.pydd"
    path.write_text(SOURCE)
    return pydd.load(path)


@pytest.fixture(scope="module")
def python():
    class Annotation:
        def __call__(self, *_):
            return object

    names = dict.fromkeys(("Array", "Dict", "List", "Set", "Tuple"), Annotation())
    names |= {"float64": float, "int64": int}
    exec(SOURCE, names)
    return names


def test_the_object_itself_changes_and_comes_back(kernels):
    inner = [2]
    d = {1: inner, 4: []}
    assert kernels.add(d, 1, 5) is d
    assert d == {1: [2, 5], 4: []} and d[1] is inner
    kernels.add(d, 8, 6)
    assert d == {1: [2, 5], 4: [], 8: [6]} and d[1] is inner


def test_one_list_in_several_places(kernels):
    a = [1]
    d = {1: a, 2: a}
    kernels.add(d, 2, 5)
    assert d[1] is a and d[2] is a and a == [1, 5]
    xs = [3]
    e = {1: xs}
    assert kernels.both(e, xs) == 3
    assert e[7] is xs and xs == [3, 1, 2]
    # One dict as two parameters, of which only the second is changed.
    d = {1: [1]}
    assert kernels.read_and_change(d, d) == 2
    assert kernels.read_and_change({1: a}, {1: a}) == 3
    assert a == [1, 5, 5]


def test_what_the_kernel_makes_is_one_object_wherever_it_stands(kernels):
    a, d, xs, sets, pairs, outer = kernels.shared(3)
    assert d[1] is a and d[2] is a and xs[0] is a and xs[1] is a and pairs[0][1] is a
    assert sets[0] is sets[1] and outer[3] is d


def test_changes_before_an_exception_are_kept(kernels):
    d = {1: [1]}
    with pytest.raises(KeyError, match="5"):
        kernels.change_and_fail(d, 5)
    assert d == {1: [1, 9], 2: [8]}


def test_arrays_are_the_callers_own(kernels):
    x = np.arange(3.0)
    d = {1: x}
    assert kernels.of_arrays(d, 1) is x
    assert x[0] == -1.0 and d[1] is x
    assert np.shares_memory(d[2], x) and d[2].tolist() == [1.0, 2.0]
    assert d[3].tolist() == [0.0, 0.0]
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match=r"'d\[1\]' of of_arrays\(\) is read-only"):
        kernels.of_arrays({1: frozen}, 1)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("of_dicts", ({1: {2: 1.0}, 5: {}},)),
        ("of_dicts", ({},)),
        ("sets", ([{1}, set()], 3)),
        ("tuples", ([(1, [], {}), (2, [1.5], {2: 1})],)),
        ("tuples", ([],)),
        ("graph", (np.array([[1, 2], [1, 3], [2, 1]]),)),
        ("count", ({1: {2, 3}, 4: set()},)),
    ],
)
def test_as_python(kernels, python, function, arguments):
    own, other = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert getattr(kernels, function)(*own) == python[function](*other)
    assert [repr(x) for x in own] == [repr(x) for x in other]


def test_nothing_is_kept(kernels):
    class Ints(list):
        pass

    inner = Ints([1])
    d = {1: inner}
    kernels.add(d, 1, 2)
    before = sys.getrefcount(inner)
    for _ in range(100):
        kernels.add(d, 1, 2)
    assert sys.getrefcount(inner) == before
    alive = weakref.ref(inner)
    del inner
    d.clear()
    gc.collect()
    assert alive() is None
    a, *others = kernels.shared(3)
    # The names here, and each place that it stands in.
    assert sys.getrefcount(a) == 2 + 5
    del others
    assert sys.getrefcount(a) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({1: 2}, 1, 5), "the value of key 1 of argument 'd' of add() must be a list, got int"),
        (({1: [2.5]}, 1, 5), "the value of key 1 of argument 'd' of add() must be an int64, got float"),
        (({"a": [1]}, 1, 2), "key 'a' of argument 'd' of add() must be an int64, got str"),
        (([1], 1, 2), "argument 'd' of add() must be a dict, got list"),
    ],
)
def test_wrong_items(kernels, arguments, message):
    with pytest.raises(TypeError) as error:
        kernels.add(*arguments)
    assert message in str(error.value)


def test_wrong_items_of_lists(kernels):
    with pytest.raises(TypeError, match=r"item 1 of argument 'xs' of sets\(\) must be a set, got list"):
        kernels.sets([{1}, [2]], 1)
    with pytest.raises(TypeError, match=r"item 0 of argument 'xs' of tuples\(\) must be a tuple of 3 items"):
        kernels.tuples([(1, [])])


def test_from_several_threads(kernels):
    edges = np.array([[i % 50, i] for i in range(5000)])
    expected = kernels.graph(edges)
    results = [None] * 8

    def run(at):
        for _ in range(5):
            results[at] = kernels.graph(edges)

    threads = [threading.Thread(target=run, args=(at,)) for at in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(result == expected for result in results)


def test_a_list_and_a_dict_that_holds_it(kernels):
    rows = [[1], [2]]
    d = {0: rows, 1: [[5]]}
    assert kernels.append_through_both(rows, d) == [1, 7, 8]
    assert rows == [[1, 7, 8], [2], [9]] and d[0] is rows
