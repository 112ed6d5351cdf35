"""The runtime that modules compiled by pydd share in a process."""

from __future__ import annotations

from typing import Any

# `PyCapsule_Import("pydd_runtime._runtime._C_API")` imports this package only, and then reads attributes:
# the extension has to be one already.
from . import _runtime
from ._runtime import function, get_num_threads, set_num_threads

__all__ = ["__version__", "function", "get_num_threads", "set_num_threads"]


def __getattr__(name: str) -> Any:
    if name != "__version__":
        raise AttributeError(f"module 'pydd_runtime' has no attribute {name!r}")
    from importlib.metadata import version

    globals()["__version__"] = found = version("pydd-runtime")
    return found
