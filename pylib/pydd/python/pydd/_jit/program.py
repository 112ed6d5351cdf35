"""A function and all that it needs, as one source text: itself, the functions it calls, constants and imports."""

from __future__ import annotations

import builtins
import inspect
import keyword
import string
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._cache import PART, part
from .._cells import Cell, cell_of, file_of
from . import names, source
from .types import Unsupported
from .watch import GONE, Watch


@dataclass
class Program:
    """A function's source text, and what it was made from."""

    text: str
    # Asked before each call: whether names still stand for what they stood for.
    watch: Watch
    # Exceptions of the user's that kernels raise by classes of their own, by name.
    exceptions: dict[str, type[BaseException]]
    # Globals that the function is given behind its arguments.
    passed: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Root:
    """The function that Python calls, and the types of its parameters as annotations."""

    function: types.FunctionType
    types: tuple[str, ...]
    result: str = "Any"
    # Whether annotations of variables count, as in `.pydd` files.
    annotated: bool = False
    # Parameters that are constants, which are not given: texts and functions.
    constants: dict[str, Any] = field(default_factory=dict)
    # Whether it keeps its results, as by `functools.cache`.
    cached: bool = False
    # Whether it is given global arrays, which it may then write to, instead of having them as constants.
    given_arrays: bool = False


def collect(root: Root, parallel: bool, watch: Watch) -> Program:
    """The program of a function, which holds as long as what `watch` then has. Raises Unsupported."""
    collector = _Collector(parallel, watch=watch, given_arrays=root.given_arrays, passed={})
    collector.root(root)
    text = collector.text(root.function.__code__.co_name)
    assert collector.passed is not None
    values = {name: value for name, (value, _) in collector.passed.items()}
    return Program(text, watch, collector.exceptions, values)


def collect_called(function: types.FunctionType, callers: str, watch: Watch) -> Program:
    """The program of a function and of the kernels in `callers`, which call it by the name with which it was defined. Raises Unsupported."""
    collector = _Collector(parallel=True, watch=watch)
    name = function.__code__.co_name
    collector.called(name, function)
    text = collector.text(name)
    if collector.known.get("range", range) is not range:
        raise Unsupported("`range` is not Python's own; give it another name")
    return Program(text + part(f"<loops of {name}>", hidden=True) + callers, watch, collector.exceptions)


def collect_cell(cell: Cell) -> tuple[Program, list[str]]:
    """The program of a cell with `%%pydd`, and why names that it reads could not come along. Raises Unsupported."""
    collector = _Collector(parallel=True)
    reasons = collector.cell(cell, own=True)
    text = collector.text("the notebook")
    return Program(text, collector.watch, collector.exceptions), reasons


@dataclass
class _Collector:
    parallel: bool
    # What each name stands for, in all functions.
    known: dict[str, Any] = field(default_factory=dict)
    imports: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    exceptions: dict[str, type[BaseException]] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)
    # Functions that are called, and the names by which they are defined.
    waiting: list[tuple[types.FunctionType, str]] = field(default_factory=list)
    # Names that stand for something else in another function already, what they stand for, and the names in their place.
    others: list[tuple[str, Any, str]] = field(default_factory=list)
    # Of functions that are those of ufuncs.
    loops: dict[types.FunctionType, Any] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)
    # Functions that keep their results.
    cached: set[types.FunctionType] = field(default_factory=set)
    # Globals that the root is given, and their types; None where there is none who could be.
    passed: dict[str, tuple[Any, str]] | None = None
    given_arrays: bool = False
    # What the root's part says, its types and text, its place among parts, and names that it has itself.
    root_part: tuple[dict[str, Any], Root, str, int, set[str]] | None = None

    @property
    def _range(self) -> str:
        """What `prange` is to the compiler, which knows it by this name."""
        return "prange" if self.parallel else "range"

    def root(self, root: Root) -> None:
        function, name = root.function, root.function.__code__.co_name
        if source.read(function).node.args.vararg:
            raise Unsupported(f"`{name}` takes any number of arguments")
        read, own = source.Edit(source.read(function), True).globals_read() if root.constants else ((), ())
        space = function.__globals__
        is_cached = root.cached or (
            isinstance(space.get(name), names.CACHED) and names.function_of(space[name]) is function
        )
        if is_cached:
            read, own = source.Edit(source.read(function), True).globals_read()
            self.cached.add(function)
        is_recursive = name in read or is_cached
        self._claim(name, object() if is_recursive else function)
        for each, value in root.constants.items():
            self._argument(each, value)
        if is_recursive:
            self._recursive(root, name, set(own))
        else:
            self._function(function, root)

    def _recursive(self, root: Root, name: str, own: set[str]) -> None:
        """A function with constants that calls itself, with all of its parameters: Python calls another one."""
        function = root.function
        inner = self._unused(name, own)
        parameters = ", ".join(inspect.signature(function).parameters)
        if inner is None or function.__code__.co_kwonlyargcount:
            raise Unsupported(
                f"`{name}` calls itself, and has an argument that is a constant, or keeps its results"
            )
        self.others.append((name, function, inner))
        self._claim(inner, function)
        file, line = file_of(function.__code__.co_filename), function.__code__.co_firstlineno
        says = {"file": file, "line": line, "plain": True, "left_out": list(root.constants)}
        text = f"def {name}({parameters}): return {inner}({parameters})\n"
        self._root_part(says, root, text, set(inspect.signature(function).parameters))
        self.waiting.append((function, inner))

    def _argument(self, name: str, value: Any) -> None:
        """A parameter that is a constant. One of a library's functions is wrapped: functions of the user's may be passed on."""
        arity = names.arity(value)
        if arity is None or not self._claim(name, value):
            self._name(name, value)
            return
        original = value.__name__
        if getattr(builtins, original, None) is not value:
            original = f"{name}_of_library"
        self._name(original, value)
        parameters = ", ".join(f"x{i}" for i in range(arity))
        self.definitions.append(f"def {name}({parameters}): return {original}({parameters})")

    def _root_part(self, says: dict[str, Any], root: Root, text: str, own: set[str]) -> None:
        """The part of the root, which is written when it is known what it is given."""
        self.root_part = says, root, text, len(self.parts), own
        self.parts.append("")

    def _write_root(self) -> None:
        if self.root_part is None:
            return
        says, root, text, at, own = self.root_part
        given = self.passed or {}
        if hidden := given.keys() & own:
            raise Unsupported(
                f"`{min(hidden)}` is a global that is read, and a variable of `{root.function.__name__}`"
            )
        if given:
            says["globals"] = list(given)
        types = (*root.types, *(kind for _, kind in given.values()))
        self.parts[at] = part(**says, signature=f"({', '.join(types)}) -> {root.result}") + text

    def called(self, name: str, function: types.FunctionType) -> None:
        """A function whose parameters get the types of what it is called with."""
        if source.read(function).node.args.vararg:
            raise Unsupported(f"`{name}` takes any number of arguments")
        self._claim(name, function)
        self._function(function, None)

    def text(self, whose: str) -> str:
        """All that was asked for, and what that needs."""
        while self.waiting:
            function, name = self.waiting.pop()
            self._function(function, None, name)
        self._write_root()
        # `numpy` is what constants are written with.
        if self.definitions and "numpy" not in self.known:
            self.imports.append("import numpy")
        made_up = [f"{line}\n" for line in (*self.imports, *self.definitions)]
        # The function that is called comes first: the whole is called by its file.
        text = "".join(self.parts)
        return text + (part(f"<names of {whose}>", hidden=True) + "".join(made_up) if made_up else "")

    def _function(self, function: types.FunctionType, root: Root | None, defined: str | None = None) -> None:
        """A function, and what it reads; `defined` is its name here, if that is not its own."""
        read = source.read(function)
        plain = root is None or not root.annotated
        edit = source.Edit(read, plain)

        self._watch_function(function, read, root)

        def lookup(name: str) -> Any:
            return self._lookup(function, name)

        globals_read, own = edit.globals_read()
        if hidden := sorted(own & names.SYNTAX):
            raise Unsupported(f"`{hidden[0]}` is not Python's own; give it another name")
        joined: set[str] = set()
        for node, chain in edit.chains(lambda name: name not in own):
            joined |= self._chain(lookup, edit, node, chain, globals_read | own)
        for name in sorted(edit.globals_read()[0] - joined):
            if name.startswith("__") and not name.endswith("__"):
                raise Unsupported(f"`{name}` has another name within classes")
            value = lookup(name)
            if names.is_prange(value):
                edit.replaced(name, self._range)
            else:
                self._name(self._spelled(edit, name, value, own), value)
        if defined is not None:
            edit.defined_as(defined)
        if PART in edit.text():
            raise Unsupported("it has a line that begins as those do that divide sources")
        constants = {} if root is None else root.constants
        if assigned := edit.assigned & constants.keys():
            raise Unsupported(f"the argument `{min(assigned)}`, which is a constant, is given another value")
        says: dict[str, Any] = {
            "file": file_of(read.file),
            "line": read.line,
            "indent": read.indent,
            "plain": plain,
            "left_out": list(constants),
            "loops": self.loops.get(function),
        }
        if root is not None:
            self._root_part(says, root, edit.text(), own)
            return
        if function in self.cached:
            says["cached"] = True
        self.parts.append(part(**says) + edit.text())

    def cell(self, cell: Cell, own: bool) -> list[str]:
        """A whole cell: functions of one may rely on all of it. Raises Unsupported, but for names of one's `own` cell."""
        if cell in self.cells:
            return []
        self.cells.append(cell)
        if PART in cell.text:
            raise Unsupported("the cell has a line that begins as those do that divide sources")
        text = part(cell.file, cell.line) + cell.text + ("" if cell.text.endswith("\n") else "\n")
        try:
            defined, read, imported = cell.defined, cell.read, cell.imported()
        except SyntaxError:
            self.parts.append(text)
            return []  # which the compiler explains better
        for name in defined:
            self._claim(name, imported.get(name, cell))
            found = cell.namespace.get(name)
            if not own and isinstance(found, type) and issubclass(found, BaseException):
                self.exceptions[name] = found
        self.parts.append(text)
        if own:
            cell.values.update({name: cell.namespace[name] for name in read & cell.namespace.keys()})
        reasons = []
        for name, value in sorted(cell.values.items(), key=lambda item: item[0]):
            try:
                self._name(name, value)
            except Unsupported as error:
                if not own:
                    raise
                reasons.append(f"`{name}` of the notebook was left out: {error}")
        return reasons

    def _watch_function(self, function: types.FunctionType, read: source.Source, root: Root | None) -> None:
        """What a function does may be changed in place; defaults of one that Python does not call are those of its source."""
        if root is None:
            source.check_defaults(function, read.node)
        self.watch.function(function, with_defaults=root is None)

    def _chain(
        self,
        lookup: Callable[[str], Any],
        edit: source.Edit,
        node: Any,
        chain: list[str],
        taken_names: set[str],
    ) -> set[str]:
        """`module.function`, `module.CONSTANT` of modules that are no libraries; the name that they get."""
        value = lookup(chain[0])
        taken = 1
        while taken < len(chain) and names.may_be_followed(value, chain[taken]):
            holder, attribute = value, chain[taken]
            try:
                value = getattr(holder, attribute)
            except AttributeError:
                raise Unsupported(f"`{'.'.join(chain[:taken])}` has no `{attribute}`") from None
            if isinstance(holder, types.ModuleType) and attribute in vars(holder):
                self.watch.name(vars(holder), attribute, value)
            elif getattr(holder, attribute) is value:
                self.watch.attribute(holder, attribute, value)
            else:
                raise Unsupported(f"`{'.'.join(chain[: taken + 1])}` is made anew each time")
            taken += 1
        if names.is_prange(value):
            edit.instead(node, len(chain) - taken, self._range)
            return {self._range} - taken_names
        if taken == 1:
            return set()
        joined = "_".join(chain[:taken])
        if joined in taken_names:
            raise Unsupported(f"`{joined}` and `{'.'.join(chain[:taken])}` are two things")
        edit.joined(node, taken)
        self._name(joined, value)
        return {joined}

    def _name(self, name: str, value: Any) -> None:
        """Write down what a name stands for, once."""
        if not self._claim(name, value):
            return
        meaning = names.meaning(name, value)
        if self.given_arrays and isinstance(value, np.ndarray) and isinstance(meaning, names.Constant):
            meaning = names.passed(name, value, Unsupported(""))
        match meaning:
            case names.Library(statement):
                self.imports.append(statement)
            case names.UserFunction(function):
                options = getattr(value, "_options", None)
                if getattr(options, "annotated", False) or getattr(options, "given", None):
                    raise Unsupported(
                        f"`{name}` has types of its own, which convert; call a function without"
                    )
                if isinstance(value, names.CACHED):
                    self.cached.add(function)
                self._helper(name, function)
            case names.Passed(key, text, reason):
                if self.passed is None:
                    raise reason
                self.watch.kind(value, key)
                self.passed[name] = value, text
            case names.UserUfunc(function, loops):
                self.loops[function] = loops
                self._helper(name, function, value)
            case names.CellFunction(original, cell):
                self.cell(cell, own=False)
                if name != original:
                    self.definitions.append(f"{name} = {original}")
            case names.ExceptionClass(kind):
                self._exception(name, kind)
            case names.Constant(text):
                self.watch.content(value)
                self.definitions.append(f"{name} = {text}")
            case names.TypeName(text):
                self.definitions.append(f"{name}: TypeAlias = {text}")
            case names.Builtin():
                pass

    def _claim(self, name: str, value: Any) -> bool:
        """Whether a name is new; two things of one name are refused."""
        made = cell_of(value)
        if made is not None and value.__name__ == name:
            value = made
        if name not in self.known:
            self.known[name] = value
            return True
        if not _same(self.known[name], value):
            raise Unsupported(f"`{name}` stands for different things in functions that call each other")
        return False

    def _spelled(self, edit: source.Edit, name: str, value: Any, own: set[str]) -> str:
        """The name by which a function reads a value: another one, where its own stands for something else in a function before."""
        if name not in self.known or _same(self.known[name], value):
            return name
        is_kind = isinstance(names.meaning(name, value), (names.UserFunction, names.Constant))
        # A function that a ufunc is made of goes over elements, and cells keep what names stood for when they ran.
        is_special = names.function_of(value) in self.loops or self.cells
        if name in own or not is_kind or edit.is_shown(name) or is_special:
            return name  # which is refused
        found = (other for of, known, other in self.others if of == name and _same(known, value))
        other = next(found, None) or self._unused(name, own | edit.globals_read()[0])
        if other is None or other in own:
            return name
        self.others.append((name, value, other))
        edit.replaced(name, other)
        return other

    def _unused(self, name: str, taken: set[str]) -> str | None:
        """A name as wide as another one that stands for nothing yet."""
        for last in string.digits + string.ascii_letters:
            other = name[:-1] + last
            stands = other in taken or other in self.known or keyword.iskeyword(other)
            if other.isidentifier() and not stands and not hasattr(builtins, other):
                return other
        return None

    def _helper(self, name: str, function: types.FunctionType, value: Any = None) -> None:
        """A function that is called by a name, or that of a ufunc, which is then its value."""
        original = function.__code__.co_name
        if original == source.LAMBDA:
            self.waiting.append((function, name))
            return
        taken = original in self.known and not _same(self.known[original], function)
        if name != original and taken and value is None:
            # The function calls itself by the name that is taken.
            self.others.append((original, function, name))
        elif name != original:
            self.definitions.append(f"{name} = {original}")
            if not self._claim(original, function if value is None else value):
                return
            name = original
        self.waiting.append((function, name))

    def _exception(self, name: str, kind: type[BaseException]) -> None:
        if getattr(builtins, kind.__name__, None) is kind:
            # One that is built in, by another name.
            self.exceptions[name] = kind
            self.definitions.append(f"class {name}({kind.__name__}): pass")
            return
        base = kind.__base__
        if (
            base is None
            or len(kind.__bases__) != 1
            or kind.__init__ is not base.__init__
            or kind.__new__ is not base.__new__
        ):
            raise Unsupported(f"the exception `{name}` has a constructor of its own")
        if getattr(builtins, base.__name__, None) is not base:
            self._name(base.__name__, base)
        self.exceptions[name] = kind
        self.definitions.append(f"class {name}({base.__name__}): pass")

    def _lookup(self, function: types.FunctionType, name: str) -> Any:
        """A name's value, which is watched from now on."""
        free = function.__code__.co_freevars
        if name in free and function.__closure__ is not None:
            cell = function.__closure__[free.index(name)]
            value = self.watch.cell(cell)
            if value is GONE:
                raise Unsupported(f"the variable `{name}` has no value yet")
            return value
        space = function.__globals__
        if name in space:
            self.watch.name(space, name, space[name])
            return space[name]
        if hasattr(builtins, name):
            self.watch.builtin(space, name)
            self.watch.name(vars(builtins), name, getattr(builtins, name))
            return getattr(builtins, name)
        self.watch.builtin(space, name)
        raise Unsupported(f"the name `{name}` is not defined")


def _same(a: Any, b: Any) -> bool:
    """Whether two values mean the same to a kernel."""
    function = names.function_of(a)
    return a is b or (function is not None and function is names.function_of(b)) or _equal(a, b)


def _equal(a: Any, b: Any) -> bool:
    """Whether two constants are the same, bit by bit."""
    if type(a) is not type(b):
        return False
    if type(a) is np.ndarray:
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return isinstance(a, (bool, int, float, complex, str)) and repr(a) == repr(b)
