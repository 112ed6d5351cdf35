"""C twins: gcc makes a shared library of each, and ctypes calls it."""

from __future__ import annotations

import ctypes
import functools
import subprocess
import time
from collections.abc import Callable
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


def variant(make: Callable[..., tuple] | None = None, *, results: int = 1):
    """What calls a twin's function, given the library: the function of `make`'s name behind `c_`.

    make: all that the function takes, made of the case's arguments; the last ones are its results.
    results: how many of them; 0: what the function returns.
    """
    if make is None:
        return functools.partial(variant, results=results)

    def of_library(library: SimpleNamespace) -> Callable[..., object]:
        function = getattr(library, make.__name__.removeprefix("c_"))

        def run(*arguments):
            passed = make(*arguments)
            returned = function(*passed)
            if results == 0:
                return returned
            return passed[-1] if results == 1 else passed[-results:]

        return run

    return of_library


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
