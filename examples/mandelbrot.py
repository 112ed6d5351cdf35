"""The Mandelbrot set as a picture: NumPy, and the kernel of `mandelbrot.pydd` compiled, on one and two threads.

Usage: python examples/mandelbrot.py [--out FOLDER]
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import pydd
from timing import best_of, pictures_folder, print_table, with_threads

SIZE = 800
LIMIT = 200


def by_arrays(width, height, limit):
    """Steps of all points side by side; those that have left take no further part."""
    c = 3.0 * np.arange(width) / width - 2.0 + 1j * (3.0 * np.arange(height)[:, None] / height - 1.5)
    z = np.zeros_like(c)
    times = np.zeros(c.shape, np.int64)
    inside = np.ones(c.shape, bool)
    for _ in range(limit):
        inside[inside] = z.real[inside] ** 2 + z.imag[inside] ** 2 <= 4.0
        z[inside] = z[inside] * z[inside] + c[inside]
        times += inside
    return times


def check_equal(found, expected) -> int:
    """Raise unless the times are equal but for points at the very edge; how many those are.

    There a product that is rounded differently (fused multiply-add) decides when a point leaves.
    """
    differ = np.count_nonzero(found != expected)
    assert differ < 1e-3 * expected.size, f"{differ} points differ"
    return differ


def draw(times: np.ndarray, limit: int, file: Path) -> None:
    from matplotlib import colormaps, colors
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 6.6), dpi=120, layout="constrained")
    axes = figure.subplots()
    palette = colormaps["inferno"].with_extremes(over="black")
    image = axes.imshow(
        times,
        cmap=palette,
        # Begins below what is there, so that the outermost points are not black as well.
        norm=colors.LogNorm(0.4, limit - 1),
        extent=(-2.0, 1.0, -1.5, 1.5),
        origin="lower",
        interpolation="antialiased",
    )
    axes.set(
        title=f"Mandelbrot set; black points have not left after {limit} steps",
        xlabel="real part",
        ylabel="imaginary part",
    )
    ticks = [1, 2, 5, 10, 20, 50, 100]
    bar = figure.colorbar(
        image, label="steps of z ← z² + c until |z| > 2", ticks=ticks, format="%d", extend="max"
    )
    bar.ax.minorticks_off()
    figure.savefig(file)


def main() -> None:
    file = pictures_folder(__doc__.partition("\n")[0]) / "mandelbrot.png"
    kernels = pydd.load(Path(__file__).with_suffix(".pydd"))
    problem = (SIZE, SIZE, LIMIT)
    numpy_seconds, expected = best_of(2, lambda: by_arrays(*problem))
    rows = [("NumPy", numpy_seconds)]
    for threads in (1, 2):
        seconds, times = best_of(5, with_threads(threads, lambda: kernels.escape_times(*problem)))
        edge = check_equal(times, expected)
        rows.append((f"pydd, {threads} thread{'s'[: threads - 1]}", seconds))
    draw(times, LIMIT, file)

    print(
        f"\nMandelbrot set, {SIZE} x {SIZE} points, at most {LIMIT} steps; equal but for {edge} points at the edge"
    )
    print(f"picture: {file}\n")
    print_table(rows)


if __name__ == "__main__":
    main()
