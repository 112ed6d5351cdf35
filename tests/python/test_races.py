"""`--check-races`: races that only a run shows are exceptions that name both iterations and both lines."""

import numpy as np
import pytest

import pydd

SOURCE = """
import numpy as np


def flag(x: Array(float64, 1), found: Array(bool, 1)):
    pfor i in range(len(x)):
        if x[i] > 0.0:
            found[0] = True


def scatter(x: Array(float64, 1), to: Array(int64, 1), out: Array(float64, 1)):
    pfor i in range(len(x)):
        out[to[i]] = x[i]


def gather_in_place(x: Array(float64, 1), at: Array(int64, 1)):
    pfor i in range(len(x)):
        x[i] = x[at[i]]


def bubble(x: Array(float64, 1)):
    pfor i in range(len(x) - 1):
        if x[i] > x[i + 1]:
            t = x[i]
            x[i] = x[i + 1]
            x[i + 1] = t


def shifted(x: Array(float64, 1), by: int64):
    pfor i in range(len(x) - by):
        x[i] = x[i + by] * 2.0


def strided(x: Array(float64, 1), a: int64, b: int64, n: int64):
    pfor i in range(n):
        x[a * i] = 1.0
        x[b * i + 1] = 2.0


def relax(parent: Array(int64, 1)):
    pfor i in range(len(parent)):
        parent[i] = parent[parent[i]]


def edges(a: Array(int64, 1), b: Array(int64, 1), mark: Array(int64, 1)):
    pfor e in range(len(a)):
        mark[a[e]] = e
        mark[b[e]] = e


def rows(m: Array(float64, 2), order: Array(int64, 1)):
    pfor i in range(len(order)):
        m[order[i]] = m[i] + 1.0


def windows(x: Array(float64, 1), start: Array(int64, 1), width: int64):
    pfor i in range(len(start)):
        part = x[start[i]:start[i] + width]
        for k in range(len(part)):
            part[k] = i


def put(out: Array(float64, 1), at: int64, value: float64):
    out[at] = value


def through_a_function(x: Array(float64, 1), to: Array(int64, 1)):
    out = np.zeros(len(x))
    pfor i in range(len(x)):
        put(out, to[i], x[i])
    return out


def mixed_reduction(k: Array(int64, 1), h: Array(float64, 1)):
    pfor i in range(len(k)):
        h[k[i]] = h[k[i]] * 2.0 + 1.0


def compact(x: Array(float64, 1), place: Array(int64, 1), out: Array(float64, 1)):
    pfor i in range(len(x)):
        if x[i] > 0.0:
            out[place[i] - 1] = x[i]


def cells(grid: Array(int64, 2), r: Array(int64, 1), c: Array(int64, 1)):
    pfor i in range(len(r)):
        grid[r[i], c[i]] = i


def nested(m: Array(float64, 2), k: int64):
    pfor i in range(m.shape[0]):
        pfor j in range(m.shape[1]):
            m[i, j * k] = j


def histogram(k: Array(int64, 1), n: int64):
    h = np.zeros(n, np.int64)
    pfor i in range(len(k)):
        h[k[i]] += 1
    return h


def scratch(x: Array(float64, 2)):
    out = np.zeros(x.shape[0])
    pfor i in range(x.shape[0]):
        row = np.zeros(x.shape[1])
        row[:] = x[i] * 2.0
        for j in range(1, len(row)):
            row[j] += row[j - 1]
        out[i] = row[-1]
    return out
"""


@pytest.fixture(scope="module", params=["-O3", "-O0"])
def checked(request, tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("PYDD_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    yield pydd.load(SOURCE, options=["--check-races", request.param])
    patch.undo()


def line_of(text):
    return next(n for n, line in enumerate(SOURCE.splitlines(), 1) if line.strip() == text)


def arange(n):
    return np.arange(float(n))


# The call, the iterations that meet in the order in which they run, and the statement in which the second one does.
RACES = [
    (lambda m: m.flag(np.array([0.0, 1.0, -1.0, 2.0]), np.zeros(1, bool)), (1, 3), "found[0] = True"),
    (lambda m: m.scatter(arange(4), np.array([3, 1, 0, 1]), np.zeros(4)), (1, 3), "out[to[i]] = x[i]"),
    (lambda m: m.gather_in_place(arange(4), np.array([0, 1, 3, 1])), (1, 3), "x[i] = x[at[i]]"),
    (lambda m: m.bubble(np.array([1.0, 2.0, 5.0, 3.0, 9.0])), (1, 2), "x[i] = x[i + 1]"),
    (lambda m: m.shifted(arange(6), 1), (0, 1), "x[i] = x[i + by] * 2.0"),
    (lambda m: m.strided(np.zeros(20), 3, 2, 5), (3, 4), "x[b * i + 1] = 2.0"),
    (lambda m: m.relax(np.array([0, 0, 1, 2])), (0, 1), "parent[i] = parent[parent[i]]"),
    (lambda m: m.edges(np.array([0, 2]), np.array([1, 1]), np.zeros(3, int)), (0, 1), "mark[b[e]] = e"),
    (lambda m: m.rows(np.zeros((3, 2)), np.array([1, 2, 0])), (0, 1), "m[order[i]] = m[i] + 1.0"),
    (lambda m: m.windows(np.zeros(9), np.array([0, 3, 5]), 3), (1, 2), "part[k] = i"),
    (lambda m: m.through_a_function(arange(3), np.array([2, 0, 2])), (0, 2), "out[at] = value"),
    (lambda m: m.compact(np.ones(3), np.array([1, 2, 2]), np.zeros(3)), (1, 2), "out[place[i] - 1] = x[i]"),
    (
        lambda m: m.cells(np.zeros((2, 2), int), np.array([0, 1, -2]), np.array([1, 0, 1])),
        (0, 2),
        "grid[r[i], c[i]] = i",
    ),
    (lambda m: m.nested(np.zeros((2, 3)), 0), (0, 1), "m[i, j * k] = j"),
]

FINE = [
    lambda m: m.flag(np.array([0.0, 1.0, -1.0]), np.zeros(1, bool)),
    lambda m: m.scatter(arange(4), np.array([3, 1, 0, 2]), np.zeros(4)),
    lambda m: m.gather_in_place(arange(4), np.arange(4)),
    lambda m: m.shifted(arange(6), 3),
    lambda m: m.shifted(arange(6), 6),
    lambda m: m.strided(np.zeros(20), 2, 2, 4),
    lambda m: m.relax(np.arange(5)),
    lambda m: m.edges(np.array([0, 2]), np.array([1, 3]), np.zeros(4, int)),
    lambda m: m.rows(np.zeros((3, 2)), np.arange(3)),
    lambda m: m.windows(np.zeros(9), np.array([0, 3, 6]), 3),
    lambda m: m.through_a_function(arange(3), np.array([2, 0, 1])),
    lambda m: m.mixed_reduction(np.array([2, 0, 1]), np.zeros(3)),
    lambda m: m.compact(np.array([1.0, -1.0, 1.0]), np.array([1, 1, 2]), np.zeros(3)),
    lambda m: m.cells(np.zeros((2, 2), int), np.array([0, 1, 0]), np.array([1, 0, 0])),
    lambda m: m.nested(np.zeros((2, 3)), 1),
    lambda m: m.histogram(np.array([1, 1, 0, 1]), 2),
    lambda m: m.scratch(arange(12).reshape(4, 3)),
]


@pytest.mark.parametrize("number", range(len(RACES)))
def test_races_are_caught(checked, number):
    call, (first, second), statement = RACES[number]
    with pytest.raises(RuntimeError, match=r"^race in `pfor`: iteration") as error:
        call(checked)
    assert f"iteration {second} " in str(error.value)
    assert f"that iteration {first} " in str(error.value)
    assert error.traceback[-1].lineno + 1 == line_of(statement)


def test_the_message_names_the_array_and_both_lines(checked):
    with pytest.raises(RuntimeError) as error:
        checked.edges(np.array([0, 2]), np.array([1, 1]), np.zeros(3, int))
    line = line_of("mark[b[e]] = e")
    assert (
        str(error.value)
        == f"race in `pfor`: iteration 1 writes an element of `mark` that iteration 0 wrote in line {line}"
    )
    with pytest.raises(RuntimeError) as error:
        checked.shifted(arange(6), 1)
    assert "`x`" in str(error.value)


def test_combining_and_replacing_one_element_is_a_race(checked):
    with pytest.raises(RuntimeError, match="iteration 2 reads an element of `h` that iteration 0 wrote"):
        checked.mixed_reduction(np.array([1, 0, 1]), np.zeros(3))


@pytest.mark.parametrize("number", range(len(FINE)))
def test_runs_without_races_are_left_alone(checked, number):
    usual = pydd.load(SOURCE)
    expected, found = FINE[number](usual), FINE[number](checked)
    np.testing.assert_array_equal(found, expected)


def test_other_exceptions_stay(checked):
    with pytest.raises(IndexError, match=r"index 7 is out of bounds for axis 0 with size 4"):
        checked.scatter(arange(4), np.array([3, 7, 0, 1]), np.zeros(4))
