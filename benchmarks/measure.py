"""Times of a case's variants, measured in turns, so that what else the machine does hits all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from pydd_runtime import get_num_threads, set_num_threads

# Rounds of the comparison of one and two threads on small inputs.
SMALL_ROUNDS = 31
# A call that is timed alone takes at least so many seconds; shorter ones are timed in groups.
SHORTEST = 50e-6


class Variant:
    """A function with its arguments, and what was measured of it."""

    def __init__(self, run: Callable[..., object], arguments: tuple, threads: int = 1) -> None:
        self.run, self.arguments, self.threads = run, arguments, threads
        self.times: list[float] = []
        self.calls = 1

    def once(self) -> object:
        set_num_threads(self.threads)
        return self.run(*self.arguments)

    def take_time(self, clock: Callable[[], float]) -> float:
        """Seconds of one call, least so far or not.

        The call before it is not timed: it brings the variant's own memory into the caches, where that of the variant before is.
        """
        set_num_threads(self.threads)
        run, arguments = self.run, self.arguments
        run(*arguments)
        start = clock()
        for _ in range(self.calls):
            run(*arguments)
        seconds = (clock() - start) / self.calls
        self.times.append(seconds)
        return seconds

    def group_calls(self, clock: Callable[[], float]) -> None:
        """Chooses how many calls are timed together."""
        seconds = self.take_time(clock)
        self.calls = max(1, min(1000, int(SHORTEST / max(seconds, 1e-9))))
        self.times.clear()


def in_turns(variants: dict[str, Variant], seconds: float, clock: Callable[[], float]) -> dict[str, float]:
    """The least time of a call of each variant.

    Each gets an equal share of `seconds`, and at least three turns. The threads are as before afterwards.
    """
    threads = get_num_threads()
    share = seconds / len(variants)
    spent = dict.fromkeys(variants, 0.0)
    for variant in variants.values():
        variant.group_calls(clock)
    while waiting := [n for n, v in variants.items() if spent[n] < share or len(v.times) < 3]:
        for name in waiting:
            spent[name] += variants[name].take_time(clock) * variants[name].calls
    set_num_threads(threads)
    return {name: min(variant.times) for name, variant in variants.items()}


def median_ratio(one: Variant, two: Variant) -> float:
    """The median time of `two` over that of `one`, of rounds in which both have a turn."""
    threads = get_num_threads()
    for variant in (one, two):
        variant.once()
        variant.group_calls(time.perf_counter)
    for _ in range(SMALL_ROUNDS):
        one.take_time(time.perf_counter)
        two.take_time(time.perf_counter)
    set_num_threads(threads)
    return statistics.median(two.times) / statistics.median(one.times)


def copy_bandwidth(run: Callable[[np.ndarray, np.ndarray], None], threads: int, seconds: float) -> float:
    """Bytes a second, read and written, of a kernel that copies an array far larger than the caches."""
    source, target = np.ones(1 << 23), np.zeros(1 << 23)
    variant = Variant(run, (source, target), threads)
    best = in_turns({"copy": variant}, seconds, time.perf_counter)["copy"]
    return 2 * source.nbytes / best
