"""Kernels in other processes.

A kernel of a module goes by its name. One of a script that was run, of a notebook or of a function goes by value where cloudpickle
sends it, as joblib has it: the function in Python as cloudpickle sends functions, the lines it was written in, and the
modules that it was compiled to, so that the other side needs neither.
"""

from __future__ import annotations

import functools
import importlib
import linecache
import sys
import types
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from pydd_runtime import _pickle

from .. import _build, _cells
from . import annotations, source

if TYPE_CHECKING:
    from .kernel import Kernel, Options

# The attribute of a kernel under which pickle finds its function.
_ATTRIBUTE = "_function"
# cloudpickle, and the copy of it that joblib has.
_CLOUDPICKLES = ("cloudpickle", "joblib.externals.cloudpickle")

# By the addresses of their functions, which live as long as they.
_KERNELS: weakref.WeakValueDictionary[int, Kernel] = weakref.WeakValueDictionary()

# Files by what is written in them, other names of them, and their lines.
Origin = tuple[dict[source.Written, str], dict[str, str], dict[str, list[str]]]


def reduced(kernel: Kernel) -> Any:
    """How a kernel is pickled, as `__reduce__` says it."""
    if _found(kernel.__module__, kernel.__qualname__) is kernel:
        return kernel.__qualname__
    requests = [(version.request, version.module) for version in kernel._compiled_versions()]
    sent = [
        (_build.key(request), _pickle.sent(module))
        for request, module in requests
        if request is not None and isinstance(module, _pickle.Module)
    ]
    codes = [source.with_file(code) for code in _codes(kernel.py_func)]
    written = {source.written(code): code.co_filename for code in codes}
    names = {file: _cells.file_of(file) for file in sorted(set(written.values()))}
    lines = {file: linecache.getlines(file) for file in {*names, *names.values()}}
    origin = (written, names, lines)
    return _restored, (kernel._function, kernel.__qualname__, kernel._options, origin, sent)


def _codes(function: types.FunctionType) -> list[types.CodeType]:
    """What a function and those of its module that it calls do."""
    seen: set[types.FunctionType] = set()
    wanted = [function]
    while wanted:
        each = wanted.pop()
        if each in seen:
            continue
        seen.add(each)
        for name in each.__code__.co_names:
            value = getattr(each.__globals__.get(name), "py_func", each.__globals__.get(name))
            if isinstance(value, types.FunctionType) and value.__globals__ is function.__globals__:
                wanted.append(value)
    return [each.__code__ for each in seen]


def _found(module: str, qualname: str) -> Any:
    """What another process finds by this name; nothing of what runs as `__main__`, which is another module there."""
    if module == "__main__" or any(module in _sent_by_value(each) for each in _CLOUDPICKLES):
        return None
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found


def _sent_by_value(cloudpickle: str) -> Iterable[str]:
    """Modules of which the user has said so."""
    listed = getattr(sys.modules.get(cloudpickle), "list_registry_pickle_by_value", set)
    return listed()


def function_to_send(kernel: Kernel) -> types.FunctionType:
    """The kernel's function as pickles know it: pickle itself looks for it by a name, which is an attribute of the kernel; cloudpickle
    takes it for a function of a script, and sends it by value.
    """
    own = kernel.py_func
    copy = types.FunctionType(own.__code__, own.__globals__, own.__name__, own.__defaults__, own.__closure__)
    copy.__kwdefaults__ = own.__kwdefaults__
    copy.__annotations__ = annotations.to_send(own)
    copy.__doc__ = own.__doc__
    copy.__module__ = own.__module__
    copy.__qualname__ = f"{kernel.__qualname__}.{_ATTRIBUTE}"
    _KERNELS[id(copy)] = kernel
    return copy


def _restored(
    function: types.FunctionType,
    qualname: str,
    options: Options,
    origin: Origin,
    sent: list[tuple[str, tuple[Any, ...]]],
) -> Kernel:
    # Found by its name; or seen before, as a function that calls itself is: it is part of what it is pickled with.
    kernel = _KERNELS.get(id(function))
    if kernel is not None:
        return kernel
    from .kernel import Kernel

    written, names, lines = origin
    for file, text in lines.items():
        # What is there already is newer, or the same.
        if not linecache.getlines(file):
            linecache.cache[file] = (sum(map(len, text)), None, text, file)
    source.SENT.update(written)
    _cells.NAMES.update(names)
    for key, module in sent:
        _build.expect(key, module)
    function.__qualname__ = qualname
    kernel = Kernel(function, options)
    _KERNELS[id(function)] = kernel
    return kernel


def make_ufunc(function: types.FunctionType, parts: tuple[Any, ...]) -> np.ufunc:
    """The ufunc of a function, pickled by its name where another process finds it."""
    made = _pickle.make_ufunc(*parts)
    by_name = (_named, (function.__module__, function.__qualname__))
    by_value = (_pickle.make_ufunc, parts)
    _pickle.know_ufunc(made, lambda: by_name if _found(*by_name[1]) is made else by_value)
    return made


def _named(module: str, qualname: str) -> Any:
    return functools.reduce(getattr, qualname.split("."), importlib.import_module(module))
