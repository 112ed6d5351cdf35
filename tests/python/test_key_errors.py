"""The argument of a KeyError: the key that was missing, or the text that the program gave."""

import pytest

import pydd

SOURCE = """
def missing(d: Dict(int, float), k: int) -> float:
    return d[k]


def missing_pair(d: Dict(Tuple(int, float), int), i: int, x: float) -> int:
    return d[(i, x)]


def not_in_set(s: Set(int), k: int):
    s.remove(k)


def number(k: int):
    raise KeyError(f"{k}")


def pair(i: int, j: int):
    raise KeyError(f"({i}, {j})")


def one_tuple(k: int):
    raise KeyError(f"({k},)")


def float_number(x: float):
    raise KeyError(f"{x}")


def braces(k: int):
    raise KeyError(f"{{{k}}}")


def text():
    raise KeyError("(1, 2)")


def digits():
    raise KeyError("0")


def place():
    raise KeyError("{0}")


def nothing():
    raise KeyError


def caught_by_its_base(k: int):
    raise LookupError(f"{k}")
"""

CALLS = {
    "missing": [({1: 0.5}, 3), ({}, -1)],
    "missing_pair": [({(1, 0.5): 2}, 3, 0.25), ({}, 0, float("inf"))],
    "not_in_set": [({1, 2}, 3)],
    "number": [(3,), (-7,)],
    "pair": [(1, 2)],
    "one_tuple": [(4,)],
    "float_number": [(0.5,), (float("inf"),)],
    "braces": [(5,)],
    "text": [()],
    "digits": [()],
    "place": [()],
    "nothing": [()],
    "caught_by_its_base": [(3,)],
}


@pytest.fixture(scope="module")
def python():
    names = {}
    exec("from pydd.intrepydd import *\n" + SOURCE, names)
    return names


@pytest.fixture(scope="module", params=["-O0", "-O3"])
def module(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / f"keys{request.param[2:]}.pydd"
    path.write_text(SOURCE)
    return pydd.load(path, options=[request.param])


@pytest.mark.parametrize("name", CALLS)
def test_arguments_are_those_of_cpython(module, python, name):
    for args in CALLS[name]:
        with pytest.raises(LookupError) as ours:
            getattr(module, name)(*args)
        with pytest.raises(LookupError) as cpythons:
            python[name](*args)
        assert repr(ours.value) == repr(cpythons.value)
        assert ours.value.args == cpythons.value.args
