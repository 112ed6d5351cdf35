"""Colour quantisation of a photograph by k-means: NumPy, and the kernels of `kmeans.pydd` compiled.

Usage: python examples/demo.py [--out FOLDER]
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from pathlib import Path

import numpy as np
from PIL import Image

import pydd
from lloyd import BROADCAST, COLOURS, PRODUCT, STEPS, check_equal, lloyd, photograph, problem

HERE = Path(__file__).resolve().parent


def best_of(times: int, run):
    """The shortest of `times` runs in seconds, and the last result."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def import_file(path: Path):
    spec = importlib.util.spec_from_file_location(path.name.partition(".")[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quantised(image: np.ndarray, labels: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return np.rint(centers).astype(np.uint8)[labels].reshape(image.shape)


def print_table(rows: list[tuple[str, float]]) -> None:
    reference = rows[0][1]
    width = max(len(name) for name, _ in rows)
    print(f"{'':{width}}  {'best time':>10}  {'speed-up':>8}")
    for name, seconds in rows:
        print(f"{name:{width}}  {seconds * 1e3:7.1f} ms  {reference / seconds:7.1f}x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--out", type=Path, default=HERE.parent / "build" / "demo", help="folder for the pictures"
    )
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)

    target = out / "kmeans.abi3.so"
    compile_seconds, _ = best_of(5, lambda: pydd.compile(HERE / "kmeans.pydd", output=target))
    kernels = import_file(target)

    image = photograph()
    points, centers = problem(image)
    broadcast_seconds, expected = best_of(2, lambda: lloyd(BROADCAST, points, centers))
    product_seconds, tuned = best_of(5, lambda: lloyd(PRODUCT, points, centers))
    pydd_seconds, found = best_of(10, lambda: lloyd(kernels, points, centers))
    check_equal(points, tuned, expected)
    ties = check_equal(points, found, expected)

    before, after = out / "before.png", out / "after.png"
    Image.fromarray(image).save(before)
    Image.fromarray(quantised(image, *found)).save(after)

    print(f"\n{len(points)} pixels, {COLOURS} colours, {STEPS} steps of k-means; equal results", end="")
    print(f" ({ties} pixels on a tie)" if ties else "")
    print(f"before: {before}\nafter:  {after}\n")
    print_table(
        [
            ("NumPy, broadcasting", broadcast_seconds),
            ("NumPy, matrix product and bincount", product_seconds),
            ("pydd", pydd_seconds),
        ]
    )
    print(f"\ncompiling kmeans.pydd, whole process: {compile_seconds * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
