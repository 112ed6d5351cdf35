"""`pyddc -g`: gdb stops at a line of the source and shows variables."""

import shutil
import subprocess
import sys

import pytest

KERNEL = """\
import numpy as np


def total(a: Array(float64, 1), scale: float64) -> float64:
    s = 0.0
    n = len(a)
    for i in range(n):
        x = a[i] * scale
        s += x
    return s


def rows(m: Array(int32, 2), c: complex128):
    out = np.zeros(len(m), np.int32)
    pfor i in range(len(m)):
        out[i] = m[i, 0] + 1
    found = c * 2
    return out, found
"""


def gdb(folder, program, *commands):
    """What gdb prints when `program` runs under it and these commands are given."""
    script = folder / "program.py"
    script.write_text(program)
    arguments = [each for command in ("set breakpoint pending on", *commands) for each in ("-ex", command)]
    run = [shutil.which("gdb"), "-q", "-nx", "-batch", *arguments, "--args", sys.executable, str(script)]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True, timeout=300, check=True)
    return done.stdout


@pytest.fixture(params=["-O0", "-O3"])
def folder(tmp_path, request):
    """A folder with the kernels compiled at an optimisation level."""
    (tmp_path / "kernels.pydd").write_text(KERNEL)
    command = [sys.executable, "-m", "pydd", "kernels.pydd", "-g", request.param]
    subprocess.run(command, cwd=tmp_path, check=True)
    return tmp_path


def test_a_line_is_a_breakpoint(folder):
    program = "import numpy as np, kernels\nprint(kernels.total(np.arange(1000.0), 2.0))"
    said = gdb(folder, program, "break kernels.pydd:9", "run", "delete", "continue")
    assert "total" in said and "kernels.pydd:9" in said, said
    assert "s += x" in said and "999000.0" in said, said


@pytest.mark.parametrize("folder", ["-O0"], indirect=True)
def test_variables_are_shown(folder):
    program = "import numpy as np, kernels\nkernels.total(np.arange(5.0), 2.0)"
    show = ["print n", "print s", "print x", "print i", "print a.data[4]", "print a.shape", "print scale"]
    stop = ["break kernels.pydd:9 if i == 3", "run"]
    said = gdb(folder, program, *stop, *show)
    shown = [line.split(" = ", 1)[1] for line in said.splitlines() if line.startswith("$")]
    assert shown == ["5", "6", "6", "3", "4", "{5}", "2"], said


@pytest.mark.parametrize("folder", ["-O0"], indirect=True)
def test_bodies_of_parallel_loops_have_lines(folder):
    program = "import numpy as np, kernels\nkernels.rows(np.ones((3, 2), np.int32)[:, ::-1], 1 + 2j)"
    said = gdb(
        folder,
        program,
        "break kernels.pydd:16",
        "run",
        "print m.shape",
        "delete",
        "break kernels.pydd:18",
        "continue",
        "print found",
    )
    assert "kernels.pydd:16" in said and "{3, 2}" in said, said


def test_without_it_there_is_no_description(tmp_path):
    (tmp_path / "kernels.pydd").write_text(KERNEL)
    sizes = []
    for options in [], ["-g"]:
        subprocess.run([sys.executable, "-m", "pydd", "kernels.pydd", *options], cwd=tmp_path, check=True)
        module = (tmp_path / "kernels.abi3.so").read_bytes()
        assert (b".debug_line" in module) == bool(options)
        sizes.append(len(module))
    assert sizes[0] < sizes[1]
