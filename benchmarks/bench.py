"""Programs against NumPy, Numba and C in one run: equal results, variants in turns, least of many times.

Usage: python benchmarks/bench.py [--case NAME]... [--seconds S] [--cpu-time] [--results FOLDER]

Writes a table (Markdown), all numbers (JSON) and a plot into `benchmarks/results/`. A program is a folder
`programs/<name>` with the kernel `<name>.pydd`, the C twin `<name>.c`, and `<name>.py`, which has the NumPy
and Numba versions and a function `cases()`. Where an example is the same program, the kernel is in `examples/`.
"""

from __future__ import annotations

import os

# NumPy's BLAS has one thread, as all that it is compared with; before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import contextlib
import datetime
import functools
import importlib.util
import io
import platform
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from numba import njit

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "examples")]

import measure  # noqa: E402
import pydd  # noqa: E402
import report  # noqa: E402
import twins  # noqa: E402
from case import PROGRAMS, Case  # noqa: E402
from measure import Variant  # noqa: E402

LEVELS = {"-O3": ["-O3"], "-O0": ["-O0"]}
# A process is started this often; its least time counts.
COMPILATIONS = 7


class Sources:
    """Compiles each kernel file and its twin once, and keeps what that took."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.compile_seconds: dict[str, dict[str, float]] = {}

    @functools.cache  # noqa: B019 (lives as long as the process)
    def kernels(self, source: Path):
        """The module, the one without checks, and the twins by their flags."""
        seconds = self.compile_seconds[source.stem] = {}
        for level, options in LEVELS.items():
            target = self.folder / f"{source.stem}{level[1:]}.abi3.so"
            seconds[level] = least_seconds(
                lambda o=options, t=target: pydd.compile(source, output=t, options=o)
            )
        twin = PROGRAMS / source.stem / f"{source.stem}.c"
        plain, seconds["gcc"] = twins.build(twin, self.folder)
        fast, _ = twins.build(twin, self.folder, ("-ffast-math",))
        return pydd.load(source), pydd.load(source, options=["--unchecked"]), plain, fast


def least_seconds(run) -> float:
    """Of a compilation; what it remarks is said by the one that is loaded."""
    times = []
    with contextlib.redirect_stderr(io.StringIO()):
        for _ in range(COMPILATIONS):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
    return min(times)


def variants_of(case: Case, sources: Sources) -> dict[str, Variant]:
    """All variants, with equal results checked; the first call of each is outside all times."""
    checked, unchecked, plain, fast = sources.kernels(case.source)
    functions = {
        "NumPy": case.numpy,
        "Numba": njit(case.numba),
        "C": case.c(plain),
        "C -ffast-math": case.c(fast),
        "pydd": getattr(checked, case.function),
        "pydd --unchecked": getattr(unchecked, case.function),
    }
    arguments = case.arguments()
    variants = {name: Variant(run, arguments) for name, run in functions.items()}
    if case.numba_arguments:
        variants["Numba"].arguments = case.numba_arguments(*arguments)
    if case.small:
        variants["pydd, 2 threads"] = Variant(functions["pydd"], arguments, threads=2)
    expected = None
    for name, variant in variants.items():
        result = variant.once()
        expected = result if expected is None else expected
        try:
            case.check(result, expected)
        except AssertionError as error:
            sys.exit(f"{case.name}: {name} and {next(iter(variants))} differ: {error}")
    return variants


def run_case(case: Case, sources: Sources, seconds: float, clock) -> dict:
    variants = variants_of(case, sources)
    row = {"case": case.name, "program": case.source.stem, "bytes": case.bytes}
    parallel = {name: v for name, v in variants.items() if v.threads > 1 or name == "pydd"}
    row["seconds"] = measure.in_turns({n: v for n, v in variants.items() if v.threads == 1}, seconds, clock)
    if case.small:
        # Both of them in turns by the wall's clock: it is what threads are for.
        one, two = measure.in_turns(parallel, seconds / 3, time.perf_counter).values()
        small = [Variant(variants["pydd"].run, case.small(), threads) for threads in (1, 2)]
        row["threads"] = {"1": one, "2": two, "small": measure.median_ratio(*small)}
    return row


def find_cases(wanted: list[str] | None):
    for file in sorted(PROGRAMS.glob("*/*.py")):
        spec = importlib.util.spec_from_file_location(f"program_{file.stem}", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for case in module.cases():
            if not wanted or any(part in case.name for part in wanted):
                yield case


def machine() -> dict:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.processor()
    packages = ["numpy", "scipy", "numba", "pydd-compiler", "pydd-runtime"]
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
    parser.add_argument("--seconds", type=float, default=4.0, help="measuring time of each case")
    parser.add_argument(
        "--cpu-time",
        action="store_true",
        help="processor time instead of the wall's for what runs on one thread: for a machine that others use too",
    )
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder for what is written")
    options = parser.parse_args()
    clock = time.process_time if options.cpu_time else time.perf_counter

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        sources = Sources(Path(folder))
        for case in find_cases(options.case):
            print(case.name, file=sys.stderr)
            rows.append(run_case(case, sources, options.seconds, clock))
    if not rows:
        sys.exit("no such case")
    copy = pydd.load(PROGRAMS / "copy.pydd").copy
    now = datetime.datetime.now()
    found = {
        "date": now.isoformat(timespec="seconds"),
        "machine": machine(),
        "clock": "processor time" if options.cpu_time else "wall time",
        "copy_bandwidth": {n: measure.copy_bandwidth(copy, n, options.seconds / 4) for n in (1, 2)},
        "compile": sources.compile_seconds,
        "rows": rows,
    }
    report.write(found, options.results / f"{now:%Y-%m-%d-%H%M%S}")


if __name__ == "__main__":
    main()
