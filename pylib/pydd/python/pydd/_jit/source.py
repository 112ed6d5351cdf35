"""A function's lines, as they are written: what has to change keeps its width, so that columns stay what they are."""

from __future__ import annotations
import __future__

import ast
import dis
import functools
import inspect
import symtable
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .types import Unsupported

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """A function as it is written, from its `def` on, without what stands before all of its lines."""

    file: str
    # Of the `def`, in the file.
    line: int
    indent: int
    lines: tuple[bytes, ...]
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def parameters(self) -> list[str]:
        arguments = self.node.args
        return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def read(function: types.FunctionType) -> Source:
    """The source of a function. Raises Unsupported where there is none, or where it is not a plain `def`."""
    code = function.__code__
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError, IndentationError) as error:
        raise Unsupported(f"the source of `{function.__name__}` is not to be had: {error}") from None
    return _parse(code, "".join(lines), max(first, 1))


@functools.lru_cache(maxsize=256)
def _parse(code: types.CodeType, text: str, first: int) -> Source:
    name = code.co_name
    if name == "<lambda>":
        raise Unsupported("it is a lambda; write it as a `def`")
    lines = text.splitlines(keepends=True)
    if any(" \t" in line[: len(line) - len(line.lstrip(" \t"))] for line in lines):
        # Tabs behind blanks: what Python makes of them.
        lines = [line[: len(line) - len(line.lstrip(" \t"))].expandtabs() + line.lstrip(" \t") for line in lines]
    indent = len(lines[0]) - len(lines[0].lstrip(" \t"))
    lines = [line[indent:] if not line[:indent].strip() else line for line in lines]
    try:
        (node,) = ast.parse("".join(lines)).body
    except (SyntaxError, ValueError):
        raise Unsupported(f"the source of `{name}` is not to be had") from None
    if not isinstance(node, Function) or node.name != name or not _is_code_of(code, node):
        raise Unsupported(f"the source of `{name}` is not the one that runs: its file has changed")
    if not isinstance(node, ast.FunctionDef) or code.co_flags & inspect.CO_GENERATOR:
        what = "a coroutine" if isinstance(node, ast.AsyncFunctionDef) else "a generator"
        raise Unsupported(f"`{name}` is {what}")
    if node.args.vararg or node.args.kwarg:
        raise Unsupported(f"`{name}` takes any number of arguments")
    if getattr(node, "type_params", None):
        raise Unsupported(f"`{name}` has type parameters")
    skipped = node.lineno - 1
    ast.increment_lineno(node, -skipped)
    kept = tuple(line.encode() for line in lines[skipped:])
    return Source(code.co_filename, first + skipped, indent, kept, node)


def _is_code_of(code: types.CodeType, node: Function) -> bool:
    """Whether a function does what its source says, as far as that can be told: a file may change after it was imported."""
    # pytest rewrites assertions; and variables of an outer function are global ones in the source alone.
    if code.co_freevars or any(isinstance(each, ast.Assert) for each in ast.walk(node)):
        return True
    copy = ast.fix_missing_locations(ast.Module([node], []))
    decorators, node.decorator_list = node.decorator_list, []
    try:
        flags = code.co_flags & __future__.annotations.compiler_flag
        made = compile(copy, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    finally:
        node.decorator_list = decorators
    codes = [
        each for each in made.co_consts if isinstance(each, types.CodeType) and each.co_name == code.co_name
    ]
    return any(_same(code, each) for each in codes)


def _same(a: types.CodeType, b: types.CodeType) -> bool:
    def plain(code: types.CodeType) -> tuple[object, ...]:
        return code.co_names, code.co_varnames, len(code.co_consts), _instructions(code)

    return plain(a) == plain(b) and all(map(_same_constant, a.co_consts, b.co_consts))


def _instructions(code: types.CodeType) -> list[str]:
    """What a function does, but for how methods are called: that depends on what the module imports."""
    found = []
    for each in dis.get_instructions(code):
        if each.opname in ("BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP"):
            found.append(f"{each.opname} {each.argrepr}")
        elif each.opname not in ("PUSH_NULL", "PRECALL", "EXTENDED_ARG"):
            found.append("LOAD_ATTR" if each.opname == "LOAD_METHOD" else each.opname)
    return found


def _same_constant(a: object, b: object) -> bool:
    if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
        return _same(a, b)
    if isinstance(a, str) and isinstance(b, str):
        # Lines of docstrings are indented less here; and inner functions are named by those around them.
        return a.split() == b.split() or ("<locals>" in a and a.endswith(b))
    return type(a) is type(b) and repr(a) == repr(b)


class Edit:
    """The lines of a function while they are changed."""

    def __init__(self, source: Source, plain: bool) -> None:
        self.source = source
        # Whether annotations say nothing, so that names in them are not read.
        self.plain = plain
        self.lines = [bytearray(line) for line in source.lines]

    def _walk_body(self) -> Iterator[ast.AST]:
        for statement in self.source.node.body:
            yield from ast.walk(statement)

    def chains(self, root: Callable[[str], bool]) -> Iterator[tuple[ast.Attribute, list[str]]]:
        """The longest chains `a.b.c` that are read, whose first name is wanted."""
        inner: set[int] = set()
        # Outer nodes come before inner ones.
        for node in self._walk_body():
            if not isinstance(node, ast.Attribute) or id(node) in inner:
                continue
            names: list[str] = []
            at: ast.expr = node
            while isinstance(at, ast.Attribute):
                inner.add(id(at))
                names.append(at.attr)
                at = at.value
            if isinstance(at, ast.Name) and root(at.id):
                yield node, [at.id, *reversed(names)]

    def joined(self, node: ast.Attribute, count: int) -> None:
        """Make `a.b` in front of a chain one name of the same width, `a_b`."""
        at: ast.expr = node
        depth = 0
        while isinstance(at, ast.Attribute):
            at, depth = at.value, depth + 1
        # The attribute that ends the first `count` names.
        end: ast.expr = node
        for _ in range(depth - (count - 1)):
            end = end.value
        if at.lineno != end.end_lineno:
            raise Unsupported("a name with dots stands in several lines")
        text = bytes(self.source.lines[at.lineno - 1][at.col_offset : end.end_col_offset])
        if b" " in text or b"\t" in text:
            raise Unsupported(f"write `{text.decode()}` without blanks")
        self.lines[at.lineno - 1][at.col_offset : end.end_col_offset] = text.replace(b".", b"_")

    @property
    def assigned(self) -> set[str]:
        """The names that are given values somewhere in the function."""
        nodes = self._walk_body()
        return {
            node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }

    def text(self) -> str:
        last = self.lines[-1]
        ending = "" if last.endswith((b"\n", b"\r")) else "\n"
        return b"".join(self.lines).decode() + ending

    def globals_read(self) -> tuple[set[str], set[str]]:
        """The names of the function that are not its own, and all that are own names of it or of what is inside."""
        unread = "from __future__ import annotations\n" if self.plain else ""
        try:
            top = symtable.symtable(unread + self.text(), self.source.file, "exec")
        except SyntaxError as error:
            raise Unsupported(str(error)) from None
        read: set[str] = set()
        own: set[str] = set()
        for table in top.get_children():
            if table.get_name() == self.source.name and table.get_type() == "function":
                _symbols(table, read, own)
        return read, own


def _symbols(table: symtable.SymbolTable, read: set[str], own: set[str]) -> None:
    for symbol in table.get_symbols():
        if symbol.is_global():
            read.add(symbol.get_name())
        else:
            own.add(symbol.get_name())
    for child in table.get_children():
        if child.get_type() == "class":
            raise Unsupported("it defines a class")
        if child.get_type() == "function":
            _symbols(child, read, own)
