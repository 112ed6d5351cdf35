"""What the optimiser's parts are worth: the programs of Intrepydd's paper, with none of them and with one after the other.

Usage: python benchmarks/passes.py [--case NAME]... [--seconds S]

Each form of each program is compiled as often as the table has columns; results are compared. Times are of one thread.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "examples")]

import bench  # noqa: E402

import measure  # noqa: E402
import pydd  # noqa: E402
import report  # noqa: E402
from case import Case  # noqa: E402
from measure import Variant  # noqa: E402

PROGRAMS = ["bigclam", "heapchange", "ipnsw", "ista", "prnibble", "sinkhorn"]

# Passes by what they are for, in the order in which the table adds them.
PARTS = {
    "LICM": ["licm"],
    "fusion": [
        *(
            "fuse",
            "fuse-masks",
            "group-masks",
            "transpose-last",
            "at-extremes",
            "array-lists",
            "scan-indices",
            "forward",
            "expect-lengths",
            "fuse-loops",
            "contract",
            "short-axes",
        ),
        *(
            "unroll",
            "scalarize",
            "join-rows",
            "coalesce",
            "single-block",
            "interchange",
            "lanes",
            "if-convert",
        ),
    ],
    "sparse": ["mask-products", "sample"],
    "memory": ["elide-copies", "apart", "hoist-arrays"],
}


def columns() -> dict[str, list[str]]:
    """For each column the options that leave out the parts to its right."""
    names = list(PARTS)
    skipped = {"off": names} | {f"+{name}": names[at + 1 :] for at, name in enumerate(names)}
    return {
        column: [option for part in parts for each in PARTS[part] for option in ("--skip-pass", each)]
        for column, parts in skipped.items()
    }


def measured(case: Case, form: str, seconds: float) -> dict[str, float]:
    """Seconds of a call, by column."""
    arguments = case.arguments_of(form, case.arguments())
    variants = {}
    for column, options in columns().items():
        module = pydd.load(case.source, options=options)
        variants[column] = Variant(getattr(module, case.forms[form]), arguments)
    expected = variants["off"].once()
    for variant in variants.values():
        case.check(variant.once(), expected)
    return measure.in_turns(variants, seconds, time.perf_counter)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--case", action="append", help="only cases whose name contains this; may be repeated"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="measuring time of each line")
    options = parser.parse_args()
    lines, gains = [], []
    for case in bench.find_cases(options.case):
        if case.source.stem not in PROGRAMS:
            continue
        for form in case.forms:
            print(f"{case.name}, {form}", file=sys.stderr)
            seconds = measured(case, form, options.seconds)
            gains.append(seconds["off"] / min(seconds.values()))
            cells = [report.milliseconds(each) for each in seconds.values()]
            lines.append([f"{case.name}, {form}", *cells, f"{gains[-1]:.2f}"])
    if not lines:
        sys.exit("no such case")
    print("Least time of a call in milliseconds; the last column is off over the best.\n")
    print(report.table(["", *columns(), "gain"], lines))
    print(f"geometric mean of the gains: {report.geometric_mean(gains):.2f}")


if __name__ == "__main__":
    main()
