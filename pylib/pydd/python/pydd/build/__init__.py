"""Kernels in wheels: the build backend `pydd.build`, which adds compiled `.pydd` files to what another backend packs.

    [build-system]
    requires = ["pydd-compiler", "setuptools>=77"]
    build-backend = "pydd.build"

    [tool.pydd]
    sources = ["src/package/*.pydd"]

Each kernel is compiled into the wheel beside the package's Python files, with its stub; `_project` lists the keys. The other
backend makes everything else. These are the hooks of PEP 517 and PEP 660.

`pydd.build.setuptools` and `pydd.build.hatch` are plug-ins of these two backends, for those who keep them.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import _editable, _kernels, _project, _sdist, _wheel, _wrapped
from ._project import reported

Settings = Mapping[str, Any] | None


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """The wheel of the project in this folder; its file's name. What is wrong ends the process, with a message."""
    with reported():
        project, settings = _project.read(Path.cwd(), config_settings)
        # Before the other backend, which may take minutes.
        files = _kernels.compiled(project)
        with tempfile.TemporaryDirectory() as scratch:
            made = _wrapped.call(project, "build_wheel", scratch, settings, metadata_directory)
            return _wheel.with_kernels(Path(scratch) / made, project, files, Path(wheel_directory))


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """A wheel that leads to this folder, whose kernels are compiled when they are imported; its file's name."""
    with reported():
        project, settings = _project.read(Path.cwd(), config_settings)
        with tempfile.TemporaryDirectory() as scratch:
            made = _wrapped.call(project, "build_editable", scratch, settings, metadata_directory)
            return _wheel.editable(Path(scratch) / made, project, Path(wheel_directory))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """The sources of the project in this folder, without compiled kernels; the archive's name."""
    with reported():
        project, settings = _project.read(Path.cwd(), config_settings)
        with tempfile.TemporaryDirectory() as scratch:
            made = _wrapped.call(project, "build_sdist", scratch, settings)
            return _sdist.with_sources(Path(scratch) / made, project, Path(sdist_directory))


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """What the other backend needs."""
    return _requires("get_requires_for_build_wheel", config_settings)


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """What the other backend needs."""
    return _requires("get_requires_for_build_editable", config_settings)


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """What the other backend needs."""
    return _requires("get_requires_for_build_sdist", config_settings)


def _requires(hook: str, config_settings: Settings) -> list[str]:
    with reported():
        project, settings = _project.read(Path.cwd(), config_settings)
        return list(_wrapped.call(project, hook, settings)) if _wrapped.has(project, hook) else []


def __getattr__(name: str) -> Callable[..., str]:
    """Hooks that are there where the other backend has them."""
    if name not in ("prepare_metadata_for_build_wheel", "prepare_metadata_for_build_editable"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with reported():
        project, _ = _project.read(Path.cwd())
        if not _wrapped.has(project, name):
            raise AttributeError(f"{project.wraps} has no {name}")
    return functools.partial(_prepare_metadata, name)


def _prepare_metadata(hook: str, metadata_directory: str, config_settings: Settings = None) -> str:
    with reported():
        project, settings = _project.read(Path.cwd(), config_settings)
        made: str = _wrapped.call(project, hook, metadata_directory, settings)
        if hook == "prepare_metadata_for_build_editable":
            metadata = Path(metadata_directory, made, "METADATA")
            metadata.write_text(_editable.metadata(metadata.read_text(encoding="utf-8")), encoding="utf-8")
        return made


def cmake_dir() -> str:
    """The folder that CMake's `find_package(pydd)` needs as `pydd_DIR`."""
    return str(Path(__file__).with_name("cmake"))
