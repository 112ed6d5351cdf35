"""Compiled functions in Numba's nopython mode: Numba calls `init` by the entry point `numba_extensions`.

A function that machine code of Numba's calls gets its arguments as the words that kernels take, and fails as any function of Numba's that a
Python exception ends.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors
from numba.core import types as nb
from numba.core.typing.templates import make_intrinsic_template
from numba.extending import typeof_impl
from numba.np import numpy_support

from . import _runtime
from ._native import Value, Version, versions

_WORD = ir.IntType(64)
# The types of functions, by their identity; the values keep them.
_TYPES: dict[int, tuple[Any, nb.Function]] = {}


def init() -> None:
    """Makes functions that pydd compiled, and those that it decorated, callable by their names."""
    for kind in (_runtime.function, _runtime.Dispatcher):
        typeof_impl.register(kind)(_type_of)


def _type_of(value: Any, _context: Any) -> nb.Function:
    known = _TYPES.get(id(value))
    if known is None:
        template = make_intrinsic_template(value, _definition(value), value.__name__)
        known = _TYPES[id(value)] = value, nb.Function(template)
    return known[1]


def _definition(function: Any) -> Any:
    """What Numba asks for the signature and the code of a call."""
    names = list(inspect.signature(function).parameters)

    def definition(context: Any, *args: Any, **keywords: Any) -> Any:
        given = [*args, *(keywords[name] for name in names[len(args) :] if name in keywords)]
        version = _version(function, given)
        signature = _result(version)(*map(_given, given, version.params))
        return signature, lambda *parts: _call(version, *parts)

    # By which Numba takes keywords.
    both = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, both) for name in ("context", *names)]
    definition.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return definition


# Types.


def _version(function: Any, given: list[Any]) -> Version:
    """The version for arguments of Numba's types. Raises TypingError."""
    name = function.__name__
    try:
        found = _compiled(function, given)
    except Exception as error:
        # CompileError of pydd's, and TypeErrors.
        raise errors.TypingError(f"{name}(): {error}") from None
    found = [version for version in found if len(version.params) == len(given)]
    fitting = [version for version in found if all(map(_fits, given, version.params, version.written))]
    exact = [version for version in fitting if tuple(map(str, version.params)) == tuple(map(_text, given))]
    for version in exact or fitting:
        _result(version)
        return version
    shown = ", ".join(map(str, given))
    wanted = " or ".join(map(str, found)) or "another number of arguments"
    raise errors.TypingError(f"{name}({shown}): a function of pydd's that takes {wanted}, in these types")


def _compiled(function: Any, given: list[Any]) -> list[Version]:
    by_types = isinstance(function, _runtime.Dispatcher) and not function._options.annotated
    if not by_types:
        return versions(function)
    texts = [_in_signature(each) for each in given]
    return versions(function.__pydd_native__(f"({', '.join(texts)})"))


def _in_signature(ty: Any) -> str:
    """A type of Numba's in a signature, with the order of the axes."""
    if isinstance(ty, nb.Array) and ty.ndim > 1 and ty.layout == "F":
        return _text(ty).replace("[:", "[::1")
    return _text(ty)


def _text(ty: Any) -> str:
    """A type of Numba's as a version shows it."""
    if isinstance(ty, nb.Array):
        return f"{numpy_support.as_dtype(ty.dtype).name}[{', '.join(':' * ty.ndim)}]"
    return _dtype(ty) or str(ty)


def _dtype(ty: Any) -> str | None:
    """NumPy's name of a type of numbers, or None."""
    ty = nb.unliteral(ty)
    return numpy_support.as_dtype(ty).name if isinstance(ty, (nb.Number, nb.Boolean)) else None


def _fits(given: Any, param: Value, written: bool) -> bool:
    """Whether an argument may be passed: numbers that the parameter's type holds, arrays of its type."""
    if param.kind == "array":
        return (
            isinstance(given, nb.Array)
            and given.ndim == param.rank
            and given.dtype == _number(param)
            and (given.mutable or not written)
        )
    dtype = _dtype(given)
    if param.kind != "number" or dtype is None:
        return False
    if isinstance(given, nb.IntegerLiteral) and np.dtype(param.dtype).kind in "iu":
        limits = np.iinfo(param.dtype)
        return bool(limits.min <= given.literal_value <= limits.max)
    kinds = np.dtype(dtype).kind + np.dtype(param.dtype).kind
    return np.can_cast(dtype, param.dtype) or kinds in ("ff", "cc", "fc")


def _given(given: Any, param: Value) -> Any:
    return given if param.kind == "array" else _number(param)


def _number(value: Value) -> Any:
    return numpy_support.from_dtype(np.dtype(value.dtype))


def _result(version: Version) -> Any:
    """The type of a result. Raises TypingError."""
    result = version.result
    if result.kind == "nothing":
        return nb.none
    if _is_number(result):
        return _number(result)
    if result.kind == "tuple" and all(map(_is_number, result.items)):
        return nb.Tuple([_number(item) for item in result.items])
    what = "an array" if result.kind == "array" else f"a {result}"
    raise errors.TypingError(
        f"{version.function.__name__}() of pydd's returns {what}, and Numba takes numbers and tuples of them; pass an array to write to"
    )


def _is_number(value: Value) -> bool:
    return value.kind.startswith("number")


# Code.


def _call(version: Version, context: Any, builder: Any, signature: Any, args: Any) -> Any:
    words: list[Any] = []
    for ty, param, value in zip(signature.args, version.params, args):
        words += _array(context, builder, ty, value) if param.kind == "array" else _words(builder, ty, value)
    values = version.result.items if version.result.kind == "tuple" else (version.result,)
    counts = [_count(value) for value in values]
    passed = cgutils.alloca_once(builder, _WORD, size=max(1, len(words)))
    results = cgutils.alloca_once(builder, _WORD, size=max(1, sum(counts)))
    for at, word in enumerate(words):
        builder.store(word, builder.gep(passed, [_WORD(at)]))
    entry, function = _runtime._words_entry(version.function, version.index)
    # Which keeps Numba from caching code with addresses of this process.
    entry = context.add_dynamic_addr(builder, entry, info=f"pydd's {version.function.__name__}")
    function = context.add_dynamic_addr(builder, function, info=version.function.__name__)
    pointer = _WORD.as_pointer()
    code = ir.FunctionType(ir.IntType(32), [function.type, pointer, pointer]).as_pointer()
    status = builder.call(builder.bitcast(entry, code), [function, passed, results])
    with cgutils.if_unlikely(builder, builder.icmp_signed("!=", status, ir.IntType(32)(0))):
        context.call_conv.return_exc(builder)
    if version.result.kind == "nothing":
        return context.get_dummy_value()
    made, word = [], 0
    for value, count in zip(values, counts):
        load = [builder.load(builder.gep(results, [_WORD(word + k)])) for k in range(count)]
        made.append(_value(context, builder, _number(value), load))
        word += count
    if version.result.kind != "tuple":
        return made[0]
    return context.make_tuple(builder, signature.return_type, made)


def _count(value: Value) -> int:
    """Words of a result: that of one of several types has a tag behind it."""
    if value.kind == "nothing":
        return 0
    return (2 if value.dtype.startswith("complex") else 1) + (value.kind != "number")


def _words(builder: Any, ty: Any, value: Any) -> list[Any]:
    """The words of a number."""
    if isinstance(ty, nb.Complex):
        parts = [builder.extract_value(value, part) for part in (0, 1)]
        return [word for part in parts for word in _words(builder, ty.underlying_float, part)]
    if isinstance(ty, nb.Float):
        value = builder.bitcast(value, ir.IntType(ty.bitwidth))
    if value.type == _WORD:
        return [value]
    is_signed = isinstance(ty, nb.Integer) and ty.signed
    return [builder.sext(value, _WORD) if is_signed else builder.zext(value, _WORD)]


def _value(context: Any, builder: Any, ty: Any, words: list[Any]) -> Any:
    """A number of its words."""
    if isinstance(ty, nb.Complex):
        made = context.make_complex(builder, ty)
        made.real, made.imag = (_value(context, builder, ty.underlying_float, [word]) for word in words[:2])
        return made._getvalue()
    if isinstance(ty, nb.Boolean):
        return builder.trunc(words[0], ir.IntType(1))
    number = words[0] if ty.bitwidth == 64 else builder.trunc(words[0], ir.IntType(ty.bitwidth))
    return builder.bitcast(number, context.get_value_type(ty)) if isinstance(ty, nb.Float) else number


def _array(context: Any, builder: Any, ty: Any, value: Any) -> list[Any]:
    """The words of an array; its owner is left out."""
    array = context.make_array(ty)(context, builder, value)
    data = builder.ptrtoint(array.data, _WORD)
    shape, strides = (cgutils.unpack_tuple(builder, part, ty.ndim) for part in (array.shape, array.strides))
    return [data, _WORD(0), *shape, *strides]
