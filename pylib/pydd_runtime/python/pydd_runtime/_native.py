"""Compiled functions for callers in native code: addresses, function pointers of ctypes, callbacks of SciPy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _runtime

# Types of signatures that have no such name in NumPy.
_NAMES = {"boolean": "bool", "bool_": "bool"}


class Value(NamedTuple):
    """The type of a parameter or result."""

    # "number", "array", "nothing", or what else it is.
    kind: str
    # Of numbers and elements, by NumPy's name.
    dtype: str
    rank: int
    # Of a tuple.
    items: tuple[Value, ...]

    @classmethod
    def of(cls, described: Any) -> Value:
        kind, dtype, rank, items = described
        return cls(kind, dtype, rank, tuple(map(cls.of, items)))

    def __str__(self) -> str:
        if self.kind == "array":
            return f"Array({self.dtype}, {self.rank})"
        return self.dtype if self.kind == "number" else self.kind


class Version(NamedTuple):
    """A compiled function for parameters of certain types."""

    function: Callable[..., Any]
    # Its place among those of one name.
    index: int
    names: tuple[str, ...]
    params: tuple[Value, ...]
    written: tuple[bool, ...]
    result: Value

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.params))})"


def versions(function: Any, signature: str | None = None) -> list[Version]:
    """All versions of a function; with a signature, the one for its types. Raises TypeError where there is none."""
    # Decorated functions of Python files say which compiled function is theirs.
    compiled = getattr(function, "__pydd_native__", None)
    name = getattr(function, "__name__", repr(function))
    function = function if compiled is None else compiled(signature)
    described = _runtime._describe(function)
    if described is None:
        if isinstance(function, np.ufunc):
            raise TypeError(
                f"{name} is a ufunc, whose loops have no address; decorate the function with pydd.kernel"
            )
        raise TypeError(f"{name} is not a function that pydd compiled")
    found = [_version(function, index, *each) for index, each in enumerate(described)]
    if signature is None:
        return found
    wanted = _types(signature)
    for version in found:
        if tuple(map(str, version.params)) == wanted:
            return [version]
    raise TypeError(
        f"{name}() has no version for ({', '.join(wanted)}); there are {', '.join(map(str, found))}"
    )


def _version(function: Any, index: int, params: Any, result: Any) -> Version:
    names, types, written = zip(*params) if params else ((), (), ())
    return Version(function, index, names, tuple(map(Value.of, types)), written, Value.of(result))


def _types(signature: str) -> tuple[str, ...]:
    """The parameters of `float64(float64, int64)`, of which the result may be left out."""
    match = re.fullmatch(r"\s*\w*\s*\(([\w\s,]*)\)\s*", signature)
    if match is None:
        raise TypeError(f"not a signature of numbers, such as 'float64(float64, int64)': {signature!r}")
    parts = [part.strip() for part in match[1].split(",") if part.strip()]
    return tuple(np.dtype(_NAMES.get(part, part)).name for part in parts)


def _one(function: Any, signature: str | None) -> Version:
    found = versions(function, signature)
    if len(found) > 1:
        name = getattr(function, "__name__", repr(function))
        raise TypeError(
            f"{name}() has versions for {', '.join(map(str, found))}; `signature=` says which is meant"
        )
    return found[0]


def address(function: Any, signature: str | None = None) -> int:
    """The address of a compiled function of real numbers, for callers in C: `double f(double, int64_t)`.

    function    of a compiled module, or decorated with pydd.kernel or pydd.jit
    signature   which of several versions is meant, or what pydd.jit compiles for: "float64(float64, int64)"

    It is right as long as the process lives, on all threads, with and without the GIL. An exception gives NaN, or 0 where the result is
    no float: it stays set where the caller holds the GIL, and goes to `sys.unraisablehook` otherwise.

    Raises TypeError where a parameter or the result is no real number, RuntimeError beyond 2048 functions, and CompileError where a decorated
    function cannot be compiled.
    """
    version = _one(function, signature)
    return _runtime._address(version.function, version.index)


def cfunc(function: Any, signature: str | None = None) -> Any:
    """A compiled function of real numbers as a function pointer of ctypes, with `argtypes` and `restype`.

    Called from Python it raises what the function raises. Parameters and errors are those of `address`.
    """
    import ctypes

    version = _one(function, signature)
    at = _runtime._address(version.function, version.index)
    types = {
        "bool": ctypes.c_bool,
        **{
            f"{sign}int{bits}": getattr(ctypes, f"c_{sign}int{bits}")
            for sign in ("", "u")
            for bits in (8, 16, 32, 64)
        },
        "float32": ctypes.c_float,
        "float64": ctypes.c_double,
    }
    result = None if version.result.kind == "nothing" else types[version.result.dtype]
    # Which keeps the GIL and looks for exceptions.
    return ctypes.PYFUNCTYPE(result, *(types[param.dtype] for param in version.params))(at)


def low_level_callable(function: Any, signature: str | None = None, user_data: Any = None) -> Any:
    """A compiled function as a `scipy.LowLevelCallable`, which SciPy calls without Python in between.

    function    of a compiled module, or decorated with pydd.kernel (or with pydd.jit, and compiled for one list of types)
    signature   that of the callback; without it the first of these that the function fits:

        f(x) -> number            "double (double, void *)"                                 integrate.quad
        f(window) -> number       "int (double *, npy_intp, double *, void *)"              ndimage.generic_filter
        f(x, y, …) -> number      "double (int, double *, void *)"                          integrate.nquad, quad with args=
        f(line, out)              "int (double *, npy_intp, double *, npy_intp, void *)"    ndimage.generic_filter1d
        f(coordinates, source)    "int (npy_intp *, double *, int, int, void *)"            ndimage.geometric_transform

                Where it is named, the third one is for f(x) with one array of all numbers, too.

    user_data   the value of the function's last parameter in all calls, a number or an array; a tuple for several

    Arrays that SciPy gives have one axis, of float64 but for the int64 `coordinates`; they are views of its memory and live for the call. What
    the function raises, `ndimage` raises; `integrate` ends with a SystemError that it is the cause of.

    Raises TypeError where the function does not fit, and ValueError for an unknown signature.
    """
    from scipy import LowLevelCallable

    fixed = user_data if isinstance(user_data, tuple) else () if user_data is None else (user_data,)
    refusal: TypeError | None = None
    for version in versions(function):
        try:
            code, data = _runtime._low_level(version.function, version.index, signature, fixed)
        except TypeError as error:
            refusal = refusal or error
            continue
        return LowLevelCallable(code, data)
    assert refusal is not None
    raise refusal
