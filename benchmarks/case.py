"""What a benchmark program is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

PROGRAMS = Path(__file__).resolve().parent / "programs"


def assert_close(result: Any, expected: Any) -> None:
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-12)


@dataclass(frozen=True)
class Case:
    """One computation as pydd, NumPy, Numba and C have it.

    name: what tables call it.
    source: the `.pydd` file; the C twin has the same stem and lies in `programs/<stem>`.
    function: the kernel's name in that file.
    numpy, numba: the same function for NumPy and, not yet compiled, for Numba.
    numba_arguments: Numba knows no sparse matrices: makes its arguments of the others'.
    c: makes the C variant, which takes the same arguments, of the loaded library.
    arguments: makes the arguments; no variant writes to them.
    small: arguments of about a hundredth of the work, where the kernel has a `pfor`: for the cost of threads.
    check: raises unless the first result equals the second up to rounding.
    bytes: of a computation bound by memory, what one call moves at the least.
    """

    name: str
    source: Path
    function: str
    numpy: Callable[..., Any]
    numba: Callable[..., Any]
    c: Callable[[SimpleNamespace], Callable[..., Any]]
    arguments: Callable[[], tuple]
    numba_arguments: Callable[..., tuple] | None = None
    small: Callable[[], tuple] | None = None
    check: Callable[[Any, Any], None] = field(default=assert_close)
    bytes: int | None = None
