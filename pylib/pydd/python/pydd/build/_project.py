"""What a project says of its kernels, in the table `[tool.pydd]` of `pyproject.toml`.

| key | | default |
|---|---|---|
| `sources` | the `.pydd` files, as patterns of paths from the project's folder (`**` is any number of folders) | |
| `cpu` | the processors that the modules are for, as `--cpu` has them | `portable` |
| `opt-level` | level of optimisation, 0 to 3 | 3 |
| `flags` | other options of `pyddc`, such as `["--strict-fp"]`, which it reads itself | |
| `target` | the machine that the modules run on, as `--target` has it | this one |
| `root` | the folder in which packages begin, such as `src` | above the folders that have an `__init__.py` |
| `wraps` | the backend that packs all else, for `pydd.build` | `build-backend`, if another; maturin where there is `[tool.maturin]`, else setuptools |
"""

from __future__ import annotations

import contextlib
import difflib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

# A wheel goes to processors that its author does not know.
_CPU = "portable"
# Of `--config-settings`, such as `pydd.cpu=native`.
_PREFIX = "pydd."
_TYPES = {
    "sources": list,
    "cpu": str,
    "opt-level": int,
    "flags": list,
    "target": str,
    "root": str,
    "wraps": str,
}
_BACKENDS = {"setuptools": "setuptools.build_meta", "hatchling": "hatchling.build"}


class BuildError(Exception):
    """What is wrong with a project, in its author's words."""


@contextlib.contextmanager
def reported() -> Iterator[None]:
    """Ends the process where something is wrong, with the message alone: a traceback would be of code that is not the user's."""
    try:
        yield
    except BuildError as error:
        sys.stdout.flush()
        print(error, file=sys.stderr, flush=True)
        raise SystemExit(1) from None


@dataclass(frozen=True)
class Kernel:
    """A source file of the project."""

    # From the project's folder.
    source: Path
    # The package's folder in the wheel; `.` for modules without a package.
    package: PurePosixPath

    @property
    def module(self) -> str:
        """The name by which it is imported."""
        return ".".join([*self.package.parts, self.source.stem])


@dataclass(frozen=True)
class Project:
    """A project with kernels."""

    folder: Path
    kernels: tuple[Kernel, ...]
    # Those of `pyddc`.
    options: tuple[str, ...]
    # The machine that a wheel is for; None is this one. Editable installations are for this one always.
    target: str | None
    # The other backend, as in `build-backend`.
    wraps: str
    # The platform of wheels whose other files run anywhere, where it is not simply the machine's.
    platform: str | None = None

    @property
    def packages(self) -> dict[str, Path]:
        """Where the kernels of each package are."""
        return {".".join(k.package.parts): self.folder / k.source.parent for k in self.kernels}


def is_meant(folder: Path) -> bool:
    """Whether the project in a folder says anything of kernels."""
    return (folder / "pyproject.toml").is_file() and "pydd" in _document(folder).get("tool", {})


def read(folder: Path, settings: Mapping[str, Any] | None = None) -> tuple[Project, dict[str, Any]]:
    """The project in a folder, and those of the settings that are another backend's. Raises BuildError."""
    own = {
        name[len(_PREFIX) :]: value for name, value in (settings or {}).items() if name.startswith(_PREFIX)
    }
    others = {name: value for name, value in (settings or {}).items() if not name.startswith(_PREFIX)}
    document = _document(folder)
    tools = document.get("tool", {})
    table = _checked({**tools.get("pydd", {}), **_given(own)})
    options = [f"--cpu={table.get('cpu', _CPU)}", f"-O{table.get('opt-level', 3)}"]
    wraps = table.get("wraps", _packs(document))
    if wraps.startswith("pydd."):
        raise BuildError(f"pyproject.toml: [tool.pydd] wraps another backend, not {wraps!r}")
    project = Project(
        folder,
        tuple(_kernels(folder, table)),
        tuple(options),
        table.get("target"),
        _BACKENDS.get(wraps, wraps),
    )
    return project, others


def _packs(document: dict[str, Any]) -> str:
    """What packs a project that does not say it."""
    named: str = document.get("build-system", {}).get("build-backend", "pydd.build")
    if not named.startswith("pydd."):
        return named
    return "maturin" if "maturin" in document.get("tool", {}) else "setuptools"


def read_for_plugin(folder: Path) -> Project:
    """The project in a folder, for another backend that knows nothing of other machines. Raises BuildError."""
    project, _ = read(folder)
    if project.target is not None:
        raise BuildError("pyproject.toml: [tool.pydd]: `target` needs the backend `pydd.build`")
    return project


def _document(folder: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BuildError(f"pyproject.toml: {error}") from error


def _given(own: dict[str, Any]) -> dict[str, Any]:
    """Settings of the command line, which are texts."""
    level = own.get("opt-level")
    if isinstance(level, str) and level.isdecimal():
        own["opt-level"] = int(level)
    return own


def _checked(table: dict[str, Any]) -> dict[str, Any]:
    for key, value in table.items():
        if key not in _TYPES:
            near = difflib.get_close_matches(key, _TYPES, 1) or [", ".join(_TYPES)]
            raise BuildError(f"pyproject.toml: [tool.pydd] has no key `{key}`; there is {near[0]}")
        wanted = _TYPES[key]
        fits = isinstance(value, wanted) and not isinstance(value, bool)
        if fits and wanted is list:
            fits = all(isinstance(item, str) for item in value)
        if not fits:
            words = {list: "a list of strings", str: "a string", int: "an integer"}[wanted]
            raise BuildError(f"pyproject.toml: `{key}` of [tool.pydd] must be {words}, not {value!r}")
    if not table.get("sources"):
        raise BuildError('pyproject.toml: [tool.pydd] needs the kernels: sources = ["src/package/*.pydd"]')
    return table


def _kernels(folder: Path, table: dict[str, Any]) -> Iterator[Kernel]:
    found: dict[Path, None] = {}
    for pattern in table["sources"]:
        parts = PurePosixPath(pattern).parts
        if pattern.startswith("/") or ".." in parts or not pattern.endswith(".pydd"):
            raise BuildError(
                f"pyproject.toml: `sources` of [tool.pydd]: {pattern!r} is no pattern of .pydd files in the project's folder"
            )
        matches = sorted(path.relative_to(folder) for path in folder.glob(pattern) if path.is_file())
        if not matches:
            raise BuildError(f"pyproject.toml: `sources` of [tool.pydd]: no file matches {pattern!r}")
        found.update(dict.fromkeys(matches))
    modules: dict[str, Path] = {}
    for source in found:
        kernel = Kernel(source, PurePosixPath(_package(folder, source, table.get("root"))))
        other = modules.setdefault(kernel.module, source)
        if other != source:
            raise BuildError(
                f"pyproject.toml: [tool.pydd]: {other} and {source} would both be {kernel.module}"
            )
        yield kernel


def _package(folder: Path, source: Path, root: str | None) -> Path:
    """The folder of a source's package, from where packages begin."""
    if root is not None:
        try:
            return source.parent.relative_to(root)
        except ValueError:
            raise BuildError(f"pyproject.toml: [tool.pydd]: {source} is not in `root`, {root!r}") from None
    top = source.parent
    while top.parts and (folder / top / "__init__.py").is_file():
        top = top.parent
    return source.parent.relative_to(top)
