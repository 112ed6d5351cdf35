"""Colour quantisation of a photograph by k-means: NumPy, and the kernels of `kmeans.pydd` compiled.

Usage: python examples/demo.py [--out FOLDER]
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
from PIL import Image

import pydd
from lloyd import BROADCAST, COLOURS, PRODUCT, STEPS, check_equal, lloyd, photograph, problem
from timing import best_of, pictures_folder, print_table

HERE = Path(__file__).resolve().parent


def import_file(path: Path):
    spec = importlib.util.spec_from_file_location(path.name.partition(".")[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quantised(image: np.ndarray, labels: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return np.rint(centers).astype(np.uint8)[labels].reshape(image.shape)


def main() -> None:
    out = pictures_folder(__doc__.partition("\n")[0])
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
