"""Kernels for GPUs are what NVIDIA's assembler takes, for old and new devices.

ptxas comes from PyPI and needs no GPU. Of the case files a part is assembled each time, all of them with `PYDD_LONG=1`; all benchmarks are.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYDDC = str(Path(sys.executable).with_name("pyddc"))
LEVELS = ["sm_75", "sm_90", "sm_120"]
CASES = sorted((ROOT / "tests/run").rglob("*.pydd"))
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.pydd"))
#: Every so many case files.
STEP = 1 if os.environ.get("PYDD_LONG") else 50


def ptxas():
    spec = importlib.util.find_spec("nvidia.cuda_nvcc")
    if spec is None:
        pytest.skip("NVIDIA publishes no assembler for this machine")
    folder = Path(next(iter(spec.submodule_search_locations)))
    return folder / "bin/ptxas"


def kernels(source, level, *options):
    """PTX of all kernels of a file for a level, empty where no loop has one."""
    command = [PYDDC, f"--gpu={level}", "--emit=ptx", *options, str(source)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, f"{source}: {made.stderr}"
    return made.stdout


def assemble(text, level, folder):
    """What ptxas says of registers and memory."""
    file = folder / "kernels.ptx"
    file.write_text(text)
    command = [
        str(ptxas()),
        f"-arch={level}",
        "--verbose",
        str(file),
        "--output-file",
        str(folder / "kernels.cubin"),
    ]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return made.stdout + made.stderr


@pytest.mark.parametrize("group", range(2))
def test_kernels_of_the_case_files_are_assembled(group, tmp_path):
    counts = 0
    for i, source in enumerate(CASES[group * STEP // 2 :: STEP]):
        level = LEVELS[i % len(LEVELS)]
        text = kernels(source, level, "--strict-fp")
        if text:
            assemble(text, level, tmp_path)
            counts += text.count(".entry")
    assert counts > 5


@pytest.mark.parametrize("level", LEVELS)
def test_kernels_of_the_benchmarks_keep_nearly_all_numbers_in_registers(level, tmp_path):
    sources = BENCHMARKS if os.environ.get("PYDD_LONG") else BENCHMARKS[LEVELS.index(level) :: 15]
    spilled = {}
    for source in sources:
        text = kernels(source, level)
        if not text:
            continue
        said = assemble(text, level, tmp_path)
        stored = max(int(number) for number in re.findall(r"(\d+) bytes spill stores", said))
        if stored:
            spilled[source.stem] = stored
    # Some of a long body do, where ptxas prefers more threads at once to more registers for each.
    assert all(stored <= 160 for stored in spilled.values()), spilled


def test_strict_kernels_have_no_fused_operations(tmp_path):
    source = tmp_path / "axpy.pydd"
    source.write_text(
        "def axpy(a: float64, x: Array(float64, 1), y: Array(float64, 1)) -> None:\n"
        "    pfor i in range(len(x)):\n"
        "        y[i] = a * x[i] + y[i]\n"
    )
    assert "fma.rn.f64" in kernels(source, "sm_75")
    strict = kernels(source, "sm_75", "--strict-fp")
    assert "fma.rn.f64" not in strict
    assert "mul.rn.f64" in strict
    assert "add.rn.f64" in strict


def test_the_version_of_the_text_is_the_oldest_that_has_the_device():
    source = ROOT / "benchmarks/programs/copy.pydd"
    versions = {level: kernels(source, level).split(".version ")[1].split()[0] for level in LEVELS}
    assert versions == {"sm_75": "6.3", "sm_90": "7.8", "sm_120": "8.7"}


def test_devices_that_there_are_none_of_are_refused():
    command = [PYDDC, "--gpu=sm_12", "--emit=ptx", "x.pydd"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 2
    assert "there is no device 'sm_12'" in made.stderr
    assert "sm_75" in made.stderr
