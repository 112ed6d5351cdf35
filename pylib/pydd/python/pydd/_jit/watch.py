"""Whether the names that a kernel was made from still stand for what they stood for."""

from __future__ import annotations

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
    # Give whether something is as it was.
    checks: list[Callable[[], bool]] = field(default_factory=list)
    # All arrays among them.
    arrays: list[np.ndarray[Any, Any]] = field(default_factory=list)

    def name(self, space: dict[str, Any], name: str, value: Any) -> None:
        """A name of a module, and what it stands for."""
        self.names[id(space), name] = (space, name, value)

    def builtin(self, space: dict[str, Any], name: str) -> None:
        """A name that the module does not have."""
        self.names[id(space), name] = (space, name)

    def other(self, now: Callable[[], Any], value: Any) -> None:
        """Anything that can be asked for again."""
        self.checks.append(lambda: now() is value)

    def content(self, value: Any) -> None:
        """A constant's arrays may be written to, and take another form."""
        if type(value) is tuple:
            for item in value:
                self.content(item)
        if type(value) is np.ndarray:
            self.arrays.append(value)
            kept = _content(value)
            self.checks.append(lambda: _content(value) == kept)

    def parts(self) -> tuple[list[tuple[Any, ...]], list[Callable[[], bool]]]:
        return list(self.names.values()), self.checks

    def is_current(self) -> bool:
        for space, name, *value in self.names.values():
            if space.get(name, GONE) is not (value[0] if value else GONE):
                return False
        return all(check() for check in self.checks)


def _content(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    return array.dtype, array.shape, array.strides, array.tobytes()
