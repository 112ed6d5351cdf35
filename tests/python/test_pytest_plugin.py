"""`pytest --pydd`: kernels compiled, in Python and for races, on made inputs."""

from pathlib import Path

import pytest

import pydd
import pydd.pytest as plugin

pytest_plugins = ["pytester"]

GOOD = """
import numpy as np


def norms(X: Array(float64, 2)) -> Array(float64, 1):
    result = zeros(X.shape[0], float64())
    pfor i in range(X.shape[0]):
        s = 0.0
        for j in range(X.shape[1]):
            s += X[i, j] * X[i, j]
        result[i] = sqrt(s)
    return result


def gather(a: Array(float32, 1), at: Array(int64, 1), *, scale: float = 2.0):
    b = a[at] * scale
    a[:] = 0.0
    return b, len(b)


def halves(x: int | float):
    return x / 2


def ratio(x: float, n: int):
    return x / n + 7 // n


def sums(A: SparseMat(float64), xs: List(int), z: complex, yes: bool):
    return A.sum(), sum(xs), z * 2.0, not yes


def product(a: Float64[np.ndarray, "m k"], b: Float64[np.ndarray, "k 3"], c: Float64[np.ndarray, "m"]):
    return a @ b + c[:, None]


def inner(d: Dict(int, float)):
    return len(d)
"""


@pytest.fixture
def project(pytester):
    pytester.makeconftest('pytest_plugins = ["pydd.pytest"]')
    return pytester


def write(project, name, text):
    (project.path / f"{name}.pydd").write_text(text, encoding="utf-8")


def test_right_kernels_pass(project):
    write(project, "good", GOOD)
    result = project.runpytest_subprocess("--pydd", "-v", "-rs")
    result.assert_outcomes(passed=7, skipped=1)
    result.stdout.fnmatch_lines(["*good.pydd::halves?int? PASSED*", "*good.pydd::halves?float? PASSED*"])
    result.stdout.fnmatch_lines(["SKIPPED*no inputs are made for `d: Dict(int, float)`*"])


def test_without_the_option_nothing_is_collected(project):
    write(project, "good", GOOD)
    assert project.runpytest_subprocess().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_race_that_only_a_run_shows_fails(project):
    write(
        project,
        "race",
        "def move(x: Array(float64, 1), at: Array(int64, 1)):\n    pfor i in range(len(x)):\n        x[at[i]] = x[i] + 1.0\n",
    )
    result = project.runpytest_subprocess("--pydd")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["move, with --check-races: raises RuntimeError: *", "    x = array(*", "    at = array(*"]
    )


WRONG_PYTHON = """
import pydd.pytest

pytest_plugins = ["pydd.pytest"]
load = pydd.pytest._load_python


# Python is made wrong, since no kernel is known to be.
def wrong(path):
    module = load(path)
    right = module.f
    module.f = lambda x, a: right(x, a) + (x > 1.0)
    return module


pydd.pytest._load_python = wrong
"""


def test_a_difference_fails_and_shows_the_inputs(pytester):
    pytester.makeconftest(WRONG_PYTHON)
    write(pytester, "kernels", "def f(x: float, a: Array(float64, 1)):\n    return x * 2.0\n")
    result = pytester.runpytest_subprocess("--pydd")
    result.assert_outcomes(failed=1)
    # The smallest of such inputs.
    shown = ["f, compiled: gives 2.5, and Python gives 3.5, for", "    x = 1.25", "    a = array(*[[][]]*"]
    result.stdout.fnmatch_lines(shown)


def test_a_wrong_program_is_an_error_of_its_file(project):
    write(project, "wrong", "def f(x: float):\n    return x + y\n")
    result = project.runpytest_subprocess("--pydd")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*error?undefined-name?: name `y` is not defined*"])


def test_values_that_are_one():
    import numpy as np

    nan = float("nan")
    for a, b, same in [
        (1.0, 1.0 + 1e-12, True),
        (nan, nan, True),
        (1, 2, False),
        (np.ones(2), np.ones(2, np.float32), False),
        (np.ones(2), np.ones((1, 2)), False),
        (np.ones(2), [1.0, 1.0], False),
        ((1, np.ones(1)), (1, np.ones(1)), True),
        ([1], (1,), False),
        (None, 0, False),
        (None, None, True),
        ({1: 2.0}, {1: 3.0}, False),
        (True, False, False),
    ]:
        assert plugin._equal(a, b) is same, (a, b)


def test_settings_of_a_project_count_and_are_noticed(tmp_path: Path):
    source = tmp_path / "kernels.pydd"
    source.write_text("def f(x: float) -> float:\n    return x + 1.0\n")
    first = pydd.load(source)
    (tmp_path / "pyproject.toml").write_text("[tool.pydd]\nopt-levle = 1\n")
    with pytest.raises(pydd.CompileError, match="did you mean `opt-level`"):
        pydd.load(source)
    (tmp_path / "pyproject.toml").write_text("[tool.pydd]\nopt-level = 0\n")
    second = pydd.load(source)
    assert first.__file__ != second.__file__ and second.f(1.0) == 2.0
    (tmp_path / "pyproject.toml").unlink()
    assert pydd.load(source).__file__ == first.__file__
