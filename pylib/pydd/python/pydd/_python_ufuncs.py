"""`@vectorize` and `@guvectorize` in a `.pydd` source that runs under CPython: the same by loops in Python, element by element."""

from __future__ import annotations

import functools
import itertools
import typing
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
        types = self._loop(operands)
        arrays = np.broadcast_arrays(*map(np.asarray, operands, types))
        shape = arrays[0].shape
        results = [self.function(*(each[at] for each in arrays)) for at in np.ndindex(shape)]
        # Of nothing, results have the types that those of something have.
        first = results[0] if results else self.function(*(each.dtype.type(1) for each in arrays))
        if isinstance(first, tuple):
            columns = list(zip(*results)) or [()] * len(first)
            made = tuple(_array(each, shape, one) for each, one in zip(columns, first))
            return tuple(map(_given, made, out or [None] * len(made)))
        return _given(_array(results, shape, first), out[0] if isinstance(out, tuple) else out)

    @functools.cached_property
    def _loops(self) -> list[tuple[Any, ...]]:
        """The types of operands for which there are loops, in order; none where annotations do not say them."""
        choices: list[list[Any]] = []
        try:
            for name in reversed(_parameters(self.function)):
                text = self.function.__annotations__.get(name)
                # One without an annotation has the next one to its right.
                choices.insert(
                    0, choices[0] if text is None else _types(eval(text, self.function.__globals__))
                )
        except Exception:
            return []
        return list(itertools.product(*choices))

    def _loop(self, operands: Sequence[Any]) -> Sequence[Any]:
        """The types to which operands are converted, as NumPy chooses a loop: one for just these types, or else the first that takes them."""
        # Numbers of Python's adapt.
        given = [
            None if type(each) in (bool, int, float, complex) else np.asarray(each).dtype for each in operands
        ]
        for casting in ("no", "safe"):
            for loop in self._loops:
                if all(own is None or np.can_cast(own, to, casting) for own, to in zip(given, loop)):
                    return loop
        if self._loops and any(np.ndim(each) for each in operands):
            raise TypeError(f"ufunc '{self.__name__}' not supported for the input types")
        # A call with numbers is that of the function.
        return [None] * len(operands)

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
        return [eval(texts[name], self.function.__globals__) for name in _parameters(self.function)]


def vectorize(function: Any = None, /, *, identity: Any = None) -> Any:
    """Both `@vectorize` and `@vectorize(…)`."""
    if function is None:
        return lambda function: PythonUfunc(function, identity)
    return PythonUfunc(function, identity)


def guvectorize(core: str, /, *, identity: Any = None) -> Any:
    """`@guvectorize("(n)->()")`."""
    return lambda function: PythonGufunc(function, Core.of(core))


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


def _types(annotation: Any) -> list[Any]:
    """The types of numbers that an annotation allows. Raises TypeError where it is none."""
    members = typing.get_args(annotation) or getattr(annotation, "arguments", None) or (annotation,)
    return [np.dtype(each) for each in members]


def _array(values: Sequence[Any], shape: tuple[int, ...], one: Any) -> Any:
    """Results as an array; `one` has their type where there are none."""
    return np.array(values, None if values else np.asarray(one).dtype).reshape(shape)[()]


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
