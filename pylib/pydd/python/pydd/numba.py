"""What programs for Numba import: `from pydd.numba import njit, prange` moves one over.

Decorators take Numba's keywords. What Numba does and pydd does otherwise: indices are always checked, negative and
wrong ones as in NumPy; constants may change between calls; what is compiled is always cached; a function that cannot be
compiled runs in Python, with a warning, where Numba raises (`strict=True` raises here too); `1.0 / 0.0` of floats is inf, as with
Numba's `error_model="numpy"`.
"""

from __future__ import annotations

from typing import Any

from pydd_runtime import get_num_threads, set_num_threads

from . import _decorators
from ._compiler import flags
from ._jit.kernel import Options, decorator
from ._jit.signatures import KNOWN, SHORT, Type, signatures
from .intrepydd import prange

__all__ = ["get_num_threads", "guvectorize", "jit", "njit", "prange", "set_num_threads", "vectorize"]


def jit(
    signature_or_function: Any = None,
    *,
    nopython: bool = True,
    forceobj: bool = False,
    parallel: bool = False,
    fastmath: Any = False,
    strict: bool = False,
    locals: dict[str, Any] | None = None,
    cache: bool = False,
    nogil: bool = False,
    boundscheck: bool | None = None,
    error_model: str = "python",
    inline: str = "never",
    looplift: bool = True,
    debug: bool = False,
    pipeline_class: Any = None,
) -> Any:
    """`numba.jit`: compile for the types of arguments, or for a signature such as `"float64(float64[:], int64)"`.

    `prange` is a parallel loop with `parallel=True`, else `range`. Of `fastmath` a set of flags counts as True. The keywords
    that say how Numba works (`nopython`, and those from `cache` on) change nothing.
    """
    function = (
        signature_or_function
        if callable(signature_or_function) and not isinstance(signature_or_function, Type)
        else None
    )
    given = (
        None if function is not None or signature_or_function is None else signatures(signature_or_function)
    )
    if forceobj:
        return function if function is not None else (lambda function: function)
    if locals:
        raise TypeError("`locals` is not supported: convert in the function, `x = np.float32(x)`")
    options = Options(
        strict=strict,
        prange=parallel,
        given=None if given is None else tuple(each.arguments for each in given),
        results={each.arguments: each.result for each in given or () if each.result is not None},
        command_line=flags(parallel=parallel, fast_math=bool(fastmath)),
    )
    return decorator(function, options)


def njit(signature_or_function: Any = None, **keywords: Any) -> Any:
    """`numba.njit`: as `jit`."""
    return jit(signature_or_function, **keywords)


def vectorize(
    types_or_function: Any = None,
    *,
    identity: Any = None,
    nopython: bool = True,
    target: str = "cpu",
    fastmath: Any = False,
    cache: bool = False,
) -> Any:
    """`numba.vectorize`: `pydd.vectorize`, compiled at once also without signatures. `target="parallel"` runs on one thread."""
    _check_target(target)
    return _decorators.vectorize(types_or_function, identity=identity, fastmath=bool(fastmath))


def guvectorize(
    types_or_core: Any,
    core: str | None = None,
    *,
    identity: Any = None,
    nopython: bool = True,
    target: str = "cpu",
    fastmath: Any = False,
    cache: bool = False,
) -> Any:
    """`numba.guvectorize`: `pydd.guvectorize`, compiled at once also without signatures. `target="parallel"` runs on one thread."""
    _check_target(target)
    return _decorators.guvectorize(types_or_core, core, identity=identity, fastmath=bool(fastmath))


def _check_target(target: str) -> None:
    if target not in ("cpu", "parallel"):
        raise TypeError(f"target={target!r} is not supported; it may be 'cpu' or 'parallel'")


def __getattr__(name: str) -> Any:
    full = SHORT.get(name, name)
    if full in KNOWN:
        return Type(full)
    raise AttributeError(
        f"pydd.numba has no `{name}`; it has jit, njit, vectorize, guvectorize, prange, types of numbers, get_num_threads and set_num_threads"
    )
