"""C twins: gcc makes a shared library of each, and ctypes calls it."""

from __future__ import annotations

import ctypes
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

FLAGS = ["-O3", "-march=native", "-fPIC"]


def build(source: Path, folder: Path, extra: tuple[str, ...] = ()) -> tuple[SimpleNamespace, float]:
    """The library's functions by name, as attributes, and the seconds that gcc took.

    Linked without `-ffast-math`, which would make the whole process flush denormal numbers to zero.
    """
    stem = source.stem + "".join(extra)
    object_file, library = folder / f"{stem}.o", folder / f"{stem}.so"
    start = time.perf_counter()
    subprocess.run(["gcc", *FLAGS, *extra, "-c", source, "-o", object_file], check=True)
    subprocess.run(["gcc", "-shared", object_file, "-o", library, "-lmvec", "-lm"], check=True)
    seconds = time.perf_counter() - start
    return _Library(ctypes.CDLL(str(library))), seconds


class _Library(SimpleNamespace):
    def __init__(self, library: ctypes.CDLL) -> None:
        super().__init__()
        self._library = library

    def __getattr__(self, name: str):
        function = getattr(self._library, name)
        function.restype = ctypes.c_int64

        def call(*arguments):
            return function(*map(_as_c, arguments))

        return call


def _as_c(value):
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    if isinstance(value, float):
        return ctypes.c_double(value)
    return ctypes.c_int64(value)
