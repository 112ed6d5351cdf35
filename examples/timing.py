"""What the examples share: times of calls, and a table of them."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from pydd_runtime import get_num_threads, set_num_threads

PICTURES = Path(__file__).resolve().parent.parent / "build" / "demo"


def pictures_folder(description: str) -> Path:
    """The folder for pictures, made if it is not there: `--out FOLDER`, or build/demo."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, default=PICTURES, help="folder for the pictures")
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def best_of(times: int, run):
    """The shortest of `times` runs in seconds, and the last result."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def with_threads(threads: int, run):
    """`run` as it is called with so many threads for `pfor`."""

    def run_with():
        before = get_num_threads()
        set_num_threads(threads)
        try:
            return run()
        finally:
            set_num_threads(before)

    return run_with


def print_table(rows: list[tuple[str, float]]) -> None:
    """Names and seconds; speed-ups are over the first row."""
    reference = rows[0][1]
    width = max(len(name) for name, _ in rows)
    print(f"{'':{width}}  {'best time':>10}  {'speed-up':>8}")
    for name, seconds in rows:
        print(f"{name:{width}}  {seconds * 1e3:7.1f} ms  {reference / seconds:7.1f}x")
