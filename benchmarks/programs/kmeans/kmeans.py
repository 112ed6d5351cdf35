"""k-means on the colours of a photograph: both steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import lloyd
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


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
        forms={"loops": "assign", "broadcasting": "assign_broadcast", "products": "assign_product"},
        arguments=lambda: (points, centers),
        c=c_assign,
        small=lambda: (points[:500].copy(), centers),
        check=check_labels,
    )
    yield Case(
        name="k-means update",
        source=SOURCE,
        forms={"loops": "update_centers", "masks": "update_masks", "bincount": "update_bincount"},
        arguments=lambda: (len(centers), points, labels),
        c=c_update,
    )
