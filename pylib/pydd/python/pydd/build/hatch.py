"""Kernels for Hatch: the build hook `pydd`, which the table `[tool.hatch.build.hooks.pydd]` turns on. `[tool.pydd]` says what it builds."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from . import _editable, _kernels, _project, _wheel, _wrapped
from ._project import reported


class PyddBuildHook(BuildHookInterface):
    """Adds compiled kernels to wheels, and to editable ones what compiles kernels that have changed."""

    PLUGIN_NAME = "pydd"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or _wrapped.is_called():
            return
        with reported():
            project = _project.read_for_plugin(Path(self.root))
            if version == "editable":
                name = self.metadata.core.name
                files = {path: text.encode() for path, text in _editable.files(name, project).items()}
            else:
                files = _kernels.compiled(project)
        into = "force_include" if version != "editable" else "force_include_editable"
        self._scratch = tempfile.TemporaryDirectory()
        for path, content in files.items():
            made = Path(self._scratch.name, path)
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_bytes(content)
            build_data[into][str(made)] = path
        if version == "editable":
            build_data["dependencies"].append(_editable.COMPILER)
        elif build_data["pure_python"]:
            build_data["pure_python"] = False
            build_data["tag"] = f"{_wheel.TAG}-{_wheel.platform_tag(project)}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_scratch"):
            self._scratch.cleanup()


@hookimpl
def hatch_register_build_hook() -> type[PyddBuildHook]:
    return PyddBuildHook
