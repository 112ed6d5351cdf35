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
    """One computation, in the forms in which people write it.

    name: what tables call it.
    source: the `.pydd` file; the C twin has the same stem and lies in `programs/<stem>`.
    forms: the kernels of that file that compute it, by the form's name: "loops", "whole arrays", "sparse", or another
        where there are several of a kind. NumPy runs the file as Python does (of the forms that are not "loops" the one
        that is fastest there); Numba and Pythran compile the same text, where they can.
    arguments: makes the arguments; no variant writes to them.
    takes: makes a form's own arguments of the case's, by the form's name; outside all times.
    numpy: what NumPy and SciPy have better than any of the forms.
    numba: what Numba compiles in place of the forms: a program over sparse matrices, which it does not know.
    numba_arguments: makes its arguments of the case's.
    c: makes the C variant of the loaded library; it takes the case's arguments.
    small: arguments of about a hundredth of the work, where the first form has a `pfor`: for the cost of threads.
    check: raises unless the first result equals the second up to rounding.
    bytes: of a computation bound by memory, what one call moves at the least.
    library: whether the work is a library's: of BLAS, an FFT.
    """

    name: str
    source: Path
    forms: dict[str, str]
    arguments: Callable[[], tuple]
    takes: dict[str, Callable[..., tuple]] = field(default_factory=dict)
    numpy: Callable[..., Any] | None = None
    numba: Callable[..., Any] | None = None
    numba_arguments: Callable[..., tuple] | None = None
    c: Callable[[SimpleNamespace], Callable[..., Any]] | None = None
    small: Callable[[], tuple] | None = None
    check: Callable[[Any, Any], None] = field(default=assert_close)
    bytes: int | None = None
    library: bool = False

    def arguments_of(self, form: str, arguments: tuple) -> tuple:
        """What the form takes."""
        return self.takes[form](*arguments) if form in self.takes else arguments
