"""Gravity between all pairs of bodies."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np

from case import Case


def accelerations(x, y, z, mass):
    n = len(x)
    result = np.zeros((n, 3))
    for i in range(n):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(n):
            dx = x[j] - x[i]
            dy = y[j] - y[i]
            dz = z[j] - z[i]
            square = dx * dx + dy * dy + dz * dz + 1e-9
            pull = mass[j] / (square * sqrt(square))
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        result[i, 0] = ax
        result[i, 1] = ay
        result[i, 2] = az
    return result


def by_arrays(x, y, z, mass):
    dx, dy, dz = x - x[:, None], y - y[:, None], z - z[:, None]
    square = dx * dx + dy * dy + dz * dz + 1e-9
    pull = mass / (square * np.sqrt(square))
    return np.stack([(pull * dx).sum(axis=1), (pull * dy).sum(axis=1), (pull * dz).sum(axis=1)], axis=1)


def by_points(points, mass):
    d = points[None, :, :] - points[:, None, :]
    square = (d * d).sum(axis=2) + 1e-9
    pull = mass * square**-1.5
    return (d * pull[:, :, None]).sum(axis=1)


def accelerations_of_points(points, mass):
    n = len(points)
    result = np.zeros((n, 3))
    for i in range(n):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(n):
            dx = points[j, 0] - points[i, 0]
            dy = points[j, 1] - points[i, 1]
            dz = points[j, 2] - points[i, 2]
            square = dx * dx + dy * dy + dz * dz + 1e-9
            pull = mass[j] / (square * sqrt(square))
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        result[i, 0] = ax
        result[i, 1] = ay
        result[i, 2] = az
    return result


def c_accelerations(library):
    def run(x, y, z, mass):
        result = np.empty((len(x), 3))
        library.accelerations(len(x), x, y, z, mass, result)
        return result

    return run


def c_accelerations_of_points(library):
    """C has the coordinates in arrays of their own, which are made for each call."""

    by_columns = c_accelerations(library)

    def run(points, mass):
        return by_columns(*(np.ascontiguousarray(column) for column in points.T), mass)

    return run


def cases():
    def bodies(n):
        return tuple(np.random.default_rng(4).random((4, n)).copy())

    yield Case(
        name="n-body",
        source=Path(__file__).with_suffix(".pydd"),
        function="accelerations",
        numpy=by_arrays,
        numba=accelerations,
        c=c_accelerations,
        arguments=lambda: bodies(600),
        small=lambda: bodies(40),
    )
    yield Case(
        name="n-body, whole arrays",
        source=Path(__file__).with_suffix(".pydd"),
        function="by_arrays",
        numpy=by_arrays,
        numba=accelerations,
        c=c_accelerations,
        arguments=lambda: bodies(600),
    )
    yield Case(
        name="n-body, broadcasting",
        source=Path(__file__).with_suffix(".pydd"),
        function="by_points",
        numpy=by_points,
        numba=accelerations_of_points,
        c=c_accelerations_of_points,
        arguments=lambda: (np.ascontiguousarray(np.array(bodies(600)[:3]).T), bodies(600)[3]),
    )
