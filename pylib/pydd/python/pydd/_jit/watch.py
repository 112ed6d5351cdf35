"""Whether the names that a kernel was made from still stand for what they stood for."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .types import key_of_argument

GONE = object()


@dataclass
class Watch:
    """Names of modules and what else a kernel was made from: asked before each call, so it must be cheap."""

    # By the identity of a module's names and by name: the module's names, the name, and its value; without one the name
    # is not there, and stands for what is built in.
    names: dict[tuple[int, str], tuple[Any, ...]] = field(default_factory=dict)
    # Functions and their code.
    functions: list[tuple[types.FunctionType, types.CodeType]] = field(default_factory=list)
    # Those whose defaults count, and both kinds of these.
    defaults: list[tuple[types.FunctionType, Any, Any]] = field(default_factory=list)
    # Variables of functions around them, and what they held.
    cells: list[tuple[types.CellType, Any]] = field(default_factory=list)
    # Objects, attributes of theirs, and what these gave.
    attributes: list[tuple[Any, str, Any]] = field(default_factory=list)
    # All arrays among constants.
    arrays: list[np.ndarray[Any, Any]] = field(default_factory=list)
    contents: list[tuple[np.ndarray[Any, Any], tuple[Any, ...]]] = field(default_factory=list)
    # What is given at each call, and the keys of its types.
    kinds: list[tuple[Any, Any]] = field(default_factory=list)

    def name(self, space: dict[str, Any], name: str, value: Any) -> None:
        """A name of a module, and what it stands for."""
        self.names[id(space), name] = (space, name, value)

    def builtin(self, space: dict[str, Any], name: str) -> None:
        """A name that the module does not have."""
        self.names[id(space), name] = (space, name)

    def function(self, function: types.FunctionType, with_defaults: bool) -> None:
        """What a function does, and its defaults, may be changed in place."""
        self.functions.append((function, function.__code__))
        if with_defaults:
            self.defaults.append((function, function.__defaults__, function.__kwdefaults__))

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
            self.contents.append((value, _content(value)))

    def kind(self, value: Any, key: Any) -> None:
        """What is given at each call may hold values of other types by then."""
        self.kinds.append((value, key))

    def parts(self) -> tuple[list[tuple[Any, ...]], list[Callable[[], bool]]]:
        """Names, which the runtime asks for, and functions that ask for the rest."""
        return list(self.names.values()), self._checks

    @functools.cached_property
    def _checks(self) -> list[Callable[[], bool]]:
        kinds: list[tuple[list[Any], Callable[[list[Any]], bool]]] = [
            (self.functions, _have_their_code),
            (self.defaults, _have_their_defaults),
            (self.cells, _hold_their_values),
            (self.attributes, _give_their_values),
            (self.contents, _have_their_contents),
            (self.kinds, _have_their_types),
        ]
        return [functools.partial(hold, kept) for kept, hold in kinds if kept]

    def is_current(self) -> bool:
        for space, name, *value in self.names.values():
            if space.get(name, GONE) is not (value[0] if value else GONE):
                return False
        return all(check() for check in self._checks)


# Plain loops, since they are asked before each call: a call for each item would take longer than most kernels.


def _have_their_code(functions: list[tuple[types.FunctionType, types.CodeType]]) -> bool:
    for function, code in functions:
        if function.__code__ is not code:
            return False
    return True


def _have_their_defaults(functions: list[tuple[types.FunctionType, Any, Any]]) -> bool:
    for function, defaults, keywords in functions:
        if function.__defaults__ is not defaults or function.__kwdefaults__ is not keywords:
            return False
    return True


def _hold_their_values(cells: list[tuple[types.CellType, Any]]) -> bool:
    for cell, value in cells:
        if _held(cell) is not value:
            return False
    return True


def _give_their_values(attributes: list[tuple[Any, str, Any]]) -> bool:
    for holder, name, value in attributes:
        if getattr(holder, name, GONE) is not value:
            return False
    return True


def _have_their_contents(arrays: list[tuple[np.ndarray[Any, Any], tuple[Any, ...]]]) -> bool:
    for array, content in arrays:
        if _content(array) != content:
            return False
    return True


def _have_their_types(given: list[tuple[Any, Any]]) -> bool:
    for value, key in given:
        if key_of_argument(value) != key:
            return False
    return True


def _held(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return GONE


def _content(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    return array.dtype, array.shape, array.strides, array.tobytes()
