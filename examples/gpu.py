"""Four programs on a GPU: the Mandelbrot set, k-means, a step of STAP, logistic regression with data in pieces.

Usage: python examples/gpu.py [--driver FOLDER] [--large]

Each runs in a process of its own, on threads and on a GPU, and the results must have the same bits. Where no card is, the driver in FOLDER stands in for one
(`tests/fakecuda`): it interprets kernels, so that all is as on a card but for the times. `--large` is for cards.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import pydd

HERE = Path(__file__).parent
PROGRAMS = ("Mandelbrot set", "k-means", "STAP step", "logistic regression")


def program(name: str, is_large: bool):
    """What to call, and the result as arrays. Inputs are the same in each process."""
    kernels = pydd.load(HERE / "gpu.pydd", options=["--strict-fp"], gpu=True)
    random = np.random.default_rng(7)
    if name == "Mandelbrot set":
        escape_times = pydd.load(HERE / "mandelbrot.pydd", options=["--strict-fp"], gpu=True).escape_times
        size, limit = (4000, 1000) if is_large else (60, 50)
        return lambda: escape_times(size, size, limit)
    if name == "k-means":
        points, clusters, steps = (2_000_000, 16, 20) if is_large else (600, 3, 4)
        centers = 10 * random.random((clusters, 4))
        rows = centers[random.integers(clusters, size=points)] + random.normal(size=(points, 4))
        return lambda: kernels.lloyd(rows, rows[:clusters].copy(), steps)
    if name == "STAP step":
        channels, pulses = (256, 65536) if is_large else (8, 64)
        cube = random.normal(size=(channels, pulses, 2)).view(np.complex128)[..., 0]
        weights = random.normal(size=(channels // 2, channels, 2)).view(np.complex128)[..., 0]
        replica = random.normal(size=(pulses, 2)).view(np.complex128)[..., 0]
        return lambda: kernels.adapt(cube, weights, replica)
    rows, pieces, columns = (1_000_000, 8, 32) if is_large else (200, 3, 5)
    data = random.normal(size=(pieces, rows, columns))
    answers = (data @ random.normal(size=columns) > 0).astype(float)

    def fit():
        weights = np.zeros(columns)
        for _ in range(2):
            for x, y in zip(data, answers, strict=True):
                kernels.descend(weights, x, y, 0.5, 3)
        return weights

    return fit


def run_here(name: str, is_large: bool, file: str) -> None:
    """One program, in this process: its result to a file, its seconds to stdout."""
    call = program(name, is_large)
    seconds = []
    for _ in range(3 if is_large else 1):
        begin = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - begin)
    np.save(file, result)
    print(json.dumps(min(seconds)))


def run_there(name: str, arguments: argparse.Namespace, file: Path, **variables: str) -> tuple[float, str]:
    """As `run_here`, in a process of its own; also what it says."""
    command = [sys.executable, __file__, "--program", name, "--result", str(file)]
    if arguments.large:
        command.append("--large")
    environment = {**os.environ, **variables}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout), done.stderr


def counts(log: str) -> tuple[int, int, int]:
    """Launches, and bytes copied there and back."""
    copied = {"to": 0, "from": 0}
    for amount, way in re.findall(r"copy of (\d+) bytes (to|from) the device", log):
        copied[way] += int(amount)
    return len(re.findall(r"launch of", log)), copied["to"], copied["from"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--driver", type=Path, help="folder of a driver for machines without a card")
    parser.add_argument("--large", action="store_true", help="sizes that are worth a card")
    parser.add_argument("--program", choices=PROGRAMS, help=argparse.SUPPRESS)
    parser.add_argument("--result", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.program:
        return run_here(arguments.program, arguments.large, arguments.result)

    there = {"PYDD_DEVICE": "gpu"}
    devices = pydd.devices()
    if devices:
        print(f"on {devices[0].name}")
    elif arguments.driver:
        there["LD_LIBRARY_PATH"] = str(arguments.driver)
        print("No card is here: a driver that interprets kernels stands in for one, so times say nothing.")
    else:
        sys.exit("no card is here; --driver names a folder with a driver that stands in for one")

    print(f"\n{'':20} {'threads':>10} {'GPU':>10} {'launches':>9} {'MB there':>9} {'MB back':>8}   result")
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            files = [Path(folder) / f"{where}.npy" for where in ("cpu", "gpu")]
            on_threads, _ = run_there(name, arguments, files[0], PYDD_DEVICE="cpu")
            on_device, _ = run_there(name, arguments, files[1], **there)
            expected, result = map(np.load, files)
            same = expected.dtype == result.dtype and expected.tobytes() == result.tobytes()
            _, log = run_there(name, arguments, files[1], PYDD_LOG="gpu", **there)
            launches, to, back = counts(log)
            verdict = "same bits" if same else "DIFFERENT"
            print(
                f"{name:20} {on_threads:8.4f} s {on_device:8.4f} s {launches:9} {to / 1e6:9.3f} {back / 1e6:8.3f}   {verdict}"
            )
            if not same:
                sys.exit(1)


if __name__ == "__main__":
    main()
