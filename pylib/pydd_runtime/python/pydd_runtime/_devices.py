"""GPUs that loops can run on."""

from __future__ import annotations

from dataclasses import dataclass

from . import _runtime


@dataclass(frozen=True)
class Device:
    """A GPU.

    Attributes
    ----------
    index : int
        Its place in CUDA's order, from 0 on; `CUDA_VISIBLE_DEVICES` changes that.
    name : str
    compute_capability : tuple of int
        Major and minor number.
    memory : int
        Bytes of its own.
    driver : tuple of int
        The CUDA version of the driver, major and minor number.
    """

    index: int
    name: str
    compute_capability: tuple[int, int]
    memory: int
    driver: tuple[int, int]


def devices() -> list[Device]:
    """The GPUs of this machine, whatever `PYDD_DEVICE` says; the first call loads CUDA's driver.

    Returns
    -------
    list of Device
        Empty without a driver or a card, and in a process that was forked from one that uses a GPU.
    """
    driver, found = _runtime._devices()
    return [
        Device(index, name, divmod(level, 10), memory, divmod(driver, 10))
        for index, (name, level, memory) in enumerate(found)
    ]
