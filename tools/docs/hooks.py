"""Hooks of MkDocs: the pages of the site that nobody writes by hand.

What the compiler knows comes from the compiler (`reference.py`), reports from the programs that the pages show, and the
changelog, tutorials and the like from where they are. Nothing of it is kept in the repository.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pygments.lexers import PythonLexer
from pygments.token import Keyword

sys.path.insert(0, str(Path(__file__).parent))
import chart
import compiler
import reference
import tutorials
from snippets import REPOSITORY, file_in

# Pages of files outside docs/.
BESIDE = {
    "changelog.md": "CHANGELOG.md",
    "architecture.md": "ARCHITECTURE.md",
    "contributing.md": "CONTRIBUTING.md",
}
# They name everything, and are seldom what a search is for.
FOUND_LAST = "---\nsearch:\n  boost: 0.2\n---\n"
# Reports of programs of a page: the page, the file it shows, options.
REPORTS = {
    "reports/softmax.html": ("guide/report.md", "softmax.pydd", ["--cpu=x86-64-v3"]),
    "reports/distances.html": ("guide/loops.md", "distances.pydd", ["--cpu=x86-64-v3"]),
}

# `pfor` reads as a keyword.
PythonLexer.tokens["keywords"].insert(0, (r"pfor\b", Keyword))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Puts the pages that are made into the navigation, where it says `made: NAME`."""
    made = {"library": reference.library(), "tutorials": tutorials.pages()}
    config.extra["made"] = {path: text for pages in made.values() for path, (_, text) in pages.items()}
    config.nav = _with_made(config.nav, made)
    how_to = next(section["How to"] for section in config.nav if "How to" in section)
    how_to += _unnamed(Path(config.docs_dir), config.nav)
    return config


def _with_made(nav: list, made: dict) -> list:
    expanded = []
    for entry in nav:
        (title, below), *_ = entry.items()
        if title == "made":
            expanded += [{name: path} for path, (name, _) in made[below].items()]
        elif isinstance(below, list):
            expanded.append({title: _with_made(below, made)})
        else:
            expanded.append(entry)
    return expanded


def _unnamed(folder: Path, nav: list) -> list[str]:
    """Pages that nobody gave a place: they are found at the end of a section, by their own titles."""
    named = set(re.findall(r"'([^']+\.md)'", repr(nav)))
    written = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    return [path for path in written if path not in named]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    texts = {**config.extra["made"], **reference.diagnostics(), **tutorials.notebooks()}
    texts["command-line.md"] = reference.command_line()
    for path, source in BESIDE.items():
        texts[path] = FOUND_LAST + (REPOSITORY / source).read_text(encoding="utf-8")
    for path, (page, file, options) in REPORTS.items():
        texts[path] = compiler.report(file, file_in(REPOSITORY / "docs" / page, file), options)
    for path, text in texts.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_) -> str:
    path = page.file.src_uri
    if path in BESIDE:
        # Links from the root of the repository into docs/.
        return re.sub(r"\]\(docs/", "](", markdown)
    if path == "index.md":
        return markdown.replace("<!-- chart -->", chart.bars(REPOSITORY / "docs" / "speed.md"))
    # Where code in a table holds a bar, GitHub wants a backslash, and Python-Markdown would show it.
    return re.sub(r"(?m)^\|.*$", lambda row: re.sub(r"`[^`]*`", _plain_bars, row[0]), markdown)


def _plain_bars(code: re.Match[str]) -> str:
    return code[0].replace("\\|", "|")
