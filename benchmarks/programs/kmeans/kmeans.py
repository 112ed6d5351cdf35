"""k-means on the colours of a photograph: both steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import lloyd
import twins
from case import Case

SOURCE = Path(__file__).with_suffix(".pydd")


@twins.variant
def c_assign(points, centers):
    return *points.shape[:1], *centers.shape, points, centers, np.empty(len(points), np.int64)


@twins.variant
def c_update_centers(k, points, labels):
    m, d = points.shape
    return m, k, d, points, labels, np.zeros(k, np.int64), np.zeros((k, d))


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
        c=c_update_centers,
    )
