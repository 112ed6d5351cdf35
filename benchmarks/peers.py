"""A kernel file as CPython, Numba and Pythran take it: the same text, without what is pydd's own."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from pydd import python

# Compiling takes Pythran up to a minute; what it made is kept by content.
PYTHRAN_CACHE = Path(__file__).resolve().parent.parent / "build" / "pythran"
PYTHRAN_FLAGS = ["-O3", "-march=native"]


class Refused(Exception):
    """A peer does not compile the program."""


def as_python(source: Path) -> ModuleType:
    """The file as CPython runs it: a `pfor` is a `for`."""
    return python.load(source)


def plain_text(source: Path) -> str:
    """The same without annotations."""
    tree = ast.parse(python.to_python(source.read_text()))
    return ast.unparse(ast.fix_missing_locations(_Unannotated().visit(tree)))


def as_numba(source: Path) -> dict[str, Callable]:
    """Its functions as Numba compiles them, each at its first call; those that call others of the file too."""
    from numba import njit

    return _compiled_by(source, njit)


def as_fast_numba(source: Path) -> dict[str, Callable]:
    """The same with sums in any order and without NaN."""
    from numba import njit

    return _compiled_by(source, njit(fastmath=True))


def _compiled_by(source: Path, decorator: Callable) -> dict[str, Callable]:
    module = ModuleType(source.stem)
    exec(compile(plain_text(source), str(source), "exec"), module.__dict__)
    own = {n: f for n, f in vars(module).items() if getattr(f, "__module__", None) == source.stem}
    module.__dict__.update(
        {name: decorator(function) for name, function in own.items() if callable(function)}
    )
    return vars(module)


def as_pythran(source: Path, function: str, arguments: tuple) -> Callable:
    """One of its functions as Pythran compiles it for these arguments.

    Raises:
        Refused: Pythran does not take it.
    """
    types = ", ".join(_pythran_type(each) for each in arguments)
    text = f"# pythran export {function}({types})\n{plain_text(source)}\n"
    stem = f"{source.stem}_{function}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    library = PYTHRAN_CACHE / f"{stem}.so"
    refusal = library.with_suffix(".refused")
    if refusal.exists():
        raise Refused(refusal.read_text())
    if not library.exists():
        PYTHRAN_CACHE.mkdir(parents=True, exist_ok=True)
        twin = PYTHRAN_CACHE / f"{stem}.py"
        twin.write_text(text)
        command = [sys.executable, "-m", "pythran.run", *PYTHRAN_FLAGS, str(twin), "-o", str(library)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode or not library.exists():
            refusal.write_text(ended.stderr[-2000:])
            raise Refused(ended.stderr[-2000:])
    spec = importlib.util.spec_from_file_location(stem, library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)


def _pythran_type(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name}[{', '.join(':' * value.ndim)}]"
    if isinstance(value, (bool, int, float)):
        return type(value).__name__
    raise Refused(f"no type for {type(value).__name__}")


class _Unannotated(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
            argument.annotation = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)
