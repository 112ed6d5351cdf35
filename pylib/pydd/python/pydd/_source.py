"""The source text of compiled modules and functions, which `inspect` has no door to: it takes no extension module's."""

from __future__ import annotations

import ast
import inspect
import sys
import types
from pathlib import Path
from typing import Any

from .python import to_python


def source(of: Any) -> str:
    """The source text of a compiled module, of a function of one, or of a decorated function of a Python file.

    It is read from the `.pydd` file, as that is now: by the path that the compiler was given, or where the module is. A
    function comes with its decorators. Raises TypeError for what was not compiled here, OSError where the source is not found.
    """
    function = getattr(of, "py_func", None)
    if function is not None:
        return inspect.getsource(function)
    if isinstance(of, types.ModuleType):
        return _file_of(of).read_text(encoding="utf-8-sig")
    name = getattr(of, "__name__", None)
    module = sys.modules.get(getattr(of, "__module__", None) or "")
    if module is None or not isinstance(name, str) or getattr(module, name, None) is not of:
        raise TypeError(f"neither a compiled module nor a function of one: {of!r}")
    file = _file_of(module)
    return _definition(file.read_text(encoding="utf-8-sig"), name, file)


def _file_of(module: types.ModuleType) -> Path:
    about = getattr(module, "__pydd__", None)
    if not isinstance(about, dict):
        raise TypeError(f"the module {module.__name__} was not made by pydd")
    written = Path(about["file"])
    beside = Path(module.__file__ or "").resolve().parent
    # A relative path is that of the machine that compiled, from a folder that may be any.
    for file in [written] if written.is_absolute() else [beside / written, beside / written.name]:
        if file.is_file():
            return file
    raise OSError(f"the source of {module.__name__} is not there: {written}")


def _definition(text: str, name: str, file: Path) -> str:
    """The last definition of a name at the outermost level, from its decorators on."""
    found = None
    for node in ast.parse(to_python(text)).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            found = node
    if found is None:
        raise OSError(f"{file} does not define {name}")
    first = min([found.lineno, *(each.lineno for each in found.decorator_list)])
    return "".join(text.splitlines(keepends=True)[first - 1 : found.end_lineno])
