"""The fenced blocks of a page of the documentation.

A block is run by the tests as its fence says (CONTRIBUTING.md has the table). One that cannot run has a comment above it
that says why: `<!-- not run: needs root -->`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
_OPENING = re.compile(r"^(?P<indent> *)(?P<fence>```+)(?P<language>[\w+-]*)(?P<rest>.*)$")
_TITLE = re.compile(r'\btitle="([^"]*)"')
_NOT_RUN = re.compile(r"^ *<!-- not run: (.+) -->$")


@dataclass(frozen=True)
class Block:
    """`text` is without the indentation of the fence; `line` is that of its first line of text, counted from 1."""

    line: int
    language: str
    title: str | None
    not_run: str | None
    indent: str
    text: str

    @property
    def end(self) -> int:
        """The line of the closing fence."""
        return self.line + self.text.count("\n")

    @property
    def is_cell(self) -> bool:
        """A cell of a notebook, such as `In [3]`."""
        return self.title is not None and self.title.startswith("In [")

    @property
    def file(self) -> str | None:
        """The name of the file that the block shows."""
        return None if self.is_cell else self.title


def pages() -> list[Path]:
    """The written pages, and what shows on package indexes. Pages that a script makes are not in the repository."""
    readmes = [REPOSITORY / "README.md", *sorted(REPOSITORY.glob("pylib/*/README.md"))]
    return [*readmes, *sorted((REPOSITORY / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    found = []
    lines = page.read_text(encoding="utf-8").split("\n")
    number = 0
    while number < len(lines):
        opening = _OPENING.match(lines[number])
        if not opening:
            number += 1
            continue
        indent = opening["indent"]
        start = number + 1
        number = start
        while number < len(lines) and lines[number].strip() != opening["fence"]:
            number += 1
        if number == len(lines):
            raise ValueError(f"{page}:{start}: a fence that is not closed")
        title = _TITLE.search(opening["rest"])
        reason = _NOT_RUN.match(lines[start - 2]) if start >= 2 else None
        text = "".join(line.removeprefix(indent) + "\n" for line in lines[start:number])
        found.append(
            Block(
                line=start + 1,
                language=opening["language"],
                title=title and title[1],
                not_run=reason and reason[1],
                indent=indent,
                text=text,
            )
        )
        number += 1
    return found


def file_in(page: Path, name: str) -> str:
    """What the page shows as the file `name`, at its first place."""
    return next(block.text for block in blocks(page) if block.file == name)
