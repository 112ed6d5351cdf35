"""What values and annotations of Python are in the language."""

from __future__ import annotations

import sys
import types
import typing
from typing import Any

import numpy as np

from pydd_runtime import DeviceArray
from pydd_runtime._runtime import Dispatcher, _memory_of

from .._annotations import Annotation, Constructor, RankedArray


class Unsupported(Exception):
    """A function or a call that cannot be compiled, and why."""


# How the type of an array ends that lies in columns.
COLUMN_MAJOR = ', order="F"'

# A key tells signatures apart and is made at each call, so it is as cheap as can be; `text_of` is asked once for a key.

_SCALARS: dict[type, str] = {
    bool: "bool",
    int: "int",
    float: "float",
    complex: "complex",
    np.bool_: "bool",
    **{
        kind: kind.__name__
        for kind in (
            *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
            *(np.float32, np.float64, np.complex64, np.complex128),
        )
    },
}
# `long long` and `long` are two types to NumPy, and one to everybody else.
_SCALARS[np.longlong] = "int64"
_SCALARS[np.ulonglong] = "uint64"

# Types of which all instances are of one key, and those of which each is of its own.
SIMPLE = (*_SCALARS, type(None))
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc)

DTYPES = {np.dtype(kind).char: text for kind, text in _SCALARS.items() if kind.__module__ == "numpy"}
_ndarray = np.ndarray


# Behind the key of an argument that lies in columns.
_IN_KEY = "F"


def key_of_argument(value: Any) -> Any:
    """As `key_of`, with the order in which the elements of an array lie."""
    key = key_of(value)
    # Of one on a device, its memory on the host, which lies alike.
    array = _memory_of(value) if type(value) is DeviceArray else value
    if type(array) is _ndarray and array.ndim > 1 and array.flags.fnc:
        return *key, _IN_KEY
    return key


def key_of(value: Any) -> Any:
    """What of a value decides which version a call takes."""
    kind = type(value)
    if kind is _ndarray or kind is DeviceArray:
        dtype = value.dtype
        return dtype.char if dtype.isnative else dtype.str, value.ndim
    if kind in _SCALARS:
        return kind
    if kind is list:
        return list, _keys_of_items(value)
    if kind is tuple:
        return tuple, tuple(map(key_of, value))
    if kind is dict:
        return dict, _keys_of_items(value), _keys_of_items(value.values())
    if kind is set:
        return set, _keys_of_items(value)
    if value is None:
        return None
    if kind is str:
        return str, value
    if kind in FUNCTIONS or is_kernel(value):
        return FUNCTIONS, value
    if (sparse := sys.modules.get("scipy.sparse")) is not None and sparse.issparse(value):
        if value.ndim != 2:
            return kind
        parts = (getattr(value, "indptr", None), getattr(value, "indices", None))
        return kind, value.dtype.char, any(part is not None and part.dtype.itemsize > 4 for part in parts)
    return kind


def _keys_of_items(items: Any) -> Any:
    kinds = set(map(type, items))
    if kinds == {str}:
        return frozenset([(str, "")])
    # Most containers hold numbers, which need no look at each.
    if kinds <= _SCALARS.keys():
        return frozenset(kinds)
    return frozenset(map(key_of, items))


def has_wide_indices(key: Any) -> bool:
    """Whether it is a sparse matrix with indices of 64 bits; all of a version have the same."""
    return isinstance(key, tuple) and key[-1] is True


def text_of(key: Any, index: str = "int32") -> str:
    """The type of values with a key, as annotations are written. Raises Unsupported."""
    if isinstance(key, type):
        if key is np.bool_:
            raise Unsupported("a numpy.bool, which adds otherwise than Python's; pass `bool(x)`")
        if key in _SCALARS:
            return _SCALARS[key]
        raise Unsupported(_refusal(key))
    if key is None:
        return "None"
    kind, *rest = key
    if kind is FUNCTIONS:
        raise Unsupported("a function")
    if isinstance(kind, str):
        rank, *order = rest
        if rank == 0:
            raise Unsupported("an array without axes; pass the number, `a[()]`")
        return f"Array({_dtype(kind)}, {rank}{COLUMN_MAJOR if order else ''})"
    if kind is str:
        raise Unsupported("a text")
    if kind is list:
        return f"List({_common(rest[0], 'list')})"
    if kind is set:
        return f"Set({_common(rest[0], 'set')})"
    if kind is dict:
        return f"Dict({_common(rest[0], 'dict')}, {_common(rest[1], 'dict')})"
    if kind is tuple:
        if not rest[0]:
            raise Unsupported("an empty tuple")
        return f"Tuple({', '.join(map(text_of, rest[0]))})"
    name = kind.__name__
    if name in ("csr_matrix", "csr_array"):
        element = _dtype(rest[0])
        return (
            f"SparseMat({element}, {index})"
            if name == "csr_matrix"
            else f"SparseArray({element}, 2, {index})"
        )
    raise Unsupported(f"a scipy.sparse.{name}; pass `A.tocsr()`")


def constant_in(key: Any) -> Any:
    """The value of a text or a function, which is a constant of its version; None of other keys."""
    return key[1] if isinstance(key, tuple) and key[0] in (str, FUNCTIONS) else None


def is_kernel(value: Any) -> bool:
    """Whether it is what a decorator made, here or in Numba, of a function."""
    if isinstance(value, Dispatcher):
        return True
    if str(type(value).__module__).partition(".")[0] != "numba":
        return False
    # Of `numba.vectorize` the function is in its dispatcher.
    inner = getattr(value, "_dispatcher", value)
    return isinstance(getattr(inner, "py_func", None), types.FunctionType)


def _dtype(char: str) -> str:
    if char in DTYPES:
        return DTYPES[char]
    if "V" in char:
        raise Unsupported("a structured array; pass one of its fields, `a['…']`")
    foreign = "foreign byte order, " if len(char) > 1 else ""
    raise Unsupported(f"an array of {foreign}{np.dtype(char).name}")


def _common(keys: frozenset[Any], what: str) -> str:
    """The type of a container's items."""
    if not keys:
        raise Unsupported(f"an empty {what}, which has no type: make it in the function, or give it an item")
    if len(keys) > 1:
        keys = _joined(keys)
    if len(keys) > 1:
        raise Unsupported(f"a {what} of several types")
    (key,) = keys
    try:
        return text_of(key)
    except Unsupported as error:
        raise Unsupported(f"a {what} that holds {error}") from None


def _joined(keys: frozenset[Any]) -> frozenset[Any]:
    """The keys of containers of a kind as one: some of them may be empty."""
    kinds: dict[Any, tuple[frozenset[Any], ...]] = {}
    others = set()
    for key in keys:
        if isinstance(key, tuple) and key[0] in (list, set, dict):
            kind, *parts = key
            known = kinds.get(kind, (frozenset(),) * len(parts))
            kinds[kind] = tuple(map(frozenset.union, known, parts))
        else:
            others.add(key)
    return frozenset([*others, *((kind, *parts) for kind, parts in kinds.items())])


def _refusal(kind: type) -> str:
    if issubclass(kind, np.ndarray):
        return f"a {kind.__module__}.{kind.__qualname__}; pass `np.asarray(a)`"
    if str(kind.__module__).startswith(("pandas", "polars", "xarray")):
        return (
            f"a {kind.__module__.partition('.')[0]} {kind.__qualname__}; pass an array, as of `.to_numpy()`"
        )
    if issubclass(kind, np.random.Generator):
        return "a random generator; make it inside, from a seed"
    return f"a {kind.__qualname__}"


# Annotations.


def is_type(value: Any) -> bool:
    """Whether a value can only be an annotation. Classes of numbers are functions as well."""
    return (
        isinstance(value, (Annotation, types.UnionType))
        or hasattr(value, "dim_str")
        or _is_alias(value)
        or typing.get_origin(value) is not None
    )


def text_of_annotation(annotation: Any) -> str:
    """An annotation as the compiler reads it. Raises Unsupported."""
    if isinstance(annotation, (Annotation, Constructor)):
        if isinstance(annotation, Annotation):
            if annotation.name == "Union":
                return " | ".join(map(text_of_annotation, annotation.arguments))
            arguments = (_argument(each) for each in annotation.arguments)
            return f"{annotation.name}({', '.join([*arguments, *annotation.keywords()])})"
        return annotation.name
    if annotation is None or annotation is type(None):
        return "None"
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, typing.ForwardRef):
        # Of a name that stands for nothing yet.
        return annotation.__forward_arg__
    if isinstance(annotation, type) and annotation in _SCALARS:
        return _SCALARS[annotation]
    if type(annotation).__module__.partition(".")[0] == "jaxtyping" and hasattr(annotation, "dim_str"):
        return _jaxtyping_annotation(annotation)
    if isinstance(annotation, RankedArray):
        raise Unsupported(f"{annotation} without the type of its elements; write `{annotation}[float64]`")
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if _is_alias(annotation) or _is_alias(origin):
        return text_of_annotation(_meaning(annotation, origin, arguments))
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(text_of_annotation, arguments))
    if origin is typing.Literal:
        return _literal(arguments)
    if origin is typing.Annotated:
        return text_of_annotation(arguments[0])
    if origin in (list, set, dict, tuple) and Ellipsis not in arguments:
        return f"{origin.__name__}[{', '.join(map(text_of_annotation, arguments))}]"
    if origin is np.ndarray:
        return _array_annotation(*arguments)
    raise Unsupported(f"the annotation {annotation!r}")


def _is_alias(annotation: Any) -> bool:
    """Of a `type` statement, as NumPy's `NDArray` is from 2.5 on."""
    return sys.version_info >= (3, 12) and isinstance(annotation, typing.TypeAliasType)


def _meaning(alias: Any, origin: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return alias.__value__ if origin is None else origin.__value__[arguments]
    except Exception as error:
        raise Unsupported(f"the annotation {alias!r}: {error}") from None


def _literal(values: tuple[Any, ...]) -> str:
    """`Literal["sum", 1, True, None]`, whose values are those that the compiler takes."""
    for value in values:
        if type(value) not in (str, int, bool, type(None)):
            raise Unsupported(f"the value {value!r} in a Literal; it takes texts, ints, bools and None")
    return f"Literal[{', '.join(map(repr, values))}]"


def _jaxtyping_annotation(annotation: Any) -> str:
    """`Float64[np.ndarray, "m k"]`, which the compiler reads as it is written."""
    if annotation.array_type is not np.ndarray:
        raise Unsupported(f"the annotation {annotation!r}: its arrays are not NumPy's, `np.ndarray`")
    return f'{annotation.dtype.__name__}[np.ndarray, "{annotation.dim_str}"]'


def _argument(argument: Any) -> str:
    return str(argument) if isinstance(argument, int) else text_of_annotation(argument)


def _array_annotation(shape: Any, dtype: Any) -> str:
    """`NDArray[np.float64]`, `np.ndarray[tuple[int, int], np.dtype[np.float64]]`."""
    (element,) = typing.get_args(dtype) or (Any,)
    if element not in _SCALARS:
        raise Unsupported(f"the annotation of an array of {element!r}")
    lengths = typing.get_args(shape)
    rank = f", {len(lengths)}" if lengths and Ellipsis not in lengths else ""
    return f"Array({_SCALARS[element]}{rank})"
