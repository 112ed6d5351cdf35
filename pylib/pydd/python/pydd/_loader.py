"""Importing a `.pydd` file as a module: compiled where that is needed, from the cache of `pydd.load`."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from . import _build


def spec(name: str, source: Path, options: Sequence[str] = ()) -> importlib.machinery.ModuleSpec:
    """How the module `name` is made of a source file."""
    source = source.resolve()
    made = importlib.machinery.ModuleSpec(name, _Loader(source, tuple(options)), origin=str(source))
    made.has_location = True
    return made


class _Loader(importlib.abc.InspectLoader):
    def __init__(self, source: Path, options: tuple[str, ...]) -> None:
        self.source = source
        self.options = options

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """A plain module, which takes what the compiled one has: so it can be loaded again."""

    def exec_module(self, module: ModuleType) -> None:
        made, entry = _build.import_module(_build.request(self.source, module.__name__, self.options))
        own = {name: value for name, value in vars(made).items() if not name.startswith("__")}
        module.__dict__.update(own)
        module.__doc__ = made.__doc__
        from pydd_runtime import _pickle

        _pickle.adopt(module, made)
        module.__dict__["__pydd__"] = made.__dict__["__pydd__"]
        _build.remark(entry.remarks, self.options)

    def get_source(self, fullname: str) -> str:
        return self.source.read_text(encoding="utf-8-sig")

    def is_package(self, fullname: str) -> bool:
        return False
