"""Keyword-only parameters of compiled functions: as CPython's, messages included."""

import inspect

import pytest

import pydd

SOURCE = """
def f(a: int, b: int = 2, *, c: int, d: int = 4) -> int:
    return a * 1000 + b * 100 + c * 10 + d


def only(*, c: int = 1) -> int:
    return c


def versions(a: int64 | float64, *, c: int = 1):
    return a + c
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    path = tmp_path_factory.mktemp("keywords") / "keyword_kernels.pydd"
    path.write_text(SOURCE)
    return pydd.load(path), pydd.interpret(path)


def test_values(both):
    for lib in both:
        assert lib.f(1, c=3) == 1234
        assert lib.f(1, 5, d=6, c=7) == 1576
        assert lib.f(c=3, a=1) == 1234
        assert lib.only() == 1 and lib.only(c=5) == 5
        assert lib.versions(1, c=2) == 3 and lib.versions(1.5) == 2.5


@pytest.mark.parametrize(
    "call",
    [
        lambda lib: lib.f(1, 2, 3, c=4),
        lambda lib: lib.f(1, 2),
        lambda lib: lib.f(c=1),
        lambda lib: lib.f(1, 2, 3, 4),
        lambda lib: lib.only(1),
        lambda lib: lib.f(1, c=2, e=3),
    ],
)
def test_what_is_refused(both, call):
    texts = []
    for lib in both:
        with pytest.raises(TypeError) as error:
            call(lib)
        texts.append(str(error.value))
    ours, cpythons = texts
    # CPython also counts the keyword arguments that were given.
    assert ours == cpythons or ("positional argument" in cpythons and ours.split(" but ")[0] in cpythons)


def test_a_version_by_position(both):
    with pytest.raises(TypeError):
        both[0].versions(1, 2)


def test_the_signature(both):
    compiled, interpreted = both
    assert compiled.f.__text_signature__ == "(a, b=2, *, c, d=4)"
    assert list(inspect.signature(compiled.f).parameters) == list(inspect.signature(interpreted.f).parameters)
