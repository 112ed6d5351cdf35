"""Pages of the notebooks in examples/notebooks."""

from __future__ import annotations

import json
from pathlib import Path

from snippets import REPOSITORY

FOLDER = REPOSITORY / "examples" / "notebooks"


def pages() -> dict[str, tuple[str, str]]:
    """Of each notebook: path, title, text."""
    made = {}
    for notebook in sorted(FOLDER.glob("*.ipynb")):
        text = _text(notebook)
        title = text.split("\n", 1)[0].removeprefix("# ").replace("`", "")
        made[f"tutorials/{notebook.stem}.md"] = (title, text)
    return made


def notebooks() -> dict[str, str]:
    """The notebooks themselves, beside their pages: path, content."""
    return {
        f"tutorials/{notebook.name}": notebook.read_text(encoding="utf-8")
        for notebook in FOLDER.glob("*.ipynb")
    }


def _text(notebook: Path) -> str:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    head, *rest = [
        "".join(cell["source"]) if cell["cell_type"] == "markdown" else _code(cell) for cell in cells
    ]
    note = f'!!! note ""\n    [Take this notebook]({notebook.name}){{ download="" }} and run it to see what it shows.'
    title, _, below = head.partition("\n")
    return "\n\n".join([title, note, below.strip(), *rest]) + "\n"


def _code(cell: dict) -> str:
    return "```python\n" + "".join(cell["source"]) + "\n```"
