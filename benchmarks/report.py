"""What a run found, as a table in Markdown, as JSON and as a plot."""

from __future__ import annotations

import json
import math
from pathlib import Path

PEERS = ["NumPy", "Numba", "Pythran", "C", "C -ffast-math"]
# What no program is faster than by more than noise.
NOISE = 1.05


def best_of(row: dict, *families: str) -> tuple[str, float] | None:
    """The fastest variant of these families ("Numba: loops" is of "Numba"), and its seconds."""
    found = {name: s for name, s in row["seconds"].items() if name.partition(":")[0] in families}
    return min(found.items(), key=lambda item: item[1]) if found else None


def best_peer(row: dict) -> tuple[str, float]:
    return best_of(row, *PEERS, "Numba fastmath")


def ours(row: dict, form: str) -> float | None:
    return row["seconds"].get(f"pydd: {form}")


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
        "Least time of a call in milliseconds; of Numba and Pythran their best form, with `fastmath` or without. The last"
        " columns are pydd's time over that of the best peer, over its own loops, and over its own time without checks.\n",
        serial_table(found["rows"]),
        summary(found["rows"]),
        "## What peers do not compile\n",
        missing_list(found["rows"]),
        "## Two threads\n",
        threads_table(found),
        "## Compile time\n",
        "Of the whole process, least of several, in milliseconds.\n",
        compile_table(found["compile"]),
    ]
    return "\n".join(parts)


def serial_table(rows: list[dict]) -> str:
    header = ["", *PEERS, "pydd", "form", "/ best peer", "/ own loops", "/ unchecked"]
    lines = []
    for row in rows:
        peers = [best_of(row, name, f"{name} fastmath") for name in PEERS]
        cells = [milliseconds(found[1]) if found else "" for found in peers]
        name, best = best_peer(row)
        loops = ours(row, "loops")
        for at, form in enumerate(row["forms"]):
            own = ours(row, form)
            lines.append(
                [
                    row["case"] if at == 0 else "",
                    *(cells if at == 0 else [""] * len(cells)),
                    milliseconds(own),
                    form,
                    f"{own / best:.2f} ({name})",
                    f"{own / loops:.2f}" if loops and form != "loops" else "",
                    f"{own / row['seconds'][f'pydd --unchecked: {form}']:.2f}",
                ]
            )
    return table(header, lines)


def summary(rows: list[dict]) -> str:
    """Geometric means, and what is slower than it should be."""
    parts = []
    for name, wanted in ("programs", False), ("programs whose work is a library's", True):
        ratios = [best_peer(row)[1] / best_of(row, "pydd")[1] for row in rows if row["library"] == wanted]
        if ratios:
            parts.append(
                f"- {name}: {len(ratios)}, best form {geometric_mean(ratios):.2f} times as fast as the best peer\n"
            )
    whole = [
        ours(row, form) / ours(row, "loops")
        for row in rows
        for form in row["forms"]
        if form != "loops" and ours(row, "loops")
    ]
    if whole:
        parts.append(f"- other forms over own loops: {geometric_mean(whole):.2f}\n")
    checks = [
        seconds / row["seconds"][name.replace("pydd:", "pydd --unchecked:")]
        for row in rows
        for name, seconds in row["seconds"].items()
        if name.startswith("pydd:")
    ]
    parts.append(f"- with checks over without: {geometric_mean(checks):.2f}\n")
    slow = [
        f"{row['case']} ({best_of(row, 'pydd')[1] / best_peer(row)[1]:.2f} of {best_peer(row)[0]})"
        for row in rows
        if best_of(row, "pydd")[1] > NOISE * best_peer(row)[1]
    ]
    if slow:
        parts.append(f"- slower than the best peer by more than 5 %: {'; '.join(slow)}\n")
    far = [
        f"{row['case']}, {form} ({ours(row, form) / ours(row, 'loops'):.2f})"
        for row in rows
        for form in row["forms"]
        if form != "loops" and ours(row, "loops") and ours(row, form) > 1.15 * ours(row, "loops")
    ]
    if far:
        parts.append(f"- slower than own loops by more than 15 %: {'; '.join(far)}\n")
    return "".join(parts)


def missing_list(rows: list[dict]) -> str:
    lines = [f"- {row['case']}, {name}: {why}\n" for row in rows for name, why in row["missing"].items()]
    return "".join(lines) or "All compile all.\n"


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
    ways = list(dict.fromkeys(way for times in compile_seconds.values() for way in times))
    lines = [
        [name, *(f"{times[way] * 1e3:.0f}" if way in times else "" for way in ways)]
        for name, times in compile_seconds.items()
    ]
    return table(["", *ways], lines)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3g}" if seconds < 0.1 else f"{seconds * 1e3:.0f}"


def table(header: list[str], lines: list[list[str]]) -> str:
    rows = [header, ["---"] + ["---:"] * (len(header) - 1), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows) + "\n"


def plot(found: dict, path: Path) -> None:
    """Each peer's time over that of pydd's best form, a line for each case."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = found["rows"][::-1]
    markers = {"NumPy": "s", "Numba": "^", "Pythran": "v", "C": "o", "C -ffast-math": "D"}
    figure, axes = pyplot.subplots(figsize=(8, 1.2 + 0.34 * len(rows)), layout="constrained")
    for name, marker in markers.items():
        peers = [
            (best_of(row, name, f"{name} fastmath"), best_of(row, "pydd")[1], at)
            for at, row in enumerate(rows)
        ]
        points = [(peer[1] / own, at) for peer, own, at in peers if peer]
        if points:
            axes.plot(*zip(*points), marker, label=name, alpha=0.8)
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
