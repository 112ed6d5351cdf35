"""Editable installations: kernels are compiled when they are imported and have changed."""

from __future__ import annotations

import importlib.machinery
import re
from pathlib import Path

from .. import _loader
from . import _project
from ._project import BuildError, Project

COMPILER = "pydd-compiler"

# Without an import of pydd: it runs whenever Python starts.
_FINDER = '''\
"""The kernels of {distribution}, compiled when they are imported and have changed."""

import os
import sys

PROJECT = {project!r}
PACKAGES = {packages!r}


class Finder:
    @staticmethod
    def find_spec(fullname, path=None, target=None):
        package, _, name = fullname.rpartition(".")
        folder = PACKAGES.get(package)
        if folder is None or not os.path.isfile(os.path.join(folder, name + ".pydd")):
            return None
        from pydd.build import _editable

        return _editable.spec(fullname, PROJECT)


sys.meta_path.insert(0, Finder)
'''


def files(distribution: str, project: Project) -> dict[str, str]:
    """What an editable wheel has in place of compiled kernels, by paths."""
    name = f"_pydd_editable_{re.sub(r'[^0-9A-Za-z_]', '_', distribution)}"
    packages = {package: str(folder) for package, folder in project.packages.items()}
    finder = _FINDER.format(distribution=distribution, project=str(project.folder), packages=packages)
    return {f"{name}.py": finder, f"{name}.pth": f"import {name}\n"}


def metadata(text: str) -> str:
    """The metadata with the compiler among the requirements."""
    if COMPILER in requirements(text):
        return text
    head, blank, description = text.partition("\n\n")
    return f"{head.rstrip()}\nRequires-Dist: {COMPILER}\n{blank[1:]}{description}"


def requirements(metadata: str) -> set[str]:
    """The distributions that are needed without any extra."""
    head = metadata.partition("\n\n")[0]
    found = re.findall(r"^Requires-Dist: *([0-9A-Za-z._-]+)(.*)", head, re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower() for name, rest in found if not re.search(r"\bextra\b", rest)}


def spec(module: str, folder: str) -> importlib.machinery.ModuleSpec | None:
    """How a kernel of the project in a folder is imported; None where the project does not name it. Raises ImportError."""
    try:
        project, _ = _project.read(Path(folder))
    except BuildError as error:
        raise ImportError(str(error), name=module) from None
    for kernel in project.kernels:
        if kernel.module == module:
            return _loader.spec(module, project.folder / kernel.source, project.options)
    return None
