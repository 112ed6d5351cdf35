"""Wheels of another backend with kernels added: files, tags, RECORD.

Modules use the stable ABI of CPython 3.10, so the tags are `cp310-abi3` and the platform's, unless the wheel is for one version of
Python anyway. All files have one time and even permissions: the same project gives the same bytes.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import itertools
import re
import sysconfig
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from . import _archive, _editable
from ._project import BuildError, Project

# Kernel modules are imported by CPython from this version on.
_OLDEST = 310
TAG = f"cp{_OLDEST}-abi3"
_RUNTIME = "pydd-runtime"


@dataclass(frozen=True)
class _File:
    content: bytes
    executable: bool = False


@dataclass
class _Wheel:
    # `name-version`, with the build number where there is one.
    stem: str
    files: dict[str, _File]

    @property
    def info(self) -> str:
        """The folder of its metadata."""
        return next(path for path in self.files if path.endswith(".dist-info/WHEEL")).rpartition("/")[0]

    def text(self, name: str) -> str:
        return self.files[f"{self.info}/{name}"].content.decode()

    def set_text(self, name: str, text: str) -> None:
        self.files[f"{self.info}/{name}"] = _File(text.encode())

    @property
    def tags(self) -> list[str]:
        return re.findall(r"^Tag: *(\S+)", self.text("WHEEL"), re.MULTILINE)


def with_kernels(wheel: Path, project: Project, kernels: Mapping[str, bytes], target: Path) -> str:
    """Writes a wheel with files added into a folder; its name. Raises BuildError."""
    made = _read(wheel)
    _check_packages(made, kernels)
    _check_requirements(made)
    # Also over modules that were compiled beside their sources, for another processor it may be.
    made.files.update({path: _File(content, path.endswith(".so")) for path, content in kernels.items()})
    tags = list(dict.fromkeys(_native(tag, project) for tag in made.tags))
    lines = [line for line in made.text("WHEEL").splitlines() if line and not line.startswith("Tag:")]
    lines = ["Root-Is-Purelib: false" if line.startswith("Root-Is-Purelib:") else line for line in lines]
    made.set_text("WHEEL", "\n".join([*lines, *(f"Tag: {tag}" for tag in tags)]) + "\n")
    return _write(made, target)


def runs_anywhere(wheel: Path) -> bool:
    """Whether a wheel of another backend is for no platform of its own."""
    return all(tag.endswith("-any") for tag in _read(wheel).tags)


def editable(wheel: Path, project: Project, target: Path) -> str:
    """Writes a wheel that leads to the project's folder, of kernels as well; its name."""
    made = _read(wheel)
    made.set_text("METADATA", _editable.metadata(made.text("METADATA")))
    distribution = made.stem.split("-")[0]
    made.files.update(
        {path: _File(text.encode()) for path, text in _editable.files(distribution, project).items()}
    )
    return _write(made, target)


def platform_tag(project: Project) -> str:
    """The platform of a project's kernels, as wheels name it."""
    if project.platform is not None:
        return project.platform
    if project.target is None:
        return re.sub(r"[^0-9A-Za-z]", "_", sysconfig.get_platform())
    machine, _, system = project.target.partition("-")
    return f"{system}_{machine}"


def _native(tag: str, project: Project) -> str:
    """What a wheel with such a tag is for when it has the kernels of a project."""
    python, abi, platform = tag.split("-")
    if platform == "any":
        return f"{TAG}-{platform_tag(project)}"
    if project.target is not None and not platform.endswith("_" + project.target.partition("-")[0]):
        raise BuildError(f"the kernels are for {project.target}, and other files of the wheel for {platform}")
    version = re.fullmatch(r"cp(3\d+)", python)
    if python in ("py2", "py3") or (abi == "abi3" and version and int(version[1]) < _OLDEST):
        return f"{TAG}-{platform}"
    if version and int(version[1]) >= _OLDEST and abi in ("none", "abi3", python):
        return tag
    raise BuildError(
        f"kernels are for CPython 3.10 and later, and free threads are not supported: not for {tag}"
    )


def _check_packages(wheel: _Wheel, kernels: Mapping[str, bytes]) -> None:
    """A module in a folder that is no package's could not be imported beside it."""
    folders = {str(PurePosixPath(path).parent) for path in wheel.files}
    for path in kernels:
        folder = str(PurePosixPath(path).parent)
        if folder not in folders and folder != ".":
            raise BuildError(
                f"{path} would be in a folder of its own, as the wheel has no {folder}/; say where packages begin, "
                f'such as root = "src" of [tool.pydd], or have the other backend pack {folder}/'
            )


def _check_requirements(wheel: _Wheel) -> None:
    required = _editable.requirements(wheel.text("METADATA"))
    if not {_RUNTIME, _editable.COMPILER} & required:
        raise BuildError(
            f'the kernels need {_RUNTIME} where they run: add it to `dependencies`, "{_RUNTIME}"'
        )


def _read(path: Path) -> _Wheel:
    # name-version[-build]-python-abi-platform
    stem = path.name.removesuffix(".whl").rsplit("-", 3)[0]
    with zipfile.ZipFile(path) as archive:
        files = {
            info.filename: _File(archive.read(info), bool(info.external_attr >> 16 & 0o100))
            for info in archive.infolist()
            if not info.is_dir()
        }
    return _Wheel(stem, files)


def _write(wheel: _Wheel, folder: Path) -> str:
    record = f"{wheel.info}/RECORD"
    # Signatures are of what the wheel was before.
    old = {record, f"{record}.jws", f"{record}.p7s"}
    # The metadata stands last, as PEP 427 recommends.
    names = sorted(wheel.files.keys() - old, key=lambda name: (name.startswith(f"{wheel.info}/"), name))
    rows = [[name, _digest(wheel.files[name].content), len(wheel.files[name].content)] for name in names]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([*rows, [record, "", ""]])
    wheel.files[record] = _File(text.getvalue().encode())
    file = f"{wheel.stem}-{_compressed(wheel.tags)}.whl"
    with zipfile.ZipFile(folder / file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in [*names, record]:
            _add(archive, name, wheel.files[name])
    return file


def _add(archive: zipfile.ZipFile, name: str, file: _File) -> None:
    info = zipfile.ZipInfo(name, time.gmtime(_archive.timestamp())[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = (0o100000 | _archive.mode(file.executable)) << 16
    archive.writestr(info, file.content)


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}"


def _compressed(tags: list[str]) -> str:
    """Tags as a file's name has them: `py2.py3-none-any`."""
    parts = [".".join(dict.fromkeys(part)) for part in itertools.zip_longest(*(t.split("-") for t in tags))]
    return "-".join(parts)
