"""A function's lines, as they are written: what has to change keeps its width, so that columns stay what they are."""

from __future__ import annotations
import __future__

import ast
import dis
import functools
import hashlib
import inspect
import linecache
import symtable
import sys
import tokenize
import types
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .types import Unsupported
from .watch import GONE

Function = ast.FunctionDef | ast.AsyncFunctionDef
# What the code of lambdas is called, and what they are called here before they get a name.
LAMBDA = "<lambda>"
_OF_LAMBDA = "_lambda"


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


Written = tuple[str, int, str]

# The files of functions that cloudpickle has brought, which calls them all `<dynamic-code>`.
SENT: dict[Written, str] = {}


def written(code: types.CodeType) -> Written:
    """Where a function stands in its file, and what it does."""
    # Of two states of a cell often only a constant differs. Sets are left out, which every process shows in another order.
    constants = [each for each in code.co_consts if not isinstance(each, (types.CodeType, frozenset))]
    does = code.co_code + repr((code.co_names, constants)).encode(errors="surrogatepass")
    return code.co_name, code.co_firstlineno, hashlib.sha256(does).hexdigest()


def with_file(code: types.CodeType) -> types.CodeType:
    """The code of a function, with the name of its file where it was brought without one."""
    if code.co_filename.startswith("<") and (file := SENT.get(written(code))):
        return code.replace(co_filename=file)
    return code


def read(function: types.FunctionType) -> Source:
    """The source of a function. Raises Unsupported where there is none, or where it is not a plain `def`."""
    code = with_file(function.__code__)
    if code.co_name == LAMBDA:
        lines = linecache.getlines(code.co_filename, function.__globals__)
        return _parse_lambda(code, code.co_filename, tuple(lines))
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError, IndentationError, tokenize.TokenError) as error:
        raise Unsupported(f"the source of `{code.co_name}` is not to be had: {error}") from None
    return _parse(code, code.co_filename, tuple(lines), max(first, 1))


@functools.lru_cache(maxsize=256)
def _parse(code: types.CodeType, file: str, lines: tuple[str, ...], first: int) -> Source:
    # Code of two files may be equal, so the file is looked at as well.
    name = code.co_name
    if unicodedata.normalize("NFKC", name) != name or len(name) > 100:
        raise Unsupported(f"its name is `{name}`")
    if not lines:
        raise Unsupported(f"the source of `{name}` is not to be had")
    indent = len(_blanks(lines[0]))
    dedented = _dedented(_with_blanks_for_tabs(lines), indent)
    try:
        (node,) = ast.parse("".join(dedented)).body
    except (SyntaxError, ValueError):
        raise Unsupported(f"the source of `{name}` is not to be had") from None
    if not isinstance(node, Function) or node.name != name or not _is_code_of(code, node):
        raise Unsupported(f"the source of `{name}` is not the one that runs: its file has changed")
    _check(code, node)
    skipped = node.lineno - 1
    ast.increment_lineno(node, -skipped)
    kept = tuple(line.encode() for line in dedented[skipped:])
    return Source(file, first + skipped, indent, kept, node)


@functools.lru_cache(maxsize=256)
def _parse_lambda(code: types.CodeType, file: str, lines: tuple[str, ...]) -> Source:
    """A lambda as a function of one line. Which one of its line it is, what it does says."""
    try:
        nodes = [node for node in ast.walk(ast.parse("".join(lines))) if isinstance(node, ast.Lambda)]
    except (SyntaxError, ValueError):
        nodes = []
    for node in nodes:
        if node.lineno != code.co_firstlineno or not _is_code_of_lambda(code, node):
            continue
        arguments, body = ast.unparse(node.args), ast.unparse(node.body)
        text = f"def {_OF_LAMBDA}({arguments}): return {body}\n"
        (made,) = ast.parse(text).body
        assert isinstance(made, ast.FunctionDef)
        _check(code, made)
        return Source(file, node.lineno, 0, (text.encode(),), made)
    raise Unsupported("the source of a lambda is not to be had")


def _check(code: types.CodeType, node: Function) -> None:
    """Raises Unsupported for what is never compiled."""
    name = code.co_name
    if isinstance(node, ast.AsyncFunctionDef):
        raise Unsupported(f"`{name}` is a coroutine")
    if code.co_flags & inspect.CO_GENERATOR:
        raise Unsupported(f"`{name}` is a generator")
    if node.args.kwarg:
        raise Unsupported(f"`{name}` takes any number of arguments")
    if getattr(node, "type_params", None):
        raise Unsupported(f"`{name}` has type parameters")
    if sys.flags.optimize and any(isinstance(each, ast.Assert) for each in ast.walk(node)):
        raise Unsupported(f"`{name}` has assertions, which this Python leaves out")


def _blanks(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _with_blanks_for_tabs(lines: Sequence[str]) -> Sequence[str]:
    """Tabs behind blanks, which Python takes, are blanks to the compiler."""
    if not any(" \t" in _blanks(line) for line in lines):
        return lines
    return [_blanks(line).expandtabs() + line[len(_blanks(line)) :] for line in lines]


def _dedented(lines: Sequence[str], indent: int) -> list[str]:
    """The lines without what stands before all of them, but for those within texts."""
    if indent == 0:
        return list(lines)
    inside: set[int] = set()
    try:
        for token in tokenize.generate_tokens(iter(lines).__next__):
            # Parts of f-strings are tokens of their own in newer Pythons.
            if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                inside.update(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, IndentationError):
        pass
    blank = " " * indent
    return [
        line if number in inside or (line[:indent].strip() and not line.startswith(blank)) else line[indent:]
        for number, line in enumerate(lines, 1)
    ]


def _is_code_of(code: types.CodeType, node: Function) -> bool:
    """Whether a function does what its source says: a file may change after it was imported."""
    if any(name.startswith("@pytest_ar") for name in code.co_names):
        return True  # whose assertions pytest has rewritten
    decorators, node.decorator_list = node.decorator_list, []
    own = [] if code.co_name in code.co_freevars else [ast.Global([code.co_name])]
    try:
        return _is_code_in(code, node, own)
    finally:
        node.decorator_list = decorators


def _is_code_of_lambda(code: types.CodeType, node: ast.Lambda) -> bool:
    return _is_code_in(code, ast.Return(node), [])


def _is_code_in(code: types.CodeType, statement: ast.stmt, before: Sequence[ast.stmt]) -> bool:
    """Whether one of the functions in a statement does what some code does; `before` comes before all else of the function around it."""
    outer = ast.parse(f"def {_OUTER}(): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    # Variables of functions around it.
    around = [ast.parse(f"{name} = 0").body[0] for name in code.co_freevars if name.isidentifier()]
    outer.body = [*before, *around, statement]
    copy = ast.fix_missing_locations(ast.Module([outer], []))
    try:
        flags = code.co_flags & __future__.annotations.compiler_flag
        made = compile(copy, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    inner = next(each for each in made.co_consts if isinstance(each, types.CodeType))
    codes = [
        each for each in inner.co_consts if isinstance(each, types.CodeType) and each.co_name == code.co_name
    ]
    return any(_same(code, each) for each in codes)


_OUTER = "_around"


def _same(a: types.CodeType, b: types.CodeType) -> bool:
    def plain(code: types.CodeType) -> tuple[object, ...]:
        return code.co_names, code.co_varnames, code.co_freevars, len(code.co_consts), _instructions(code)

    return plain(a) == plain(b) and all(map(_same_constant, a.co_consts, b.co_consts))


def _instructions(code: types.CodeType) -> list[object]:
    """What a function does, but for how methods are called: that depends on what the module imports."""
    kept: list[dis.Instruction] = []
    # Jumps go to instructions, wherever these are. One to what is left out goes to what follows.
    places = {}
    for each in dis.get_instructions(code):
        places[each.offset] = len(kept)
        if each.opname not in ("PUSH_NULL", "PRECALL", "EXTENDED_ARG"):
            kept.append(each)
    jumps = {*dis.hasjrel, *dis.hasjabs}
    found: list[object] = []
    for each in kept:
        if each.opcode in jumps:
            found.append((each.opname, places[each.argval]))
        elif each.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            found.append(("LOAD_ATTR", str(each.argval)))
        elif each.opcode in dis.hasconst or isinstance(each.argval, types.CodeType):
            found.append(each.opname)
        else:
            found.append((each.opname, each.argrepr.replace("NULL + ", "").replace(" + NULL", "")))
    return found


def _same_constant(a: object, b: object) -> bool:
    if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
        return _same(a, b)
    if isinstance(a, str) and isinstance(b, str):
        # Inner functions are named by those around them.
        return a == b or (
            "<locals>" in a and "<locals>" in b and a.rpartition(".")[2] == b.rpartition(".")[2]
        )
    return type(a) is type(b) and repr(a) == repr(b)


def check_defaults(function: types.FunctionType, node: ast.FunctionDef) -> None:
    """Defaults are computed when a function is defined: what stands in the source must be their value. Raises Unsupported."""
    given = zip(node.args.defaults, function.__defaults__ or (), strict=False)
    keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    named = [
        (each, (function.__kwdefaults__ or {}).get(arg.arg, GONE))
        for arg, each in keywords
        if each is not None
    ]
    if len(node.args.defaults) != len(function.__defaults__ or ()):
        raise Unsupported(f"the defaults of `{node.name}` have changed")
    for written, value in [*given, *named]:
        try:
            literal = _constant(written)
        except (ValueError, ArithmeticError, TypeError):
            raise Unsupported(f"a default of `{node.name}` is no literal: `{ast.unparse(written)}`") from None
        if type(literal) is not type(value) or repr(literal) != repr(value):
            raise Unsupported(f"the defaults of `{node.name}` have changed")


def _constant(written: ast.expr) -> Any:
    """The value of a literal, or of arithmetic with literals. Raises ValueError for others."""
    arithmetic = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.Load, ast.operator, ast.unaryop)
    if not all(isinstance(node, arithmetic) for node in ast.walk(written)):
        return ast.literal_eval(written)
    return eval(compile(ast.Expression(written), "<default>", "eval"), {})


class Edit:
    """The lines of a function while they are changed."""

    def __init__(self, source: Source, plain: bool) -> None:
        self.source = source
        # Whether annotations say nothing, so that names in them are not read.
        self.plain = plain
        self.lines = [bytearray(line) for line in source.lines]

    def _walk_body(self) -> Iterator[ast.AST]:
        """What is computed, outer nodes before inner ones."""
        annotations = {id(each) for each in _annotations(self.source.node.body)} if self.plain else set()
        waiting: deque[ast.AST] = deque(self.source.node.body)
        while waiting:
            node = waiting.popleft()
            yield node
            waiting.extend(each for each in ast.iter_child_nodes(node) if id(each) not in annotations)

    def chains(self, root: Callable[[str], bool]) -> Iterator[tuple[ast.Attribute, list[str]]]:
        """The longest chains `a.b.c` that are read, whose first name is wanted."""
        inner: set[int] = set()
        # Outer nodes come before inner ones.
        for node in self._walk_body():
            if not isinstance(node, ast.Attribute) or id(node) in inner:
                continue
            names: list[str] = []
            at: ast.expr = node
            is_read = isinstance(node.ctx, ast.Load)
            while isinstance(at, ast.Attribute):
                inner.add(id(at))
                names.append(at.attr)
                at = at.value
            if isinstance(at, ast.Name) and root(at.id):
                if not is_read:
                    raise Unsupported(f"it gives `{at.id}.{'.'.join(reversed(names))}` a value")
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
        if (
            text.count(b".") != count - 1
            or not text.replace(b".", b"_").decode(errors="replace").isidentifier()
        ):
            raise Unsupported(f"write `{ast.unparse(end)}` without blanks")
        self.lines[at.lineno - 1][at.col_offset : end.end_col_offset] = text.replace(b".", b"_")

    @property
    def assigned(self) -> set[str]:
        """The names that are given values somewhere in the function."""
        nodes = self._walk_body()
        return {
            node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }

    def replaced(self, name: str, by: str) -> None:
        """Another name of at most the same width in its place, wherever it is read."""
        for node in self._walk_body():
            if isinstance(node, ast.Name) and node.id == name:
                self._put(node, by)

    def is_shown(self, name: str) -> bool:
        """Whether a name is read in an f-string, which may show the name itself."""
        texts = (node for node in self._walk_body() if isinstance(node, ast.JoinedStr))
        return any(
            isinstance(node, ast.Name) and node.id == name for text in texts for node in ast.walk(text)
        )

    def instead(self, node: ast.Attribute, outer: int, by: str) -> None:
        """Another name in place of a chain, but for its last `outer` names."""
        at: ast.expr = node
        for _ in range(outer):
            assert isinstance(at, ast.Attribute)
            at = at.value
        self._put(at, by)

    def _put(self, node: ast.expr, text: str) -> None:
        width = (node.end_col_offset or 0) - node.col_offset
        if node.lineno != node.end_lineno or width < len(text):
            raise Unsupported(f"write `{text}` for `{ast.unparse(node)}`")
        self.lines[node.lineno - 1][node.col_offset : node.end_col_offset] = text.rjust(width).encode()

    def defined_as(self, name: str) -> None:
        """Define the function by another name. Comes last, since places within its first line change."""
        line = self.lines[self.source.node.lineno - 1]
        before, after = b"def ", self.source.name.encode()
        start = line.index(after, line.index(before) + len(before))
        line[start : start + len(after)] = name.encode()

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
        if not self.plain:
            read |= _names_in_annotations(self.text()) - own
        return read, own


def _annotations(statements: Sequence[ast.stmt]) -> Iterator[ast.expr]:
    """The annotations of variables, and of functions inside."""
    for statement in statements:
        for node in ast.walk(statement):
            written = node.returns if isinstance(node, Function) else getattr(node, "annotation", None)
            if written is not None:
                yield written


def _names_in_annotations(text: str) -> set[str]:
    """The names in annotations within a function, which from Python 3.14 on are no symbols of it."""
    (node,) = ast.parse(text).body
    assert isinstance(node, Function)
    names = (each for annotation in _annotations(node.body) for each in ast.walk(annotation))
    return {each.id for each in names if isinstance(each, ast.Name)}


def _symbols(table: symtable.SymbolTable, read: set[str], own: set[str]) -> None:
    for symbol in table.get_symbols():
        # In a function that is named `top`, as its own table names a module, what it binds is both to Python.
        if symbol.is_global() and (symbol.is_declared_global() or not symbol.is_local()):
            read.add(symbol.get_name())
        else:
            own.add(symbol.get_name())
    for child in table.get_children():
        if child.get_type() == "class":
            raise Unsupported("it defines a class")
        if child.get_type() == "function":
            _symbols(child, read, own)
