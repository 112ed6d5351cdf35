"""Heat in a plate."""

import numpy as np

from . import _steps


def diffuse(plate, steps, rate=0.2):
    """Temperatures, an array (n, m), after so many steps; the rim keeps its temperature. `rate` is at most 0.25."""
    return _steps.diffuse(np.array(plate, dtype=np.float64), steps, rate)
