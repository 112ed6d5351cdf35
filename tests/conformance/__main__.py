"""The conformance matrix: every function of the catalogue, compiled and in CPython.

python tests/conformance                      all cells
python tests/conformance --sample             a fixed sample, each function at least once
python tests/conformance --function np.sum    one function's cells
python tests/conformance --function np.sum --cell "np.sum(a, axis=0) | Array(int8, 2)"
"""

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path.insert(0, str(REPOSITORY / "pylib" / "pydd" / "python"))

import catalogue  # noqa: E402
import known  # noqa: E402
import operators  # noqa: E402
import work  # noqa: E402
from inputs import stable  # noqa: E402

import report  # noqa: E402


def groups(functions, size):
    return [functions[i : i + size] for i in range(0, len(functions), size)]


def run(parts, sample, options, jobs, only, see):
    """Each group of functions in a process of its own; all records. `see` is told of each group and all so far."""
    output = Path(tempfile.mkdtemp(prefix="conformance"))
    running, records = {}, []
    waiting = list(enumerate(parts))[::-1]
    while waiting or running:
        while waiting and len(running) < jobs:
            number, functions = waiting.pop()
            path = output / f"part{number}.jsonl"
            path.unlink(missing_ok=True)
            pid = os.fork()
            if pid == 0:
                status = 1
                # LAPACK says there what it does not like.
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                try:
                    with open(path, "w", encoding="utf-8") as file:
                        work.run_functions(
                            functions, sample, options, lambda r, f=file: f.write(json.dumps(r) + "\n"), only
                        )
                    status = 0
                except BaseException:
                    (output / "errors").open("a").write(traceback.format_exc())
                finally:
                    os._exit(status)
            running[pid] = (functions, path)
        pid, status = os.wait()
        functions, path = running.pop(pid)
        found = [json.loads(line) for line in path.read_text().splitlines()]
        if status:
            labels = ", ".join(function.label for function in functions)
            found.append(
                [
                    functions[0].label,
                    labels,
                    "",
                    "blank",
                    "matrix",
                    f"the matrix itself failed at {labels}: {status}",
                ]
            )
        path.unlink()
        records += found
        see(functions, found, records)
    errors = output / "errors"
    if errors.exists():
        print(errors.read_text())
        errors.unlink()
    output.rmdir()
    return records


def main():
    parser = argparse.ArgumentParser(description="The conformance matrix.")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument(
        "--function",
        action="append",
        help="a name as programs write it; `*` at its end for all that begin so",
    )
    parser.add_argument("--cell", help="a part of the kernel's text")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--option", action="append", help="an option of the compiler, in the place of -O0")
    parser.add_argument("--failures", type=Path, help="writes the failures, grouped, to this file")
    parser.add_argument("--records", type=Path, help="writes every cell to this file")
    parser.add_argument("--coverage", type=Path, help="writes the page of what is covered to this file")
    parser.add_argument(
        "--check", action="store_true", help="fails unless the failures are those of known.txt"
    )
    parser.add_argument(
        "--shrink", action="store_true", help="takes what does not fail any more out of known.txt"
    )
    parser.add_argument("--record", action="store_true", help="writes known.txt anew, whatever it says")
    parser.add_argument("--names", action="store_true", help="prints what there is cells of, and runs none")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    begin = time.monotonic()
    functions = [*catalogue.functions(), *operators.all_operators()]
    if args.function:
        functions = [f for f in functions if any(named(f, pattern) for pattern in args.function)]
    if args.names:
        print("\n".join(function.label for function in functions))
        return 0
    size = 20 if args.sample else 1
    sample = 3 if args.sample else None
    # Spread, so that the processors are busy to the end.
    parts = sorted(groups(functions, size), key=lambda part: stable(part[0].label))
    written = [begin]

    def see(functions, found, records):
        if args.verbose:
            print(report.progress(functions, found), flush=True)
        if args.failures and time.monotonic() - written[0] > 120:
            written[0] = time.monotonic()
            args.failures.write_text(f"(a run that goes on)\n{report.failures(records)}")

    records = run(parts, sample, args.option or ("-O0",), args.jobs, args.cell, see)
    if args.records:
        args.records.write_text("".join(json.dumps(record) + "\n" for record in records))
    if args.failures:
        args.failures.write_text(report.failures(records))
    print(report.totals(records))
    print(f"{time.monotonic() - begin:.0f} s")
    if args.coverage:
        args.coverage.write_text(report.coverage(records, functions))
    if args.shrink or args.record:
        known.shrink(records, functions, args.sample, args.record)
    if args.cell and args.verbose:
        print(report.failures(records))
    wrong = known.problems(records, functions, args.sample) if args.check else []
    print("\n".join(wrong))
    return 1 if wrong else 0


def named(function, pattern):
    names = (function.label, function.spelled)
    return any(name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern for name in names)


if __name__ == "__main__":
    sys.exit(main())
