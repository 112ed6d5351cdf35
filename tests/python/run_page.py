"""usage: run_page.py PAGE: does what a page of the documentation shows, in order, in the present folder.

`test_docs.py` runs it, in a new folder. Writes one JSON object: how many blocks ran, which did not and why, and what failed.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import os
import re
import subprocess
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "docs"))
from snippets import Block, blocks

# A command that hangs must not hang the tests.
SECONDS = 60


@dataclass
class Failure:
    """What is wrong at a line. Where shown output differs, `shown` is the block as it would be right."""

    line: int
    message: str
    block: Block | None = None
    shown: str | None = None


def agrees(actual: str, shown: str) -> bool:
    """Whether output is what a page shows: `…` stands for anything within a line, alone for any lines."""
    pattern = []
    for line in shown.rstrip().split("\n"):
        if line.strip() == "…":
            pattern.append(r"(?:.*\n)*")
        else:
            pattern.append(r".*".join(map(re.escape, line.rstrip().split("…"))) + "\n")
    text = "".join(line.rstrip() + "\n" for line in actual.rstrip().split("\n"))
    return re.fullmatch("".join(pattern), text) is not None


def differs(block: Block, actual: str, shown: str, whole: str) -> Failure:
    return Failure(block.line, f"the page shows\n{shown}\nand the output is\n{actual}", block, whole)


class Page:
    """The state of a reader at the keyboard."""

    def __init__(self, path: Path) -> None:
        # Under `make test`, a page's `make` would say which folder it enters.
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
            os.environ.pop(name, None)
        self.path = path
        self.blocks = blocks(path)
        # A module, so that what is defined can be found and pickled.
        self.module = types.ModuleType("page")
        sys.modules["page"] = self.module
        self.shell = None
        self.ran = 0

    def run(self) -> Iterator[Failure]:
        shown = None
        for at, block in enumerate(self.blocks):
            if block is shown or block.not_run:
                continue
            follower = self.blocks[at + 1] if at + 1 < len(self.blocks) else None
            shown = follower if follower and follower.language == "text" and not follower.not_run else None
            self.ran += 1
            if block.file:
                self.write(block)
                shown = None
            elif block.language == "console":
                yield from self.console(block)
                shown = None
            elif block.language == "pycon":
                yield from self.session(block)
                shown = None
            elif block.is_cell:
                yield from self.output(block, shown, self.cell)
            elif block.language == "python":
                yield from self.output(block, shown, self.python)
            else:
                yield Failure(
                    block.line, f"nothing says how to run a block of {block.language or 'no language'}"
                )

    @staticmethod
    def write(block: Block) -> None:
        path = Path(block.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def output(self, block: Block, shown: Block | None, run: Callable[[Block], str]) -> Iterator[Failure]:
        try:
            actual = run(block)
        except Exception:
            yield Failure(block.line, traceback.format_exc())
            return
        if shown:
            if not agrees(actual, shown.text):
                yield differs(shown, actual, shown.text, actual)
        elif "PyddWarning" in actual:
            yield Failure(block.line, f"a warning that the page does not show:\n{actual}")

    def python(self, block: Block) -> str:
        # A file, since `pydd.jit` reads the source of functions.
        file = Path(f"page_{block.line}.py").resolve()
        file.write_text(block.text, encoding="utf-8")
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            exec(compile(block.text, str(file), "exec"), self.module.__dict__)
        return text.getvalue()

    def cell(self, block: Block) -> str:
        from IPython.core.interactiveshell import InteractiveShell
        from IPython.utils.capture import capture_output

        if self.shell is None:
            self.shell = InteractiveShell.instance(colors="nocolor")
        with capture_output() as captured:
            result = self.shell.run_cell(block.text.rstrip("\n"), store_history=True)
        failure = result.error_before_exec or result.error_in_exec
        if failure:
            raise failure
        shows = [str(each.data.get("text/plain", "")) for each in captured.outputs]
        return re.sub(r"^Out\[\d+\]: ", "", captured.stdout, flags=re.M) + captured.stderr + "".join(shows)

    def session(self, block: Block) -> Iterator[Failure]:
        right, wrong = [], []
        for example in doctest.DocTestParser().get_examples(block.text):
            actual = self.typed(example.source)
            agreed = agrees(actual, example.want)
            if not agreed:
                wrong.append(f"{example.source}the page shows\n{example.want}\nand the output is\n{actual}")
            first, *others = example.source.rstrip("\n").split("\n")
            right += [
                f">>> {first}\n",
                *(f"... {line}\n" for line in others),
                example.want if agreed else actual,
            ]
        if wrong:
            yield Failure(block.line, "\n".join(wrong), block, "".join(right))

    def typed(self, source: str) -> str:
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            try:
                exec(
                    compile(ast.Interactive(ast.parse(source).body), "<typed>", "single"),
                    self.module.__dict__,
                )
            except Exception as error:
                text.write("Traceback (most recent call last):\n  …\n")
                text.write("".join(traceback.format_exception_only(error)))
        return text.getvalue()

    def console(self, block: Block) -> Iterator[Failure]:
        """Each command in a shell of its own; a command that fails must show what it says."""
        right, wrong = [], []
        for command, want in commands(block.text):
            done = subprocess.run(
                ["bash", "-c", command],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                encoding="utf-8",
                timeout=SECONDS,
            )
            agreed = agrees(done.stdout, want)
            if not agreed:
                wrong.append(f"$ {command}\nthe page shows\n{want}\nand the output is\n{done.stdout}")
            elif done.returncode and not want.strip():
                wrong.append(f"$ {command}\nexit status {done.returncode}")
            right += [f"$ {command}\n", want if agreed else done.stdout]
        if wrong:
            yield Failure(block.line, "\n".join(wrong), block, "".join(right))


def commands(text: str) -> list[tuple[str, str]]:
    """Commands of a block, which may go on after a backslash, and the output below each."""
    found: list[list[str]] = []
    open_command = False
    for line in text.splitlines(keepends=True):
        if open_command:
            found[-1][0] += line
        elif line.startswith("$ "):
            found.append([line[2:], ""])
        else:
            found[-1][1] += line
            continue
        open_command = line.rstrip("\n").endswith("\\")
    return [(command.rstrip("\n"), want) for command, want in found]


def main(path: Path) -> None:
    sys.path.insert(0, os.getcwd())
    page = Page(path)
    failures = [asdict(each) for each in page.run()]
    not_run = [block.not_run for block in page.blocks if block.not_run]
    json.dump({"ran": page.ran, "not_run": not_run, "failures": failures}, sys.__stdout__)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
