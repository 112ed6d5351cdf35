"""What programs for Numba import: `from pydd.numba import njit, prange` moves one over.

Decorators take Numba's keywords. What Numba does and pydd does otherwise: indices are always checked, negative and
wrong ones as in NumPy; constants may change between calls; what is compiled is always cached; a function that cannot be
compiled runs in Python, with a warning, where Numba raises (`strict=True` raises here too); `1.0 / 0.0` of floats is inf, as with
Numba's `error_model="numpy"`.
"""

from __future__ import annotations

import re
from typing import Any

from pydd_runtime import get_num_threads, set_num_threads

from ._compiler import flags
from ._jit.kernel import Options, decorator
from .intrepydd import prange

__all__ = ["get_num_threads", "jit", "njit", "prange", "set_num_threads"]

# Numba's names for types that are written otherwise here.
_SHORT = {
    **{
        f"{letter}{size}": f"{kind}{8 * size}"
        for letter, kind, sizes in (
            ("i", "int", (1, 2, 4, 8)),
            ("u", "uint", (1, 2, 4, 8)),
            ("f", "float", (4, 8)),
            ("c", "complex", (8, 16)),
        )
        for size in sizes
    },
    **{
        "b1": "bool",
        "boolean": "bool",
        "bool_": "bool",
        "double": "float64",
        "single": "float32",
        "float_": "float32",
    },
    **{
        "intp": "int64",
        "int_": "int64",
        "intc": "int32",
        "uintp": "uint64",
        "uint": "uint64",
        "byte": "uint8",
    },
    **{"short": "int16", "ushort": "uint16", "uintc": "uint32", "long_": "int64", "ulong": "uint64"},
    **{"longlong": "int64", "ulonglong": "uint64", "char": "int8", "uchar": "uint8", "size_t": "uint64"},
    **{"ssize_t": "int64", "none": "None", "void": "None"},
}
_KNOWN = re.compile(r"None|bool|u?int(8|16|32|64)|float(32|64)|complex(64|128)")
_TYPE = re.compile(r"(?:numba\.|nb\.|types\.)*(\w+)\s*(\[[^\]]*\])?")


class _Type:
    """`float64`, `float64[:, ::1]`; called, a signature."""

    def __init__(self, name: str, rank: int = 0) -> None:
        self.name = name
        self.rank = rank

    def __getitem__(self, axes: Any) -> _Type:
        return _Type(self.name, len(axes) if isinstance(axes, tuple) else 1)

    def __call__(self, *arguments: _Type) -> _Signature:
        return _Signature(tuple(map(str, arguments)), str(self))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"Array({self.name}, {self.rank})" if self.rank else self.name


class _Signature:
    def __init__(self, arguments: tuple[str, ...], result: str | None = None) -> None:
        self.arguments = arguments
        self.result = result


def jit(
    signature_or_function: Any = None,
    *,
    nopython: bool = True,
    forceobj: bool = False,
    parallel: bool = False,
    fastmath: Any = False,
    strict: bool = False,
    locals: dict[str, Any] | None = None,
    cache: bool = False,
    nogil: bool = False,
    boundscheck: bool | None = None,
    error_model: str = "python",
    inline: str = "never",
    looplift: bool = True,
    debug: bool = False,
    pipeline_class: Any = None,
) -> Any:
    """`numba.jit`: compile for the types of arguments, or for a signature such as `"float64(float64[:], int64)"`.

    `prange` is a parallel loop with `parallel=True`, else `range`. Of `fastmath` a set of flags counts as True. The keywords
    that say how Numba works (`nopython`, and those from `cache` on) change nothing.
    """
    function = (
        signature_or_function
        if callable(signature_or_function) and not isinstance(signature_or_function, _Type)
        else None
    )
    given = (
        None if function is not None or signature_or_function is None else _signatures(signature_or_function)
    )
    if forceobj:
        return function if function is not None else (lambda function: function)
    if locals:
        raise TypeError("`locals` is not supported: convert in the function, `x = np.float32(x)`")
    options = Options(
        strict=strict,
        prange=parallel,
        given=None if given is None else tuple(each.arguments for each in given),
        results={each.arguments: each.result for each in given or () if each.result is not None},
        command_line=flags(parallel=parallel, fast_math=bool(fastmath)),
    )
    return decorator(function, options)


def njit(signature_or_function: Any = None, **keywords: Any) -> Any:
    """`numba.njit`: as `jit`."""
    return jit(signature_or_function, **keywords)


def _signatures(written: Any) -> tuple[_Signature, ...]:
    """All signatures that a decorator is given."""
    if isinstance(written, _Signature):
        return (written,)
    if isinstance(written, str):
        return (_parse(written),)
    if isinstance(written, tuple) and all(isinstance(each, _Type) for each in written):
        return (_Signature(tuple(map(str, written))),)
    if isinstance(written, (list, tuple)):
        return tuple(each for item in written for each in _signatures(item))
    raise TypeError(f"not a signature: {written!r}")


def _parse(text: str) -> _Signature:
    """`float64(float64[:, ::1], int64)`, `(float64[:], i8)`."""
    match = re.fullmatch(r"\s*([^()]*)\((.*)\)\s*", text, re.DOTALL)
    if match is None:
        raise TypeError(f"not a signature: {text!r}")
    result = _types(match.group(1), text)
    return _Signature(_types(match.group(2), text), result[0] if result else None)


def _types(rest: str, text: str) -> tuple[str, ...]:
    types = []
    rest = rest.strip()
    while rest:
        found = _TYPE.match(rest)
        if found is None or not found.group(1):
            raise TypeError(f"not a signature: {text!r}")
        name, axes = _SHORT.get(found.group(1), found.group(1)), found.group(2)
        if _KNOWN.fullmatch(name) is None:
            raise TypeError(f"not a type of numbers or arrays: `{found.group(1)}` in {text!r}")
        types.append(str(_Type(name, axes.count(",") + 1 if axes else 0)))
        rest = rest[found.end() :].lstrip().removeprefix(",").lstrip()
    return tuple(types)


def __getattr__(name: str) -> Any:
    full = _SHORT.get(name, name)
    if _KNOWN.fullmatch(full):
        return _Type(full)
    raise AttributeError(
        f"pydd.numba has no `{name}`; it has jit, njit, prange, types of numbers, get_num_threads and set_num_threads"
    )
