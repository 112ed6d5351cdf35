"""The runtime that modules compiled by pydd share in a process."""

from __future__ import annotations

from typing import Any

# `PyCapsule_Import("pydd_runtime._runtime._C_API")` imports this package only, and then reads attributes:
# the extension has to be one already.
from . import _runtime
from ._runtime import (
    DeviceArray,
    device_array,
    function,
    get_num_threads,
    set_num_threads,
    synchronize,
)

__all__ = [
    "DeviceArray",
    "__version__",
    "device_array",
    "function",
    "get_num_threads",
    "set_num_threads",
    "synchronize",
]
# Imported where they are used.
_NATIVE = ("address", "cfunc", "low_level_callable")
_DEVICES = ("Device", "devices")
__all__ += _NATIVE + _DEVICES


def __getattr__(name: str) -> Any:
    found: Any
    if name in _NATIVE:
        from . import _native

        found = getattr(_native, name)
    elif name in _DEVICES:
        from . import _devices

        found = getattr(_devices, name)
    elif name == "__version__":
        from importlib.metadata import version

        found = version("pydd-runtime")
    else:
        raise AttributeError(f"module 'pydd_runtime' has no attribute {name!r}")
    globals()[name] = found
    return found
