"""Programs against NumPy, Numba, Pythran and C in one run: equal results, variants in turns, least of many times.

Usage: python benchmarks/bench.py [--case NAME]... [--seconds S] [--cpu-time] [--pythran] [--results FOLDER]

Writes a table (Markdown), all numbers (JSON) and a plot into `benchmarks/results/`. A program is a folder
`programs/<name>` with the kernels `<name>.pydd` (one for each form: loops, whole arrays, sparse), the C twin `<name>.c`,
and `<name>.py` with a function `cases()`. Where an example is the same program, the kernels are in `examples/`.
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
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace

from numba import njit

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "examples")]

import peers  # noqa: E402

import measure  # noqa: E402
import pydd  # noqa: E402
import report  # noqa: E402
import twins  # noqa: E402
from case import PROGRAMS, Case  # noqa: E402
from measure import Variant  # noqa: E402

LEVELS = {"-O3": ["-O3"], "-O0": ["-O0"]}
# A process is started this often; its least time counts.
COMPILATIONS = 7


@dataclass
class Built:
    """What one kernel file became."""

    checked: ModuleType
    unchecked: ModuleType
    python: ModuleType
    numba: dict[str, Callable]
    fast_numba: dict[str, Callable]
    c: SimpleNamespace | None
    fast_c: SimpleNamespace | None


class Sources:
    """Compiles each kernel file and its twin once, and keeps what that took."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.compile_seconds: dict[str, dict[str, float]] = {}

    @functools.cache  # noqa: B019 (lives as long as the process)
    def build(self, source: Path) -> Built:
        seconds = self.compile_seconds[source.stem] = {}
        for level, options in LEVELS.items():
            target = self.folder / f"{source.stem}{level[1:]}.abi3.so"
            seconds[level] = least_seconds(
                lambda o=options, t=target: pydd.compile(source, output=t, options=o)
            )
        twin = PROGRAMS / source.stem / f"{source.stem}.c"
        plain = fast = None
        if twin.exists():
            plain, seconds["gcc"] = twins.build(twin, self.folder)
            fast, _ = twins.build(twin, self.folder, ("-ffast-math",))
        return Built(
            checked=pydd.load(source),
            unchecked=pydd.load(source, options=["--unchecked"]),
            python=peers.as_python(source),
            numba=peers.as_numba(source),
            fast_numba=peers.as_fast_numba(source),
            c=plain,
            fast_c=fast,
        )


def least_seconds(run) -> float:
    """Of a compilation; what it remarks is said by the one that is loaded."""
    times = []
    with contextlib.redirect_stderr(io.StringIO()):
        for _ in range(COMPILATIONS):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
    return min(times)


def in_python(case: Case, module: ModuleType, arguments: tuple) -> Variant:
    """What NumPy does: where the case does not say it, the form that CPython is fastest with."""
    if case.numpy:
        return Variant(case.numpy, arguments)
    forms = [form for form in case.forms if form != "loops"] or list(case.forms)
    variants = [
        Variant(getattr(module, case.forms[form]), case.arguments_of(form, arguments)) for form in forms
    ]
    return variants[0] if len(variants) == 1 else min(variants, key=seconds_of_a_call)


def seconds_of_a_call(variant: Variant) -> float:
    """Of the second one."""
    variant.once()
    start = time.perf_counter()
    variant.once()
    return time.perf_counter() - start


def kernels(case: Case, built: Built, arguments: tuple) -> dict[str, Variant]:
    """What NumPy does, and each form with and without checks."""
    variants = {"NumPy": in_python(case, built.python, arguments)}
    for form, function in case.forms.items():
        own = case.arguments_of(form, arguments)
        variants[f"pydd: {form}"] = Variant(getattr(built.checked, function), own)
        variants[f"pydd --unchecked: {form}"] = Variant(getattr(built.unchecked, function), own)
    return variants


def compiled_peers(case: Case, built: Built, arguments: tuple, pythran: bool):
    """Name and maker of each peer that compiles the program; a maker raises where the peer does not."""
    if built.c is not None and case.c is not None:
        yield "C", lambda: Variant(case.c(built.c), arguments)
        yield "C -ffast-math", lambda: Variant(case.c(built.fast_c), arguments)
    if case.numba is not None:
        own = case.numba_arguments(*arguments) if case.numba_arguments else arguments
        yield "Numba", lambda: Variant(njit(case.numba), own)
        yield "Numba fastmath", lambda: Variant(njit(fastmath=True)(case.numba), own)
        return
    for form, function in case.forms.items():
        own = case.arguments_of(form, arguments)
        yield f"Numba: {form}", lambda f=function, o=own: Variant(built.numba[f], o)
        yield f"Numba fastmath: {form}", lambda f=function, o=own: Variant(built.fast_numba[f], o)
        if pythran:
            yield (
                f"Pythran: {form}",
                lambda f=function, o=own: Variant(peers.as_pythran(case.source, f, o), o),
            )


def variants_of(case: Case, sources: Sources, pythran: bool) -> tuple[dict[str, Variant], dict[str, str]]:
    """All that compute the case with equal results, and why others do not.

    The first call of each is outside all times. Where our own result is not NumPy's the run ends.
    """
    built = sources.build(case.source)
    arguments = case.arguments()
    variants = kernels(case, built, arguments)
    expected = variants["NumPy"].once()
    for name, variant in variants.items():
        try:
            case.check(variant.once(), expected)
        except AssertionError as error:
            sys.exit(f"{case.name}: {name} and NumPy differ: {error}")
    missing = {}
    for name, make in compiled_peers(case, built, arguments, pythran):
        try:
            variant = make()
            result = variant.once()
        except Exception as error:  # each peer has refusals of its own kinds
            missing[name] = f"{type(error).__name__}: {first_line(error)}"
            continue
        try:
            case.check(result, expected)
        except (AssertionError, TypeError, ValueError) as error:
            missing[name] = f"gives another result: {first_line(error)}"
            continue
        variants[name] = variant
    return variants, missing


def first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else ""


def run_case(case: Case, sources: Sources, seconds: float, clock, pythran: bool) -> dict:
    variants, missing = variants_of(case, sources, pythran)
    row = {
        "case": case.name,
        "program": case.source.stem,
        "forms": list(case.forms),
        "library": case.library,
        "bytes": case.bytes,
        "missing": missing,
        "seconds": measure.in_turns(variants, seconds, clock),
    }
    if case.small:
        # By the wall's clock: it is what threads are for.
        form = next(iter(case.forms))
        first = variants[f"pydd: {form}"]
        pair = {"1": first, "2": Variant(first.run, first.arguments, threads=2)}
        row["threads"] = measure.in_turns(pair, seconds / 3, time.perf_counter)
        own = case.arguments_of(form, case.small())
        row["threads"]["small"] = measure.median_ratio(
            *(Variant(first.run, own, threads) for threads in (1, 2))
        )
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
    parser.add_argument(
        "--pythran",
        action="store_true",
        help="compile with Pythran too, which takes up to a minute for each form",
    )
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder for what is written")
    options = parser.parse_args()
    clock = time.process_time if options.cpu_time else time.perf_counter

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        sources = Sources(Path(folder))
        for case in find_cases(options.case):
            print(case.name, file=sys.stderr)
            rows.append(run_case(case, sources, options.seconds, clock, options.pythran))
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
