"""Dicts and sets at the boundary: what is taken, what is refused, and what the caller sees afterwards."""

import threading
from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest

import pydd

SOURCE = """
def total(d: Dict(int, float)):
    t = 0.0
    for k, v in d.items():
        t += k * v
    return t


def grow(d: Dict(int, float), k: int, v: float):
    d[k] = v
    return d


def drop(d: Dict(int, float), k: int):
    del d[k]


def change_and_fail(d: Dict(int, float), k: int):
    d[k] = 1.5
    return d[k + 1]


def unlike(d: Dict(Tuple(int, Tuple(int, int)), bool), e: Dict(Tuple(Tuple(int, int), int), bool)):
    return [k for k in e]


def both(d: Dict(int, float), e: Dict(int, float)):
    d[1] = 2.0
    return e[1]


def again(d: Dict(int, float)):
    d[1] = d.pop(1)


def of_pairs(d: Dict(Tuple(int, int), float)):
    d[0, 1] = d.get((1, 2), 0.0)
    return len(d)


def pairs_of(d: Dict(int, Tuple(int, float))):
    out = {}
    for k, (a, b) in d.items():
        out[a] = (k, 2 * b)
    return out


def small(d: Dict(int8, float32)):
    return d


def put(s: Set(int), x: int):
    s.add(x)
    return s


def take(s: Set(float), x: float):
    s.discard(x)


def read(s: Set(int)):
    t = 0
    for x in s:
        t += x
    return t, {t}


def flags(d: Dict(bool, int)):
    return d[True]


def nothing(d: Dict(float, int)):
    return d


def work(n: int):
    d = {}
    for i in range(n):
        d[i % 1000] = d.get(i % 1000, 0) + i
    return d
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("dicts") / "dict_kernels.pydd"
    path.write_text(SOURCE)
    return pydd.load(path)


def test_items_are_converted_as_those_of_lists(kernels):
    assert kernels.total({True: 2, 3: np.float64(0.5)}) == 1 * 2 + 1.5
    assert kernels.total({np.int32(4): True}) == 4.0
    assert kernels.total({}) == 0.0


@pytest.mark.parametrize("bad", [[1], None, {1}, ((1, 2),), np.zeros(2)])
def test_other_types_are_refused(kernels, bad):
    with pytest.raises(TypeError, match=r"argument 'd' of total\(\) must be a dict"):
        kernels.total(bad)


def test_the_error_names_the_key(kernels):
    with pytest.raises(TypeError, match=r"^key 'a' of argument 'd' of total\(\) must be an int64, got str"):
        kernels.total({1: 1.0, "a": 2.0})
    with pytest.raises(TypeError, match=r"^the value of key 7 of argument 'd' of total\(\) must be"):
        kernels.total({7: "x"})
    with pytest.raises(TypeError, match=r"^key 1.5 of argument 'd'"):
        kernels.total({1.5: 1.0})
    with pytest.raises(
        TypeError, match=r"^key \(1, 2, 3\) of argument 'd' of of_pairs\(\) must be a tuple of 2"
    ):
        kernels.of_pairs({(1, 2, 3): 1.0})
    with pytest.raises(OverflowError):
        kernels.total({2**63: 1.0})
    with pytest.raises(OverflowError):
        kernels.small({128: 1.0})


def test_a_failed_conversion_changes_nothing(kernels):
    d, e = {1: 0.5}, {1: "x"}
    with pytest.raises(TypeError):
        kernels.both(d, e)
    assert d == {1: 0.5}


def test_the_callers_object_comes_back(kernels):
    d = {5: 0.5}
    assert kernels.grow(d, 6, 1.5) is d
    assert list(d.items()) == [(5, 0.5), (6, 1.5)]
    s = {1}
    assert kernels.put(s, 2) is s
    assert s == {1, 2}
    assert kernels.put(s, 2) is s


def test_what_did_not_change_stays_the_object_it_was(kernels):
    key, value = 10**6, 0.25
    d = {key: value, 1: 0.5}
    kernels.grow(d, 2, 3.0)
    kernels.drop(d, 1)
    kernels.again({1: 0.5})
    assert next(iter(d)) is key and d[key] is value
    assert list(d) == [key, 2]


def test_order_after_deleting_and_storing_again(kernels):
    d = {1: 0.5, 2: 1.0}
    kernels.again(d)
    assert list(d.items()) == [(2, 1.0), (1, 0.5)]


def test_changes_are_seen_after_an_exception(kernels):
    d = {3: 0.5}
    with pytest.raises(KeyError) as raised:
        kernels.change_and_fail(d, 3)
    assert raised.value.args == (4,) and d == {3: 1.5}
    with pytest.raises(KeyError):
        kernels.drop(d, 99)
    assert d == {3: 1.5}


def test_one_dict_for_two_parameters(kernels):
    d = {1: 0.5}
    assert kernels.both(d, d) == 2.0 and d == {1: 2.0}


def test_one_dict_with_keys_of_two_structures(kernels):
    d = {(1, (2, 3)): True}
    with pytest.raises(TypeError, match="key"):
        kernels.unlike(d, d)


def test_subclasses(kernels):
    assert kernels.total(Counter([3, 3, 4])) == 10.0
    ordered = OrderedDict([(1, 0.5), (2, 1.0)])
    ordered.move_to_end(1)
    assert kernels.grow(ordered, 3, 2.0) is ordered
    assert list(ordered.items()) == [(2, 1.0), (1, 0.5), (3, 2.0)]
    kernels.drop(ordered, 2)
    assert list(ordered) == [1, 3]
    made = defaultdict(float, {1: 0.5})
    assert kernels.grow(made, 2, 0.5) is made and made[7] == 0.0


def test_tuples(kernels):
    d = {(1, 2): 0.5}
    assert kernels.of_pairs(d) == 2 and list(d.items()) == [((1, 2), 0.5), ((0, 1), 0.5)]
    assert kernels.pairs_of({1: (2, 0.5), 3: (4, 1.0)}) == {2: (1, 1.0), 4: (3, 2.0)}


def test_sets(kernels):
    s = {0.5, 1.5}
    kernels.take(s, 0.5)
    assert s == {1.5}
    assert kernels.read({1, 2, 3}) == (6, {6})
    with pytest.raises(TypeError, match="must be a set, got list"):
        kernels.read([1])
    with pytest.raises(TypeError, match=r"^key 'x' of argument 's'"):
        kernels.read({"x"})


def test_bools_and_floats(kernels):
    assert kernels.flags({True: 3}) == 3
    with pytest.raises(KeyError):
        kernels.flags({})
    d = {float("nan"): 1, 0.0: 2}
    assert kernels.nothing(d) is d
    with pytest.raises(ValueError, match="two keys"):
        kernels.nothing({2**53: 1, 2**53 + 1: 2})


def test_a_conversion_that_changes_the_dict(kernels):
    class Bad:
        def __float__(self):
            d.clear()
            return 1.0

    d = {1: Bad(), 2: 2.0}
    kernels.total(d)
    assert d == {}


def test_threads(kernels):
    expected = kernels.work(50_000)
    found = [None] * 4

    def call(at):
        found[at] = kernels.work(50_000)

    threads = [threading.Thread(target=call, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(list(d.items()) == list(expected.items()) for d in found)
