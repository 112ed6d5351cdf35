"""The type constructors of annotations: `Array(float64, 2)` and `Array[float64, 2]` are the same."""

from __future__ import annotations

from typing import Any


class Annotation:
    """A type such as `Array(float64, 2)`: a constructor's name and its arguments."""

    __slots__ = ("arguments", "cast", "name")

    def __init__(self, name: str, arguments: tuple[Any, ...], cast: bool = False) -> None:
        self.name = name
        self.arguments = arguments
        # Of an array: whether arguments of other types are converted.
        self.cast = cast

    def __repr__(self) -> str:
        cast = ["cast=True"] if self.cast else []
        return f"{self.name}({', '.join([*map(_spelling, self.arguments), *cast])})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Annotation):
            return NotImplemented
        return (self.name, self.arguments, self.cast) == (other.name, other.arguments, other.cast)

    def __hash__(self) -> int:
        return hash((self.name, self.arguments, self.cast))

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

    def __call__(self, element: Any, *, cast: bool = False) -> Annotation:
        return Annotation("Array", (element, self.rank), cast)

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

    def __call__(self, *arguments: Any, cast: bool = False) -> Annotation:
        return Annotation(self.name, arguments, cast)

    def __getitem__(self, arguments: Any) -> Annotation:
        return Annotation(self.name, arguments if isinstance(arguments, tuple) else (arguments,))


def _spelling(argument: Any) -> str:
    return argument.__name__ if isinstance(argument, type) else repr(argument)
