__version__: str

def get_num_threads() -> int:
    """The number of threads that parallel loops use, the calling one included."""

def set_num_threads(n: int) -> None:
    """Set the number of threads that parallel loops use from now on; at least 1."""
