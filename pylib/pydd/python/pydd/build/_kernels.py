"""Compiling the kernels of a project."""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import _compiler
from .._cache import SUFFIX
from ._project import BuildError, Kernel, Project

# Of what is made of a kernel: the module and its stub.
SUFFIXES = (SUFFIX, ".pyi")


def compiled(project: Project) -> dict[str, bytes]:
    """The modules and their stubs, by their paths in a wheel. Raises BuildError with all diagnostics."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        made = list(pool.map(lambda kernel: _attempt(project, kernel), project.kernels))
    wrong = [each for each in made if isinstance(each, str)]
    if wrong:
        raise BuildError("\n\n".join(wrong))
    return {path: content for each in made if isinstance(each, dict) for path, content in each.items()}


def _attempt(project: Project, kernel: Kernel) -> dict[str, bytes] | str:
    """A module and its stub, or what is wrong."""
    try:
        return _compile(project, kernel)
    except (_compiler.CompileError, FileNotFoundError) as error:
        return str(error)


def _compile(project: Project, kernel: Kernel) -> dict[str, bytes]:
    # Diagnostics and tracebacks name the file as seen from the project's folder, wherever that is.
    stem = str(kernel.package / kernel.source.stem)
    with tempfile.TemporaryDirectory() as scratch:
        module = Path(scratch, kernel.source.stem + SUFFIX)
        options = (
            project.options if project.target is None else [*project.options, f"--target={project.target}"]
        )
        remarks = _compiler.run(kernel.source, module, options, folder=project.folder)
        sys.stderr.write(_compiler.without_colours(remarks))
        stub = _compiler.stage(kernel.source, "pyi", folder=project.folder)
        return dict(zip((stem + suffix for suffix in SUFFIXES), (module.read_bytes(), stub.encode())))
