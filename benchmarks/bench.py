"""Each example against NumPy and Numba in one run: equal results, least of several times.

Usage: python benchmarks/bench.py [--case NAME]... [--seconds S]

Prints a table and writes `benchmarks/results/<date>.json`. A case is a module `case_*.py` in this
folder with a function `cases(module)`: it takes a function that compiles an example and yields `Case`s.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import importlib
import json
import os
import platform
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "examples")]

import pydd  # noqa: E402
from case import Case  # noqa: E402


def least(run, seconds: float) -> float:
    """The least time of one call: at least 3 calls, and calls for about `seconds`."""
    best, spent, count = float("inf"), 0.0, 0
    while count < 3 or spent < seconds:
        start = time.perf_counter()
        run()
        once = time.perf_counter() - start
        best, spent, count = min(best, once), spent + once, count + 1
    return best


def measure(case: Case, seconds: float) -> dict:
    """Times of every variant by name; the first variant's result is what the others are checked against."""
    expected, row = None, {"case": case.name, "seconds": {}, "first_call": {}}
    for name, function in case.variants.items():
        start = time.perf_counter()
        result = function(*case.arguments())
        row["first_call"][name] = time.perf_counter() - start
        if expected is None:
            expected = result
        else:
            case.check(result, expected)
        arguments = case.arguments()
        row["seconds"][name] = least(functools.partial(function, *arguments), seconds)
    return row


def compile_example(folder: Path, compile_seconds: dict[str, float]):
    """A function that compiles `examples/<name>.pydd`, notes how long the process took, and imports it."""

    def module(name: str):
        source = ROOT / "examples" / f"{name}.pydd"
        target = folder / f"{name}.abi3.so"
        compile_seconds[name] = least(lambda: pydd.compile(source, output=target), 0.5)
        return pydd.load(source)

    return module


def print_table(rows: list[dict]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row["seconds"]))
    width = max(len(row["case"]) for row in rows)
    print(f"{'least time, ms':{width}}  " + "  ".join(f"{name:>16}" for name in names))
    for row in rows:
        cells = (row["seconds"].get(name) for name in names)
        texts = ("-" if cell is None else f"{cell * 1e3:.3f}" for cell in cells)
        print(f"{row['case']:{width}}  " + "  ".join(f"{text:>16}" for text in texts))


def machine() -> dict:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.processor()
    packages = ["numpy", "numba", "pydd-compiler", "pydd-runtime"]
    return {
        "cpu": cpu,
        "processors": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--case", action="append", help="only cases whose name contains this; may be repeated"
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time of each variant")
    options = parser.parse_args()

    compile_seconds: dict[str, float] = {}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        module = compile_example(Path(folder), compile_seconds)
        for file in sorted(HERE.glob("case_*.py")):
            for case in importlib.import_module(file.stem).cases(module):
                if not options.case or any(part in case.name for part in options.case):
                    rows.append(measure(case, options.seconds))
    if not rows:
        sys.exit("no such case")

    print_table(rows)
    for name, seconds in compile_seconds.items():
        print(f"compiling {name}.pydd, whole process: {seconds * 1e3:.0f} ms")
    now = datetime.datetime.now()
    results = HERE / "results" / f"{now:%Y-%m-%d-%H%M%S}.json"
    results.parent.mkdir(exist_ok=True)
    report = {
        "date": now.isoformat(timespec="seconds"),
        "machine": machine(),
        "compile": compile_seconds,
        "rows": rows,
    }
    results.write_text(json.dumps(report, indent=2) + "\n")
    print(f"written: {results}")


if __name__ == "__main__":
    main()
