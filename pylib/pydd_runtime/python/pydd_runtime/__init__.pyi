from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt

__version__: str

@final
class function:
    """The type of a kernel module's functions."""

    __name__: str
    __qualname__: str
    @property
    def address(self) -> int: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

def get_num_threads() -> int:
    """The number of threads that parallel loops use, the calling one included."""

def set_num_threads(n: int) -> None:
    """Set the number of threads that parallel loops use from now on; at least 1."""

def address(function: Callable[..., Any], signature: str | None = None) -> int:
    """The address of a compiled function of real numbers, for callers in C."""

def cfunc(function: Callable[..., Any], signature: str | None = None) -> Any:
    """A compiled function of real numbers as a function pointer of ctypes."""

def low_level_callable(
    function: Callable[..., Any], signature: str | None = None, user_data: Any = None
) -> Any:
    """A compiled function as a `scipy.LowLevelCallable`."""
@final
class DeviceArray:
    """An array that lives on a GPU between calls, and on the host where there is none."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __len__(self) -> int: ...
    def copy_to_host(self) -> npt.NDArray[Any]:
        """A new array of NumPy with these elements."""

    def __array__(
        self, dtype: npt.DTypeLike | None = None, *, copy: bool | None = None
    ) -> npt.NDArray[Any]: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

def device_array(x: Any, *, order: Literal["C", "F", "A", "K"] = "C") -> DeviceArray:
    """A copy of an array on the GPU, or the memory there that another library has."""

def synchronize() -> None:
    """Waits until GPUs have done what calls have left them."""
@dataclass(frozen=True)
class Device:
    """A GPU; `memory` is in bytes, `driver` the CUDA version of its driver."""

    index: int
    name: str
    compute_capability: tuple[int, int]
    memory: int
    driver: tuple[int, int]

def devices() -> list[Device]:
    """The GPUs of this machine; empty without a driver or a card."""
