"""Sources in archives: with the `.pydd` files, without what was made of them."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path, PurePosixPath

from .._cache import SUFFIX
from . import _archive
from ._project import Project


def with_sources(sdist: Path, project: Project, target: Path) -> str:
    """Writes an archive of another backend into a folder, with the sources of kernels; its name."""
    sources = {kernel.source.as_posix(): kernel.source for kernel in project.kernels}
    # Modules that were compiled beside their sources.
    made = {str(PurePosixPath(path).with_suffix(SUFFIX)) for path in sources}
    packed = io.BytesIO()
    with tarfile.open(sdist) as old, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new:
        top = old.getnames()[0].split("/")[0]
        for member in old.getmembers():
            path = member.name.removeprefix(f"{top}/")
            if path not in made:
                new.addfile(_even(member), old.extractfile(member) if member.isfile() else None)
            sources.pop(path, None)
        for path, source in sources.items():
            content = (project.folder / source).read_bytes()
            member = tarfile.TarInfo(f"{top}/{path}")
            member.size = len(content)
            new.addfile(_even(member), io.BytesIO(content))
    with (target / sdist.name).open("wb") as file:
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=_archive.timestamp()) as out:
            out.write(packed.getvalue())
    return sdist.name


def _even(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member without what differs from one machine to the next."""
    member.mtime = _archive.timestamp()
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = _archive.mode(member.isdir() or bool(member.mode & 0o100))
    member.pax_headers = {}
    return member
