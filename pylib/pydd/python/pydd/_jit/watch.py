"""Whether the names that a kernel was made from still stand for what they stood for: asked before each call, so it is cheap."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

GONE = object()


@dataclass
class Watch:
    """Names of modules are looked at together, all others one by one."""

    # By the identity of a module's names: the names, their values, and built-in names that none of them may hide.
    spaces: dict[int, tuple[dict[str, Any], dict[str, Any], set[str]]] = field(default_factory=dict)
    others: list[Callable[[], bool]] = field(default_factory=list)

    def name(self, space: dict[str, Any], name: str, value: Any) -> None:
        self._of(space)[1][name] = value
        if type(value) is np.ndarray:
            self.elements(value)

    def builtin(self, space: dict[str, Any], name: str) -> None:
        self._of(space)[2].add(name)

    def other(self, now: Callable[[], Any], value: Any) -> None:
        self.others.append(lambda: now() is value)
        if type(value) is np.ndarray:
            self.elements(value)

    def elements(self, array: np.ndarray[Any, Any]) -> None:
        """Arrays may be written to."""
        kept = array.tobytes()
        self.others.append(lambda: array.tobytes() == kept)

    def _of(self, space: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], set[str]]:
        return self.spaces.setdefault(id(space), (space, {}, set()))

    def check(self) -> Callable[[], bool]:
        """The question, as one function."""
        checks = list(self.others)
        for space, names, builtins in self.spaces.values():
            if names:
                checks.append(_same_names(space, names))
            if builtins:
                hidden = frozenset(builtins)
                checks.append(lambda space=space, hidden=hidden: hidden.isdisjoint(space))
        if len(checks) == 1:
            return checks[0]
        return lambda: all(check() for check in checks)


def _same_names(space: dict[str, Any], names: dict[str, Any]) -> Callable[[], bool]:
    if len(names) == 1:
        ((name, value),) = names.items()
        return lambda: space.get(name, GONE) is value
    get, values, same = operator.itemgetter(*names), tuple(names.values()), operator.is_

    def check() -> bool:
        try:
            return all(map(same, get(space), values))
        except KeyError:
            return False

    return check
