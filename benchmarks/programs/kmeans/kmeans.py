"""k-means on the colours of a photograph: both kernels of `examples/kmeans.pydd`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import lloyd
from case import Case

SOURCE = Path(lloyd.__file__).with_name("kmeans.pydd")


def assign(X, centers):
    m, d = X.shape
    k = centers.shape[0]
    y = np.zeros(m, np.int64)
    for i in range(m):
        nearest = 0
        least = 1e300
        for c in range(k):
            distance = 0.0
            for j in range(d):
                step = X[i, j] - centers[c, j]
                distance += step * step
            if distance < least:
                least = distance
                nearest = c
        y[i] = nearest
    return y


def update_centers(k, X, y):
    m, d = X.shape
    centers = np.zeros((k, d), np.float64)
    counts = np.zeros(k, np.int64)
    for i in range(m):
        c = y[i]
        counts[c] += 1
        for j in range(d):
            centers[c, j] += X[i, j]
    for c in range(k):
        for j in range(d):
            centers[c, j] /= counts[c]
    return centers


def c_assign(library):
    def run(points, centers):
        nearest = np.empty(len(points), np.int64)
        library.assign(*points.shape[:1], *centers.shape, points, centers, nearest)
        return nearest

    return run


def c_update(library):
    def run(k, points, labels):
        m, d = points.shape
        centers, counts = np.zeros((k, d)), np.zeros(k, np.int64)
        library.update_centers(m, k, d, points, labels, centers, counts)
        return centers

    return run


def cases():
    points, centers = lloyd.problem(lloyd.photograph())
    points = points[:50_000].copy()
    labels = lloyd.PRODUCT.assign(points, centers)

    def check_labels(found, expected):
        lloyd.check_equal(points, (found, centers), (expected, centers))

    yield Case(
        name="k-means assign",
        source=SOURCE,
        function="assign",
        numpy=lloyd.PRODUCT.assign,
        numba=assign,
        c=c_assign,
        arguments=lambda: (points, centers),
        small=lambda: (points[:500].copy(), centers),
        check=check_labels,
    )
    yield Case(
        name="k-means update",
        source=SOURCE,
        function="update_centers",
        numpy=lloyd.PRODUCT.update_centers,
        numba=update_centers,
        c=c_update,
        arguments=lambda: (len(centers), points, labels),
    )
