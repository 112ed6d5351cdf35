"""A function and all that it needs, as one source text: itself, the functions it calls, constants and imports."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._cache import part
from . import names, source
from .types import Unsupported
from .watch import GONE, Watch


@dataclass
class Program:
    """A function's source text, and what it was made from."""

    text: str
    # Asked before each call: whether a name still stands for what it stood for.
    is_current: Callable[[], bool]
    # Exceptions of the user's that kernels raise by classes of their own, by name.
    exceptions: dict[str, type[BaseException]]


@dataclass(frozen=True)
class Root:
    """The function that Python calls, and the types of its parameters as annotations."""

    function: types.FunctionType
    types: tuple[str, ...]
    result: str = "Any"
    # Whether annotations of variables count, as in `.pydd` files.
    annotated: bool = False


def collect(root: Root, parallel: bool) -> Program:
    """The program of a function. Raises Unsupported."""
    return _Collector(parallel).program(root)


@dataclass
class _Collector:
    parallel: bool
    # What each name stands for, in all functions.
    known: dict[str, tuple[Any, str]] = field(default_factory=dict)
    imports: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    exceptions: dict[str, type[BaseException]] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)
    waiting: list[types.FunctionType] = field(default_factory=list)

    def program(self, root: Root) -> Program:
        self._claim(root.function.__name__, root.function, "")
        self._function(root.function, root)
        while self.waiting:
            self._function(self.waiting.pop(), None)
        # `numpy` is what constants are written with.
        if self.constants and "numpy" not in self.known:
            self.imports.append("import numpy")
        made_up = [f"{line}\n" for line in (*self.imports, *self.constants)]
        # The function that is called comes first: the whole is called by its file.
        text = "".join(self.functions)
        if made_up:
            text += part(f"<names of {root.function.__name__}>") + "".join(made_up)
        return Program(text, self.watch.check(), self.exceptions)

    def _function(self, function: types.FunctionType, root: Root | None) -> None:
        read = source.read(function)
        plain = root is None or not root.annotated
        edit = source.Edit(read, plain)
        _, own = edit.globals_read()
        for node, chain in edit.chains(lambda name: name not in own):
            self._chain(function, edit, node, chain)
        globals_read, own = edit.globals_read()
        for name in sorted(globals_read):
            if name in self.known and "." in self.known[name][1]:
                continue
            self._name(name, self._lookup(function, name), name)
        signature = None if root is None else f"({', '.join(root.types)}) -> {root.result}"
        self.functions.append(part(read.file, read.line, read.indent, plain, signature) + edit.text())

    def _chain(self, function: types.FunctionType, edit: source.Edit, node: Any, chain: list[str]) -> None:
        """`module.function`, `module.CONSTANT` of modules that are no libraries."""
        value = self._lookup(function, chain[0])
        taken = 1
        while taken < len(chain) and names.may_be_followed(value):
            holder, attribute = value, chain[taken]
            try:
                value = getattr(holder, attribute)
            except AttributeError:
                raise Unsupported(f"`{'.'.join(chain[:taken])}` has no `{attribute}`") from None
            if isinstance(holder, types.ModuleType):
                self.watch.name(vars(holder), attribute, value)
            taken += 1
        if taken == 1:
            return
        joined = "_".join(chain[:taken])
        if joined in edit.globals_read()[1]:
            raise Unsupported(f"`{joined}` and `{'.'.join(chain[:taken])}` are two things")
        edit.joined(node, taken)
        self._name(joined, value, ".".join(chain[:taken]))

    def _name(self, name: str, value: Any, written: str) -> None:
        """Write down what a name stands for, once."""
        if not self._claim(name, value, written):
            return
        match names.meaning(name, value, self.parallel):
            case names.Library(statement):
                self.imports.append(statement)
            case names.UserFunction(function):
                self._helper(name, function)
            case names.ExceptionClass(kind):
                self._exception(name, kind)
            case names.Constant(text):
                self.constants.append(f"{name} = {text}")
            case names.Builtin():
                pass

    def _claim(self, name: str, value: Any, written: str) -> bool:
        """Whether a name is new; two things of one name are refused."""
        if name not in self.known:
            self.known[name] = (value, written)
            return True
        known = self.known[name][0]
        same = known is value or names.function_of(value) is not None and names.function_of(known) is names.function_of(value)
        if not same and not _equal(known, value):
            raise Unsupported(f"`{name}` stands for different things in functions that call each other")
        return False

    def _helper(self, name: str, function: types.FunctionType) -> None:
        if name != function.__name__:
            self.constants.append(f"{name} = {function.__name__}")
        elif self.known[name][0] is not function and function in self.waiting:
            return
        if name == function.__name__ or self._claim(function.__name__, function, function.__name__):
            self.waiting.append(function)

    def _exception(self, name: str, kind: type[BaseException]) -> None:
        base = kind.__base__
        if base is None or len(kind.__bases__) != 1 or kind.__init__ is not base.__init__ or kind.__new__ is not base.__new__:
            raise Unsupported(f"the exception `{name}` has a constructor of its own")
        if getattr(builtins, base.__name__, None) is not base:
            self._name(base.__name__, base, base.__name__)
        self.exceptions[name] = kind
        self.constants.append(f"class {name}({base.__name__}): pass")

    def _lookup(self, function: types.FunctionType, name: str) -> Any:
        """A name's value, which is watched from now on."""
        free = function.__code__.co_freevars
        if name in free and function.__closure__ is not None:
            cell = function.__closure__[free.index(name)]
            value = _contents(cell)
            if value is not GONE:
                self.watch.other(lambda: _contents(cell), value)
                return value
        space = function.__globals__
        if name in space:
            self.watch.name(space, name, space[name])
            return space[name]
        if hasattr(builtins, name):
            self.watch.builtin(space, name)
            return getattr(builtins, name)
        raise Unsupported(f"the name `{name}` is not defined")


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return GONE


def _equal(a: Any, b: Any) -> bool:
    """Whether two constants are the same, bit by bit."""
    if type(a) is not type(b):
        return False
    if type(a) is np.ndarray:
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return isinstance(a, (bool, int, float, complex, str)) and repr(a) == repr(b)
