"""`pytest --pydd`: each kernel of a project, compiled, against the same source in Python, on inputs that Hypothesis makes.

Every function that a `.pydd` file exports is a test. It is called compiled, compiled with `--check-races`, and in CPython; the first
inputs for which results, changed arguments or exceptions differ are made small and shown. Numbers are multiples of 1/4 between -8 and
8, arrays have up to 6 elements along an axis, and integers are mostly such as index them.
"""

from __future__ import annotations

import copy
import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

_LONGEST = 6
# Elements of an array whose lengths are fixed: making more takes too long.
_MOST = 4096
_DEFINITION = re.compile(r"^export def ([^(]+)\((.*)\) -> .*:$")


class Difference(AssertionError):
    """A kernel does not do what its source does in Python."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pydd", "kernels of .pydd files")
    group.addoption(
        "--pydd",
        action="store_true",
        help="test each kernel of .pydd files: compiled, in Python, and for races, on made inputs",
    )
    group.addoption(
        "--pydd-examples", type=int, default=50, metavar="N", help="how many inputs each kernel gets (50)"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("pydd", default=False):
        try:
            import hypothesis  # noqa: F401
        except ImportError:
            raise pytest.UsageError("--pydd needs the package hypothesis: pip install hypothesis") from None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".pydd" and parent.config.getoption("pydd", default=False):
        return _File.from_parent(parent, path=file_path)
    return None


class _File(pytest.File):
    """A `.pydd` file."""

    def collect(self) -> Iterator[pytest.Item]:
        from . import _compiler

        # What is wrong with the file is an error of its collection.
        types = _compiler.stage(self.path, "types")
        definitions = [found for line in types.splitlines() if (found := _DEFINITION.match(line))]
        # What is made for several widths of indices looks alike.
        kernels = dict.fromkeys((found[1].partition(".")[0], found[2]) for found in definitions)
        names = [name for name, _ in kernels]
        for name, text in kernels:
            parameters = [part.partition(": ")[::2] for part in _split(text)]
            # One that is made for several types is several tests.
            shown = name if names.count(name) == 1 else f"{name}[{', '.join(ty for _, ty in parameters)}]"
            yield _Kernel.from_parent(self, name=shown, kernel=name, types=dict(parameters))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        from ._compiler import CompileError

        if isinstance(excinfo.value, CompileError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class _Kernel(pytest.Item):
    """A function that a file exports, for one list of types."""

    def __init__(self, *, kernel: str, types: dict[str, str], **others: Any) -> None:
        super().__init__(**others)
        self.kernel = kernel
        self.types = types

    def runtest(self) -> None:
        from hypothesis import HealthCheck, given, settings
        from hypothesis import strategies as st

        for name, ty in self.types.items():
            if _maker(ty) is None:
                # Dicts, sets and heaps: the kernel is the user's, who hears that it was not tried.
                pytest.skip(f"no inputs are made for `{name}: {ty}`")
        ways = _Ways(self.path, self.kernel)

        @settings(
            max_examples=self.config.getoption("pydd_examples"),
            # The same inputs each time: a test that fails now and then helps nobody.
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(st.data())
        def compare(data: Any) -> None:
            lengths = _Lengths(data.draw(st.integers(0, _LONGEST)) for _ in range(2))
            ways.compare({name: _maker(ty)(data, lengths) for name, ty in self.types.items()})

        compare()

    def reportinfo(self) -> tuple[Path, int, str]:
        lines = self.path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
        start = re.compile(rf"def {re.escape(self.kernel)}\b")
        return self.path, next((at for at, line in enumerate(lines) if start.match(line)), 0), self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        if isinstance(excinfo.value, Difference):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


# Calling.


def _load_python(path: Path) -> ModuleType:
    from . import python

    return python.load(path)


class _Ways:
    """A kernel, in each way in which it can be run."""

    def __init__(self, path: Path, kernel: str) -> None:
        from . import _build

        with warnings.catch_warnings():
            # Remarks of the compiler are no failures.
            warnings.simplefilter("ignore", _build.PyddWarning)
            compiled = _build.load(path)
            checked = _build.load(path, options=["--check-races"])
        self.kernel = kernel
        self.python = _load_python(path)
        self.ways: list[tuple[str, ModuleType]] = [("compiled", compiled), ("with --check-races", checked)]
        signature = inspect.signature(getattr(compiled, kernel))
        self.keyword_only = {p.name for p in signature.parameters.values() if p.kind == p.KEYWORD_ONLY}

    def compare(self, arguments: dict[str, Any]) -> None:
        expected = self._run(self.python, arguments)
        for way, module in self.ways:
            given = self._run(module, arguments)
            if _is_of_scalars(expected[0]) and not isinstance(given[0], Exception):
                continue
            different = _difference(expected, given)
            if different is not None:
                shown = "\n".join(f"    {name} = {value!r}" for name, value in arguments.items())
                raise Difference(f"{self.kernel}, {way}: {different}, for\n{shown}")

    def _run(self, module: ModuleType, arguments: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """What the function gives or raises, and its arguments behind the call."""
        import numpy as np

        own = copy.deepcopy(arguments)
        positional = [value for name, value in own.items() if name not in self.keyword_only]
        named = {name: value for name, value in own.items() if name in self.keyword_only}
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return getattr(module, self.kernel)(*positional, **named), own
        except Exception as error:
            return error, own


def _is_of_scalars(raised: Any) -> bool:
    """Whether Python raises this for scalars where kernels follow IEEE; see "Differences from Python" of the language."""
    of_math = isinstance(raised, ValueError) and re.match("math domain error|expected a ", str(raised))
    return bool(of_math) or isinstance(raised, (ZeroDivisionError, OverflowError))


def _difference(expected: tuple[Any, dict[str, Any]], given: tuple[Any, dict[str, Any]]) -> str | None:
    """What differs, in words."""
    (wanted, wanted_arguments), (result, arguments) = expected, given
    if isinstance(wanted, Exception) or isinstance(result, Exception):
        # What arrays hold that were being written is not said.
        if isinstance(wanted, Exception) and isinstance(result, Exception):
            same = type(wanted).__name__ == type(result).__name__
        else:
            same = False
        return None if same else f"{_shown(result)}, and Python {_shown(wanted)}"
    if not _equal(wanted, result):
        return f"{_shown(result)}, and Python {_shown(wanted)}"
    for name, value in wanted_arguments.items():
        if not _equal(value, arguments[name]):
            return f"`{name}` is {arguments[name]!r} behind the call, and with Python {value!r}"
    return None


def _shown(result: Any) -> str:
    if isinstance(result, Exception):
        return f"raises {type(result).__name__}: {result}"
    return f"gives {result!r}"


def _equal(wanted: Any, given: Any) -> bool:
    """Whether two values are one, up to the order in which floats are added."""
    import numpy as np

    if hasattr(wanted, "toarray") or hasattr(given, "toarray"):
        both = hasattr(wanted, "toarray") and hasattr(given, "toarray")
        return both and _equal(wanted.toarray(), given.toarray())
    if isinstance(wanted, (list, tuple)):
        same = isinstance(given, type(wanted)) and len(wanted) == len(given)
        return same and all(map(_equal, wanted, given))
    if isinstance(wanted, dict):
        return (
            isinstance(given, dict)
            and list(wanted) == list(given)
            and _equal([*wanted.values()], [*given.values()])
        )
    if isinstance(wanted, np.ndarray) and (not isinstance(given, np.ndarray) or wanted.dtype != given.dtype):
        return False
    if wanted is None or given is None or isinstance(wanted, (str, set)):
        return bool(wanted == given)
    wanted, given = np.asarray(wanted), np.asarray(given)
    if wanted.shape != given.shape or "O" in (wanted.dtype.kind, given.dtype.kind):
        return wanted.shape == given.shape and bool(np.all(wanted == given))
    single = any(kind in ("float32", "complex64") for kind in (wanted.dtype.name, given.dtype.name))
    return bool(
        np.allclose(
            wanted, given, rtol=1e-4 if single else 1e-9, atol=1e-5 if single else 1e-9, equal_nan=True
        )
    )


# Making inputs.


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in [*parts, text[start:].strip()] if part]


def _maker(ty: str) -> Callable[[Any, _Lengths], Any] | None:
    """What draws a value of a type, given lengths that arrays have; None for types of which none is made."""
    outer, _, inner = ty.rstrip(")").partition("(")
    parts = _split(inner)
    if not inner:
        return (lambda data, lengths: _scalar(data, outer, lengths)) if _kind(outer) else None
    if outer == "Array" and _kind(parts[0]):
        # `Array(float64, 2, "m 3")`: lengths by name, as annotations give them.
        sizes = parts[2].strip('"').split() if len(parts) > 2 else ["_"] * int(parts[1] if parts[1:] else 1)
        if math.prod(int(size) for size in sizes if size.isdigit()) > _MOST:
            return None
        return lambda data, lengths: _array(data, parts[0], sizes, lengths)
    if outer == "List" and len(parts) == 1 and _kind(parts[0]):
        return lambda data, lengths: [_scalar(data, parts[0], lengths) for _ in range(_length(data, lengths))]
    if outer in ("SparseMat", "SparseArray") and _kind(parts[0]):
        return lambda data, lengths: _sparse(data, outer, parts[0], lengths)
    return None


def _kind(ty: str) -> str | None:
    """Which numbers these are, as NumPy calls kinds."""
    for pattern, kind in (
        (r"bool", "b"),
        (r"int\d*", "i"),
        (r"uint\d+", "u"),
        (r"float\d*", "f"),
        (r"complex\d*", "c"),
    ):
        if re.fullmatch(pattern, ty):
            return kind
    return None


def _scalar(data: Any, ty: str, lengths: Sequence[int]) -> Any:
    import numpy as np

    value = data.draw(_numbers(ty, lengths))
    return value if ty in ("int", "float", "complex", "bool") else np.dtype(ty).type(value)


def _numbers(ty: str, lengths: Sequence[int]) -> Any:
    from hypothesis import strategies as st

    quarters = st.integers(-32, 32).map(lambda number: number / 4)
    indices = st.integers(0, max(*lengths, 1) - 1)
    return {
        "b": st.booleans(),
        "i": indices | indices | st.integers(-2, _LONGEST + 1),
        "u": indices | indices | st.integers(0, _LONGEST + 1),
        "f": quarters,
        "c": st.builds(complex, quarters, quarters),
    }[str(_kind(ty))]


def _length(data: Any, lengths: Sequence[int]) -> int:
    """Mostly the first of the lengths: arrays of a call often have one."""
    from hypothesis import strategies as st

    return int(data.draw(st.sampled_from([lengths[0]] * 6 + [lengths[1], 1])))


class _Lengths(list[int]):
    """Lengths that arrays of a call have, and those of axes that have names."""

    def __init__(self, drawn: Iterable[int]) -> None:
        super().__init__(drawn)
        self.named: dict[str, int] = {}

    def of(self, data: Any, size: str) -> int:
        if size.isdigit():
            return int(size)
        if size == "_":
            return _length(data, self)
        if size not in self.named:
            self.named[size] = _length(data, self)
        return self.named[size]


def _array(data: Any, ty: str, sizes: Sequence[str], lengths: _Lengths) -> Any:
    import numpy as np
    from hypothesis import strategies as st

    shape = tuple(lengths.of(data, size) for size in sizes)
    count = int(np.prod(shape))
    dtype = np.dtype({"int": "int64", "float": "float64", "complex": "complex128"}.get(ty, ty))
    values = data.draw(st.lists(_numbers(ty, lengths), min_size=count, max_size=count))
    array = np.array(values, dtype=dtype).reshape(shape)
    order = data.draw(st.sampled_from("CCCF"))
    return np.asarray(array, order=order)


def _sparse(data: Any, outer: str, ty: str, lengths: _Lengths) -> Any:
    from hypothesis import strategies as st
    from scipy import sparse

    dense = _array(data, ty, ["_", "_"], lengths)
    kept = data.draw(st.lists(st.booleans(), min_size=dense.size, max_size=dense.size))
    for at, keeps in enumerate(kept):
        if not keeps:
            dense.flat[at] = 0
    return (sparse.csr_matrix if outer == "SparseMat" else sparse.csr_array)(dense)
