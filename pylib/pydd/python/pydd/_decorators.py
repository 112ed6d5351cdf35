"""`@pydd.kernel` and `@pydd.jit`: functions of plain Python files as kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._compiler import flags
from ._jit.kernel import Kernel, Options, decorator


def jit(
    function: Any = None,
    /,
    *,
    strict: bool = False,
    opt: int | None = None,
    parallel: bool = False,
    fastmath: bool = False,
    strict_fp: bool = False,
    unchecked: bool = False,
    options: Sequence[str] = (),
) -> Any:
    """Compile a function for the types of its arguments, at its first call with such types.

    The functions that it calls, and the constants that it reads, come along; when one of them gets another value, the next
    call compiles anew. What is compiled is kept in the cache of `pydd.load`. A function that cannot be compiled, or not for
    such arguments, runs in Python, and a PyddWarning says why, once.

    strict      raise CompileError instead of running in Python
    opt         level of optimisation, 0 to 3 (the default); 0 compiles fastest
    parallel    loops and whole-array operations run on threads where they may; `prange` always does
    fastmath    let NaN, infinity and signed zero lose their meaning
    strict_fp   evaluate floats exactly in source order
    unchecked   leave out the checks of indices
    options     further options of the command line
    """
    given = flags(
        opt=opt,
        parallel=parallel,
        fast_math=fastmath,
        strict_fp=strict_fp,
        unchecked=unchecked,
        options=options,
    )
    return decorator(function, Options(strict=strict, command_line=given))


def kernel(
    function: Any = None,
    /,
    *,
    strict: bool = False,
    opt: int | None = None,
    parallel: bool = False,
    fastmath: bool = False,
    strict_fp: bool = False,
    unchecked: bool = False,
    options: Sequence[str] = (),
) -> Any:
    """Compile a function for the types of its annotations, which are those of `.pydd` files, at its first call.

    Arguments of other types are refused with a TypeError, or converted where annotations of the language convert. Otherwise as `jit`.
    """
    given = flags(
        opt=opt,
        parallel=parallel,
        fast_math=fastmath,
        strict_fp=strict_fp,
        unchecked=unchecked,
        options=options,
    )
    return decorator(function, Options(annotated=True, strict=strict, command_line=given))


__all__ = ["Kernel", "jit", "kernel"]
