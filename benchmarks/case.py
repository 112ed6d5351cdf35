"""What a benchmark case is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


def assert_close(result: Any, expected: Any) -> None:
    np.testing.assert_allclose(result, expected, rtol=1e-9)


@dataclass(frozen=True)
class Case:
    """One computation in several variants.

    `variants` maps a column's name to a function; the first is the reference. `arguments` makes the
    arguments anew, so that variants which write to them start equal.
    """

    name: str
    variants: dict[str, Callable[..., Any]]
    arguments: Callable[[], tuple]
    check: Callable[[Any, Any], None] = assert_close
