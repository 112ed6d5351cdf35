"""What functions of the library are called with, by the names of their parameters.

A call is text, the same for a kernel and for Python; its arrays are parameters of the kernel. A function that is new in the catalogue
is called by these rules; only one that takes something else under a common name stands in `CALLS`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np

FLOATS = ("float32", "float64")
COMPLEX = ("complex64", "complex128")

# Values of any type: an array of numbers from just above 0 to just below 1, or small integers.
ARRAYS = """a a1 a2 ar ar1 ar2 arr array ary b element f m object p q test_elements v x x1 x2 y z A B weights seq iterable real imag
    filt seq_of_zeros xp fp""".split()
# In ascending order.
SORTED = {"xp", "bins"}
# Of a tenth of the length: what is looked for in another array, or slides over it.
SHORT = {"v": 50, "test_elements": 1000, "p": 4, "bins": 20}
# Other arguments. `n` is the number of elements, `k` the side of a square matrix with as many.
TEXTS = {
    "shape": "n",
    "n": "n",
    "M": "n",
    "N": "k",
    "num": "n",
    "size": "n",
    "dtype": "np.float32",
    "fill_value": "1.5",
    "start": "1.0",
    "stop": "9.0",
    "axis": "0",
    "axis1": "0",
    "axis2": "-1",
    "source": "0",
    "destination": "-1",
    "shift": "3",
    "repeats": "3",
    "reps": "3",
    "pad_width": "2",
    "indices_or_sections": "2",
    "obj": "2",
    "kth": "n // 3",
    "values": "1",
    "val": "1",
    "value": "1",
    "deg": "2",
    "low": "1000",
    "new_shape": "2 * n",
    "dimensions": "(k, k)",
}
INDEX_ARRAYS = {"indices", "ind"}
MASKS = {"condition", "mask"}
SEVERAL = {"arrays", "keys", "args", "xi", "operands"}

# Calls by other rules. Letters that stand alone are arrays.
CALLS = {
    "np.arange": "np.arange(n)",
    "np.reshape": "np.reshape(a, (-1, 1))",
    "np.full_like": "np.full_like(a, 3)",
    "np.einsum": "np.einsum('ij,jk->ik', A, B)",
    "np.where": "np.where(c, a, b)",
    "np.clip": "np.clip(a, 0.25, 0.75)",
    "np.interp": "np.interp(a, xp, fp)",
    "np.polyval": "np.polyval(p, a)",
    "np.polyfit": "np.polyfit(a, b, 2)",
    "np.percentile": "np.percentile(a, 30)",
    "np.quantile": "np.quantile(a, 0.3)",
    "np.nanpercentile": "np.nanpercentile(a, 30)",
    "np.nanquantile": "np.nanquantile(a, 0.3)",
    "np.searchsorted": "np.searchsorted(xp, a)",
    "np.digitize": "np.digitize(a, bins)",
    "np.bincount": "np.bincount(i)",
    "np.histogram": "np.histogram(a, 20)",
    "np.select": "np.select([c, ~c], [a, b])",
    "np.unravel_index": "np.unravel_index(i, (n, 1))",
    "np.ravel_multi_index": "np.ravel_multi_index((i, i), (n, n))",
    "np.take_along_axis": "np.take_along_axis(a, i, 0)",
    "np.put_along_axis": "np.put_along_axis(a, i, 1, 0)",
    "np.place": "np.place(a, c, b)",
    "np.putmask": "np.putmask(a, c, b)",
    "np.copyto": "np.copyto(a, b)",
    "np.block": "np.block([[A, B], [B, A]])",
    "np.diagflat": "np.diagflat(d)",
    "np.diag": "np.diag(d)",
    "np.outer": "np.outer(d, e)",
    "np.kron": "np.kron(d, e)",
    "np.vander": "np.vander(a, 4)",
    "np.poly": "np.poly(p)",
    "np.polymul": "np.polymul(p, a)",
    "np.cross": "np.cross(T, T)",
    "np.indices": "np.indices((k, k))",
    "np.ix_": "np.ix_(i, i)",
    "np.meshgrid": "np.meshgrid(d, e)",
    "np.left_shift": "np.left_shift(a, 3)",
    "np.right_shift": "np.right_shift(a, 3)",
    "np.resize": "np.resize(a, 2 * n)",
    "np.broadcast_to": "np.broadcast_to(a, (2, n))",
    "np.expand_dims": "np.expand_dims(a, 0)",
    "np.linalg.matrix_power": "np.linalg.matrix_power(A, 3)",
    "np.linalg.multi_dot": "np.linalg.multi_dot([A, B, A])",
    "np.linalg.cholesky": "np.linalg.cholesky(P)",
    "np.linalg.norm": "np.linalg.norm(a)",
    "scipy.special.comb": "scipy.special.comb(n, 3)",
    ".fill": "a.fill(1)",
    ".sort": "a.sort()",
    ".item": "a[:1].item()",
}
# Expressions that the catalogue has under the names of functions, and users write as operators.
OPERATORS = """a+b a-b a*b a/b a//b a%b a**b a//7 a%7 a%0.3 a**0.5 a**2 a**3 a@b A@B A@d d@A a[c] a[i] a[::2] a[::-1] a<b ~c
    np.sum(A.T) np.sum(A.T,axis=0) np.sum(A.T,axis=1) A.T.copy() a.copy() np.where(c)[0]""".split()

# Results are a choice of the library's, or not deterministic.
OF_CHOICE = {
    "eig",
    "eigh",
    "svd",
    "qr",
    "eigvals",
    # The order of equal elements.
    "argsort",
    "partition",
    "argpartition",
    "empty",
    "empty_like",
    "ndarray",
    "lstsq",
}
# Work that grows faster than the number of elements: sides of matrices are limited.
SIDE = 300


@dataclass
class Call:
    """A call in Python's words, with the arrays that it takes.

    rank: of the arrays that may be of any; the first one that NumPy takes is chosen.
    """

    text: str
    arrays: list[str] = field(default_factory=list)
    rank: int = 1


def call_of(name: str, params: list[tuple[str, str | None]]) -> Call | None:
    """The call of a function with its required parameters; None where no rule says what to give it."""
    if name in CALLS:
        return read(CALLS[name])
    arguments, arrays = [], []
    for param, default in params:
        if default is not None:
            if param == "size":
                arguments.append("size=n")
            continue
        plain = param.lstrip("*")
        if plain != param and plain not in SEVERAL:
            continue
        if plain in SEVERAL:
            text = "(a, b)" if param == plain else "a, b"
            arrays += ["a", "b"]
        elif plain in INDEX_ARRAYS:
            text = "i"
        elif plain in MASKS:
            text = "c"
        elif plain in TEXTS:
            text = TEXTS[plain]
        elif plain == "rng":
            continue
        elif plain in ARRAYS:
            text = {"x1": "a", "x2": "b", "x": "a", "ar1": "a", "ar2": "b", "a1": "a", "a2": "b"}.get(
                plain, plain
            )
        else:
            return None
        arguments.append(text)
    called = f"np.random.default_rng(7){name}" if any(p == "rng" for p, _ in params) else name
    if called.startswith("."):
        called, arguments = f"{arguments[0]}{called}", arguments[1:]
    return read(f"{called}({', '.join(arguments)})")


def read(text: str) -> Call:
    """The names in a call that stand for arrays."""
    words = re.findall(
        r"(?<![\w.'])([A-Za-z_]\w*)(?![\w.('=]|\s*=[^=])|(?<![\w.'])([A-Za-z_]\w*)(?=\.)", text
    )
    names = [first or second for first, second in words]
    known = [
        w
        for w in dict.fromkeys(names)
        if w not in ("n", "k", "np", "scipy", "None", "True", "False", "ij", "jk", "ik")
    ]
    return Call(text, known)


def side_of(n: int, limited: bool) -> int:
    side = max(2, math.isqrt(n) // 2 * 2)
    return min(side, SIDE) if limited else side


def array(name: str, n: int, dtype: str, rank: int, limited: bool) -> np.ndarray:
    """The array that stands under a name."""
    rng = np.random.default_rng([sum(map(ord, name)), n])
    side = side_of(n, limited)
    if name == "c":
        return shaped(rng.random(n) > 0.5, rank, side)
    if name == "i":
        return rng.integers(0, n, n)
    if name in ("A", "B", "P"):
        matrix = values(rng, side * side, dtype).reshape(side, side)
        return (matrix @ matrix.T.conj() + side * np.eye(side)).astype(dtype) if name == "P" else matrix
    if name in ("d", "e"):
        return values(rng, side, dtype)
    if name == "T":
        return values(rng, n // 3 * 3, dtype).reshape(-1, 3)
    if name in SHORT:
        found = values(rng, min(SHORT[name], n), dtype)
        return np.sort(found) if name in SORTED else found
    if name in ("xp", "fp"):
        return np.sort(values(rng, n, dtype))
    return shaped(values(rng, n, dtype), rank, side)


def shaped(flat: np.ndarray, rank: int, side: int) -> np.ndarray:
    if rank == 1:
        return flat
    if rank == 2:
        return flat[: side * side].reshape(side, side).copy()
    return flat[: side * side // 4 * 4].reshape(side // 2, -1, 2).copy()


def values(rng: np.random.Generator, n: int, dtype: str) -> np.ndarray:
    if dtype == "bool":
        return rng.random(n) > 0.5
    if dtype in FLOATS:
        return (0.05 + 0.9 * rng.random(n)).astype(dtype)
    if dtype in COMPLEX:
        return (0.05 + 0.9 * rng.random(n) + 1j * (rng.random(n) - 0.5)).astype(dtype)
    return rng.integers(1, 100 if np.dtype(dtype).itemsize < 4 else 1_000_000, n).astype(dtype)
