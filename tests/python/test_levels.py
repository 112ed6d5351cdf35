"""Modules with code for several processors: the best that runs is taken at import."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

SOURCE = """
import math
import numpy as np

def sums(x: Array(float64, 1), y: Array(float64, 1)) -> float64:
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total

def mapped(x: Array(float64, 1)) -> Array(float64, 1):
    return np.exp(x) * 2.0 + np.sin(x)

def parallel(x: Array(float64, 1), out: Array(float64, 1)):
    pfor i in range(len(x)):
        out[i] = math.sqrt(x[i]) + x[i] / 3.0

# Named as the symbols by which variants find each other, and kept by the optimiser.
def description(n: int) -> int:
    if n < 2:
        return n
    return description(n - 1) + description(n - 2)

def fails(x: Array(float64, 1), i: int) -> float64:
    return x[i]
"""

# Says which processor's code runs, and what it gives.
PROGRAM = """
import json, leveled
import numpy as np
x = np.linspace(0.0, 3.0, 1003)
out = np.empty_like(x)
leveled.parallel(x, out)
try:
    leveled.fails(x, 5000)
except IndexError as error:
    failure = str(error)
print(json.dumps({
    "cpu": leveled.__pydd__["cpu"],
    "named": leveled.description(10),
    "sums": leveled.sums(x, x[::-1]).hex(),
    "mapped": leveled.mapped(x).tobytes().hex(),
    "parallel": out.tobytes().hex(),
    "failure": failure,
}))
"""

LEVELS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]


def compile_(folder, *options):
    source = folder / "leveled.pydd"
    source.write_text(SOURCE)
    command = [shutil.which("pyddc", path=os.path.dirname(sys.executable)), str(source), *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture(autouse=True)
def kernels_for_the_processor(monkeypatch):
    """OpenBLAS takes kernels for the processor that is emulated, whatever the environment asks for."""
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)


def run(folder, *emulator, **environment):
    command = [*emulator, sys.executable, "-c", PROGRAM]
    environment = {**os.environ, **environment}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def portable(tmp_path_factory):
    folder = tmp_path_factory.mktemp("portable")
    # Of equal bits at all levels, as nothing is fused or added in another order.
    done = compile_(folder, "--cpu", "portable", "--strict-fp")
    assert done.returncode == 0, done.stderr
    return folder


def has(feature):
    with open("/proc/cpuinfo", encoding="ascii") as file:
        return feature in file.read()


@pytest.fixture(scope="module")
def best():
    return LEVELS[2 if has(" avx512vl ") else 1 if has(" avx2 ") else 0]


def test_the_best_level_is_taken(portable, best):
    assert run(portable)["cpu"] == best


@pytest.mark.parametrize("level", LEVELS)
def test_a_variable_names_the_best_to_take(portable, best, level):
    assert run(portable, PYDD_CPU=level)["cpu"] == min(level, best)


def test_levels_give_the_same_bits(portable):
    results = [run(portable, PYDD_CPU=level) for level in LEVELS]
    for result in results:
        del result["cpu"]
    assert results[0] == results[1] == results[2]
    assert "5000" in results[0]["failure"]


@pytest.mark.parametrize("cpu, level", [("Nehalem", "x86-64-v2"), ("max", "x86-64-v3")])
def test_emulated_processors(portable, cpu, level):
    emulator = shutil.which("qemu-x86_64")
    assert emulator, "tools/setup-apt.sh installs qemu-user"
    result = run(portable, emulator, "-cpu", cpu)
    assert result.pop("cpu") == level
    here = run(portable)
    del here["cpu"]
    assert result == here


def test_a_processor_that_is_too_old(tmp_path):
    assert compile_(tmp_path, "--cpu", "x86-64-v3,x86-64-v4").returncode == 0
    emulator = shutil.which("qemu-x86_64")
    command = [emulator, "-cpu", "Nehalem", sys.executable, "-c", "import leveled"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert re.match(r"ImportError: 'leveled' was compiled for a CPU with avx, ", last)
    assert last.endswith("or with pyddc --cpu portable")


# ---- what a module asks for is what its code uses ----

# Of x86-64-v3, as qemu names them; NumPy itself needs x86-64-v2.
OF_V3 = {name: name for name in ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"]} | {"lzcnt": "abm"}

INTEGERS = """
def add(a: int, b: int) -> int:
    return a * b + 1
"""

VECTORS = """
def add(a: Array(int64, 1), b: Array(int64, 1)) -> Array(int64, 1):
    return a + b
"""


def imported(folder, cpu, program):
    """What a program that imports `used` prints on a processor, or the end of its error."""
    command = [shutil.which("qemu-x86_64"), "-cpu", cpu, sys.executable, "-c", f"import used\n{program}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def make(folder, source, *options):
    (folder / "used.pydd").write_text(source)
    command = [shutil.which("pyddc", path=os.path.dirname(sys.executable)), "used.pydd", *options]
    subprocess.run(command, cwd=folder, check=True)


def features(module, folder):
    program = f"import {module}; print({module}.__pydd__['cpu_features'])"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return set(filter(None, done.stdout.strip().split(",")))


@pytest.mark.parametrize("options", [["--cpu=native"], ["--cpu=x86-64-v4"], ["--cpu=x86-64-v4", "-O0"]])
def test_code_of_old_instructions_runs_on_old_processors(tmp_path, options):
    make(tmp_path, INTEGERS, *options)
    assert imported(tmp_path, "Nehalem", "print(used.add(2, 3))") == "7"


def test_a_module_names_what_its_code_uses_and_nothing_else(tmp_path):
    make(tmp_path, VECTORS, "--cpu=x86-64-v4")
    said = imported(tmp_path, "Nehalem", "")
    found = re.fullmatch(
        r"ImportError: 'used' was compiled for a CPU with (.*), which this one lacks: compile it here, or with pyddc --cpu portable",
        said,
    )
    assert found, said
    assert {"avx", "avx2"} <= set(found[1].split(", ")) <= set(OF_V3)
    # It has no AVX-512.
    program = "import numpy as np; print(used.add(np.arange(9), np.arange(9)).sum())"
    assert imported(tmp_path, "max", program) == "72"


@pytest.mark.parametrize("options", [["-O3"], ["-O1"], ["-O0"]])
def test_what_is_not_named_is_not_used(tmp_path, options):
    done = compile_(tmp_path, "--cpu=x86-64-v3", "--strict-fp", *options)
    assert done.returncode == 0, done.stderr
    found = features("leveled", tmp_path)
    assert found and found < set(OF_V3)
    without = ",".join(f"-{name}" for feature, name in OF_V3.items() if feature not in found)
    assert run(tmp_path, shutil.which("qemu-x86_64"), "-cpu", f"max,{without}") == run(tmp_path)


def test_better_variants_are_taken_by_their_level(tmp_path):
    make(tmp_path, INTEGERS, "--cpu=generic,x86-64-v3")
    program = "print(used.__pydd__['cpu'])"
    assert imported(tmp_path, "Nehalem", program) == "generic"
    assert imported(tmp_path, "max", program) == "x86-64-v3"
    assert imported(tmp_path, "max,-movbe", program) == "generic"


def test_one_level_alone_and_without_optimisation(tmp_path):
    assert compile_(tmp_path, "--cpu", "x86-64-v2").returncode == 0
    assert run(tmp_path)["cpu"] == "x86-64-v2"
    # Cranelift makes no use of the levels: there is one.
    assert compile_(tmp_path, "--cpu", "portable", "-O0").returncode == 0
    assert run(tmp_path)["cpu"] == "x86-64-v2"


@pytest.mark.parametrize(
    "cpu, said",
    [
        ("x86-64-v3,x86-64-v2", "'x86-64-v2' is not better than 'x86-64-v3'"),
        ("x86-64-v2,x86-64-v2", "'x86-64-v2' is not better than 'x86-64-v2'"),
        ("x86-64-v2,", "there is no processor ''"),
        ("z80", "there is no processor 'z80'"),
    ],
)
def test_wrong_lists(tmp_path, cpu, said):
    done = compile_(tmp_path, "--cpu", cpu)
    assert done.returncode == 2
    assert said in done.stderr


def test_stages_are_of_one_processor(tmp_path):
    done = compile_(tmp_path, "--cpu", "portable", "--emit", "asm")
    assert done.returncode == 2
    assert "one processor" in done.stderr
    assert compile_(tmp_path, "--cpu", "portable", "--emit", "pyi").returncode == 0


def test_a_module_says_how_it_was_made(portable):
    program = "import leveled, json; print(json.dumps(leveled.__pydd__))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=portable, capture_output=True, text=True, check=True
    )
    about = json.loads(done.stdout)
    assert about["compiler"].endswith("-O3 --cpu=x86-64-v2,x86-64-v3,x86-64-v4 --strict-fp")
    assert about["file"].endswith("leveled.pydd")


# ---- other machines ----


def compile_for_arm(folder, *options):
    return compile_(folder, "--target", "aarch64-linux", *options)


def test_modules_for_arm(tmp_path):
    assert compile_for_arm(tmp_path).returncode == 0
    header = subprocess.run(
        ["readelf", "-h", "-d", tmp_path / "leveled.abi3.so"], capture_output=True, text=True, check=True
    ).stdout
    assert re.search(r"Machine:\s+AArch64", header)
    assert re.findall(r"NEEDED.*\[(.*)\]", header) in (["libc.so.6"], ["libc.so.6", "libm.so.6"])
    with pytest.raises(subprocess.CalledProcessError):
        run(tmp_path)


@pytest.mark.parametrize("options", [["-O0"], ["-O1"], ["--cpu", "portable"], ["-g"], ["--check-races"]])
def test_options_for_arm(tmp_path, options):
    done = compile_for_arm(tmp_path, *options)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "options, said",
    [
        (["--cpu", "native"], "there is no processor 'native'; known are generic"),
        (["--cpu", "x86-64-v3"], "there is no processor 'x86-64-v3'"),
        (["--backend", "cranelift"], "Cranelift compiles for this machine's processors only"),
        (["--target", "sparc"], "cannot be used multiple times"),
    ],
)
def test_what_arm_does_not_have(tmp_path, options, said):
    done = compile_for_arm(tmp_path, *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "leveled.abi3.so").exists()
