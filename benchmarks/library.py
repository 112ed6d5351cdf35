"""Every function of the library against NumPy or SciPy in one run: equal results, in turns, least of many times, one thread.

Usage: python benchmarks/library.py [--only NAME]... [--sizes N,N,…] [--seconds S] [--compiler PYDDC] [--results FOLDER]

The functions are those of the catalogue, as `pyddc explain library --json` prints it; `recipes.py` says what they are called with. Writes a
table (Markdown) and all numbers (JSON) into `benchmarks/results/`. The table begins with what takes longer than NumPy.
"""

from __future__ import annotations

import os

# NumPy's BLAS has one thread, as our calls have; before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import datetime
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import recipes  # noqa: E402
from bench import machine  # noqa: E402

import measure  # noqa: E402
import pydd  # noqa: E402
import pydd_runtime  # noqa: E402
from measure import Variant  # noqa: E402
from report import geometric_mean, table  # noqa: E402

SIZES = (10, 1000, 1_000_000)
# Element types, those beyond the first two at the greatest size alone.
TYPES = ("float64", "int64", "float32", "int32", "uint8", "bool", "complex128")
EVERYWHERE = 2
SPACES = ("np.", "np.linalg.", "np.fft.", "scipy.special.", "np.random.", ".")
# Methods that are timed as functions, or belong to other things than arrays.
METHODS = (".fill", ".sort", ".item", ".flatten")
SLOW = 1.1
# Kernels of one module. The compiler spends less work on what comes behind some 160 loops of a module, which kernels of users seldom do.
TOGETHER = 4
# Above it, two results are different ones.
TOLERANCE = {"float32": 2e-4, "complex64": 2e-4}


@dataclass
class Case:
    """One call on arrays of one type and size."""

    name: str
    text: str
    dtype: str
    size: int
    arrays: dict[str, np.ndarray]
    rank: int

    @property
    def label(self) -> str:
        shape = "x".join(map(str, max((a.shape for a in self.arrays.values()), key=len, default=())))
        return f"{self.text} {shape}".strip()

    def kernel(self, name: str) -> str:
        params = ["n: int", "k: int", *(f"{p}: Array({a.dtype}, {a.ndim})" for p, a in self.arrays.items())]
        return f"def {name}({', '.join(params)}):\n{self.body()}\n"

    def body(self) -> str:
        if self.name.startswith("np.random.") and self.name != "np.random.default_rng":
            return f"    np.random.seed(7)\n    return {self.text}"
        statement = self.name in (
            ".fill",
            ".sort",
            "np.put",
            "np.place",
            "np.putmask",
            "np.copyto",
            "np.fill_diagonal",
        )
        return f"    {'' if statement or self.name == 'np.put_along_axis' else 'return '}{self.text}"

    def python(self):
        scope: dict = {}
        text = f"import numpy as np\nimport scipy.special\ndef f({', '.join(['n', 'k', *self.arrays])}):\n{self.body()}\n"
        exec(text, scope)
        return scope["f"]

    def arguments(self) -> tuple:
        return (
            self.size,
            recipes.side_of(self.size, limited(self.name)),
            *(a.copy() for a in self.arrays.values()),
        )


def limited(name: str) -> bool:
    """Whether the work grows faster than the number of elements."""
    return (
        name.startswith("np.linalg.")
        or "@" in name
        or name in ("np.matmul", "np.dot", "np.einsum", "np.inner", "np.tensordot")
    )


def catalogue(compiler: Path) -> list[tuple[str, list[tuple[str, str | None]]]]:
    """A name of each function, and its parameters with their defaults."""
    command = [compiler, "explain", "library", "--json"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = []
    for entry in map(json.loads, lines):
        section = entry["section"]
        if any(part in section for part in ("Sparse", "sparse", "Dicts", "Heaps", "lists")):
            continue
        own = [name["spelled"] for name in entry["names"]]
        random = section == "Random numbers"
        names = [n for n in own if n.startswith(SPACES) and (random or not n.startswith(".") or n in METHODS)]
        if names and entry["kind"] not in ("constant", "convert"):
            found.append((names[0], [parameter(param) for param in entry["params"]]))
    return found


def parameter(param: dict) -> tuple[str, str | None]:
    """The name, with a star where it takes all further arguments, and the default of one that may be left out."""
    default = param["default"]
    if default == "rest":
        return f"*{param['name']}", None
    return param["name"], None if default == "required" else str(default)


def cases_of(name: str, params: list[tuple[str, str | None]], sizes: list[int]) -> list[Case]:
    call = recipes.call_of(name, params)
    if call is None:
        return []
    calls = [(call.text, None)]
    # As many rows as elements would fill the memory.
    along = any(p == "axis" and default is not None for p, default in params) and "size=n" not in call.text
    if along and call.text.endswith(")"):
        calls += [(f"{call.text[:-1]}, axis={axis})", 2) for axis in (0, 1)]
    found = []
    for text, rank in calls:
        for place, dtype in enumerate(TYPES):
            case = first_that_works(name, text, dtype, [rank] if rank else [1, 2, 3])
            if case is None:
                continue
            for size in sizes:
                if size == max(sizes) or place < EVERYWHERE:
                    found.append(made(name, text, dtype, size, case.rank))
            if not case.arrays:
                break
    return found


def made(name: str, text: str, dtype: str, size: int, rank: int) -> Case:
    names = recipes.read(text).arrays
    arrays = {p: recipes.array(p, size, dtype, rank, limited(name)) for p in names}
    return Case(name, text, dtype, size, arrays, rank)


def first_that_works(name: str, text: str, dtype: str, ranks: list[int]) -> Case | None:
    """On ten elements, with the first number of axes that NumPy takes."""
    for rank in ranks:
        case = made(name, text, dtype, 12, rank)
        try:
            case.python()(*case.arguments())
        except Exception:
            continue
        return case
    return None


def compiled(cases: list[Case], compiler: Path, folder: Path):
    """The kernels of cases; those that are refused are None."""
    if len(cases) > TOGETHER:
        return [
            kernel
            for i in range(0, len(cases), TOGETHER)
            for kernel in compiled(cases[i : i + TOGETHER], compiler, folder)
        ]
    module = build(cases, compiler, folder)
    if module is not None:
        return [getattr(module, f"f{i}") for i in range(len(cases))]
    if len(cases) == 1:
        return [None]
    return [kernel for case in cases for kernel in compiled([case], compiler, folder)]


def build(cases: list[Case], compiler: Path, folder: Path):
    distinct = {}
    for i, case in enumerate(cases):
        distinct[f"f{i}"] = case.kernel(f"f{i}")
    source = "import numpy as np\nimport scipy.special\n\n\n" + "\n\n".join(distinct.values())
    stem = f"kernels{len(list(folder.iterdir()))}"
    path, target = folder / f"{stem}.pydd", folder / f"{stem}.abi3.so"
    path.write_text(source)
    if subprocess.run([compiler, path, "-o", target], capture_output=True).returncode != 0:
        return None
    spec = importlib.util.spec_from_file_location(stem, target)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def difference(case: Case, ours: object, theirs: object) -> str:
    """What differs between two results; empty if nothing does."""
    if isinstance(theirs, (tuple, list)):
        pairs = zip(ours, theirs, strict=False)
        return next(filter(None, (difference(case, a, b) for a, b in pairs)), "")
    if theirs is None:
        return ""
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.dtype != b.dtype:
        return f"{a.dtype} for {b.dtype}"
    if a.shape != b.shape:
        return f"shape {a.shape} for {b.shape}"
    plain = case.name.rpartition(".")[2]
    if plain in recipes.OF_CHOICE or a.dtype.kind not in "fciub":
        return ""
    tolerance = TOLERANCE.get(case.dtype, TOLERANCE.get(str(a.dtype), 1e-9))
    scale = np.nanmax(np.abs(b[np.isfinite(b)]), initial=1.0) if a.dtype.kind in "fc" else 1
    same = np.allclose(a, b, rtol=tolerance, atol=tolerance * scale * 1e-3, equal_nan=True)
    return "" if same else "values"


def run_case(case: Case, kernel, seconds: float, clock) -> dict:
    row = {"name": case.name, "call": case.label, "dtype": case.dtype, "size": case.size}
    if kernel is None:
        return row | {"refused": True}
    theirs = case.python()
    try:
        row["differs"] = difference(case, kernel(*case.arguments()), theirs(*case.arguments()))
    except Exception as error:
        return row | {"differs": f"{type(error).__name__}: {error}"}
    arguments = case.arguments()
    variants = {"ours": Variant(kernel, arguments), "theirs": Variant(theirs, arguments)}
    return row | {"seconds": measure.in_turns(variants, seconds, clock)}


def ratio(row: dict) -> float:
    # A clock that stands still is one that both are too quick for.
    least = time.get_clock_info("perf_counter").resolution
    return max(row["seconds"]["ours"], least) / max(row["seconds"]["theirs"], least)


def markdown(found: dict) -> str:
    rows = [row for row in found["rows"] if "seconds" in row]
    slow = sorted((row for row in rows if ratio(row) > SLOW), key=ratio, reverse=True)
    info = ", ".join(f"{name} {value}" for name, value in found["machine"].items())
    parts = [
        f"# The library against NumPy and SciPy, {found['date']}\n",
        f"{info}; {found['clock']}; one thread; least of several calls in turns.\n",
        summary(rows),
        f"## Slower than {SLOW}\n",
        listing(slow),
        "## Results that differ\n",
        "\n".join(
            f"- {row['call']} {row['dtype']}: {row['differs']}" for row in found["rows"] if row.get("differs")
        )
        + "\n",
        "## Refused\n",
        ", ".join(sorted({f"{row['call']} {row['dtype']}" for row in found["rows"] if row.get("refused")}))
        + "\n",
        "## Not called\n",
        "No rule of `recipes.py` says what to give them: " + ", ".join(found["without_recipe"]) + "\n",
        "## All\n",
        listing(rows),
    ]
    return "\n".join(parts)


def summary(rows: list[dict]) -> str:
    lines = []
    for size in sorted({row["size"] for row in rows}):
        here = [ratio(row) for row in rows if row["size"] == size]
        lines.append(
            [f"{size}", f"{len(here)}", f"{geometric_mean(here):.3f}", f"{sum(r > SLOW for r in here)}"]
        )
    every = [ratio(row) for row in rows]
    lines.append(["all", f"{len(every)}", f"{geometric_mean(every):.3f}", f"{sum(r > SLOW for r in every)}"])
    return table(["elements", "calls", "geometric mean of ours over theirs", f"above {SLOW}"], lines)


def listing(rows: list[dict]) -> str:
    def micro(seconds: float) -> str:
        return f"{seconds * 1e6:.3g}" if seconds < 1e-3 else f"{seconds * 1e6:.0f}"

    lines = [
        [
            f"`{row['call']}`",
            row["dtype"],
            f"{row['size']}",
            micro(row["seconds"]["ours"]),
            micro(row["seconds"]["theirs"]),
            f"{ratio(row):.2f}",
        ]
        for row in rows
    ]
    return table(["call", "type", "elements", "ours, µs", "theirs, µs", "ratio"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", help="only calls that contain this; may be repeated")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of elements")
    parser.add_argument("--seconds", type=float, default=0.03, help="measuring time of each call")
    parser.add_argument("--wall", action="store_true", help="the wall's time instead of the processor's")
    parser.add_argument("--compiler", type=Path, help="another pyddc than the installed one")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder for what is written")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    pydd_runtime.set_num_threads(1)
    compiler = options.compiler or pydd.find_compiler()
    sizes = [int(size) for size in options.sizes.split(",")]
    clock = time.perf_counter if options.wall else time.process_time

    functions = catalogue(compiler)
    rows, without = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, cases in work(functions, sizes):
            if not cases:
                without.append(name)
            if options.only:
                cases = [case for case in cases if any(part in case.text for part in options.only)]
            if not cases:
                continue
            kernels = compiled(cases, compiler, Path(folder))
            for case, kernel in zip(cases, kernels, strict=True):
                row = run_case(case, kernel, options.seconds, clock)
                rows.append(row)
                if "seconds" in row and ratio(row) > SLOW:
                    print(f"{ratio(row):6.2f}  {row['call']}  {row['dtype']}", file=sys.stderr)
    if not any("seconds" in row for row in rows):
        sys.exit("no such call")
    now = datetime.datetime.now()
    found = {
        "date": now.isoformat(timespec="seconds"),
        "machine": machine(),
        "clock": "wall time" if options.wall else "processor time",
        "rows": rows,
        "without_recipe": without,
    }
    stem = options.results / f"library-{now:%Y-%m-%d-%H%M%S}"
    stem.parent.mkdir(parents=True, exist_ok=True)
    stem.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")
    stem.with_suffix(".md").write_text(markdown(found))
    print(summary([row for row in rows if "seconds" in row]))
    print(f"written: {stem}.md, .json")


def work(functions: list, sizes: list[int]) -> Iterator[tuple[str, list[Case]]]:
    """What is timed, one function at a time: together the arrays would fill the memory."""
    for name, params in functions:
        yield name, cases_of(name, params, sizes)
    for text in recipes.OPERATORS:
        yield text, cases_of_operator(text, sizes)


def cases_of_operator(text: str, sizes: list[int]) -> list[Case]:
    found = []
    for place, dtype in enumerate(TYPES):
        if first_that_works(text, text, dtype, [1]) is not None:
            found += [
                made(text, text, dtype, size, 1) for size in sizes if size == max(sizes) or place < EVERYWHERE
            ]
    return found


if __name__ == "__main__":
    main()
