"""Kernels in other processes: modules that no other process finds by name go as the bytes of their files.

A module that was imported goes by its name, as any other, and so do its functions. One that was made for this process
(`pydd.load`, a cell) is a `Module`, which carries its bytes and their digest. The process that gets it loads each once, from memory.
"""

from __future__ import annotations

import contextlib
import copyreg
import hashlib
import importlib.machinery
import importlib.util
import itertools
import os
import pickle
import platform
import sys
import tempfile
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ._runtime import _make_ufunc

# Of what is sent. Another one is refused.
_VERSION = 1

_LOCK = threading.RLock()
# The bytes that modules were loaded from: their files may be taken away or replaced meanwhile.
_CONTENTS: weakref.WeakKeyDictionary[types.ModuleType, bytes] = weakref.WeakKeyDictionary()
# By name and digest.
_LOADED: weakref.WeakValueDictionary[tuple[str, str], types.ModuleType] = weakref.WeakValueDictionary()
_COUNTER = itertools.count()

if hasattr(os, "register_at_fork"):

    def _after_fork() -> None:
        """A lock that another thread of the parent held would never be given back."""
        global _LOCK
        _LOCK = threading.RLock()

    os.register_at_fork(after_in_child=_after_fork)


class Module(types.ModuleType):
    """A kernel module that was not found by its name, and is pickled by value."""

    def __reduce__(self) -> Any:
        return loaded, sent(self)


def reduce_function(function: Any, module: types.ModuleType | None) -> Any:
    """How a function is pickled, as `__reduce__` says it."""
    if isinstance(module, Module):
        return getattr, (module, function.__name__)
    return function.__name__


def import_file(name: str, path: str | os.PathLike[str]) -> Module:
    """Import the extension module `path` under a name, to be pickled by value."""
    content = Path(path).read_bytes()
    module = _import(name, os.fspath(path))
    _CONTENTS[module] = content
    _know_ufuncs(module)
    return module


def adopt(module: types.ModuleType, made: types.ModuleType) -> None:
    """Have a module that took all that `made` has be pickled as that is."""
    if isinstance(made, Module):
        module.__class__ = Module
        _CONTENTS[module] = _CONTENTS[made]


def sent(module: Module) -> tuple[Any, ...]:
    """What another process makes the module from: version, name, machine, digest, bytes."""
    try:
        content = _CONTENTS[module]
    except KeyError:
        raise pickle.PicklingError(
            f"nothing is known of the file of the module {module.__name__!r}"
        ) from None
    digest = hashlib.sha256(content).hexdigest()
    with _LOCK:
        _LOADED.setdefault((module.__name__, digest), module)
    return _VERSION, module.__name__, platform.machine(), digest, content


def loaded(version: int, name: str, machine: str, digest: str, content: bytes) -> types.ModuleType:
    """The module that another process has sent; the same one for the same bytes.

    Raises UnpicklingError where the bytes are not those that were sent, or come from another version, and ImportError where
    this machine cannot run them.
    """
    if version != _VERSION:
        raise pickle.UnpicklingError(
            f"the module {name!r} was sent by another version of pydd-runtime: install the same one on both sides"
        )
    if hashlib.sha256(content).hexdigest() != digest:
        raise pickle.UnpicklingError(f"the bytes of the module {name!r} are not those that were sent")
    if machine != platform.machine():
        raise ImportError(
            f"the module {name!r} was compiled for {machine}, and this is {platform.machine()}", name=name
        )
    with _LOCK:
        module = _LOADED.get((name, digest))
        if module is None:
            with _file(name, content) as path:
                module = _import(name, path)
            # Its file is gone.
            module.__file__ = None
            if module.__spec__ is not None:
                module.__spec__.origin = "pickle"
            _CONTENTS[module] = content
            _know_ufuncs(module)
            _LOADED[name, digest] = module
        # By its name, exceptions of the module are found.
        sys.modules.setdefault(name, module)
    return module


def _import(name: str, path: str) -> Module:
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    module.__class__ = Module
    assert isinstance(module, Module)
    return module


@contextlib.contextmanager
def _file(name: str, content: bytes) -> Iterator[str]:
    """A path for the bytes that the loader of libraries has never seen: it takes a path that it knows for the library that it knows."""
    try:
        memory = os.memfd_create(name, os.MFD_CLOEXEC)
    except (AttributeError, OSError):
        memory = None
    if memory is not None and not os.path.exists(f"/proc/self/fd/{memory}"):
        os.close(memory)
        memory = None
    if memory is None:
        with tempfile.TemporaryDirectory(prefix="pydd-") as folder:
            file = Path(folder) / f"{name.rpartition('.')[2]}.abi3.so"
            file.write_bytes(content)
            yield str(file)
        return
    with os.fdopen(memory, "wb") as file:
        file.write(content)
        file.flush()
        # The number of the file will be used again, so the rest of the path is a number that won't: one digit in each step.
        unique = "".join("./" if digit == "1" else "/" for digit in f"{next(_COUNTER):b}")
        yield f"/proc/self/fd/{unique}{memory}"


# Ufuncs. NumPy pickles them by their names.

# How those are pickled that no other process finds, by their addresses; they are kept, as what they call is.
_UFUNCS: dict[int, tuple[np.ufunc, Callable[[], Any]]] = {}
_MADE: dict[tuple[Any, ...], np.ufunc] = {}
_BY_NAME = copyreg.dispatch_table.get(np.ufunc, lambda ufunc: ufunc.__name__)


def _reduce_ufunc(ufunc: np.ufunc) -> Any:
    known = _UFUNCS.get(id(ufunc))
    return _BY_NAME(ufunc) if known is None else known[1]()


def know_ufunc(ufunc: np.ufunc, reduce: Callable[[], Any]) -> None:
    """Have a ufunc pickled as `reduce` says it, as `__reduce__` would."""
    copyreg.pickle(np.ufunc, _reduce_ufunc)
    _UFUNCS[id(ufunc)] = ufunc, reduce


def _know_ufuncs(module: Module) -> None:
    found = weakref.ref(module)
    for name, value in vars(module).items():
        if isinstance(value, np.ufunc):
            know_ufunc(value, lambda name=name: (getattr, (found(), name)))


def make_ufunc(*parts: Any) -> np.ufunc:
    """A ufunc of kernels, made once: name, documentation, kernels, and what else `_make_ufunc` takes."""
    name, doc, kernels, *others = parts
    made = _MADE.get(tuple(kernels))
    if made is None:
        made = _MADE[tuple(kernels)] = _make_ufunc(name, doc, kernels, *others)
        know_ufunc(made, lambda: (make_ufunc, parts))
    return made
