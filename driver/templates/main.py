"""Calls the kernels of kernels.pydd, which are compiled when this file is first run and whenever they have changed."""

from pathlib import Path

import numpy as np
import pydd

SOURCE = Path(__file__).with_name("kernels.pydd")

kernels = pydd.load(SOURCE)

if __name__ == "__main__":
    points = np.random.default_rng(1).normal(size=(5, 3))
    print(kernels.norms(points))
