"""What the names that a function reads stand for, and how the language writes it down."""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import sys
import types
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing

from .._cells import Cell, cell_of
from .._names import LIBRARIES
from .types import DTYPES, Unsupported, is_kernel, is_type, key_of_argument, text_of, text_of_annotation
from .watch import GONE

# Functions make the constant arrays that they read where they begin.
_LARGEST_CONSTANT = 4096
# Names that mean something to the language wherever they stand.
SYNTAX = frozenset(("prange", "map", "filter"))


@dataclass(frozen=True)
class Library:
    """A module or a function of a library, by an import."""

    statement: str


@dataclass(frozen=True)
class Builtin:
    """What Python has without an import."""


@dataclass(frozen=True)
class UserFunction:
    function: types.FunctionType


@dataclass(frozen=True)
class UserUfunc:
    """A ufunc that `pydd.vectorize` made of a function: the types of operands and results of each loop."""

    function: types.FunctionType
    loops: list[tuple[tuple[str, ...], tuple[str, ...]]]


# Ufuncs have no place for what they are made of; by their identity, and they are kept. None: a generalized one.
_UFUNCS: dict[int, tuple[np.ufunc, UserUfunc | None]] = {}


@dataclass(frozen=True)
class CellFunction:
    """A function that a cell with `%%pydd` defines."""

    name: str
    cell: Cell


@dataclass(frozen=True)
class Constant:
    """A number, a text, an array or a tuple of these, as an expression."""

    text: str


@dataclass(frozen=True)
class Passed:
    """What may change, which the function is given at each call: a list, a dict, a set, an array that is no constant."""

    key: Any
    text: str
    # Why it is no constant.
    reason: Unsupported


@dataclass(frozen=True)
class ExceptionClass:
    kind: type[BaseException]


@dataclass(frozen=True)
class TypeName:
    """A type, as an annotation."""

    text: str


Meaning = (
    Library
    | Builtin
    | UserFunction
    | UserUfunc
    | CellFunction
    | Constant
    | Passed
    | ExceptionClass
    | TypeName
)
# What `functools.cache` and `lru_cache` make.
CACHED = type(functools.lru_cache(len))


def meaning(name: str, value: Any) -> Meaning:
    """What a name stands for whose value is given. Raises Unsupported."""
    if name in SYNTAX and getattr(builtins, name, GONE) is not value:
        raise Unsupported(f"`{name}` is not Python's own; give it another name")
    if isinstance(value, types.ModuleType):
        if is_library(value):
            return Library(f"import {value.__name__} as {name}")
        raise Unsupported(
            f"`{name}` is a module, of which only functions and constants can be read: `{name}.f(…)`"
        )
    if getattr(builtins, name, GONE) is value:
        return Builtin()
    if is_type(value):
        return TypeName(text_of_annotation(value))
    if isinstance(value, np.dtype) and value.char in DTYPES and value.isnative:
        return Library(_imported("numpy", _dtype(value).removeprefix("numpy."), name))
    if value is numpy.typing.NDArray:
        return Library(_imported("numpy.typing", "NDArray", name))
    if found := _in_language(value) or _in_library(value):
        return Library(_imported(*found, name))
    if (cell := cell_of(value)) is not None:
        return CellFunction(value.__name__, cell)
    if (function := function_of(value)) is not None:
        return UserFunction(function)
    if (ufunc := _ufunc_of(name, value)) is not None:
        return ufunc
    if isinstance(value, type) and issubclass(value, BaseException):
        return ExceptionClass(value)
    try:
        return Constant(constant(name, value))
    except Unsupported as error:
        return passed(name, value, error)


def passed(name: str, value: Any, reason: Unsupported) -> Passed:
    """A value that a function is given at each call. Raises Unsupported, which is the `reason` where it is no such value."""
    key = key_of_argument(value)
    is_empty = type(value) in (list, dict, set) and not value
    if is_empty or not isinstance(value, (list, dict, set, tuple, np.ndarray)):
        if is_empty:
            raise Unsupported(
                f"`{name}` is an empty global {type(value).__name__}, which has no type; make it in the function"
            )
        raise reason
    try:
        return Passed(key, text_of(key), reason)
    except Unsupported as error:
        raise Unsupported(f"the global `{name}` is {error}") from None


def remember(made: np.ufunc, ufunc: UserUfunc | None) -> None:
    """Says what a ufunc is made of, which kernels may call."""
    _UFUNCS[id(made)] = made, ufunc


def _ufunc_of(name: str, value: Any) -> UserUfunc | None:
    if not isinstance(value, np.ufunc) or id(value) not in _UFUNCS:
        return None
    _, ufunc = _UFUNCS[id(value)]
    if ufunc is None:
        raise Unsupported(f"`{name}` is a generalized ufunc, which kernels cannot call; call its function")
    return ufunc


def function_of(value: Any) -> types.FunctionType | None:
    """The Python function in a value: itself, or what a decorator of this package, of Numba or of functools holds."""
    if isinstance(value, types.FunctionType):
        return value
    if isinstance(value, CACHED):
        return function_of(value.__wrapped__)
    if is_kernel(value):
        function: types.FunctionType = getattr(value, "_dispatcher", value).py_func
        return function
    return None


def arity(value: Any) -> int | None:
    """How many arguments a library's function takes, if it takes no others."""
    if isinstance(value, np.ufunc):
        return value.nin if value.nout == 1 and value.signature is None else None
    if not isinstance(value, types.BuiltinFunctionType):
        return None
    try:
        parameters = inspect.signature(value).parameters.values()
    except ValueError:
        return None
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    are_plain = all(each.kind in plain and each.default is each.empty for each in parameters)
    return len(parameters) if are_plain and parameters else None


def is_prange(value: Any) -> bool:
    return getattr(value, "__name__", None) == "prange" and _root(value) in ("pydd", "numba")


def is_library(module: types.ModuleType) -> bool:
    return module.__name__.partition(".")[0] in LIBRARIES or module.__name__ == "pydd"


def may_be_followed(value: Any, attribute: str) -> bool:
    """Whether `value.attribute` is fixed, so that it can be read when compiling."""
    if isinstance(value, types.ModuleType) and value.__name__ == "pydd":
        return attribute in ("numba", "prange")
    is_enum = isinstance(value, type) and issubclass(value, enum.Enum)
    return (
        is_enum
        or isinstance(value, enum.Enum)
        or (isinstance(value, types.ModuleType) and not is_library(value))
    )


def _imported(module: str, original: str, name: str) -> str:
    return f"from {module} import {original}" + ("" if original == name else f" as {name}")


def _root(value: Any) -> str:
    module = getattr(value, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


def _in_language(value: Any) -> tuple[str, str] | None:
    """A function or type of `from pydd import *`."""
    language = sys.modules.get("pydd.intrepydd")
    name = getattr(value, "__name__", None) or getattr(value, "name", None)
    if language is None or not isinstance(name, str) or _root(value) == "numpy":
        return None
    return ("pydd", name) if getattr(language, name, None) is value else None


def _in_library(value: Any) -> tuple[str, str] | None:
    """A function or type of a library, by the module in which it is found."""
    name = getattr(value, "__name__", None)
    if not isinstance(name, str) or not callable(value):
        return None
    root = _root(value)
    if getattr(sys.modules.get("random"), name, None) is value:
        # Methods of a hidden generator.
        return "random", name
    if isinstance(value, np.ufunc):
        modules = ["numpy", "scipy.special"]
    elif root in ("_heapq", "_bisect", "_collections", "_functools", "_random", "_operator"):
        modules = [root[1:]]
    elif root not in LIBRARIES:
        return None
    else:
        # A public module is one without parts that begin with an underscore: `scipy.special._basic` is none.
        parts = value.__module__.split(".")
        public = next((at for at, part in enumerate(parts) if part.startswith("_")), len(parts))
        modules = [".".join(parts[:end]) for end in range(public, 0, -1)] + [value.__module__]
    for module in modules:
        if getattr(sys.modules.get(module), name, None) is value:
            return module, name
    return None


# Constants.


def constant(name: str, value: Any) -> str:
    """A value as an expression that gives it. Raises Unsupported."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return repr(value)
    if kind is float:
        return _float(value)
    if kind is complex:
        return f"complex({_float(value.real)}, {_float(value.imag)})"
    if kind is tuple:
        items = [constant(name, item) for item in value]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if isinstance(value, np.generic) and value.dtype.char in DTYPES:
        return f"{_dtype(value.dtype)}({constant(name, value.item())})"
    if kind is np.ndarray and value.dtype.char in DTYPES and value.dtype.isnative:
        return _array(name, value)
    if isinstance(value, enum.IntEnum):
        return repr(int(value))
    if isinstance(value, enum.Enum):
        raise Unsupported(f"`{name}` is an enumeration's member; read its `.value`")
    if kind is np.ufunc:
        raise Unsupported(f"`{name}` is a ufunc; call the function that it is made of")
    if kind in (list, dict, set):
        raise Unsupported(f"`{name}` is a global {kind.__name__}, which may change; pass it as an argument")
    raise Unsupported(
        f"`{name}` is a {kind.__module__}.{kind.__qualname__}, which kernels cannot read; pass what is needed of it"
    )


def _float(value: float) -> str:
    text = repr(value)
    return text if text[-1] not in "fn" else f'float("{text}")'


def _dtype(dtype: np.dtype[Any]) -> str:
    return "numpy.bool_" if dtype.kind == "b" else f"numpy.{dtype.name}"


def _array(name: str, value: np.ndarray[Any, Any]) -> str:
    if value.size > _LARGEST_CONSTANT or not value.flags.c_contiguous or value.ndim == 0 or value.size == 0:
        what = "too large" if value.size > _LARGEST_CONSTANT else "of an unusual layout"
        raise Unsupported(f"`{name}` is a global array, {what} for a constant; pass it as an argument")
    flat = ", ".join(constant(name, item) for item in value.ravel().tolist())
    shaped = f".reshape({', '.join(map(str, value.shape))})" if value.ndim > 1 else ""
    return f"numpy.array([{flat}], dtype={_dtype(value.dtype)}){shaped}"
