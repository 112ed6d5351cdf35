"""What a run found, as a table in Markdown, as JSON and as a plot."""

from __future__ import annotations

import json
import math
from pathlib import Path

SERIAL = ["NumPy", "Numba", "C", "C -ffast-math", "pydd", "pydd --unchecked"]
PEERS = ["NumPy", "Numba", "C"]


def best_peer(row: dict) -> tuple[str, float]:
    name = min(PEERS, key=row["seconds"].get)
    return name, row["seconds"][name]


def geometric_mean(values) -> float:
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def write(found: dict, stem: Path) -> None:
    """Write `stem`.json, .md and .png, and print the table."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    text = markdown(found)
    stem.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n")
    stem.with_suffix(".md").write_text(text)
    plot(found, stem.with_suffix(".png"))
    print(text)
    print(f"written: {stem}.json, .md, .png")


def markdown(found: dict) -> str:
    machine = found["machine"]
    parts = [
        f"# {found['date']}\n",
        ", ".join(f"{name} {value}" for name, value in machine.items()) + f"; {found['clock']}.\n",
        "## One thread\n",
        "Least time of a call in milliseconds. The last columns are pydd's time over that of the best of NumPy, Numba"
        " and C, over that of C with `-ffast-math`, and over its own time without checks.\n",
        serial_table(found["rows"]),
        "## Two threads\n",
        threads_table(found),
        "## Compile time\n",
        "Of the whole process, least of several, in milliseconds.\n",
        compile_table(found["compile"]),
    ]
    return "\n".join(parts)


def serial_table(rows: list[dict]) -> str:
    lines = []
    for row in rows:
        seconds = row["seconds"]
        name, best = best_peer(row)
        ratios = [
            f"{seconds['pydd'] / best:.2f} ({name})",
            f"{seconds['pydd'] / seconds['C -ffast-math']:.2f}",
            f"{seconds['pydd'] / seconds['pydd --unchecked']:.2f}",
        ]
        lines.append([row["case"], *(milliseconds(seconds[name]) for name in SERIAL), *ratios])
    checks = geometric_mean(row["seconds"]["pydd"] / row["seconds"]["pydd --unchecked"] for row in rows)
    bests = geometric_mean(row["seconds"]["pydd"] / best_peer(row)[1] for row in rows)
    fasts = geometric_mean(row["seconds"]["pydd"] / row["seconds"]["C -ffast-math"] for row in rows)
    lines.append(["geometric mean", *[""] * len(SERIAL), f"{bests:.2f}", f"{fasts:.2f}", f"{checks:.2f}"])
    return table(["", *SERIAL, "/ best peer", "/ C -ffast-math", "/ unchecked"], lines)


def threads_table(found: dict) -> str:
    copy = found["copy_bandwidth"]
    lines = [["copy", "", "", f"{copy[2] / copy[1]:.2f}", "", f"{copy[1] / 1e9:.1f}", f"{copy[2] / 1e9:.1f}"]]
    for row in found["rows"]:
        if "threads" not in row:
            continue
        one, two, small = (row["threads"][key] for key in ("1", "2", "small"))
        rates = [f"{row['bytes'] / t / 1e9:.1f}" for t in (one, two)] if row["bytes"] else ["", ""]
        lines.append(
            [row["case"], milliseconds(one), milliseconds(two), f"{one / two:.2f}", f"{small:.2f}", *rates]
        )
    header = ["", "one, ms", "two, ms", "speed-up", "small input, two over one", "one, GB/s", "two, GB/s"]
    return table(header, lines)


def compile_table(compile_seconds: dict[str, dict[str, float]]) -> str:
    ways = list(next(iter(compile_seconds.values())))
    lines = [[name, *(f"{times[way] * 1e3:.0f}" for way in ways)] for name, times in compile_seconds.items()]
    return table(["", *ways], lines)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g}" if seconds < 0.1 else f"{seconds * 1e3:.0f}"


def table(header: list[str], lines: list[list[str]]) -> str:
    rows = [header, ["---"] + ["---:"] * (len(header) - 1), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows) + "\n"


def plot(found: dict, path: Path) -> None:
    """Each variant's time over pydd's, a line for each case."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = found["rows"][::-1]
    markers = {"NumPy": "s", "Numba": "^", "C": "o", "C -ffast-math": "D"}
    figure, axes = pyplot.subplots(figsize=(8, 1.2 + 0.34 * len(rows)), layout="constrained")
    for name, marker in markers.items():
        ratios = [row["seconds"][name] / row["seconds"]["pydd"] for row in rows]
        axes.plot(ratios, range(len(rows)), marker, label=name, alpha=0.8)
    axes.axvline(1.0, color="black", linewidth=1)
    axes.set_xscale("log")
    ticks = [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(rows)), [row["case"] for row in rows])
    axes.grid(alpha=0.3)
    axes.set_xlabel("time over pydd's, one thread (right of 1: pydd is faster)")
    axes.legend(loc="upper right", framealpha=1.0)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
