"""`--emit=pyi`: what type checkers know of a module, and of the package itself."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pydd

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SOURCE = '''"""Kernels with "quotes" and a \\\\ backslash."""

class Diverged(ArithmeticError):
    """At a step."""

class Other(Diverged):
    pass

def norms(X: Array(float64, 2), p: float = 2.0) -> Array(float64, 1):
    """Of rows."""
    if p < 0:
        raise Diverged("p")
    return (abs(X) ** p).sum(axis=1) ** (1 / p)

def count(n: int, flag: bool = True, *, scale: float32 = 1.0):
    return n * 2, scale, flag

def either(x: float32 | float64):
    return x + x

def optional(x: Array(float64, 1), w: float = None):
    if w is None:
        return x[0]
    return x[0] * w

def several(x: Array(float64, 1), w: Array(float64, 1) | None = None, mode: Literal["sum", "all"] = "sum", k: int | None = None):
    if mode == "all":
        return x
    return x[0]

def cast(x: Array(float64, 1, cast=True), y: Array(float64, 1, cast=True)):
    y[0] = x[0]
    return x.sum()

def maybe(x: Array(int32, 1)):
    for y in x:
        if y > 0:
            return y

def containers(xs: List(float), d: Dict(int, float), s: Set(int), t: Tuple(int, Array(uint8, 1))) -> List(Tuple(int, float)):
    return [(k, v) for k, v in d.items()]

def sparse(A: SparseMat(float64), B: SparseArray(float64, 2), x: Array(float64, 1)):
    return A @ x, A, B

def positional(a: int, /, b: complex128) -> None:
    pass

def product(a: Float64[np.ndarray, "m k"], b: Float64[np.ndarray, "k n"]) -> Float64[np.ndarray, "m n"]:
    return a @ b

Grid = Array(float64, 2)
type Names = Literal["sum", "all"]
Real = float32
Perhaps = Grid | None

def named(g: Perhaps, x: Real, mode: Names = "sum") -> Tuple(Real, int):
    return x, 0 if g is None else g.size

def doubled(a: Float[np.ndarray, "n"], b: Array1[float32]) -> Float[np.ndarray, "n"]:
    return a + a
'''

RIGHT = """
import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type
import stubbed

X = np.ones((2, 3))
n = stubbed.norms(X)
assert_type(n, np.ndarray[tuple[int], np.dtype[np.float64]])
total: float = n.sum() + stubbed.norms(X, p=1).sum() + stubbed.norms(X, np.float32(1)).max()
a, b, c = stubbed.count(3, scale=np.float64(2))
assert_type(a, int)
assert_type(b, np.float32)
assert_type(c, bool)
assert_type(stubbed.optional(n), float)
assert_type(stubbed.optional(n, 2.0), float)
assert_type(stubbed.optional(n, None), float)
assert_type(stubbed.several(n), float)
assert_type(stubbed.several(n, k=3), float)
assert_type(stubbed.several(n, mode="all"), np.ndarray[tuple[int], np.dtype[np.float64]])
assert_type(stubbed.several(n, None, "all", 2), np.ndarray[tuple[int], np.dtype[np.float64]])
assert_type(stubbed.several(n, w=n, mode="sum", k=None), float)
assert_type(stubbed.cast([1, 2], n), float)
assert_type(stubbed.maybe(np.ones(3, np.int32)), np.int32 | None)
pairs = stubbed.containers([1.0], {1: 2.0}, {3}, (1, np.ones(2, np.uint8)))
assert_type(pairs, list[tuple[int, float]])
stubbed.positional(1, b=2j)
assert_type(stubbed.product(X, X), np.ndarray[tuple[int, int], np.dtype[np.float64]])
single = np.ones(3, np.float32)
assert_type(stubbed.doubled(single, single), np.ndarray[tuple[int], np.dtype[np.float32]])
assert_type(stubbed.doubled(n, single), np.ndarray[tuple[int], np.dtype[np.float64]])
stubbed.positional(1, 2.0)
assert_type(stubbed.named(X, np.float32(1), "all"), tuple[np.float32, int])
assert_type(stubbed.named(None, np.float32(1)), tuple[np.float32, int])
view: NDArray[np.float64] = n
try:
    stubbed.norms(X, -1)
except stubbed.Other:
    pass
except stubbed.Diverged:
    pass
"""

SINGLE = "import numpy as np\nimport stubbed\nsingle = np.ones((2, 3), np.float32)\ncounts = np.ones(3, np.int32)\n"
WRONG = [
    "stubbed.norms(single)",
    "stubbed.norms([1.0])",
    "stubbed.norms()",
    "stubbed.count(1.5)",
    "stubbed.count(3, True, 2.0)",
    "stubbed.positional(a=1, b=2j)",
    "stubbed.containers([1], {1: 2.0}, {3}, (1,))",
    "stubbed.several(np.ones(2), mode='none')",
    "stubbed.several(np.ones(2), [1.0])",
    "stubbed.cast(np.ones(2), [1.0])",
    "stubbed.product(single, single)",
    "stubbed.doubled(counts, counts)",
    "stubbed.named(single, np.float32(1))",
    "stubbed.named(None, np.float32(1), 'none')",
    "stubbed.no_such_function()",
]

CHECKERS = {
    "mypy": [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--hide-error-context",
        "--no-color-output",
    ],
    "pyright": [
        str(Path(sys.executable).parent / "basedpyright"),
        "--level",
        "error",
        "--pythonpath",
        sys.executable,
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stubs")
    (folder / "stubbed.pydd").write_text(SOURCE)
    command = [pydd.find_compiler(), "--emit=pyi", "stubbed.pydd", "-o", "stubbed.pyi"]
    subprocess.run(command, cwd=folder, check=True, stderr=subprocess.DEVNULL)
    (folder / "pyproject.toml").write_text('[tool.basedpyright]\ntypeCheckingMode = "standard"\n')
    return folder


def check(checker, file):
    command = [*CHECKERS[checker], file.name]
    result = subprocess.run(command, cwd=file.parent, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize("checker", CHECKERS)
def test_right_calls_are_accepted(folder, checker):
    file = folder / f"right_{checker}.py"
    file.write_text(RIGHT)
    status, said = check(checker, file)
    assert status == 0, said


@pytest.mark.parametrize("checker", CHECKERS)
def test_wrong_calls_are_refused(folder, checker):
    file = folder / f"wrong_{checker}.py"
    file.write_text(SINGLE + "\n".join(WRONG) + "\n")
    _, said = check(checker, file)
    wanted = range(SINGLE.count("\n") + 1, SINGLE.count("\n") + 1 + len(WRONG))
    assert [line for line in wanted if f"{file.name}:{line}" not in said] == [], said


@pytest.mark.parametrize("checker", CHECKERS)
def test_stubs_are_themselves_right(folder, checker, tmp_path):
    for source in EXAMPLES.glob("*.pydd"):
        command = [pydd.find_compiler(), "--emit=pyi", source, "-o", tmp_path / f"{source.stem}.pyi"]
        subprocess.run(command, check=True)
    (tmp_path / "stubbed.pyi").write_text((folder / "stubbed.pyi").read_text())
    for stub in sorted(tmp_path.glob("*.pyi")):
        status, said = check(checker, stub)
        assert status == 0, said


def test_they_say_what_calls_give(folder):
    """Types of results are those that the runtime gives."""
    module = pydd.load(folder / "stubbed.pydd")
    assert [type(x) for x in module.count(3)] == [int, np.float32, bool]
    assert type(module.maybe(np.ones(3, np.int32))) is np.int32
    assert type(module.either(1.5)) is float or type(module.either(1.5)) is np.float32
    text = (folder / "stubbed.pyi").read_text()
    assert "-> float | _np.float32:" in text or "-> _np.float32 | float:" in text
    # Of `optional`, of `several`, and of calls of it that give a later argument by name; of `doubled`, of `named`.
    assert text.count("@_overload") == 2 + 8 + 4 + 2 + 4
    assert '"""Of rows."""' in text and text.startswith('"""Kernels with \\"quotes\\"')


PACKAGE = """
import numpy as np
import pydd
from pydd import *
from pydd.numba import njit, prange

@pydd.jit
def f(x: float) -> float:
    return x

@pydd.kernel(opt=0)
def g(x: int) -> int:
    return x

kernel: pydd.Kernel[[float], float] = pydd.jit(f.py_func)
m = pydd.load("a.pydd")
print(m.anything, sum([1, 2]) + 1, max(1, 2).bit_length(), zeros(3, float64()), f(2.0), g(1), len(f.signatures))
pydd.set_num_threads(2)
"""


ANNOTATED = """
import jaxtyping as jt
import numpy as np
import pydd
from jaxtyping import Float64
from numpy.typing import NDArray
from pydd import Array1, Array2, float64, int32
from typing_extensions import assert_type

Matrix = Float64[np.ndarray, "m k"]

@pydd.kernel
def product(a: Matrix, b: jt.Float64[np.ndarray, "k n"]) -> Float64[np.ndarray, "m n"]:
    assert_type(a, np.ndarray)
    made: Float64[np.ndarray, "m n"] = a @ b
    return made

@pydd.kernel
def rows(a: Array2[float64], at: Array1[int32] | None = None) -> Array1[float64]:
    assert_type(a, np.ndarray[tuple[int, int], np.dtype[np.float64]])
    made: Array1[float64] = a.sum(axis=1)
    return made

@pydd.kernel
def flat(a: NDArray[np.float64], b: Array1[np.float64]) -> float:
    return float(a.sum() + b.sum())

single = np.ones((2, 3), np.float32)
X = np.ones((2, 3))
assert_type(rows(X), np.ndarray[tuple[int], np.dtype[np.float64]])
anything: NDArray[np.float64] = product(X, X)
rows(anything)
flat(X, rows(X, np.ones(3, np.int32)))
"""
ANNOTATED_WRONG = ["rows(single)", "rows(rows(X))", "rows(X, rows(X))", "product([1.0], X)", "flat(X, X)"]


@pytest.mark.parametrize("checker", CHECKERS)
def test_annotations_are_read(tmp_path, checker):
    file = tmp_path / "annotated.py"
    file.write_text(ANNOTATED + "\n".join(ANNOTATED_WRONG) + "\n")
    (tmp_path / "pyproject.toml").write_text('[tool.basedpyright]\ntypeCheckingMode = "standard"\n')
    _, said = check(checker, file)
    errors = {int(at) for at in re.findall(r"annotated\.py:(\d+):(?:\d+ - )? ?error", said)}
    first = ANNOTATED.count("\n") + 1
    assert errors == set(range(first, first + len(ANNOTATED_WRONG))), said


def test_ruff_reads_annotations(tmp_path):
    """But for jaxtyping's texts, which its documentation says how to leave out."""
    file = tmp_path / "annotated.py"
    file.write_text(ANNOTATED)
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--select=F",
        "--ignore=F722,F821",
        file.name,
    ]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_package_has_types(tmp_path, checker):
    file = tmp_path / "user.py"
    file.write_text(PACKAGE)
    (tmp_path / "pyproject.toml").write_text('[tool.basedpyright]\ntypeCheckingMode = "standard"\n')
    status, said = check(checker, file)
    errors = [line for line in said.splitlines() if "user.py" in line and "error" in line]
    assert errors == [], said
    assert status in (0, 1)
