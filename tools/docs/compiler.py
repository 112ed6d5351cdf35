"""The compiler that the documentation is made with: the one beside the Python that runs this, else that of the path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path


@cache
def _command(name: str) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=path)
    if found is None:
        raise FileNotFoundError(f"there is no {name}; `make wheels` makes it")
    return found


def says(*arguments: str, command: str = "pyddc") -> str:
    """What the command prints."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(
        [_command(command), *arguments], capture_output=True, encoding="utf-8", check=True, env=environment
    )
    return done.stdout


def report(name: str, source: str, options: list[str]) -> str:
    """The page of `--report=FILE.html` of a program."""
    with tempfile.TemporaryDirectory() as folder:
        file, page = Path(folder, name), Path(folder, "report.html")
        file.write_text(source, encoding="utf-8")
        subprocess.run([_command("pyddc"), f"--report={page}", *options, name], cwd=folder, check=True)
        return page.read_text(encoding="utf-8")
