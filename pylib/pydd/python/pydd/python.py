"""Running a `.pydd` source under CPython: for debugging, as a fallback, and as the meaning to test against.

The statements that are not Python are rewritten in the token stream, each to one of equal width, so
that lines and columns of tracebacks are those of the `.pydd` file:

    pfor i in range(n):      for  i in range(n):
    async:                   if  1:
    finish:                  if   1:
    isolated:                if     1:
    type Grid = …            _  = Grid = …       before Python 3.12

Iterations run in order and tasks run at once, on one thread. Annotations are not evaluated.
"""

from __future__ import annotations
import __future__

import contextvars
import io
import itertools
import keyword
import linecache
import os
import sys
import tokenize
from pathlib import Path
from types import ModuleType

BLOCKS = ("async", "finish", "isolated")

_BETWEEN = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
_LINE_END = {tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER}
_counter = itertools.count()
_running: contextvars.ContextVar[bool] = contextvars.ContextVar("running", default=False)


def is_running() -> bool:
    """Whether a `.pydd` source is being run, so that `pydd.vectorize` in it does not compile."""
    return _running.get()


def load(path: str | os.PathLike[str], name: str | None = None) -> ModuleType:
    """Run the `.pydd` file as plain Python and return it as a module.

    Every name of `from pydd.intrepydd import *` is there without an import.
    """
    file = Path(path)
    with tokenize.open(file) as source:
        text = source.read()
    return _run(text, str(file), name or file.stem)


def loads(text: str, name: str = "kernel") -> ModuleType:
    """The same for source text."""
    filename = f"<pydd {name} {next(_counter)}>"
    linecache.cache[filename] = (len(text), None, list(io.StringIO(text)), filename)
    return _run(text, filename, name)


def to_python(text: str) -> str:
    """The source as Python, each line as long as before.

    Only at a statement's start, and only where the statement can be nothing else: `pfor = 3` and
    `finish: int32 = 4` stay what they are.
    """
    lines = list(io.StringIO(text))
    at_start = True
    tokens: list[tokenize.TokenInfo] = []
    try:
        for each in tokenize.generate_tokens(iter(lines).__next__):
            tokens.append(each)
    except (tokenize.TokenError, SyntaxError):
        pass  # compiling the text reports the error, and better
    for token, after, later in zip(tokens, tokens[1:], tokens[2:]):
        if token.type in _BETWEEN:
            continue
        replacement = _replacement(token, after, later) if at_start else None
        if replacement is not None:
            row, column = token.start
            line = lines[row - 1]
            end = column + len(token.string)
            lines[row - 1] = line[:column] + replacement + line[end:]
        at_start = token.type == tokenize.NEWLINE or token.string == ";"
    return "".join(lines)


def _replacement(
    token: tokenize.TokenInfo, after: tokenize.TokenInfo, later: tokenize.TokenInfo
) -> str | None:
    if token.string == "pfor" and after.type == tokenize.NAME and not keyword.iskeyword(after.string):
        return "for "
    # Python 3.12 has it; a type is no name for what is defined further down here.
    if (
        sys.version_info < (3, 12)
        and token.string == "type"
        and after.type == tokenize.NAME
        and later.string == "="
    ):
        return "_  ="
    if token.string in BLOCKS and after.string == ":" and later.type in _LINE_END:
        return "if" + "1".rjust(len(token.string) - 2)
    return None


def _run(text: str, filename: str, name: str) -> ModuleType:
    from . import _python_ufuncs, intrepydd

    code = compile(
        to_python(text), filename, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True
    )
    module = ModuleType(name)
    module.__file__ = filename
    module.__dict__.update({each: getattr(intrepydd, each) for each in intrepydd.__all__})
    # The decorators that the compiler knows without an import.
    module.__dict__.update(vectorize=_python_ufuncs.vectorize, guvectorize=_python_ufuncs.guvectorize)
    token = _running.set(True)
    try:
        exec(code, module.__dict__)
    finally:
        _running.reset(token)
    return module
