"""Kernels for setuptools alone: its command `build_pydd`, part of `build` where there is a table `[tool.pydd]`.

setuptools finds this by its entry point `setuptools.finalize_distribution_options`: with `pydd-compiler` among `requires` of
`[build-system]` nothing else is needed. An editable installation compiles kernels beside their sources, once.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

import setuptools

from . import _kernels, _project, _wheel, _wrapped
from ._project import reported


def finalize(distribution: setuptools.Distribution) -> None:
    """Adds the command to projects with kernels."""
    folder = Path(distribution.src_root or os.curdir).resolve()
    with reported():
        if _wrapped.is_called() or not _project.is_meant(folder):
            return
        project = _project.read_for_plugin(folder)
    # Not before it is needed: this runs in each use of setuptools, old ones as well.
    from setuptools.command.build import build

    distribution.cmdclass["build_pydd"] = type("build_pydd", (BuildKernels,), {"project": project})
    if not any(name == "build_pydd" for name, _ in build.sub_commands):
        build.sub_commands.append(
            ("build_pydd", lambda command: "build_pydd" in command.distribution.cmdclass)
        )
    if not distribution.has_ext_modules():
        options = distribution.get_option_dict("bdist_wheel")
        options.setdefault("py_limited_api", ("pydd.build", _wheel.TAG.partition("-")[0]))
    # The wheel is for one platform.
    distribution.has_ext_modules = lambda: True


class BuildKernels(setuptools.Command):
    """compile kernels into the package"""

    description = "compile .pydd files to modules"
    user_options: ClassVar = [("build-lib=", "d", "folder of what is built")]
    # Of setuptools' protocol for parts of `build`.
    editable_mode = False
    project: _project.Project

    def initialize_options(self) -> None:
        self.build_lib = None

    def finalize_options(self) -> None:
        self.set_undefined_options("build_ext", ("build_lib", "build_lib"))

    def run(self) -> None:
        with reported():
            made = _kernels.compiled(self.project)
        beside = self._beside()
        for path, content in made.items():
            target = self.project.folder / beside[path] if self.editable_mode else Path(self.build_lib, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    def get_source_files(self) -> list[str]:
        return [str(kernel.source) for kernel in self.project.kernels]

    def get_outputs(self) -> list[str]:
        return [str(Path(self.build_lib, path)) for path in self._beside()]

    def get_output_mapping(self) -> dict[str, str]:
        if not self.editable_mode:
            return {}
        return {str(Path(self.build_lib, path)): str(source) for path, source in self._beside().items()}

    def _beside(self) -> dict[str, Path]:
        """Where what is made would be beside its source, by paths in the wheel."""
        return {
            str(kernel.package / (kernel.source.stem + suffix)): kernel.source.with_suffix(suffix)
            for kernel in self.project.kernels
            for suffix in _kernels.SUFFIXES
        }
