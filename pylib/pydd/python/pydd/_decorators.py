"""`@pydd.kernel`, `@pydd.jit`, `@pydd.vectorize` and `@pydd.guvectorize`: functions of plain Python files as kernels and ufuncs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _python_ufuncs, python
from ._compiler import flags
from ._core import Core
from ._jit import ufunc
from ._jit.kernel import Kernel, Options, decorator
from ._jit.signatures import Type, signatures


def jit(
    function: Any = None,
    /,
    *,
    strict: bool = False,
    opt: int | None = None,
    parallel: bool = False,
    gpu: bool = False,
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
    gpu         loops and whole-array operations run on an NVIDIA GPU where one is and there is enough to do
    fastmath    let NaN, infinity and signed zero lose their meaning
    strict_fp   evaluate floats exactly in source order
    unchecked   leave out the checks of indices
    options     further options of the command line
    """
    given = flags(
        opt=opt,
        parallel=parallel,
        gpu=gpu,
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
    gpu: bool = False,
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
        gpu=gpu,
        fast_math=fastmath,
        strict_fp=strict_fp,
        unchecked=unchecked,
        options=options,
    )
    return decorator(function, Options(annotated=True, strict=strict, command_line=given))


def vectorize(
    types_or_function: Any = None,
    /,
    *,
    identity: Any = None,
    opt: int | None = None,
    fastmath: bool = False,
    strict_fp: bool = False,
    unchecked: bool = False,
    options: Sequence[str] = (),
) -> Any:
    """Make a NumPy ufunc of a function of numbers, which is compiled now.

    The ufunc has a loop for each signature, such as `["float64(float64, float64)", "float32(float32, float32)"]`, else for the types of the
    annotations, else for those of int64, uint64, float32, float64 and complex128 for which the function can be compiled. A call
    takes the first loop to which its operands convert safely. Several results, as a tuple, are several outputs. What the function
    raises is raised after the call; results are then lost. Floats give no warnings.

    identity    what `reduce` gives of nothing: 0, 1, or None; "reorderable" for none, where axes may be reduced in any order

    Other keywords are those of `jit`. Raises CompileError where the function cannot be compiled.
    """
    if python.is_running():
        return _python_ufuncs.vectorize(types_or_function, identity=identity)
    command_line = flags(
        opt=opt, fast_math=fastmath, strict_fp=strict_fp, unchecked=unchecked, options=options
    )
    if callable(types_or_function) and not isinstance(types_or_function, Type):
        return ufunc.vectorize(types_or_function, ufunc.Settings(None, identity, command_line))
    given = None if types_or_function is None else signatures(types_or_function)
    settings = ufunc.Settings(given, identity, command_line)
    return lambda function: ufunc.vectorize(function, settings)


def guvectorize(
    types_or_core: Any,
    core: str | None = None,
    /,
    *,
    identity: Any = None,
    opt: int | None = None,
    fastmath: bool = False,
    strict_fp: bool = False,
    unchecked: bool = False,
    options: Sequence[str] = (),
) -> Any:
    """Make a generalized NumPy ufunc of a function of arrays, which is compiled now: `guvectorize("(m,n),(n)->(m)")`.

    The signature gives the core dimensions of each operand; a fixed size is a number. The function has a parameter for each operand,
    inputs first, and writes its results to the last ones. An operand without core dimensions is a number where it is an input
    (or an array of one element, where its type says so), and an array of one element where it is an output: `res[0] = …`. Outputs
    begin uninitialised.

    Types are signatures such as `["void(float64[:], float64[:], float64[:])"]` before the core dimensions, else annotations, else the
    same type for all operands, as for `vectorize`. Inputs may not be written to. Raises CompileError, TypeError where a parameter
    does not fit its dimensions, and ValueError for a wrong signature.
    """
    if python.is_running():
        return _python_ufuncs.guvectorize(types_or_core, identity=identity)
    types = None if core is None else types_or_core
    dimensions = Core.of(types_or_core if core is None else core)
    command_line = flags(
        opt=opt, fast_math=fastmath, strict_fp=strict_fp, unchecked=unchecked, options=options
    )
    given = None if types is None else signatures(types)
    settings = ufunc.Settings(given, identity, command_line)
    return lambda function: ufunc.guvectorize(function, dimensions, settings)


__all__ = ["Kernel", "guvectorize", "jit", "kernel", "vectorize"]
