"""Signatures as Numba writes them: `float64(float64[:, ::1], int64)`."""

from __future__ import annotations

import re
from typing import Any

from .types import COLUMN_MAJOR, DTYPES

# Numba's names for types that are written otherwise here.
SHORT = {
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
# Names that stand for themselves.
KNOWN = frozenset({"None", *DTYPES.values()})
_TYPE = re.compile(r"(?:numba\.|nb\.|types\.)*(\w+)\s*(\[[^\]]*\])?")


class Type:
    """`float64`, `float64[:, ::1]`; called, a signature. `float64[::1, :]` lies in columns."""

    def __init__(self, name: str, rank: int = 0, column_major: bool = False) -> None:
        self.name = name
        self.rank = rank
        self.column_major = column_major and rank > 1

    def __getitem__(self, axes: Any) -> Type:
        axes = axes if isinstance(axes, tuple) else (axes,)
        return Type(self.name, len(axes), axes[0] == slice(None, None, 1))

    def __call__(self, *arguments: Type) -> Signature:
        return Signature(tuple(map(str, arguments)), str(self))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        order = COLUMN_MAJOR if self.column_major else ""
        return f"Array({self.name}, {self.rank}{order})" if self.rank else self.name


class Signature:
    def __init__(self, arguments: tuple[str, ...], result: str | None = None) -> None:
        self.arguments = arguments
        self.result = result


def signatures(written: Any) -> tuple[Signature, ...]:
    """All signatures that a decorator is given."""
    if isinstance(written, Signature):
        return (written,)
    if isinstance(written, str):
        return (_parse(written),)
    if isinstance(written, tuple) and all(isinstance(each, Type) for each in written):
        return (Signature(tuple(map(str, written))),)
    if isinstance(written, (list, tuple)):
        return tuple(each for item in written for each in signatures(item))
    raise TypeError(f"not a signature: {written!r}")


def _parse(text: str) -> Signature:
    """`float64(float64[:, ::1], int64)`, `(float64[:], i8)`."""
    match = re.fullmatch(r"\s*([^()]*)\((.*)\)\s*", text, re.DOTALL)
    if match is None:
        raise TypeError(f"not a signature: {text!r}")
    result = _types(match.group(1), text)
    return Signature(_types(match.group(2), text), result[0] if result else None)


def _types(rest: str, text: str) -> tuple[str, ...]:
    types = []
    rest = rest.strip()
    while rest:
        found = _TYPE.match(rest)
        if found is None or not found.group(1):
            raise TypeError(f"not a signature: {text!r}")
        name, axes = SHORT.get(found.group(1), found.group(1)), found.group(2)
        if name not in KNOWN:
            raise TypeError(f"not a type of numbers or arrays: `{found.group(1)}` in {text!r}")
        rank = axes.count(",") + 1 if axes else 0
        types.append(str(Type(name, rank, bool(axes) and axes[1:].lstrip().startswith("::1"))))
        rest = rest[found.end() :].lstrip().removeprefix(",").lstrip()
    return tuple(types)
