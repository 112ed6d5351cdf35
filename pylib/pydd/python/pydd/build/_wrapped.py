"""The backend that packs all but the kernels."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
from collections.abc import Iterator
from typing import Any

from . import _archive
from ._project import BuildError, Project

# While `pydd.build` calls another backend the plug-ins leave the kernels to it.
_calls = 0


def is_called() -> bool:
    return _calls > 0


def has(project: Project, hook: str) -> bool:
    """Whether the other backend has a hook."""
    return hasattr(_backend(project), hook)


def call(project: Project, hook: str, *arguments: Any) -> Any:
    """Calls a hook of the other backend."""
    function = getattr(_backend(project), hook, None)
    if function is None:
        raise BuildError(f"the backend {project.wraps!r} has no {hook}")
    with _calling():
        return function(*arguments)


@contextlib.contextmanager
def _calling() -> Iterator[None]:
    global _calls
    _calls += 1
    given = os.environ.get("SOURCE_DATE_EPOCH")
    # Some put the time, or a random number, into files where this is not set.
    os.environ["SOURCE_DATE_EPOCH"] = str(_archive.timestamp())
    try:
        yield
    finally:
        _calls -= 1
        if given is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = given


def _backend(project: Project) -> Any:
    name, _, attributes = project.wraps.partition(":")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BuildError(
            f"pyproject.toml: [tool.pydd] wraps {project.wraps!r}, and there is no module {error.name!r}; "
            f"name its package in `requires` of [build-system]"
        ) from error
    return functools.reduce(getattr, attributes.split("."), module) if attributes else module
