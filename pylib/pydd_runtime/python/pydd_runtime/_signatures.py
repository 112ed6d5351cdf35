"""What `inspect.signature` and `typing.get_type_hints` are told of a kernel module's function, from its signatures as text."""

from __future__ import annotations

import ast
import importlib
import inspect
import types
import typing
from collections.abc import Sequence
from typing import Any

import numpy as np


class Array(types.GenericAlias):
    """`np.ndarray[tuple[int, int], np.dtype[np.float64]]`, which shows itself as `Array(float64, 2)`."""

    def __repr__(self) -> str:
        shape, dtype = self.__args__
        return f"Array({dtype.__args__[0].__name__.rstrip('_')}, {_rank(shape)})"


def _rank(shape: Any) -> int:
    axes = typing.get_args(shape)
    return 0 if axes in ((), ((),)) else len(axes)


def signature(versions: Sequence[str]) -> inspect.Signature:
    """The parameters of the first version, each with the types that it has in one of them."""
    parsed = [_parsed(version) for version in versions]
    parameters = [
        each.replace(annotation=_union([version.parameters[name].annotation for version in parsed]))
        for name, each in parsed[0].parameters.items()
    ]
    result = _union([version.return_annotation for version in parsed])
    return inspect.Signature(parameters, return_annotation=result)


def annotations(versions: Sequence[str]) -> dict[str, Any]:
    """The types by name, that of the result as `return`."""
    made = signature(versions)
    types = {name: parameter.annotation for name, parameter in made.parameters.items()}
    return {**types, "return": made.return_annotation}


def _parsed(version: str) -> inspect.Signature:
    """`f(x: Array(float64, 1), n: int = 3, /) -> float`."""
    (function,) = ast.parse(f"def {version}: pass").body
    assert isinstance(function, ast.FunctionDef) and function.returns is not None
    of, kinds = function.args, inspect.Parameter
    positional = [*of.posonlyargs, *of.args]
    defaults = [None] * (len(positional) - len(of.defaults)) + [*of.defaults] + [*of.kw_defaults]
    parameters = []
    for at, (parameter, default) in enumerate(zip([*positional, *of.kwonlyargs], defaults)):
        kind = kinds.KEYWORD_ONLY if at >= len(positional) else kinds.POSITIONAL_OR_KEYWORD
        kind = kinds.POSITIONAL_ONLY if at < len(of.posonlyargs) else kind
        value = kinds.empty if default is None else ast.literal_eval(default)
        annotation = _type(parameter.annotation)
        parameters.append(kinds(parameter.arg, kind, default=value, annotation=annotation))
    return inspect.Signature(parameters, return_annotation=_type(function.returns))


def _type(node: Any) -> Any:
    """The type that an annotation of the language is to Python."""
    if isinstance(node, ast.BinOp):
        return _union([_type(node.left), _type(node.right)])
    if isinstance(node, ast.Subscript):
        return typing.Literal[ast.literal_eval(node.slice)]
    if isinstance(node, ast.Constant):
        return None
    if isinstance(node, ast.Name):
        return _SCALARS.get(node.id) or getattr(np, node.id, Any)
    outer, inner = node.func.id, node.args
    if outer == "Array":
        shape = (int,) * inner[1].value
        element: Any = np.bool_ if inner[0].id == "bool" else getattr(np, inner[0].id)
        return Array(np.ndarray, (types.GenericAlias(tuple, shape), np.dtype[element]))
    if outer.startswith("Sparse"):
        return _sparse("csr_matrix" if outer == "SparseMat" else "csr_array")
    return types.GenericAlias(_CONTAINERS[outer], tuple(map(_type, inner)))


_SCALARS = {"bool": bool, "int": int, "float": float, "complex": complex, "str": str}
_CONTAINERS = {"List": list, "Dict": dict, "Set": set, "Tuple": tuple}


def _sparse(name: str) -> Any:
    try:
        return getattr(importlib.import_module("scipy.sparse"), name)
    except ImportError:
        return Any


def _union(kinds: Sequence[Any]) -> Any:
    """Any of these types, in the order in which they come; the values of all Literals together."""
    if all(kind is None for kind in kinds):
        return None
    literals = [kind for kind in kinds if typing.get_origin(kind) is typing.Literal]
    if literals:
        values = tuple(typing.get_args(kind)[0] for kind in literals)
        kinds = [typing.Literal[values], *(kind for kind in kinds if kind not in literals)]
    return typing.Union[tuple(kinds)]  # noqa: UP007
