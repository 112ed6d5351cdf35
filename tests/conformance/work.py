"""One function's cells: its kernels are made, compiled and run in processes of their own, since either may crash."""

import json
import os
import resource
import shutil
import signal
import tempfile
import time
from pathlib import Path

import cells
import kernels
import programs
import reference
from inputs import stable

# Kernels in one module.
CHUNK = 200
# Seconds that one cell may take.
CELL_SECONDS = 20
# Bytes of address space of the processes that run kernels.
MEMORY = 6 << 30


def forked(work, path, seconds):
    """Runs `work(file)` in a process of its own; its exit status, or "time"."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with open(path, "a", encoding="utf-8") as file:
                work(file)
            status = 0
        finally:
            os._exit(status)
    end = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return "time"
        time.sleep(0.005)


def run_chunk(made, folder, name, options, emit):
    """Compiles kernels and runs their cells; `emit` takes each cell's record."""
    path, compiled, refused = programs.compile_module(made, folder, name, options)
    oracle = reference.module(programs.source_of(made, True))
    place = {kernel.id: i for i, kernel in enumerate(compiled)}
    tasks = [(i, kernel, each) for i, kernel in enumerate(made) for each in kernels.cells_of(kernel)]
    log = folder / f"{name}.log"
    log.write_text("")
    done = 0
    while done < len(tasks):

        def work(file, done=done):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            module = runner.import_module(str(path)) if path else None
            for i, kernel, each in tasks[done:]:
                signal.alarm(CELL_SECONDS)
                function = getattr(module, f"k{place[kernel.id]}") if kernel.id in place else None
                record = judge(kernel, each, getattr(oracle, f"k{i}"), function, refused.get(kernel.id))
                file.write(json.dumps(record) + "\n")
                file.flush()

        status = forked(work, log, CELL_SECONDS * 60)
        records = [json.loads(line) for line in log.read_text().splitlines()]
        if len(records) < len(tasks) and status != 0:
            _, kernel, each = tasks[len(records)]
            kind = "time" if status in ("time", signal.SIGALRM) else "crash"
            record = [*record_of(kernel, each), cells.FAILURE, kind, f"the process ended: {status}"]
            with open(log, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            records.append(record)
        done = len(records)
    for record in records:
        emit(record)


def record_of(kernel, each):
    return [kernel.function, kernel.id, str(each)]


def judge(kernel, each, oracle, compiled, refusal):
    """A cell's record: function, kernel, input, what it is, kind, text."""
    if compiled is not None:
        try:
            return [*record_of(kernel, each), *cells.judge(kernel, each, oracle, compiled)]
        except Exception as error:
            return [*record_of(kernel, each), cells.FAILURE, "matrix", f"the matrix itself failed: {error!r}"]
    code, message = refusal
    if code == "compiler-bug":
        return [*record_of(kernel, each), cells.FAILURE, code, message]
    expected = cells.expected_of(kernel, oracle, each)
    if expected.error is not None:
        status = cells.RIGHTLY
    else:
        status = cells.OUTSIDE if cells.outside(expected.result) else cells.REFUSED
    return [*record_of(kernel, each), status, code, message]


def chosen(made, sample):
    """A fixed part of a function's kernels: so many, spread over what they are."""
    if sample is None or len(made) <= sample:
        return made
    return sorted(made, key=lambda kernel: stable(kernel.id))[:sample]


def run_functions(functions, sample, options, emit, only=None):
    """All cells of some functions, or of a sample of each one's kernels."""
    made, blanks = [], set()
    for function in functions:
        found = kernels.of_function(function, blanks, sample is None)
        made += chosen([k for k in found if only is None or only in k.id], sample)
    for blank in sorted(blanks):
        emit([blank.split(": ")[0], blank, "", cells.BLANK, "no recipe", blank])
    folder = Path(tempfile.mkdtemp(prefix="conformance"))
    try:
        for i in range(0, len(made), CHUNK):
            run_chunk(made[i : i + CHUNK], folder, f"m{i}", options, emit)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


import runner  # noqa: E402  (of the harness; `cells` has put its folder on the path)
