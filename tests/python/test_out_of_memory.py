"""Kernels that run out of memory: a MemoryError, and lists and dicts that hold whole items afterwards."""

import subprocess
import sys
from pathlib import Path

import pytest

import pydd

SOURCE = """
def fill_list(xs: List(Tuple(float, int, int, int, int, int, int)), n: int):
    xs[0] = (7.5, 7, 7, 7, 7, 7, 7)
    for i in range(1, n):
        xs.append((i * 0.5, i, i, i, i, i, i))


def fill_dict(d: Dict(int, Tuple(float, int, int, int, int, int, int)), n: int):
    d[0] = (7.5, 7, 7, 7, 7, 7, 7)
    for i in range(1, n):
        d[i] = (i * 0.5, i, i, i, i, i, i)


def fill_set(s: Set(Tuple(int, int, int, int, int, int, int)), n: int):
    s.discard((0, 0, 0, 0, 0, 0, 0))
    for i in range(1, n):
        s.add((i, i, i, i, i, i, i))


def double(xs: List(float)):
    for i in range(len(xs)):
        xs[i] *= 2.0
"""

# A process of its own, whose memory is limited until an item that was there before is taken out: then the kernel has failed,
# and the copy back has begun. The lists of an item grow one after the other: at most limits some have grown and others not.
HEAD = """
import resource, sys
import out_of_memory as kernels

FREE = resource.getrlimit(resource.RLIMIT_AS)

class Item(tuple):
    def __del__(self):
        resource.setrlimit(resource.RLIMIT_AS, FREE)

def limited(function, *arguments, room):
    with open("/proc/self/statm") as sizes:
        used = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + room, FREE[1]))
    try:
        function(*arguments)
    except MemoryError:
        return True
    finally:
        resource.setrlimit(resource.RLIMIT_AS, FREE)
    return False

N = 10**6
ROOMS = [megabytes << 20 for megabytes in range(4, 26, 4)]
"""

LISTS = """
for room in ROOMS:
    xs = [Item([0.5] + [0] * 6)]
    assert limited(kernels.fill_list, xs, N, room=room), "there was room for all"
    assert xs[0] == (7.5,) + (7,) * 6 and len(xs) > 1000
    assert all(x == (i * 0.5,) + (i,) * 6 for i, x in enumerate(xs) if i > 0)
"""

DICTS = """
for room in ROOMS:
    d = {0: Item([0.5] + [0] * 6)}
    assert limited(kernels.fill_dict, d, N, room=room), "there was room for all"
    assert d.pop(0) == (7.5,) + (7,) * 6 and len(d) > 1000
    assert all(x == (i * 0.5,) + (i,) * 6 for i, x in d.items())
"""

SETS = """
for room in ROOMS:
    s = {Item([0] * 7)}
    assert limited(kernels.fill_set, s, N, room=room), "there was room for all"
    assert len(s) > 1000 and all(len(set(x)) == 1 for x in s)
"""

# Room for the list of numbers, and not for what it was before.
ARGUMENT = """
xs = [1.0] * (1 << 21)
assert limited(kernels.double, xs, room=24 << 20)
assert xs == [1.0] * (1 << 21)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("out_of_memory")
    Path(folder, "out_of_memory.pydd").write_text(SOURCE)
    pydd.compile(Path(folder, "out_of_memory.pydd"))
    return folder


@pytest.mark.parametrize("what", [LISTS, DICTS, SETS, ARGUMENT], ids=["lists", "dicts", "sets", "argument"])
def test_what_was_copied_is_whole(folder, what):
    done = subprocess.run([sys.executable, "-c", HEAD + what], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
