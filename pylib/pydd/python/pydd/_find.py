"""Where the `pyddc` executable of this installation is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path


def find_compiler() -> Path:
    """The `pyddc` that was installed with this package, or else the first one on PATH.

    Raises FileNotFoundError, naming every place looked at, when there is none.
    """
    name = "pyddc" + (sysconfig.get_config_var("EXE") or "")
    tried = []
    for folder in _script_folders():
        candidate = folder / name
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
        if str(folder) not in tried:
            tried.append(str(folder))
    on_path = shutil.which(name)
    if on_path is not None:
        return Path(on_path)
    places = ", ".join([*tried, "PATH"])
    raise FileNotFoundError(f"no {name} in {places}; reinstall the package pydd-compiler")


def _script_folders() -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts"))
    # `pip install --target D` and `--prefix D` put scripts beside or above the package's folder.
    site = Path(__file__).resolve().parent.parent
    yield site / "bin"
    if site.name in ("site-packages", "dist-packages") and len(site.parents) > 2:
        yield site.parents[2] / ("Scripts" if os.name == "nt" else "bin")
    user_scheme = sysconfig.get_preferred_scheme("user")
    if user_scheme in sysconfig.get_scheme_names():
        yield Path(sysconfig.get_path("scripts", scheme=user_scheme))
    # A virtual environment made with --system-site-packages sees the base installation's packages.
    if sys.prefix != sys.base_prefix:
        yield Path(sys.base_prefix) / ("Scripts" if os.name == "nt" else "bin")
