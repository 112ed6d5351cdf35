"""`import pydd.auto`: from then on `import norms` finds `norms.pydd`, compiles it where that is needed, and loads it.

The compiled module comes from the cache of `pydd.load`, so nothing is written beside the source; `importlib.reload` compiles a
changed source anew. A `.pydd` file goes before a module of another kind in the same folder.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from . import _loader


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        name = fullname.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            source = Path(folder or ".") / f"{name}.pydd"
            if not source.is_file():
                # A module of another kind in a folder before.
                found = importlib.machinery.PathFinder.find_spec(fullname, [folder])
                if found is not None and found.loader is not None:
                    return None
            else:
                return _loader.spec(fullname, source)
        return None


def install() -> None:
    """What importing this module does; once is enough."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        finders = [*sys.meta_path, importlib.machinery.PathFinder]
        sys.meta_path.insert(finders.index(importlib.machinery.PathFinder), _Finder())


def uninstall() -> None:
    """Leave `.pydd` files alone again."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]


install()
