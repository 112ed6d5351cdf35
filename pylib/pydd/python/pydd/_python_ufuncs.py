"""`@vectorize` and `@guvectorize` in a `.pydd` source that runs under CPython: the same by loops in Python, element by element."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._annotations import Annotation
from ._core import Core


class PythonUfunc:
    """Calls a function of numbers for each element of its operands, which are broadcast."""

    def __init__(self, function: Callable[..., Any], identity: Any = None) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.identity = identity

    def __call__(self, *operands: Any, out: Any = None) -> Any:
        arrays = np.broadcast_arrays(*operands)
        shape = arrays[0].shape
        results = [self.function(*(each[at] for each in arrays)) for at in np.ndindex(shape)]
        if results and isinstance(results[0], tuple):
            made = tuple(_array(each, shape) for each in zip(*results))
            return tuple(map(_given, made, out or [None] * len(made)))
        return _given(_array(results, shape), out[0] if isinstance(out, tuple) else out)

    def outer(self, x: Any, y: Any) -> Any:
        """The function of each pair."""
        x, y = np.asarray(x), np.asarray(y)
        return self(x[(..., *[None] * y.ndim)], y)

    def reduce(self, array: Any, axis: int = 0) -> Any:
        """The function of all elements along an axis, one after the other."""
        rows = np.moveaxis(np.asarray(array), axis, 0)
        if len(rows) == 0 and self.identity in (0, 1):
            return np.full(rows.shape[1:], self.identity, rows.dtype)[()]
        if len(rows) == 0:
            raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
        return functools.reduce(self, rows)

    def accumulate(self, array: Any, axis: int = 0) -> Any:
        """What `reduce` gives up to each element."""
        rows = np.moveaxis(np.asarray(array), axis, 0)
        sums = [self.reduce(rows[: at + 1]) for at in range(len(rows))]
        return np.moveaxis(np.array(sums, rows.dtype if not sums else None), 0, axis)


class PythonGufunc:
    """Calls a function for each item of its operands, which writes to the last ones."""

    def __init__(self, function: Callable[..., Any], core: Core) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.signature = core.text
        self.core = core

    def __call__(self, *operands: Any) -> Any:
        core = self.core
        arrays = [np.asarray(each) for each in operands[: len(core.inputs)]]
        items = [each.shape[each.ndim - len(dims) :] for each, dims in zip(arrays, core.inputs, strict=True)]
        loops = [each.shape[: each.ndim - len(dims)] for each, dims in zip(arrays, core.inputs, strict=True)]
        sizes: dict[str, int] = {}
        for names, lengths in zip(core.inputs, items):
            for name, length in zip(names, lengths, strict=True):
                if sizes.setdefault(name, int(name) if name.isdigit() else length) != length:
                    raise ValueError(
                        f"{self.__name__}: operands have a mismatch in the core dimension {name}"
                    )
        loop = np.broadcast_shapes(*loops)
        types = self._types()
        arrays = [np.broadcast_to(each, loop + item) for each, item in zip(arrays, items)]
        outputs = [
            np.empty(
                loop + tuple(sizes.get(name, int(name) if name.isdigit() else 0) for name in dims),
                _dtype(type),
            )
            for dims, type in zip(core.outputs, types[len(core.inputs) :], strict=True)
        ]
        for at in np.ndindex(loop):
            inputs = [
                each[at].reshape(1) if not dims and _is_array(type) else each[at]
                for each, dims, type in zip(arrays, core.inputs, types)
            ]
            written = [
                each[(*at, ...)].reshape(1) if each[(*at, ...)].ndim == 0 else each[at] for each in outputs
            ]
            self.function(*inputs, *written)
        made = tuple(each[()] for each in outputs)
        return made if len(made) > 1 else made[0]

    def _types(self) -> Sequence[Any]:
        """The annotations of the parameters, which are not evaluated before."""
        texts = self.function.__annotations__
        names = self.function.__code__.co_varnames[: self.function.__code__.co_argcount]
        return [eval(texts[name], self.function.__globals__) for name in names]


def vectorize(function: Any = None, /, *, identity: Any = None) -> Any:
    """Both `@vectorize` and `@vectorize(…)`."""
    if function is None:
        return lambda function: PythonUfunc(function, identity)
    return PythonUfunc(function, identity)


def guvectorize(core: str, /, *, identity: Any = None) -> Any:
    """`@guvectorize("(n)->()")`."""
    return lambda function: PythonGufunc(function, Core.of(core))


def _array(values: Sequence[Any], shape: tuple[int, ...]) -> Any:
    return np.array(values).reshape(shape)[()]


def _given(result: Any, out: Any) -> Any:
    if out is None:
        return result
    out[...] = result
    return out


def _is_array(annotation: Any) -> bool:
    return isinstance(annotation, Annotation) or hasattr(annotation, "dim_str")


def _dtype(annotation: Any) -> np.dtype[Any]:
    # jaxtyping's annotations say the names of their types.
    named = getattr(annotation, "dtypes", None)
    return np.dtype(named[0] if named else annotation.arguments[0])
