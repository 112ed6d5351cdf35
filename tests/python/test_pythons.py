"""One compiled module on every CPython of this machine, from 3.10 on: the same file, the same runtime, each with a NumPy of its own."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pydd
import pydd_runtime

MINORS = range(10, 15)
PYDDC = str(Path(sys.executable).with_name("pyddc"))

SOURCE = """
import math
import numpy as np

def norms(x: Array(float64, 2)) -> Array(float64, 1):
    out = np.empty(x.shape[0])
    pfor i in range(x.shape[0]):
        out[i] = math.sqrt((x[i] * x[i]).sum())
    return out

def counts(values: List(int64), seen: Set(int64)) -> Dict(int64, int64):
    found: Dict(int64, int64) = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
        seen.add(value)
    return found

def at(x: Array(float32, 1), i: int, *, scale: float | None = None) -> float64:
    return x[i] if scale is None else x[i] * scale

def says(mode: Literal["said", "ärgerlich"], z: complex128):
    print(mode, z)

@vectorize
def hinge(x: float64) -> float64:
    return max(0.0, 1.0 - x)
"""

# What differs between versions of Python would differ here: layouts of objects, calls, texts, exceptions, types.
PROGRAM = """
import sys
import traceback
import numpy as np
import shared

x = np.arange(12.0).reshape(4, 3)[:, ::-1]
assert np.array_equal(shared.norms(x), np.sqrt((x * x).sum(axis=1)))
seen = {2**62}
assert shared.counts([3, -1, 3, 2**40], seen) == {3: 2, -1: 1, 2**40: 1} and seen == {3, -1, 2**40, 2**62}
single = np.float32([1, 2, 4])
assert shared.at(single, 1) == 2 and shared.at(single, i=2, scale=0.5) == 2
assert np.array_equal(shared.hinge(single), [0, 0, 0]) and isinstance(shared.hinge, np.ufunc)
shared.says("ärgerlich", 1 + 2j)
try:
    shared.at(single, 3)
except IndexError as error:
    assert "3" in str(error)
    line = traceback.extract_tb(error.__traceback__)[-1]
    assert line.filename.endswith("shared.pydd") and line.name == "at", line
else:
    raise AssertionError("no IndexError")
for wrong in ([1.0], single[::-1].astype(">f4"), None):
    try:
        shared.at(wrong, 0)
    except TypeError as error:
        assert "'x' of at()" in str(error), error
    else:
        raise AssertionError("no TypeError")
print(sys.version_info.minor)
"""

# The compiler's package, which is Python.
DECORATED = """
import math
import numpy as np
import pydd

def half(x):
    return x / 2

@pydd.jit(strict=True)
def total(x):
    s = 0.0
    for v in x:
        s += half(v)
    return s

@pydd.kernel
def lengths(x: pydd.Array2[np.float64], n: int = 2) -> float:
    \"""Of rows.\"""
    return math.sqrt((x[n - 2] * x[n - 2]).sum())

@pydd.vectorize(["float64(float64)"])
def hinge(x):
    return max(0.0, 1.0 - x)

print(total(np.arange(5.0)), lengths(np.ones((1, 4))), hinge(0.25), lengths.__doc__)
print(pydd.load("def answer() -> int: return 42").answer())
"""


def pythons():
    """Each CPython by its minor version: on PATH, or one of pyenv's."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for minor in MINORS:
        name = f"python3.{minor}"
        places = [shutil.which(name), *sorted(versions.glob(f"3.{minor}.*/bin/{name}"))]
        for path in filter(None, places):
            # pyenv's commands on PATH are scripts, which end in an error where the version is not chosen.
            asked = subprocess.run(
                [path, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True
            )
            if asked.returncode == 0:
                found[minor] = asked.stdout.strip()
                break
    return found


def prepare(python, folder):
    """A folder with what the module needs: the runtime as it is installed here, and the NumPy of that Python."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", python]
    wanted = ["numpy>=2", "tomli>=2; python_version < '3.11'"]
    install = ["install", "--no-deps", "--no-compile", "--only-binary", ":all:", "--target", str(folder)]
    done = subprocess.run([*pip, *install, *wanted], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for package in (pydd, pydd_runtime):
        installed = Path(package.__file__).parent
        (folder / installed.name).symlink_to(installed)


@pytest.fixture(scope="module")
def environments(tmp_path_factory):
    """For each Python its executable, and the folder with its packages and the module, which was compiled once."""
    root = tmp_path_factory.mktemp("pythons")
    (root / "shared.pydd").write_text(SOURCE)
    subprocess.run([PYDDC, "shared.pydd", "-o", "shared.abi3.so"], cwd=root, check=True)

    def made(minor, python):
        folder = root / str(minor)
        prepare(python, folder)
        shutil.copy(root / "shared.abi3.so", folder)
        return python, folder

    with ThreadPoolExecutor(2) as pool:
        futures = {minor: pool.submit(made, minor, python) for minor, python in pythons().items()}
        return {minor: future.result() for minor, future in futures.items()}


def run(environments, minor, program):
    """What a Python prints that has nothing but the folder and what it brings."""
    if minor not in environments:
        pytest.skip(f"this machine has no CPython 3.{minor}")
    python, folder = environments[minor]
    path = folder / "program.py"
    path.write_text(program)
    environment = {
        "PATH": str(Path(PYDDC).parent),
        "PYTHONPATH": str(folder),
        "PYDD_CACHE_DIR": str(folder / "cache"),
        "LANG": "C.UTF-8",
    }
    done = subprocess.run(
        [python, "-S", "-W", "error", str(path)], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_python_of_the_tests_is_among_them():
    assert sys.version_info.minor in pythons()


@pytest.mark.parametrize("minor", MINORS)
def test_the_same_module_is_imported(environments, minor):
    assert run(environments, minor, PROGRAM) == f"ärgerlich (1+2j)\n{minor}\n"


@pytest.mark.parametrize("minor", MINORS)
def test_functions_are_compiled(environments, minor):
    assert run(environments, minor, DECORATED) == "5.0 2.0 0.75 Of rows.\n42\n"
