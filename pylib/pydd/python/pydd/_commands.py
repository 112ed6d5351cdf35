"""`pydd cache`: what is kept of compiled modules."""

from __future__ import annotations

import argparse
import time

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
