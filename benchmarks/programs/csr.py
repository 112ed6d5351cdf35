"""What programs over sparse matrices share: their loops as Numba compiles them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import peers
import scipy.sparse


class Parts(NamedTuple):
    """A matrix in compressed rows, for compilers that know arrays only."""

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray
    shape: tuple[int, int]


def parts(*arguments) -> tuple:
    """The arguments with matrices as their parts."""
    return tuple(
        Parts(a.indptr, a.indices, a.data, a.shape) if scipy.sparse.issparse(a) else a for a in arguments
    )


def numba_form(source: Path, function: str) -> Callable:
    """A kernel of the file as Python, whose calls of others in the file are compiled."""
    return peers.as_numba(source)[function].py_func
