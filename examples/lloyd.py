"""Lloyd's algorithm on a photograph's colours: the driver, and the same two steps in NumPy."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

COLOURS = 16
STEPS = 10
SEED = 2


def photograph() -> np.ndarray:
    """scikit-learn's sample photograph: uint8, (rows, columns, 3)."""
    from sklearn.datasets import load_sample_image

    return load_sample_image("china.jpg")


def problem(image: np.ndarray, colours: int = COLOURS) -> tuple[np.ndarray, np.ndarray]:
    """The pixels as float64, (pixels, 3), and start centers: distinct colours of the picture."""
    points = image.reshape(-1, 3).astype(np.float64)
    distinct = np.unique(image.reshape(-1, 3), axis=0)
    chosen = np.random.default_rng(SEED).choice(len(distinct), colours, replace=False)
    return points, distinct[chosen].astype(np.float64)


def lloyd(kernels, points: np.ndarray, centers: np.ndarray, steps: int = STEPS):
    """`steps` rounds of assigning points to centers and moving the centers; labels and centers."""
    for _ in range(steps):
        labels = kernels.assign(points, centers)
        centers = kernels.update_centers(len(centers), points, labels)
    return kernels.assign(points, centers), centers


def assign_broadcast(points, centers):
    """As one writes it first: an array of (points, centers, 3) differences."""
    return np.argmin(((points[:, np.newaxis, :] - centers) ** 2).sum(axis=2), axis=1)


def update_masks(k, points, labels):
    return np.array([points[labels == c].mean(axis=0) for c in range(k)])


def assign_product(points, centers):
    """As one writes it to be fast: |x - c|^2 = |x|^2 - 2 x.c + |c|^2, where |x|^2 decides nothing."""
    return np.argmin((centers**2).sum(axis=1) - 2.0 * (points @ centers.T), axis=1)


def update_bincount(k, points, labels):
    sums = [np.bincount(labels, points[:, j], minlength=k) for j in range(points.shape[1])]
    return np.stack(sums, axis=1) / np.bincount(labels, minlength=k)[:, np.newaxis]


BROADCAST = SimpleNamespace(assign=assign_broadcast, update_centers=update_masks)
PRODUCT = SimpleNamespace(assign=assign_product, update_centers=update_bincount)


def check_equal(points, found, expected) -> int:
    """Raise unless both clusterings are the same up to rounding; how many points sit on a tie.

    Sums are rounded differently (fused multiply-add, order), so a point equally far from two
    centers may go to either.
    """
    (labels, centers), (expected_labels, expected_centers) = found, expected
    np.testing.assert_allclose(centers, expected_centers, rtol=1e-6)
    differ = np.flatnonzero(labels != expected_labels)
    mine = ((points[differ] - expected_centers[labels[differ]]) ** 2).sum(axis=1)
    theirs = ((points[differ] - expected_centers[expected_labels[differ]]) ** 2).sum(axis=1)
    np.testing.assert_allclose(mine, theirs, rtol=1e-6)
    return len(differ)
