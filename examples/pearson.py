"""Correlations of all pairs of handwritten digits: NumPy, and the kernel of `pearson.pydd` compiled.

Usage: python examples/pearson.py [--out FOLDER]
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import pydd
from timing import best_of, pictures_folder, print_table, with_threads


def digits() -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's scanned digits in the order of what they show: float64, (1797, 64), and the digits."""
    from sklearn.datasets import load_digits

    images, shown = load_digits(return_X_y=True)
    order = np.argsort(shown, kind="stable")
    return images[order], shown[order]


def by_rows(series: np.ndarray) -> np.ndarray:
    """As the kernel does it: each series with all others."""
    centered = series - series.mean(axis=1, keepdims=True)
    unit = centered / np.sqrt((centered * centered).sum(axis=1, keepdims=True))
    return np.stack([(unit * row).sum(axis=1) for row in unit])


def draw(r: np.ndarray, shown: np.ndarray, file: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 6.8), dpi=120, layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(r, cmap="inferno", interpolation="antialiased")
    starts = np.searchsorted(shown, np.arange(10))
    ends = np.append(starts[1:], len(shown))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks((starts + ends) / 2, labels=range(10))
        axis.set_tick_params(length=0)
    for edge in starts[1:]:
        axes.axhline(edge - 0.5, color="white", linewidth=0.5)
        axes.axvline(edge - 0.5, color="white", linewidth=0.5)
    axes.set(title=f"How alike are {len(r)} handwritten digits?", xlabel="digit", ylabel="digit")
    figure.colorbar(image, label="Pearson's r of two images, 64 pixels each")
    figure.savefig(file)


def main() -> None:
    file = pictures_folder(__doc__.partition("\n")[0]) / "pearson.png"
    kernels = pydd.load(Path(__file__).with_suffix(".pydd"))
    images, shown = digits()
    rows_seconds, expected = best_of(2, lambda: by_rows(images))
    product_seconds, corrcoef = best_of(5, lambda: np.corrcoef(images))
    np.testing.assert_allclose(corrcoef, expected, rtol=0, atol=1e-13)
    rows = [("NumPy, row by row", rows_seconds), ("NumPy, corrcoef", product_seconds)]
    for threads in (1, 2):
        seconds, r = best_of(10, with_threads(threads, lambda: kernels.correlations(images)))
        np.testing.assert_allclose(r, expected, rtol=0, atol=1e-13)
        rows.append((f"pydd, {threads} thread{'s'[: threads - 1]}", seconds))
    draw(r, shown, file)

    print(f"\ncorrelations of all pairs of {len(images)} scanned digits; equal results")
    print(f"picture: {file}\n")
    print_table(rows)


if __name__ == "__main__":
    main()
