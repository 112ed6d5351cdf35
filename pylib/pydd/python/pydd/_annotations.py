"""The type constructors of annotations: `Array(float64, 2)` and `Array[float64, 2]` are the same."""

from __future__ import annotations

from typing import Any


class Annotation:
    """A type such as `Array(float64, 2)`: a constructor's name and its arguments."""

    __slots__ = ("arguments", "cast", "name", "order")

    def __init__(self, name: str, arguments: tuple[Any, ...], cast: bool = False, order: str = "C") -> None:
        if order not in ("C", "F"):
            raise ValueError(f"order must be 'C' or 'F', not {order!r}")
        self.name = name
        self.arguments = arguments
        # Of an array: whether arguments of other types are converted, and the order in which they are expected to lie.
        self.cast = cast
        self.order = order

    def keywords(self) -> list[str]:
        """What is not as usual, as it is written."""
        cast = ["cast=True"] if self.cast else []
        return [*cast, *([] if self.order == "C" else [f'order="{self.order}"'])]

    def _parts(self) -> tuple[Any, ...]:
        return self.name, self.arguments, self.cast, self.order

    def __repr__(self) -> str:
        return f"{self.name}({', '.join([*map(_spelling, self.arguments), *self.keywords()])})"

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, Annotation) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())

    def __or__(self, other: Any) -> Annotation:
        return Annotation("Union", (self, other))

    def __ror__(self, other: Any) -> Annotation:
        return Annotation("Union", (other, self))


class RankedArray:
    """`Array2`: `Array2[float64]` is `Array(float64, 2)`."""

    __slots__ = ("name", "rank")

    def __init__(self, rank: int) -> None:
        self.name = f"Array{rank}"
        self.rank = rank

    def __repr__(self) -> str:
        return self.name

    def __call__(self, element: Any, *, cast: bool = False, order: str = "C") -> Annotation:
        return Annotation("Array", (element, self.rank), cast, order)

    def __getitem__(self, element: Any) -> Annotation:
        if isinstance(element, tuple):
            raise TypeError(f"{self.name} takes the type of its elements alone: {self.name}[float64]")
        return Annotation("Array", (element, self.rank))


class Constructor:
    """`Array`, `List` and so on; bare, it stands for the type with nothing said of its parts."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *arguments: Any, cast: bool = False, order: str = "C") -> Annotation:
        return Annotation(self.name, arguments, cast, order)

    def __getitem__(self, arguments: Any) -> Annotation:
        return Annotation(self.name, arguments if isinstance(arguments, tuple) else (arguments,))


def _spelling(argument: Any) -> str:
    return argument.__name__ if isinstance(argument, type) else repr(argument)
