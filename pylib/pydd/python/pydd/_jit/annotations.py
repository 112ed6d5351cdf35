"""The annotations of a function, which nothing here computes before they are asked for: from Python 3.14 on they are not computed before either.

Until then names in them may stand for nothing: those of type checkers, and those that are defined further down.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import sys
import types
import typing
from typing import Any

from .types import Unsupported, text_of_annotation

if sys.version_info >= (3, 14):
    import annotationlib


def signature_of(function: types.FunctionType) -> inspect.Signature:
    """How a function is called, without its annotations."""
    bare = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    bare.__kwdefaults__ = function.__kwdefaults__
    return inspect.signature(bare)


def written(function: types.FunctionType) -> dict[str, Any]:
    """What a function's annotations stand for, or their texts where they have names that stand for nothing. Raises Unsupported."""
    return {name: _value(each, function) for name, each in _computed(function).items()}


def _computed(function: types.FunctionType) -> dict[str, Any]:
    if sys.version_info < (3, 14):
        return inspect.get_annotations(function)
    try:
        # Names that stand for nothing are in it as such.
        return annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
    except Exception as error:
        raise Unsupported(f"an annotation raises {type(error).__name__}: {error}") from None


def _value(annotation: Any, function: types.FunctionType) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, function.__globals__)
    except Exception:
        # Names that only the language knows.
        return annotation


def to_send(function: types.FunctionType) -> dict[str, Any]:
    """The annotations of a function for other processes: their texts where they cannot be computed."""
    if sys.version_info < (3, 14):
        return function.__annotations__
    for form in (annotationlib.Format.VALUE, annotationlib.Format.STRING):
        with contextlib.suppress(Exception):
            return annotationlib.get_annotations(function, format=form)
    return {}


def types_of(function: types.FunctionType) -> tuple[tuple[str, ...], str]:
    """The types of parameters and result that a function is annotated with. Raises Unsupported."""
    annotations = written(function)
    parameters = signature_of(function).parameters
    first = next(iter(parameters), None)
    if first in ("self", "cls") and first not in annotations:
        raise Unsupported(f"it is a method, whose `{first}` has no type")
    texts: list[str | None] = []
    for parameter in parameters.values():
        text = None
        if parameter.name in annotations:
            text = _type_of_parameter(parameter, annotations[parameter.name])
        texts.append(text)
    # One without an annotation takes the next one to its right.
    for at in range(len(texts) - 2, -1, -1):
        texts[at] = texts[at] or texts[at + 1]
    if missing := [name for name, text in zip(parameters, texts) if text is None]:
        raise Unsupported(
            f"the parameter `{missing[0]}` has no annotation; `pydd.jit` takes the types of arguments"
        )
    return tuple(typing.cast("list[str]", texts)), _result(annotations)


def _type_of_parameter(parameter: inspect.Parameter, annotation: Any) -> str:
    text = text_of_annotation(annotation)
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        raise Unsupported(f"the annotation of `{parameter.name}` is no expression: {text!r}") from None
    # What is left out may be None, as in `x: float = None`.
    return f"{text} | None" if parameter.default is None and "None" not in text else text


def _result(annotations: dict[str, Any]) -> str:
    if "return" not in annotations:
        return "Any"
    try:
        text = text_of_annotation(annotations["return"])
    except Unsupported:
        return "Any"
    # Which of several types a result has follows from the function.
    return "Any" if "|" in text or "Literal" in text else text
