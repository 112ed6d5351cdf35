"""Cells of notebooks: their names in tracebacks and diagnostics, and what cells with `%%pydd` define."""

from __future__ import annotations

import ast
import hashlib
import html
import importlib
import io
import linecache
import re
import symtable
import sys
import types
import weakref
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pydd_runtime import function

from ._names import LANGUAGE_NAMES, LIBRARIES
from .python import to_python


def shell() -> Any:
    """IPython's shell, where there is one."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def _numbers() -> dict[str, int]:
    """The numbers of cells by the names of their files, as IPython keeps them for tracebacks."""
    return getattr(getattr(shell(), "compile", None), "_filename_map", {})


def current() -> int | None:
    """The number of the cell that runs: the last one that IPython gave a name."""
    return max(_numbers().values(), default=None)


def register(text: str, number: int | None) -> str:
    """A file name for a cell, which its content decides, so that what is compiled is found in the cache by other sessions."""
    name = f"<pydd cell {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    linecache.cache[name] = (len(text), None, list(io.StringIO(text)), name)
    if number is not None:
        _numbers()[name] = number
    return name


# By the names of files, the ones that a process gave them which has sent functions of theirs.
NAMES: dict[str, str] = {}


def file_of(file: str) -> str:
    """A file name, or for the file of a cell one that its content decides."""
    if file in NAMES:
        return NAMES[file]
    number = _numbers().get(file)
    if number is None or file.startswith("<pydd cell "):
        return file
    return register("".join(linecache.getlines(file)), number)


# What is in colours and in words, but for the headline, which begins its line.
_LABEL = re.compile(r"(?<=[ m])\x1b\[1m\x1b\[9\dm([^\x1b\n]*[^\W\d_][^\x1b\n]*)\x1b\[0m")


def shown(text: str) -> str:
    """The text with cells called as their reader knows them, `In[5]`, and in colours that notebooks have in light and dark.

    These are faint on the red ground of errors: marks have them, and not what is said beside marks.
    """
    if shell() is not None:
        text = _LABEL.sub(r"\1", text)
        text = text.replace("\x1b[1m\x1b[9", "\x1b[3").replace("\x1b[9", "\x1b[3")
    for file, number in _numbers().items():
        for name in (file, html.escape(file)):
            text = text.replace(name, f"In[{number}]")
    return text


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell with `%%pydd`."""

    file: str
    # Of its first line, in the file.
    line: int
    text: str
    # The notebook's variables.
    namespace: dict[str, Any]
    # What names of the notebook stood for when the cell ran.
    values: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def python(self) -> str:
        """The text in Python, each line as long as before."""
        return to_python(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.python)

    @cached_property
    def _table(self) -> symtable.SymbolTable:
        return symtable.symtable(self.python, self.file, "exec")

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that it defines."""
        symbols = self._table.get_symbols()
        return frozenset(
            s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_namespace()
        )

    @cached_property
    def read(self) -> frozenset[str]:
        """The names that it reads and neither it nor the language defines."""
        found = {s.get_name() for s in self._table.get_symbols() if s.is_referenced()}
        _globals(self._table, found)
        # Words of the language, but for functions that the notebook has under such a name.
        words = {name for name in LANGUAGE_NAMES if not _is_own(self.namespace.get(name))}
        return frozenset(found - self.defined - words)

    def imported(self) -> dict[str, Any]:
        """What the names stand for that it imports from libraries."""
        found: dict[str, Any] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Import):
                for each in node.names:
                    module = each.name if each.asname else each.name.partition(".")[0]
                    found[each.asname or module] = _module(module)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for each in node.names:
                    found[each.asname or each.name] = getattr(_module(node.module), each.name, None)
        return {name: value for name, value in found.items() if value is not None}

    @property
    def functions(self) -> list[str]:
        return [node.name for node in self.tree.body if isinstance(node, ast.FunctionDef)]


def _is_own(value: Any) -> bool:
    """Whether it is a function that a user has written."""
    from_language = str(getattr(value, "__module__", "")).partition(".")[0] in {"pydd", *LIBRARIES}
    return cell_of(value) is not None or (isinstance(value, types.FunctionType) and not from_language)


def _module(name: str) -> Any:
    if name.partition(".")[0] not in LIBRARIES:
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _globals(table: symtable.SymbolTable, found: set[str]) -> None:
    for child in table.get_children():
        if child.get_type() == "function":
            found.update(s.get_name() for s in child.get_symbols() if s.is_global())
            _globals(child, found)


# The cells of compiled functions, so that other cells can call them.
_FUNCTIONS: weakref.WeakKeyDictionary[function, Cell] = weakref.WeakKeyDictionary()
# Of ufuncs, by their addresses; there are no weak references to them.
_UFUNCS: dict[int, tuple[np.ufunc, Cell]] = {}


def remember(made: Any, cell: Cell) -> None:
    """Keep which cell defines a compiled function or ufunc."""
    if isinstance(made, np.ufunc):
        _UFUNCS[id(made)] = made, cell
    else:
        _FUNCTIONS[made] = cell


def cell_of(value: Any) -> Cell | None:
    """The cell that defines a compiled function or ufunc."""
    if isinstance(value, np.ufunc):
        return _UFUNCS.get(id(value), (value, None))[1]
    return _FUNCTIONS.get(value) if isinstance(value, function) else None
