"""Compiling and loading from Python."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ._find import find_compiler

SUFFIX = ".abi3.so"


class CompileError(Exception):
    """The compiler refused the program. The message is its diagnostics, `returncode` its exit status."""

    def __init__(self, diagnostics: str, returncode: int) -> None:
        super().__init__(diagnostics)
        self.returncode = returncode


def compile(
    path: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str] | None = None,
    options: Sequence[str] = (),
) -> Path:
    """Compile the source file `path` and return the path of the extension module.

    `output` is the module's file; left out, it is `<stem>.abi3.so` beside the source. `options` are
    those of the command line, for example `["-O0", "--unchecked"]`. Raises CompileError, and
    FileNotFoundError where the source or the compiler is missing.
    """
    source = Path(path)
    if not source.is_file():
        raise FileNotFoundError(f"no such file: {source}")
    target = source.with_name(source.stem + SUFFIX) if output is None else Path(output)
    command = [str(find_compiler()), str(source), "-o", str(target), *options]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if result.returncode != 0:
        raise CompileError((result.stderr or result.stdout).strip(), result.returncode)
    if result.stderr:
        sys.stderr.write(result.stderr)
    return target


def load(
    path_or_source: str | os.PathLike[str],
    name: str | None = None,
    *,
    options: Sequence[str] = (),
    parallel: bool = False,
) -> ModuleType:
    """Compile a `.pydd` file, or source text, and import it.

    With `parallel` (the option `--auto-parallel`) loops and whole-array operations whose iterations may run in any order run
    on threads, where there are enough of them.

    The module's name is `name`, or one made from the content, so that a changed source can be loaded
    again in the same process. Results are kept in a cache folder (`PYDD_CACHE_DIR`, else
    `$XDG_CACHE_HOME/pydd`) and reused as long as source, options and compiler stay the same.
    """
    if parallel:
        options = [*options, "--auto-parallel"]
    source, stem = _source_of(path_or_source)
    text = source.read_bytes() if isinstance(source, Path) else source.encode()
    compiler = find_compiler()
    stat = compiler.stat()
    key = repr((text, str(source) if isinstance(source, Path) else "", list(options), name))
    key += repr((str(compiler), stat.st_size, stat.st_mtime_ns))
    digest = hashlib.sha256(key.encode()).hexdigest()
    module_name = name or f"{re.sub(r'[^0-9A-Za-z_]', '_', stem)}_{digest[:12]}"
    last = module_name.rpartition(".")[2]
    if not last.isidentifier():
        raise ValueError(f"not a module name: {module_name!r}")
    built = _cache_folder() / digest[:32] / (last + SUFFIX)
    if not built.is_file():
        _build_into(built, source, stem, options)
    return _import_file(module_name, built)


def _source_of(path_or_source: str | os.PathLike[str]) -> tuple[Path | str, str]:
    """A file and its stem, or source text and the stem to give it."""
    if isinstance(path_or_source, os.PathLike):
        path = Path(path_or_source)
    elif "\n" not in path_or_source and path_or_source.endswith((".pydd", ".py")):
        path = Path(path_or_source)
    else:
        return path_or_source, "kernel"
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    return path.resolve(), path.stem


def _build_into(built: Path, source: Path | str, stem: str, options: Sequence[str]) -> None:
    """Compile beside the final place and rename, so that processes that race see whole files only."""
    built.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(source, str):
        # Kept: tracebacks of the loaded module show lines of this file.
        path = built.parent / f"{stem}.pydd"
        _write_atomically(path, source)
    else:
        path = source
    with tempfile.TemporaryDirectory(dir=built.parent) as scratch:
        made = compile(path, output=Path(scratch) / built.name, options=options)
        os.replace(made, built)


def _write_atomically(path: Path, text: str) -> None:
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, encoding="utf-8", newline="", delete=False
    ) as file:
        file.write(text)
    os.replace(file.name, path)


def _import_file(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {path}", name=name, path=str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.setdefault(name, module)
    return module


def _cache_folder() -> Path:
    """A folder of this user: modules are code, so a shared world-writable place would not do."""
    chosen = os.environ.get("PYDD_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(base) if base else Path.home() / ".cache") / "pydd"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    return _process_folder()


def _process_folder() -> Path:
    """Without a writable home: a folder that lives as long as the process."""
    global _PROCESS_FOLDER
    if _PROCESS_FOLDER is None:
        _PROCESS_FOLDER = tempfile.TemporaryDirectory(prefix="pydd-")
    return Path(_PROCESS_FOLDER.name)


_PROCESS_FOLDER: tempfile.TemporaryDirectory[str] | None = None
