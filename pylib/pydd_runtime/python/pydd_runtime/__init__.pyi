from typing import Any, final

__version__: str

@final
class function:
    """The type of a kernel module's functions."""

    __name__: str
    __qualname__: str
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

def get_num_threads() -> int:
    """The number of threads that parallel loops use, the calling one included."""

def set_num_threads(n: int) -> None:
    """Set the number of threads that parallel loops use from now on; at least 1."""
