"""Wheels that go to others: what they ask of a system, and whether they work on a bare one."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The oldest glibc that the wheels run with, and budgets in bytes.
FLOOR = (2, 28)
BUDGETS = {"pydd_compiler": 40_000_000, "pydd_runtime": 4_000_000}
# What every Linux with glibc has: PEP 600's list, as far as it is used here.
SYSTEM_LIBRARIES = {
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "ld-linux-x86-64.so.2",
}

KERNEL = """
import math
import numpy as np

def norms(x: Array(float64, 2)) -> Array(float64, 1):
    out = np.empty(x.shape[0])
    pfor i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += math.fmod(x[i, j], 3.0) ** 2
        out[i] = math.sqrt(s)
    return out
"""


def wheel(name):
    [path] = (ROOT / "build/wheels").glob(f"{name}-*.whl")
    return path


def tool(name):
    return str(Path(sys.executable).parent / name)


def auditwheel(path):
    """The platform tag that a wheel deserves."""
    done = subprocess.run([tool("auditwheel"), "show", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r'following\s+platform tag:\s+"(\w+)"', done.stdout)
    assert found, done.stdout
    return found[1]


@pytest.mark.parametrize("name", BUDGETS)
def test_wheels_run_with_an_old_glibc(name):
    tag = auditwheel(wheel(name))
    major, minor = re.match(r"manylinux_(\d+)_(\d+)_x86_64$", tag).groups()
    assert (int(major), int(minor)) <= FLOOR


@pytest.mark.parametrize("name", BUDGETS)
def test_wheels_need_no_other_library(name, tmp_path):
    with zipfile.ZipFile(wheel(name)) as archive:
        archive.extractall(tmp_path)
    binaries = [
        path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"
    ]
    assert len(binaries) == 1
    listing = subprocess.run(["readelf", "-d", str(binaries[0])], capture_output=True, text=True, check=True)
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", listing.stdout))
    assert needed <= SYSTEM_LIBRARIES


@pytest.mark.parametrize("name", BUDGETS)
def test_budgets(name, tmp_path):
    """What `make wheels-release` makes: the same files, compressed as well as can be."""
    with zipfile.ZipFile(wheel(name)) as archive:
        largest = max(archive.infolist(), key=lambda item: item.file_size)
        path = Path(archive.extract(largest, tmp_path))
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.write(path)
    assert packed.stat().st_size < BUDGETS[name]


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A virtual environment with the wheels and NumPy, made by three commands; its folder of commands is all of PATH."""
    folder = tmp_path_factory.mktemp("bare")
    wheels = [str(wheel(name)) for name in BUDGETS]
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, *wheels], check=True)
    (folder / "kernels.pydd").write_text(KERNEL)
    return folder


def in_bare(bare, *command):
    environment = {"PATH": str(bare / "venv/bin"), "HOME": str(bare), "LANG": "C.UTF-8"}
    return subprocess.run(command, cwd=bare, env=environment, capture_output=True, text=True)


def test_a_kernel_from_nothing(bare):
    assert shutil.which("cc", path=str(bare / "venv/bin")) is None
    compiled = in_bare(bare, "pyddc", "kernels.pydd")
    assert compiled.returncode == 0, compiled.stderr
    program = "import kernels, numpy as np; print(kernels.norms(np.full((3, 4), 4.0)))"
    done = in_bare(bare, "python", "-c", program)
    assert done.stdout == "[2. 2. 2.]\n", done.stderr


def test_decorated_functions_and_the_import_hook(bare):
    (bare / "decorated.py").write_text(
        "import pydd, numpy as np\n"
        "@pydd.jit(strict=True)\n"
        "def total(x):\n"
        "    s = 0.0\n"
        "    for v in x:\n"
        "        s += v\n"
        "    return s\n"
        "print(total(np.arange(5.0)))\n"
    )
    done = in_bare(bare, "python", "decorated.py")
    assert done.stdout == "10.0\n", done.stderr
    hooked = in_bare(bare, "python", "-c", "import pydd.auto, kernels; print(kernels.norms.__name__)")
    assert hooked.stdout == "norms\n", hooked.stderr


@pytest.mark.parametrize("options", [[], ["-O0"], ["--cpu", "portable"], ["-g"]])
def test_auditwheel_takes_kernel_modules(tmp_path, options):
    """A wheel with a kernel module in it is repaired to manylinux without bringing any library along."""
    source = tmp_path / "kernels.pydd"
    source.write_text(KERNEL)
    subprocess.run([tool("pyddc"), str(source), *options], check=True)
    module = tmp_path / "kernels.abi3.so"
    path = tmp_path / "kernels-1.0-cp310-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(module, module.name)
        archive.writestr(
            "kernels-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: kernels\nVersion: 1.0\n"
        )
        archive.writestr(
            "kernels-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: cp310-abi3-linux_x86_64\n",
        )
        names = [*archive.namelist(), "kernels-1.0.dist-info/RECORD"]
        archive.writestr("kernels-1.0.dist-info/RECORD", "".join(f"{name},,\n" for name in names))
    command = [tool("auditwheel"), "repair", str(path), "-w", str(tmp_path / "repaired")]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    [repaired] = (tmp_path / "repaired").iterdir()
    assert "manylinux" in repaired.name
    with zipfile.ZipFile(repaired) as archive:
        assert not [name for name in archive.namelist() if ".libs/" in name]
