"""Wheels for several machines from one: kernels are linked without anything of the machine that they are for."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _kernels, _project, _wheel, _wrapped
from ._project import BuildError, Project, reported

# The machines that `--target` knows, with the platform of wheels with kernels for them: modules need the C library alone, at versions
# that all systems of these names have (`codegen/link/src/system.rs`), as `auditwheel` says, too.
PLATFORMS = {"x86_64-linux": "manylinux_2_17_x86_64", "aarch64-linux": "manylinux_2_17_aarch64"}


def build_wheels(
    folder: Path, targets: Sequence[str], output: Path, settings: Mapping[str, Any]
) -> list[str]:
    """Makes a wheel of the project in a folder for each target; their files' names. What is wrong ends the process, with a message,
    and no wheel is written then."""
    with reported(), _inside(folder), tempfile.TemporaryDirectory() as scratch:
        _check(targets)
        project, others = _project.read(Path.cwd(), settings)
        if project.target is not None:
            raise BuildError("the machines are named by --targets, and not by `target` of [tool.pydd]")
        projects = [
            dataclasses.replace(project, target=target, platform=PLATFORMS[target])
            for target in dict.fromkeys(targets)
        ]
        # Before the other backend, which may take minutes.
        kernels = [_kernels.compiled(each) for each in projects]
        packed = Path(scratch) / _packed(project, scratch, others)
        if not _wheel.runs_anywhere(packed):
            raise BuildError(
                f"{packed.name} is for one platform without the kernels already; build such a project on each of its platforms, with `pip wheel`"
            )
        made = Path(scratch, "made")
        made.mkdir()
        names = [
            _wheel.with_kernels(packed, each, files, made)
            for each, files in zip(projects, kernels, strict=True)
        ]
        output.mkdir(parents=True, exist_ok=True)
        for name in names:
            (output / name).write_bytes((made / name).read_bytes())
        return names


def _check(targets: Sequence[str]) -> None:
    for target in targets:
        if target in PLATFORMS:
            continue
        known = " and ".join(PLATFORMS)
        if any(
            system in target.lower() for system in ("macos", "darwin", "apple", "windows", "win32", "msvc")
        ):
            raise BuildError(
                f"no wheels for {target!r}: the linker in pyddc writes no files of macOS and Windows, and there is no pydd-runtime for them; there are {known}"
            )
        raise BuildError(f"there is no machine {target!r}; there are {known}")


def _packed(project: Project, folder: str, settings: Mapping[str, Any]) -> str:
    """The other backend's wheel. What it says is shown where it fails, as with pip."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            name: str = _wrapped.call(project, "build_wheel", folder, dict(settings), None)
    except BaseException:
        sys.stderr.write(said.getvalue())
        raise
    return name


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Hooks of build backends are called in the project's folder."""
    before = Path.cwd()
    try:
        os.chdir(folder)
    except OSError as error:
        raise BuildError(f"{folder}: {error.strerror}") from None
    try:
        yield
    finally:
        os.chdir(before)
