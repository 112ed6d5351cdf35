"""Compiling and loading from Python."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from . import _cache, _compiler
from ._cache import SUFFIX, Entry, Request
from ._compiler import PyddWarning, flags, without_colours


def compile(
    path: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str] | None = None,
    options: Sequence[str] = (),
) -> Path:
    """Compile the source file `path` and return the path of the extension module.

    `output` is the module's file; left out, it is `<stem>.abi3.so` beside the source. `options` are
    those of the command line, for example `["-O0", "--unchecked"]`. What the compiler remarks is a
    PyddWarning. Raises CompileError, and FileNotFoundError where the source or the compiler is missing.
    """
    source = Path(path)
    if not source.is_file():
        raise FileNotFoundError(f"no such file: {source}")
    target = source.with_name(source.stem + SUFFIX) if output is None else Path(output)
    remark(_compiler.run(source, target, options), options)
    return target


def load(
    path_or_source: str | os.PathLike[str],
    name: str | None = None,
    *,
    options: Sequence[str] = (),
    parallel: bool = False,
    gpu: bool = False,
) -> ModuleType:
    """Compile a `.pydd` file, or source text, and import it.

    With `parallel` (the option `--auto-parallel`) loops and whole-array operations whose iterations may run in any order run
    on threads, where there are enough of them. With `gpu` (the option `--gpu`) they have kernels, which an NVIDIA GPU runs where one is and there is
    enough to do.

    The module's name is `name`, or one made from the content, so that a changed source can be loaded
    again in the same process. Modules are kept in a cache folder (`PYDD_CACHE_DIR`, else
    `$XDG_CACHE_HOME/pydd`) and reused as long as source, options, compiler and processor stay the same; `python -m pydd
    cache` shows and clears it.
    """
    options = flags(parallel=parallel, gpu=gpu, options=options)
    module, entry = import_module(request(path_or_source, name, tuple(options)))
    remark(entry.remarks, options)
    return module


def remark(remarks: str, options: Sequence[str] = ()) -> None:
    """Tell the caller's caller what the compiler said; a report that was asked for goes to standard error."""
    if "--report" in options:
        sys.stderr.write(without_colours(remarks))
    elif remarks.strip():
        warnings.warn("\n" + without_colours(remarks.rstrip()), PyddWarning, stacklevel=3)


def import_module(request: Request) -> tuple[ModuleType, Entry]:
    """Compile what is wanted, or take it from the cache, and import it."""
    sent = _SENT.get(key(request))
    if sent is not None:
        from pydd_runtime import _pickle

        # Where this processor lacks what it needs, another is made.
        with contextlib.suppress(ImportError):
            return _pickle.loaded(*sent), Entry(Path(), "")
    name = request.module_name
    if not name.rpartition(".")[2].isidentifier():
        raise ValueError(f"not a module name: {name!r}")
    # A report goes to a file, which the cache does not keep.
    if any(option.startswith("--report=") for option in request.options):
        _cache.discard(request)
    entry = _cache.obtain(request)
    try:
        return import_file(name, entry.module), entry
    except ImportError:
        # Taken away by another process meanwhile, or broken: made once more.
        _cache.discard(request)
        entry = _cache.obtain(request)
        return import_file(name, entry.module), entry


# Modules that other processes have sent with kernels, loaded when they are wanted.
_SENT: dict[str, tuple[Any, ...]] = {}


def key(request: Request) -> str:
    """Of a module that is wanted, whatever compiles it, and for which processor."""
    parts = [request.text, request.stem, request.name, request.options]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def expect(key: str, sent: tuple[Any, ...]) -> None:
    """Take a module of another process where one with this key is wanted."""
    _SENT[key] = sent


def request(path_or_source: str | os.PathLike[str], name: str | None, options: tuple[str, ...]) -> Request:
    """The module of a file or of source text. Raises FileNotFoundError."""
    path = _path_of(path_or_source)
    if path is None:
        text = str(path_or_source)
        return Request(text, "kernel", name, options, shown=text)
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    path = path.resolve()
    # Bytes that are no UTF-8 are the compiler's to refuse.
    content = path.read_bytes()
    text = content.decode("utf-8-sig", errors="surrogateescape")
    part = _cache.part(str(path), sha256=hashlib.sha256(content).hexdigest())
    return Request(part + text, identifier(path.stem), name, options)


def _path_of(path_or_source: str | os.PathLike[str]) -> Path | None:
    """The file that is meant; None where it is source text."""
    if isinstance(path_or_source, os.PathLike):
        return Path(path_or_source)
    if "\n" not in path_or_source and path_or_source.endswith((".pydd", ".py")):
        return Path(path_or_source)
    return None


def identifier(text: str) -> str:
    """A name like this one that a module may have."""
    name = re.sub(r"[^0-9A-Za-z_]", "_", text)
    return name if name[:1].isalpha() else f"_{name}"


def import_file(name: str, path: Path) -> ModuleType:
    """Import an extension module under a name that other processes do not find it by."""
    # With NumPy, which `import pydd` leaves out.
    from pydd_runtime import _pickle

    module = _pickle.import_file(name, path)
    sys.modules.setdefault(name, module)
    return module
