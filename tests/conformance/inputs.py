"""Inputs of kernels: values that are hard for each element type, in each layout that an array can come in."""

import zlib
from dataclasses import dataclass

import numpy as np
import scipy.sparse

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
DTYPES = ("bool", *INTEGERS, *FLOATS, *COMPLEX)
WEAK = ("int", "float", "complex")
# Numbers of these types come back from kernels as Python's.
PYTHON = (*WEAK, "bool", "int64", "float64", "complex128")

SHAPES = {0: (), 1: (5,), 2: (3, 4), 3: (2, 3, 4)}


def stable(text):
    """A number that a text always has."""
    return zlib.crc32(text.encode())


@dataclass(frozen=True)
class Arg:
    """A run-time argument of a kernel.

    kind: "array", "number", "list", or a class of `scipy.sparse`. role: how its values and its shape follow from the
    kernel's main array. dtype and rank: None for those of the main array.
    """

    kind: str
    role: str = "main"
    dtype: str | None = None
    rank: int | None = None

    def annotation(self, dtype, rank):
        dtype = dtype if self.kind in ("dict", "set") else self.dtype or dtype
        rank = rank if self.rank is None else self.rank
        if self.kind == "number":
            return dtype
        if self.kind == "list":
            return f"List({dtype})"
        if self.kind == "array":
            return f"Array({dtype}, {rank})"
        if self.kind in ("dict", "set"):
            return f"{self.kind.capitalize()}({', '.join(self.parts(dtype))})"
        return f"SparseMat({dtype})" if self.kind.endswith("matrix") else f"SparseArray({dtype}, 2)"

    def parts(self, dtype):
        """The types of a dict's keys and values, or of a set's items."""
        return [part or dtype for part in self.dtype.split(",")]


def is_weak(dtype):
    return dtype in WEAK


def kind_of(dtype):
    return {"int": "i", "float": "f", "complex": "c"}.get(dtype) or np.dtype(dtype).kind


# Values

# Small dyadic numbers, so that sums and products are exact in any order.
_REAL = [1.5, -2.0, 0.5, 3.0, -0.25, 4.0, 2.5, -1.0, 0.75, -3.5, 8.0, -0.5]
_WHOLE = [3, -1, 2, 5, 0, -4, 7, 1, -2, 6, 4, -3]
_NATURAL = [3, 1, 2, 5, 0, 4, 7, 6, 9, 8, 11, 10]
_DUPLICATES = [2, 1, 2, 0, 1, 1, 2, 0, 0, 1, 2, 1]


def _extremes(dtype):
    kind = kind_of(dtype)
    if kind == "b":
        return [True, True, True, True, True]
    if kind in "iu":
        info = np.iinfo("int64" if is_weak(dtype) else dtype)
        ends = [info.max, info.min, 1, info.max - 1, info.min + 1, 0]
        return [2**53 + 1, *ends, 2**53] if info.bits == 64 else ends
    info = np.finfo({"float": "float64", "complex": "complex128"}.get(dtype, dtype))
    big, tiny, eps = float(info.max), float(info.tiny), float(info.eps)
    values = [big, -big, tiny, 1.0, -tiny / 8, eps, 2.0**53, -1.0]
    return [complex(x, y) for x, y in zip(values, values[3:] + values[:3])] if kind == "c" else values


def _specials(dtype):
    inf, nan = np.inf, np.nan
    if kind_of(dtype) == "f":
        return [1.0, nan, inf, -0.0, -inf, 0.0, -1.0]
    return [
        complex(1, 2), complex(nan, 0), complex(inf, -1), complex(-0.0, 0.0), complex(-inf, 0.0),
        complex(0, nan), complex(0.0, -0.0), complex(1, inf),
    ]  # fmt: skip


def _plain(dtype):
    kind = kind_of(dtype)
    if kind == "b":
        return [True, False, True, True, False, False, True]
    if kind == "u":
        return _NATURAL
    if kind == "i":
        return _WHOLE
    if kind == "f":
        return _REAL
    return [complex(x, y) for x, y in zip(_REAL, _REAL[5:] + _REAL[:5])]


VALUES = {
    "plain": _plain,
    "duplicates": lambda dtype: _DUPLICATES,
    "extremes": _extremes,
    "special": _specials,
    "zeros": lambda dtype: [0],
}


def values_of(dtype):
    """Names of the lists of values that an element type has."""
    names = ["plain", "duplicates", "extremes"]
    return [*names, "special"] if kind_of(dtype) in "fc" else names


def elements(dtype, values, count, start=0):
    """So many elements of a list of values, from one of them on."""
    source = VALUES[values](dtype)
    picked = [source[(start + i) % len(source)] for i in range(count)]
    with np.errstate(all="ignore"):
        return np.array(picked).astype(dtype) if kind_of(dtype) != "u" else np.array(picked, dtype)


# Layouts


def _reversed(a):
    back = (slice(None, None, -1),) * a.ndim
    return a[back].copy()[back]


def _strided(a):
    buffer = np.zeros([2 * n + 1 for n in a.shape], a.dtype)
    view = buffer[tuple(slice(1, None, 2) for _ in a.shape)]
    view[...] = a
    return view


def _broadcast(a):
    first = a[:1].copy() if a.ndim == 1 else a[..., :1].copy()
    return np.broadcast_to(first, a.shape)


LAYOUTS = {
    "C": lambda a: a,
    "F": lambda a: np.array(a, order="F"),
    "reversed": _reversed,
    "strided": _strided,
    "broadcast": _broadcast,
}


@dataclass(frozen=True)
class Input:
    """How the main array of a call lies, which values it has, and how long it is: "full", "empty" or "one"."""

    layout: str
    values: str
    size: str = "full"

    def __str__(self):
        return f"{self.layout} {self.values}" if self.size == "full" else f"{self.size} {self.values}"


def inputs_of(dtype, rank, thorough=True):
    """The inputs that a kernel is called with."""
    names = values_of(dtype)
    if rank == 0:
        return [Input(str(i), name) for name in names for i in range(4 if thorough else 2)]
    layouts = [name for name in LAYOUTS if rank > 1 or name != "F"]
    if not thorough:
        chosen = [Input("C", "plain"), Input("F" if rank > 1 else "strided", names[-1])]
        return [*chosen, Input("reversed", "plain"), Input("C", "plain", "empty")]
    out = [Input(layout, "plain") for layout in layouts]
    out += [Input(layout, name) for name in names[1:] for layout in ("C", layouts[1])]
    return [*out, Input("C", "plain", "empty"), Input("C", "plain", "one"), Input("C", names[-1], "one")]


def shape_of(rank, size, base=None):
    shape = SHAPES[rank] if base is None else base
    if size == "empty" and base is not None and len(base) > 1 and base[-1] == base[-2]:
        return (*base[:-2], 0, 0)
    if size == "empty":
        # Of a matrix no columns; of more axes no length in the middle.
        return tuple(0 if i == len(shape) // 2 else n for i, n in enumerate(shape))
    return (1,) * len(shape) if size == "one" else shape


# Roles: what an argument is, next to the main array.


def _filled(dtype, shape, each, start):
    count = int(np.prod(shape, dtype=int))
    values = each.values if each.values in values_of(dtype) else "plain"
    if not shape and each.layout.isdigit():
        start += int(each.layout)
    return elements(dtype, values, count, start).reshape(shape)


def _ascending(dtype, shape, each):
    base = np.arange(int(np.prod(shape, dtype=int))).reshape(shape)
    return base.astype(dtype) if kind_of(dtype) in "iub" else (base * 0.5 - 1).astype(dtype)


def _indices(shape, count):
    n = shape[0] if shape else 1
    pattern = [0, n - 1, -1, n // 2, 0]
    return np.array([pattern[i % 5] for i in range(count)], np.int64) if n else np.zeros(0, np.int64)


def _definite(dtype, shape, each):
    """Symmetric positive definite matrices (Hermitian ones of complex numbers)."""
    if len(shape) < 2:
        return elements(dtype, "duplicates", int(np.prod(shape, dtype=int))).reshape(shape)
    n = shape[-1]
    if dtype == "bool":
        return np.broadcast_to(np.eye(n, dtype=bool), shape)
    noise = elements(dtype, "plain", n * n, 1).reshape(n, n)
    matrix = noise @ noise.conj().T + 8 * np.eye(n) if n else noise
    with np.errstate(all="ignore"):
        return np.broadcast_to(matrix, shape).astype(dtype)


def array_of(arg, dtype, rank, each, base=None, position=0):
    """An array argument, C-contiguous; the caller lays it out."""
    dtype = arg.dtype or dtype
    main = shape_of(rank, each.size, base)
    own = rank if arg.rank is None else arg.rank
    shape = main if own == rank else main[len(main) - own :] if own < rank else (1,) * (own - rank) + main
    role = arg.role
    if role in ("main", "same"):
        return _filled(dtype, shape, each, 0 if role == "main" else 3 * position)
    if role == "mask":
        return elements("bool", "plain", int(np.prod(shape, dtype=int)), 0).reshape(shape).astype(dtype)
    if role == "indices":
        return _indices(main, 4).astype(dtype)
    if role == "order":
        return np.argsort(_filled(dtype, main, each, 0), axis=-1).astype(np.int64)
    if role == "first":
        return _filled(dtype, main[:1] or (1,), each, 2)
    if role == "last":
        return _filled(dtype, main[-1:] or (1,), each, 2)
    if role == "ascending":
        return _ascending(dtype, shape, each)
    if role == "fixed":
        # Of its own, whatever the main array is.
        return elements(dtype, "plain", 4, 1)
    if role == "natural":
        return elements(dtype, "duplicates", int(np.prod(shape, dtype=int))).reshape(shape)
    if role == "fractions":
        return np.array([0.0, 0.25, 0.5, 1.0, 0.3], dtype)
    if role == "percents":
        return np.array([0, 25, 50, 100, 30], dtype)
    if role == "probabilities":
        return np.array([0.5, 0.25, 0.125, 0.125, 0.0], dtype)
    if role == "lengths":
        return _lengths(_filled(dtype, shape_of(2, each.size, (3, 3)), each, 0))
    if role == "definite":
        return _definite(dtype, main, each)
    raise ValueError(role)


def number_of(dtype, each, position=0):
    """A scalar argument; the input's layout counts through the values."""
    index = int(each.layout) if each.layout.isdigit() else 0
    values = each.values if each.values in values_of(dtype) else "plain"
    source = VALUES[values](dtype)
    value = source[(index + 3 * position) % len(source)]
    if is_weak(dtype) or dtype == "bool":
        return {"int": int, "float": float, "complex": complex, "bool": bool}[dtype](value)
    return elements(dtype, values, 1, index + 3 * position)[0]


def _lengths(dense):
    """Nothing below 0, where shortest paths would have no end; the least integer has no absolute value."""
    size = np.abs(dense).astype(dense.dtype)
    return np.where(size < 0, 0, size).astype(dense.dtype) if dense.dtype.kind == "i" else size


# Roles of square matrices.
SQUARE = ("square", "definite", "lengths")


def sparse_of(arg, dtype, each, position):
    shape = shape_of(2, each.size, (3, 3) if arg.role in SQUARE else (3, 4))
    if arg.role == "definite":
        return getattr(scipy.sparse, arg.kind)(_definite(arg.dtype or dtype, shape, each))
    dense = _filled(arg.dtype or dtype, shape, each, position)
    dense = _lengths(dense) if arg.role == "lengths" else dense
    mask = np.arange(dense.size).reshape(shape) % 3 == position % 3
    dense = np.where(mask, np.zeros((), dense.dtype), dense)
    return getattr(scipy.sparse, arg.kind)(dense)


def argument(arg, dtype, rank, each, base, position):
    """One argument of a call, made anew."""
    if arg.kind == "number":
        return number_of(arg.dtype or dtype, each, position)
    if arg.kind == "list":
        own = arg.dtype or dtype
        count = {"empty": 0, "one": 1}.get(each.size, 5)
        role = Arg("array", arg.role, own, 1)
        made = array_of(role, own, 1, each, (count,) if each.size == "full" else None, position)
        # Python's numbers in a list of such; NumPy's in others.
        return made.tolist() if own in PYTHON else list(made)
    if arg.kind == "array":
        made = array_of(arg, dtype, rank, each, base, position)
        return LAYOUTS[each.layout](made) if made.ndim and each.layout in LAYOUTS else made
    if arg.kind in ("dict", "set"):
        lists = [items_of(part, each, position) for part in arg.parts(dtype)]
        return dict(zip(*lists)) if arg.kind == "dict" else set(lists[0])
    return sparse_of(arg, dtype, each, position)


def items_of(dtype, each, position):
    count = {"empty": 0, "one": 1}.get(each.size, 5)
    values = each.values if each.values in values_of(dtype) else "plain"
    made = elements(dtype, values, count, position)
    return made.tolist() if dtype in PYTHON else list(made)
