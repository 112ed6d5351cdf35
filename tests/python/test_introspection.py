"""What Python can ask of a compiled module and its functions: signatures with types, source texts, how it was made."""

import inspect
import pydoc
import subprocess
import sys

import numpy as np
import pytest

import pydd

SOURCE = '''"""Kernels."""

SCALE = 2.0

@vectorize
def halved(x: float) -> float:
    return x / 2

def norms(X: Array(float64, 2), p: float = 2.0, /, *, flag: bool = True) -> Array(float64, 1):
    """Of rows.

    A second paragraph."""
    result = zeros(X.shape[0], float64())
    pfor i in range(X.shape[0]):
        result[i] = abs(X[i]).sum() ** p * SCALE
    return result

def several(x: Array(float64, 1) | Array(float32, 1), w: float | None = None, mode: Literal["a, b", "it's"] = "it's"):
    return x[0]

def things(n: int, s: float32, z: complex, d: Dict(int, float), xs: List(Tuple(int, float)), ys: List(List(int)), A: SparseMat(float64)) -> Tuple(int, float):
    return n, 0.5

def maybe(x: Array(int32, 1)):
    if x.size > 3:
        return x[0]
    return None

def mixed(flag: bool):
    if flag:
        return 1
    return 0.5

def nothing():
    pass
'''

SIGNATURES = {
    "norms": ["norms(X: Array(float64, 2), p: float = 2.0, /, *, flag: bool = True) -> Array(float64, 1)"],
    "things": [
        "things(n: int, s: float32, z: complex, d: Dict(int, float), xs: List(Tuple(int, float)), ys: List(List(int64)), "
        "A: SparseMat(float64)) -> Tuple(int, float)"
    ],
    "maybe": ["maybe(x: Array(int32, 1)) -> int32 | None"],
    "mixed": ["mixed(flag: bool) -> int | float"],
    "nothing": ["nothing() -> None"],
}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    file = tmp_path_factory.mktemp("introspection") / "asked.pydd"
    file.write_text(SOURCE)
    return file


@pytest.fixture(scope="module")
def asked(file):
    return pydd.load(file)


@pytest.mark.parametrize("name", SIGNATURES)
def test_types_are_told(asked, name):
    assert asked.__pydd__["functions"][name] == SIGNATURES[name]
    shown = pydoc.plain(pydoc.render_doc(getattr(asked, name)))
    assert SIGNATURES[name][0] in " ".join(shown.split())


def test_help_has_each_version_and_the_docstring(asked):
    lines = asked.norms.__doc__.split("\n")
    assert lines == [SIGNATURES["norms"][0], "", "Of rows.", "", "    A second paragraph."]
    versions = asked.__pydd__["functions"]["several"]
    assert len(versions) == len(set(versions)) == 8
    first = """several(x: Array(float64, 1), w: None = None, mode: Literal["it's"] = "it's") -> float64"""
    assert versions[0] == first
    assert any("mode: Literal['a, b']" in version for version in versions)
    assert asked.several.__doc__ == "\n".join(versions)


def test_signatures_are_read_as_before(asked):
    """`inspect` takes no types from built-in functions."""
    assert str(inspect.signature(asked.norms)) == "(X, p=2.0, /, *, flag=True)"
    assert asked.nothing.__text_signature__ == "()"
    assert "halved" not in asked.__pydd__["functions"] and asked.halved.types == ["d->d"]


def test_sources_of_modules_and_functions(asked, file):
    assert pydd.source(asked) == SOURCE
    assert pydd.source(asked.norms).startswith("def norms(X") and "pfor i in" in pydd.source(asked.norms)
    assert pydd.source(asked.norms).endswith("    return result\n")
    assert pydd.source(asked.halved) == "@vectorize\ndef halved(x: float) -> float:\n    return x / 2\n"

    @pydd.jit
    def decorated(x):
        return x

    assert pydd.source(decorated) == inspect.getsource(decorated.py_func) == inspect.getsource(decorated)
    for wrong in (len, np, np.sum, 3, "asked", SIGNATURES):
        with pytest.raises(TypeError):
            pydd.source(wrong)


MOVED = """
import inspect, pydd, shipped
print(pydd.source(shipped.f) == "def f(x: int):\\n    return x\\n")
try:
    inspect.getsource(shipped)
except (OSError, TypeError):
    print("inspect has none")
import os
os.remove("shipped.pydd")
try:
    pydd.source(shipped)
except OSError as error:
    print(error)
"""


def test_the_source_lies_beside_the_module(tmp_path):
    (tmp_path / "shipped.pydd").write_text("def f(x: int):\n    return x\n")
    pydd.compile(tmp_path / "shipped.pydd", options=["-O0"])
    result = subprocess.run(
        [sys.executable, "-c", MOVED], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[:2] == ["True", "inspect has none"]
    assert result.stdout.splitlines()[2].startswith("the source of shipped is not there: ")


AUTO = """
import inspect, pydd, pydd.auto, imported
assert inspect.getsource(imported) == pydd.source(imported) == "def f(x: int):\\n    return x\\n"
assert imported.__pydd__["functions"] == {"f": ["f(x: int) -> int"]}
"""


def test_modules_that_are_imported_from_source(tmp_path):
    (tmp_path / "imported.pydd").write_text("def f(x: int):\n    return x\n")
    subprocess.run([sys.executable, "-c", AUTO], cwd=tmp_path, check=True)


def test_kernels_of_python_files_have_their_own():
    @pydd.kernel
    def scaled(x: pydd.Array1[pydd.float64], by: float = 2.0) -> float:
        """Of all."""
        return x.sum() * by

    assert str(inspect.signature(scaled)) == "(x: Array(float64, 1), by: float = 2.0) -> float"
    assert scaled.__annotations__ == {"x": pydd.Array1[pydd.float64], "by": float, "return": float}
    assert scaled.__wrapped__ is scaled.py_func and scaled.__doc__ == "Of all."
