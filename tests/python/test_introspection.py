"""What Python can ask of a compiled module and its functions: signatures with types, source texts, how it was made."""

import functools
import hashlib
import inspect
import pydoc
import subprocess
import sys
import typing
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

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


# What Python itself calls them.
SHOWN = {
    "things": "things(n: int, s: numpy.float32, z: complex, d: dict[int, float], xs: list[tuple[int, float]], "
    "ys: list[list[numpy.int64]], A: scipy.sparse._csr.csr_matrix) -> tuple[int, float]",
    "maybe": f"maybe(x: Array(int32, 1)) -> {inspect.formatannotation(typing.Optional[np.int32])}",  # noqa: UP045
    "mixed": f"mixed(flag: bool) -> {inspect.formatannotation(typing.Union[int, float])}",  # noqa: UP007
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
    signature = inspect.signature(getattr(asked, name))
    assert f"{name}{signature}" == SHOWN.get(name, SIGNATURES[name][0])
    shown = pydoc.plain(pydoc.render_doc(getattr(asked, name)))
    assert f"{name}{signature}" in " ".join(shown.split())


def test_docstrings_are_the_source_s_own(asked):
    assert inspect.getdoc(asked.norms) == "Of rows.\n\nA second paragraph."
    assert asked.nothing.__doc__ is None and asked.__doc__ == "Kernels."


def test_annotations_are_types_of_python(asked):
    hints = asked.norms.__annotations__
    assert hints == typing.get_type_hints(asked.norms) == inspect.get_annotations(asked.norms)
    assert [*hints] == ["X", "p", "flag", "return"] and hints["p"] is float and hints["flag"] is bool
    assert hints["X"] == np.ndarray[tuple[int, int], np.dtype[np.float64]]
    assert typing.get_origin(hints["return"]) is np.ndarray and repr(hints["return"]) == "Array(float64, 1)"
    things = typing.get_type_hints(asked.things)
    assert things["d"] == dict[int, float] and things["xs"] == list[tuple[int, float]]
    assert things["s"] is np.float32 and things["A"] is csr_matrix and things["return"] == tuple[int, float]
    assert asked.nothing.__annotations__ == {"return": None}


def test_several_versions_have_unions(asked):
    versions = asked.__pydd__["functions"]["several"]
    assert len(versions) == len(set(versions)) == 8
    first = """several(x: Array(float64, 1), w: None = None, mode: Literal["it's"] = "it's") -> float64"""
    assert versions[0] == first
    signature = inspect.signature(asked.several)
    assert [each.default for each in signature.parameters.values()] == [signature.empty, None, "it's"]
    hints = asked.several.__annotations__
    assert set(typing.get_args(hints["w"])) == {float, type(None)}
    assert set(map(repr, typing.get_args(hints["x"]))) == {"Array(float64, 1)", "Array(float32, 1)"}
    assert set(typing.get_args(hints["return"])) == {np.float64, np.float32}
    assert typing.get_origin(hints["mode"]) is typing.Literal
    assert set(typing.get_args(hints["mode"])) == {"a, b", "it's"}


def test_wrapped_and_copied(asked):
    @functools.wraps(asked.norms)
    def wrapped(*args, **kwargs):
        return asked.norms(*args, **kwargs)

    assert inspect.signature(wrapped) == inspect.signature(asked.norms)
    assert asked.norms.__text_signature__ == "(X, p=2.0, /, *, flag=True)"
    with pytest.raises(AttributeError):
        asked.norms.__annotations__ = {}
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


def digest(content):
    return hashlib.sha256(content).hexdigest()


PLAIN = "# é\ndef f(x: int):\n    return x\n"


@pytest.mark.parametrize(
    "content", [PLAIN.encode(), PLAIN.replace("\n", "\r\n").encode(), PLAIN.encode("utf-8-sig")]
)
def test_modules_have_the_digest_of_their_source(tmp_path, content):
    file = tmp_path / "hashed.pydd"
    file.write_bytes(content)
    loaded = pydd.load(file)
    assert loaded.__pydd__["source_sha256"] == digest(content) and loaded.f(3) == 3
    for options in (["-O0"], ["--cpu=x86-64-v2,x86-64-v3"]):
        made = pydd.compile(file, options=options)
        shown = "import hashed; print(hashed.__pydd__['source_sha256'])"
        result = subprocess.run(
            [sys.executable, "-c", shown], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert result.stdout.strip() == digest(content)
        first = Path(made).read_bytes()
        assert Path(pydd.compile(file, options=options)).read_bytes() == first
    # Another source, another digest, where nothing else has changed.
    file.write_bytes(content + b"# more\n")
    assert pydd.load(file).__pydd__["source_sha256"] == digest(content + b"# more\n")
    assert loaded.__pydd__["source_sha256"] == digest(content)


def test_texts_and_decorators_have_a_digest_too():
    text = "def f(x: int):\n    return x + 1\n"
    module = pydd.load(text)
    assert module.__pydd__["source_sha256"] == digest(text.encode())
    assert digest(Path(module.__pydd__["file"]).read_bytes()) == digest(text.encode())

    @pydd.jit(strict=True)
    def scaled(x):
        return x * 2

    assert scaled(3) == 6
    (source,) = scaled.inspect_source().values()
    (module,) = {
        m
        for m in sys.modules.values()
        if getattr(m, "__pydd__", {}).get("source_sha256") == digest(source.encode())
    }
    assert "scaled" in module.__pydd__["functions"]


AUTO = """
import hashlib
import inspect, pydd, pydd.auto, imported
assert inspect.getsource(imported) == pydd.source(imported) == "def f(x: int):\\n    return x\\n"
assert imported.__pydd__["source_sha256"] == hashlib.sha256(open("imported.pydd", "rb").read()).hexdigest()
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
