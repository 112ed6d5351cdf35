from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, Literal, ParamSpec, TypedDict, TypeVar, overload

import numpy as np
from typing_extensions import Unpack

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")

class Kernel(Generic[P, R]):
    @property
    def py_func(self) -> Callable[P, R]: ...
    @property
    def signatures(self) -> list[tuple[str, ...]]: ...
    @property
    def address(self) -> int: ...
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    @overload
    def __get__(self, instance: None, owner: type) -> Kernel[P, R]: ...
    @overload
    def __get__(
        self: Kernel[Concatenate[Any, Q], R], instance: object, owner: type | None = None
    ) -> Callable[Q, R]: ...
    def compile(self, *args: P.args, **kwargs: P.kwargs) -> None: ...
    def inspect_asm(self) -> dict[tuple[str, ...], str]: ...
    def inspect_source(self) -> dict[tuple[str, ...], str]: ...
    def explain(self) -> str: ...

class _Compiling(TypedDict, total=False):
    opt: int | None
    fastmath: bool
    strict_fp: bool
    unchecked: bool
    options: Sequence[str]

class _OfKernels(_Compiling, total=False):
    strict: bool
    parallel: bool
    gpu: bool

class _OfUfuncs(_Compiling, total=False):
    identity: Literal[0, 1, "reorderable"] | None

@overload
def jit(function: Callable[P, R], /, **options: Unpack[_OfKernels]) -> Kernel[P, R]: ...
@overload
def jit(
    function: None = None, /, **options: Unpack[_OfKernels]
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
@overload
def kernel(function: Callable[P, R], /, **options: Unpack[_OfKernels]) -> Kernel[P, R]: ...
@overload
def kernel(
    function: None = None, /, **options: Unpack[_OfKernels]
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
@overload
def vectorize(function: Callable[..., Any], /) -> np.ufunc: ...
@overload
def vectorize(
    types: Any = None, /, **options: Unpack[_OfUfuncs]
) -> Callable[[Callable[..., Any]], np.ufunc]: ...
@overload
def guvectorize(core: str, /, **options: Unpack[_OfUfuncs]) -> Callable[[Callable[..., None]], np.ufunc]: ...
@overload
def guvectorize(
    types: Any, core: str, /, **options: Unpack[_OfUfuncs]
) -> Callable[[Callable[..., None]], np.ufunc]: ...
