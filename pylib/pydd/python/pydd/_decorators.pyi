from collections.abc import Callable, Sequence
from typing import Generic, ParamSpec, TypeVar, overload

P = ParamSpec("P")
R = TypeVar("R")

class Kernel(Generic[P, R]):
    @property
    def py_func(self) -> Callable[P, R]: ...
    @property
    def signatures(self) -> list[tuple[str, ...]]: ...
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    def compile(self, *args: P.args, **kwargs: P.kwargs) -> None: ...
    def inspect_asm(self) -> dict[tuple[str, ...], str]: ...
    def inspect_source(self) -> dict[tuple[str, ...], str]: ...
    def explain(self) -> str: ...

@overload
def jit(
    function: Callable[P, R],
    /,
    *,
    strict: bool = ...,
    opt: int | None = ...,
    parallel: bool = ...,
    fastmath: bool = ...,
    strict_fp: bool = ...,
    unchecked: bool = ...,
    options: Sequence[str] = ...,
) -> Kernel[P, R]: ...
@overload
def jit(
    function: None = None,
    /,
    *,
    strict: bool = ...,
    opt: int | None = ...,
    parallel: bool = ...,
    fastmath: bool = ...,
    strict_fp: bool = ...,
    unchecked: bool = ...,
    options: Sequence[str] = ...,
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
@overload
def kernel(
    function: Callable[P, R],
    /,
    *,
    strict: bool = ...,
    opt: int | None = ...,
    parallel: bool = ...,
    fastmath: bool = ...,
    strict_fp: bool = ...,
    unchecked: bool = ...,
    options: Sequence[str] = ...,
) -> Kernel[P, R]: ...
@overload
def kernel(
    function: None = None,
    /,
    *,
    strict: bool = ...,
    opt: int | None = ...,
    parallel: bool = ...,
    fastmath: bool = ...,
    strict_fp: bool = ...,
    unchecked: bool = ...,
    options: Sequence[str] = ...,
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
