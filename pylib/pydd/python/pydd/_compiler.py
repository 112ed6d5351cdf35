"""Running the `pyddc` executable."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ._find import find_compiler


class CompileError(Exception):
    """The compiler refused the program. The message is its diagnostics, `returncode` its exit status.

    Notebooks show the diagnostics alone, in colours.
    """

    def __init__(self, diagnostics: str, returncode: int = 1) -> None:
        # How many errors a file has is for terminals.
        self.rendered = _COUNT.sub("", diagnostics.strip()).rstrip()
        self.returncode = returncode
        super().__init__(without_colours(self.rendered))

    def __reduce__(self) -> tuple[object, ...]:
        return CompileError, (self.rendered, self.returncode)

    def _render_traceback_(self) -> list[str]:
        # What IPython shows in place of a traceback, whose frames would all be pydd's own.
        return self.rendered.splitlines()


class PyddWarning(UserWarning):
    """What the compiler remarks about a program that it compiles, or why a function runs in Python."""


def run(source: Path, output: Path | str, options: Sequence[str] = (), *, folder: Path | None = None) -> str:
    """Compile a file, of which `folder` is where relative paths begin; the remarks and warnings, in colours. Raises CompileError."""
    return _run([str(source), "-o", str(output), *options], folder).stderr


def stage(source: Path, emit: str, options: Sequence[str] = (), *, folder: Path | None = None) -> str:
    """A stage of the program as text, as `--emit` prints it."""
    return _run([str(source), "-o", "-", f"--emit={emit}", *options], folder).stdout


def _run(arguments: Sequence[str], folder: Path | None) -> subprocess.CompletedProcess[str]:
    command = [str(find_compiler()), "--color=always", *arguments]
    # A terminal's interrupt reaches the compiler as well, which then ends.
    result = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", errors="replace", cwd=folder
    )
    if result.returncode != 0:
        raise CompileError(result.stderr or result.stdout, result.returncode)
    return result


def flags(
    *,
    opt: int | None = None,
    parallel: bool = False,
    gpu: bool = False,
    fast_math: bool = False,
    strict_fp: bool = False,
    unchecked: bool = False,
    check_races: bool = False,
    options: Sequence[str] = (),
) -> tuple[str, ...]:
    """The options of the command that keywords stand for."""
    chosen = {
        "--auto-parallel": parallel,
        "--gpu": gpu,
        "--fast-math": fast_math,
        "--strict-fp": strict_fp,
        "--unchecked": unchecked,
        "--check-races": check_races,
    }
    level = () if opt is None else (f"-O{opt}",)
    return (*level, *(flag for flag, on in chosen.items() if on), *options)


def identity() -> list[object]:
    """What tells this compiler from another one."""
    compiler = find_compiler()
    stat = os.stat(compiler)
    return [str(compiler), stat.st_size, stat.st_mtime_ns]


def without_colours(text: str) -> str:
    """The text without ANSI's escape sequences."""
    return _ESCAPE.sub("", text)


_COUNT = re.compile(r"\n[^\n]*: \d+ errors?\Z")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
