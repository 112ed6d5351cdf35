"""Whether the names that a kernel was made from still stand for what they stood for."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

GONE = object()


@dataclass
class Watch:
    """Names of modules and what else a kernel was made from: asked before each call, so it must be cheap."""

    # By the identity of a module's names and by name: the module's names, the name, and its value; without one the name
    # is not there, and stands for what is built in.
    names: dict[tuple[int, str], tuple[Any, ...]] = field(default_factory=dict)
    # Functions, their code, and their defaults where these count.
    functions: list[tuple[types.FunctionType, types.CodeType, tuple[Any, Any] | None]] = field(
        default_factory=list
    )
    # Variables of functions around them, and what they held.
    cells: list[tuple[types.CellType, Any]] = field(default_factory=list)
    # Objects, attributes of theirs, and what these gave.
    attributes: list[tuple[Any, str, Any]] = field(default_factory=list)
    # All arrays among constants, and what they held.
    arrays: list[np.ndarray[Any, Any]] = field(default_factory=list)
    contents: list[tuple[Any, ...]] = field(default_factory=list)

    def name(self, space: dict[str, Any], name: str, value: Any) -> None:
        """A name of a module, and what it stands for."""
        self.names[id(space), name] = (space, name, value)

    def builtin(self, space: dict[str, Any], name: str) -> None:
        """A name that the module does not have."""
        self.names[id(space), name] = (space, name)

    def function(self, function: types.FunctionType, with_defaults: bool) -> None:
        """What a function does, and its defaults, may be changed in place."""
        defaults = (function.__defaults__, function.__kwdefaults__) if with_defaults else None
        self.functions.append((function, function.__code__, defaults))

    def cell(self, cell: types.CellType) -> Any:
        """A variable of a function around; its value, or GONE."""
        value = _held(cell)
        self.cells.append((cell, value))
        return value

    def attribute(self, holder: Any, name: str, value: Any) -> None:
        self.attributes.append((holder, name, value))

    def content(self, value: Any) -> None:
        """A constant's arrays may be written to, and take another form."""
        if type(value) is tuple:
            for item in value:
                self.content(item)
        if type(value) is np.ndarray:
            self.arrays.append(value)
            self.contents.append(_content(value))

    def parts(self) -> tuple[list[tuple[Any, ...]], list[Callable[[], bool]]]:
        """Names, which the runtime asks for, and functions that ask for the rest."""
        has_more = self.functions or self.cells or self.attributes or self.arrays
        return list(self.names.values()), [self._others_are_current] if has_more else []

    def is_current(self) -> bool:
        for space, name, *value in self.names.values():
            if space.get(name, GONE) is not (value[0] if value else GONE):
                return False
        return self._others_are_current()

    def _others_are_current(self) -> bool:
        # Plain loops, since a call for each would take longer than most kernels.
        for function, code, defaults in self.functions:
            if function.__code__ is not code:
                return False
            if defaults is not None and (
                function.__defaults__ is not defaults[0] or function.__kwdefaults__ is not defaults[1]
            ):
                return False
        for cell, value in self.cells:
            if _held(cell) is not value:
                return False
        for holder, name, value in self.attributes:
            if getattr(holder, name, GONE) is not value:
                return False
        for array, content in zip(self.arrays, self.contents, strict=True):
            if _content(array) != content:
                return False
        return True


def _held(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return GONE


def _content(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    return array.dtype, array.shape, array.strides, array.tobytes()
