"""Bars of the times that docs/speed.md lists, for the home page."""

from __future__ import annotations

import html
from pathlib import Path

# Programs of the first table, and its columns, by the names that stand there.
PROGRAMS = (
    "Black-Scholes",
    "k-means, `assign`",
    "n-body",
    "2-D stencil, out of cache",
    "sparse matrix times vector, `A @ x`",
    "triangles of a graph",
)
COLUMNS = {"Numba": "other", "C": "other", "C, `-ffast-math`": "other", "pydd": "pydd"}
NUMPY = "NumPy, SciPy"


def bars(page: Path) -> str:
    """HTML; of each program the longest bar is as wide as the place allows."""
    rows = _table(page)
    parts = []
    for program in PROGRAMS:
        row = rows[program]
        longest = max(float(row[column]) for column in COLUMNS)
        lines = "".join(
            f'<div class="bar {kind}"><span class="who">{html.escape(column.replace("`", ""))}</span>'
            f'<span class="track"><span class="fill" style="width:{100 * float(row[column]) / longest:.1f}%"></span></span>'
            f'<span class="time">{row[column]} ms</span></div>'
            for column, kind in COLUMNS.items()
        )
        title = html.escape(program.replace("`", ""))
        parts.append(
            f'<div class="program"><h4>{title}</h4>{lines}<p>NumPy, SciPy: {row[NUMPY]} ms</p></div>'
        )
    return f'<div class="bars">{"".join(parts)}</div>'


def _table(page: Path) -> dict[str, dict[str, str]]:
    """The first table of the page: of each row its cells by the column's name."""
    lines = iter(page.read_text(encoding="utf-8").split("\n"))
    head = next(line for line in lines if line.startswith("| |"))
    columns = [cell.strip() for cell in head.strip("|").split("|")]
    next(lines)
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            return rows
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[cells[0]] = dict(zip(columns, cells, strict=True))
    return rows
