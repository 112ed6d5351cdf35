"""The pydd compiler from Python: compile kernels, load them, and run the same source under CPython.

`from pydd import *` gives the names that a `.pydd` source may use (types, `prange`, the library of
`pydd.intrepydd`), so that the source also runs as plain Python, but for those that would hide Python's own: `sum`, `max` and
the like stay Python's (`from pydd.intrepydd import *` gives all). They are imported on first use: the
command `python -m pydd` does not pay for NumPy.
"""

from __future__ import annotations

import importlib
from typing import Any

from ._build import compile, load
from ._compiler import CompileError, PyddWarning
from ._find import find_compiler
from ._names import EXPORTED_NAMES, LANGUAGE_NAMES

# Only the language: `from pydd import *` must not hide the built-in `compile`.
__all__ = list(EXPORTED_NAMES)


def __getattr__(name: str) -> Any:
    if name in _LANGUAGE:
        value = getattr(importlib.import_module("pydd.intrepydd"), name)
    elif name == "__version__":
        value = importlib.import_module("importlib.metadata").version("pydd-compiler")
    elif name == "interpret":
        value = importlib.import_module("pydd.python").load
    elif name == "source":
        value = importlib.import_module("pydd._source").source
    elif name in _DECORATORS:
        value = getattr(importlib.import_module("pydd._decorators"), name)
    elif name in _RUNTIME:
        value = getattr(importlib.import_module("pydd_runtime"), name)
    elif name in _MODULES:
        return importlib.import_module(f"pydd.{name}")
    else:
        raise AttributeError(f"module 'pydd' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(
        {*globals(), *__all__, *_DECORATORS, *_RUNTIME, *_MODULES, "__version__", "interpret", "source"}
    )


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext pydd`."""
    importlib.import_module("pydd._notebook").load(shell)


_DECORATORS = ("Kernel", "guvectorize", "jit", "kernel", "vectorize")
_MODULES = ("intrepydd", "numba", "python")
# What there is where kernels run, without the compiler.
_RUNTIME = (
    "DeviceArray",
    "address",
    "cfunc",
    "device_array",
    "devices",
    "get_num_threads",
    "low_level_callable",
    "set_num_threads",
    "synchronize",
)
_LANGUAGE = frozenset(LANGUAGE_NAMES)
