"""k-means on the colours of a photograph: each step, and the whole."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numba import njit, prange

import lloyd
from case import Case


def assign(X, centers):
    m, d = X.shape
    k = centers.shape[0]
    y = np.zeros(m, np.int64)
    for i in prange(m):
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


def cases(module):
    kernels = module("kmeans")
    serial = SimpleNamespace(assign=njit(assign), update_centers=njit(update_centers))
    parallel = SimpleNamespace(assign=njit(parallel=True)(assign), update_centers=serial.update_centers)
    points, centers = lloyd.problem(lloyd.photograph())
    labels = lloyd.PRODUCT.assign(points, centers)

    def variants(function):
        return {
            "NumPy": function(lloyd.PRODUCT),
            "Numba": function(serial),
            "Numba, parallel": function(parallel),
            "pydd": function(kernels),
        }

    def check_labels(found, expected):
        lloyd.check_equal(points, (found, centers), (expected, centers))

    def check_clustering(found, expected):
        lloyd.check_equal(points, found, expected)

    yield Case("k-means assign", variants(lambda v: v.assign), lambda: (points, centers), check_labels)
    update = variants(lambda v: v.update_centers)
    del update["Numba, parallel"]
    yield Case("k-means update", update, lambda: (len(centers), points, labels))
    whole = variants(lambda v: lambda *arguments: lloyd.lloyd(v, *arguments))
    yield Case("k-means, 10 steps", whole, lambda: (points, centers), check_clustering)
