"""Compiled modules that are kept, by content: the same source, options, compiler and processor give the same module.

An entry is a folder, which is made elsewhere and renamed, so that others see all of it or nothing:

    <folder>/<version>/<two digits>/<digest>/NAME.abi3.so
                                             STEM.pydd      the source as it was given
                                             entry.json     the module's size, and what the compiler said
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from . import _compiler

SUFFIX = ".abi3.so"
PART = "#pydd:part "

# Of the layout of entries.
_VERSION = "1"
# What is used is marked so at most this often, in seconds.
_MARKED_EVERY = 3600.0
# Entries that are this young are never taken away: someone may be about to load them.
_YOUNG = 120.0
_DEFAULT_MIB = 1024


def part(file: str, line: int = 1, **others: object) -> str:
    """The line that says where the lines below it come from; `Marker` of the compiler's `source.rs` has what it may say."""
    # A path may be no text.
    file = os.fsencode(file).decode(errors="replace")
    return PART + json.dumps({"file": file, "line": line, **others}) + "\n"


@dataclass(frozen=True)
class Request:
    """A module that is wanted."""

    # As the compiler takes it; `part` lines say which files it is made of.
    text: str
    # Of the module; the content's digest is added where none was given.
    stem: str
    name: str | None = None
    options: tuple[str, ...] = ()
    # Where the source has no file, the text that tracebacks show.
    shown: str | None = field(default=None, compare=False)

    @functools.cached_property
    def digest(self) -> str:
        # A report says something about the module, and changes nothing.
        options = [option for option in self.options if not option.startswith("--report=")]
        key: list[object] = [_VERSION, self.text, self.stem, self.name, options, self.shown is None]
        key += [_compiler.identity(), _processor(), _settings(self.text)]
        return hashlib.sha256(json.dumps(key).encode()).hexdigest()

    @property
    def module_name(self) -> str:
        return self.name or f"{self.stem}_{self.digest[:12]}"


@dataclass(frozen=True)
class Entry:
    module: Path
    # What the compiler said, in colours.
    remarks: str


def obtain(request: Request) -> Entry:
    """The entry, compiled where it is not there yet. Raises CompileError."""
    place = _entry_folder(folder(), request.digest)
    if found := _read(place, request):
        return found
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place.parent):
            pass
    except OSError:
        # Where nothing can be kept, it is kept for this process.
        place = _entry_folder(_process_folder(), request.digest)
        place.parent.mkdir(parents=True, exist_ok=True)
    with _only_one(place):
        return _read(place, request) or _make(place, request)


def discard(request: Request) -> None:
    """Take an entry away that turned out to be broken."""
    for root in (folder(), _process_folder()):
        _remove(_entry_folder(root, request.digest))


def _read(folder: Path, request: Request) -> Entry | None:
    module = folder / (request.module_name.rpartition(".")[2] + SUFFIX)
    try:
        entry = json.loads((folder / "entry.json").read_text(encoding="utf-8"))
        # A crash of the machine or a full disk may leave a part of a module, which must not be loaded.
        if module.stat().st_size != entry["size"]:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    with contextlib.suppress(OSError):
        if time.time() - folder.stat().st_mtime > _MARKED_EVERY:
            os.utime(folder)
    return Entry(module, entry["remarks"])


def _make(folder: Path, request: Request) -> Entry:
    name = request.module_name.rpartition(".")[2]
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as scratch:
        made = Path(scratch) / "entry"
        made.mkdir()
        source = Path(scratch) / f"{request.stem}.pydd"
        text = request.text
        if request.shown is not None:
            shown = request.shown.encode(errors="surrogateescape")
            (made / source.name).write_bytes(shown)
            text = part(str(folder / source.name), sha256=hashlib.sha256(shown).hexdigest()) + text
        source.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        remarks = _compiler.run(source, made / (name + SUFFIX), request.options)
        entry = {"size": (made / (name + SUFFIX)).stat().st_size, "remarks": remarks}
        (made / "entry.json").write_text(json.dumps(entry), encoding="utf-8")
        _remove(folder)
        try:
            os.rename(made, folder)
        except OSError:
            # Another process was faster, on a file system without locks.
            if (found := _read(folder, request)) is None:
                raise
            return found
    _sweep_sometimes()
    return Entry(folder / (name + SUFFIX), remarks)


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Of several processes and threads that want an entry, one makes it, and the others wait."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(folder.parent / ".lock", "ab") as lock:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            # A child that was forked meanwhile has the file as well, so closing it is not enough.
            with contextlib.suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_UN)


def _settings(text: str) -> list[list[str]]:
    """What the compiler may read of the project of a source: the files above it, the nearest first, that may have `[tool.pydd]`."""
    if not text.startswith(PART):
        return []
    # Cells and texts have names that are no paths.
    file = next((file for file in map(Path, _files(text)) if file.is_absolute()), None)
    found = []
    for folder in file.parents if file is not None else ():
        with contextlib.suppress(OSError):
            content = (folder / "pyproject.toml").read_bytes()
            if b"pydd" in content:
                found.append([str(folder), hashlib.sha256(content).hexdigest()])
    return found


def _files(text: str) -> Iterator[str]:
    """The files that a source is put together of."""
    for line in text.split("\n"):
        if line.startswith(PART):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                yield json.loads(line[len(PART) :])["file"]


@functools.cache
def _processor() -> str:
    """What code for the native processor depends on."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            wanted = ("model name", "flags", "Features", "CPU part")
            lines = []
            for line in info:
                if not line.strip():
                    break
                if line.startswith(wanted):
                    lines.append(line)
            return "".join(lines)
    except OSError:
        import platform

        return platform.machine() + platform.processor()


# The folder.


def folder() -> Path:
    """Where modules are kept: a folder of this user, as modules are code.

    `PYDD_CACHE_DIR`, else `$XDG_CACHE_HOME/pydd`, else `~/.cache/pydd`, else a folder that lives as long as the process.
    """
    chosen = os.environ.get("PYDD_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        home = (Path(base) if base else Path.home() / ".cache") / "pydd"
        home.mkdir(parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return home
    except (OSError, RuntimeError):
        pass
    return _process_folder()


def _process_folder() -> Path:
    return Path(_temporary().name)


@functools.cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="pydd-")


def _entry_folder(root: Path, digest: str) -> Path:
    return root / _VERSION / digest[:2] / digest[2:32]


# Its size.


@dataclass(frozen=True)
class Kept:
    """An entry as it lies on disk."""

    folder: Path
    size: int
    used: float


def entries() -> list[Kept]:
    """All entries, the ones that were not used for longest first."""
    found = []
    for each in folder().glob(f"{_VERSION}/??/[!.]*"):
        try:
            size = sum(file.stat().st_size for file in each.iterdir())
            found.append(Kept(each, size, each.stat().st_mtime))
        except OSError:
            continue
    return sorted(found, key=lambda kept: kept.used)


def limit() -> int:
    """How large the cache may become, in bytes: `PYDD_CACHE_SIZE`, in MiB, else 1024 MiB."""
    try:
        return int(os.environ.get("PYDD_CACHE_SIZE", _DEFAULT_MIB)) << 20
    except ValueError:
        return _DEFAULT_MIB << 20


def prune(allowed: int | None = None, young: float = _YOUNG) -> int:
    """Take away what was not used for longest until the rest fits; how many bytes were freed."""
    allowed = limit() if allowed is None else allowed
    kept = entries()
    total = sum(each.size for each in kept)
    # Some room, so that this is not needed again at once.
    wanted = allowed if total <= allowed else allowed * 4 // 5
    freed = 0
    for each in kept:
        if total - freed <= wanted or (young and time.time() - each.used < young):
            break
        _remove(each.folder)
        freed += each.size
    return freed


def _sweep_sometimes() -> None:
    stamp = folder() / _VERSION / ".swept"
    try:
        if time.time() - stamp.stat().st_mtime < 600:
            return
    except OSError:
        pass
    with contextlib.suppress(OSError):
        stamp.touch()
        prune()
        # What processes left that were killed.
        left_over = [*folder().glob(f"{_VERSION}/??/.new-*"), *folder().glob(f"{_VERSION}/??/.old-*")]
        for left in left_over:
            if time.time() - left.stat().st_mtime > 3600:
                shutil.rmtree(left, ignore_errors=True)


def _remove(entry: Path) -> None:
    """Others see an entry or none, so it is renamed first. What a process has loaded stays loaded."""
    if not entry.exists():
        return
    with (
        contextlib.suppress(OSError),
        tempfile.TemporaryDirectory(dir=entry.parent, prefix=".old-") as scratch,
    ):
        os.rename(entry, Path(scratch) / "entry")
        shutil.rmtree(Path(scratch) / "entry", ignore_errors=True)
