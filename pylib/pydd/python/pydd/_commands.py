"""`pydd cache`: what is kept of compiled modules. `pydd wheel`: wheels of a project for several machines."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from . import _cache


def cache(arguments: list[str]) -> int:
    """The command `pydd cache`; its exit status."""
    parser = argparse.ArgumentParser(
        prog="pydd cache", description="Compiled modules that pydd.load, pydd.jit and notebooks keep."
    )
    parser.add_argument(
        "action",
        nargs="?",
        default="info",
        choices=["info", "list", "dir", "prune", "clear"],
        help="info: the folder and its size (the default); list: each module; dir: the folder alone; "
        "prune: take away what was not used for longest; clear: take away all",
    )
    parser.add_argument("--size", type=int, metavar="MIB", help="prune until no more than this is left")
    given = parser.parse_args(arguments)
    if given.action == "dir":
        print(_cache.folder())
    elif given.action == "list":
        for kept in reversed(_cache.entries()):
            names = sorted(file.name for file in kept.folder.glob("*.so"))
            used = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.used))
            print(f"{used}  {kept.size / 1024:8.0f} KiB  {' '.join(names)}")
    elif given.action in ("prune", "clear"):
        allowed = 0 if given.action == "clear" else None if given.size is None else given.size << 20
        freed = _cache.prune(allowed, young=0.0)
        print(f"{freed / 2**20:.1f} MiB freed")
    else:
        entries = _cache.entries()
        size = sum(kept.size for kept in entries)
        print(f"folder   {_cache.folder()}")
        print(f"modules  {len(entries)}")
        print(f"size     {size / 2**20:.1f} MiB of {_cache.limit() / 2**20:.0f} MiB (PYDD_CACHE_SIZE)")
    return 0


def wheel(arguments: list[str]) -> int:
    """The command `pydd wheel`; its exit status."""
    from .build import _targets

    parser = argparse.ArgumentParser(
        prog="pydd wheel",
        description="Wheels of a project of Python files and kernels, one for each machine, all made on this one. The project's "
        "pyproject.toml has [tool.pydd]; its build backend must be installed, as nothing is downloaded.",
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(), help="of the project (default: this one)"
    )
    parser.add_argument(
        "--targets",
        default=",".join(_targets.PLATFORMS),
        metavar="MACHINE,…",
        help="machines to make wheels for (default: %(default)s)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("dist"),
        metavar="FOLDER",
        help="where the wheels go (default: dist)",
    )
    parser.add_argument(
        "-C",
        "--config-setting",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of pydd.build (pydd.cpu, pydd.opt-level), or of the project's other backend",
    )
    given = parser.parse_args(arguments)
    settings = dict(each.partition("=")[::2] for each in given.config_setting)
    output = given.output.absolute()
    for file in _targets.build_wheels(given.folder, given.targets.split(","), output, settings):
        print(output / file)
    return 0
