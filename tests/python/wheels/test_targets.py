"""`pydd wheel`: wheels of one project for several machines."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pydd.build import _targets

FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools", "pydd-compiler"]
build-backend = "pydd.build"

[project]
name = "shapes"
version = "2.1"
dependencies = ["pydd-runtime"]

[tool.setuptools.package-data]
shapes = ["py.typed"]

[tool.pydd]
sources = ["src/shapes/*.pydd"]
opt-level = 1
""",
    "src/shapes/__init__.py": "from .areas import areas\n",
    "src/shapes/py.typed": "",
    "src/shapes/areas.pydd": "def areas(r: Array(float64, 1)) -> Array(float64, 1):\n    return r * r * 3.0\n",
}
NAME = "shapes-2.1-cp310-abi3-{}.whl"


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def pydd_wheel(folder, *arguments, **environment):
    command = [sys.executable, "-m", "pydd", "wheel", *arguments]
    environment = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)


def wheels(folder):
    return sorted(path.name for path in folder.glob("*"))


def test_a_wheel_for_each_machine(project, tmp_path):
    done = pydd_wheel(project)
    assert done.returncode == 0, done.stderr
    made = [project / "dist" / NAME.format(platform) for platform in _targets.PLATFORMS.values()]
    assert done.stdout.splitlines() == list(map(str, made))
    for path, machine in zip(made, ["X86-64", "AArch64"], strict=True):
        folder = tmp_path / machine
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        header = subprocess.run(
            ["readelf", "-h", folder / "shapes/areas.abi3.so"], capture_output=True, text=True, check=True
        )
        assert machine in header.stdout
        assert (folder / "shapes/areas.pyi").exists() and (folder / "shapes/py.typed").exists()
    program = "import numpy, shapes; print(shapes.areas(numpy.array([1.0, 2.0])))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "X86-64")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[ 3. 12.]\n"


@pytest.mark.parametrize("target", _targets.PLATFORMS)
def test_the_tag_is_one_that_the_content_deserves(project, target):
    assert pydd_wheel(project, "--targets", target, "-o", "out").returncode == 0
    [path] = (project / "out").iterdir()
    done = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", path], capture_output=True, text=True, check=True
    )
    major, minor, machine = re.search(r'platform tag:\s+"manylinux_(\d+)_(\d+)_(\w+)"', done.stdout).groups()
    assert f"linux_2_17_{machine}" in path.name and (int(major), int(minor)) <= (2, 17)


def test_the_same_project_gives_the_same_bytes(project):
    for folder in ["first", "second"]:
        assert pydd_wheel(project, "-o", folder, SOURCE_DATE_EPOCH="1700000000").returncode == 0
    for first in (project / "first").iterdir():
        assert first.read_bytes() == (project / "second" / first.name).read_bytes()
        with zipfile.ZipFile(first) as archive:
            assert {info.date_time[0] for info in archive.infolist()} == {2023}


def test_a_project_elsewhere_with_settings_and_another_backend(project, tmp_path):
    text = (project / "pyproject.toml").read_text().replace("pydd.build", "hatchling.build")
    (project / "pyproject.toml").write_text(
        text + '[tool.hatch.build.hooks.pydd]\n[tool.hatch.build.targets.wheel]\npackages = ["src/shapes"]\n'
    )
    folder = Path("project")
    done = pydd_wheel(tmp_path, folder, "--targets=x86_64-linux", "-o", "out", "-C", "pydd.cpu=generic")
    assert done.returncode == 0, done.stderr
    [path] = (tmp_path / "out").iterdir()
    assert path.name == NAME.format("manylinux_2_17_x86_64")
    with zipfile.ZipFile(path) as archive:
        assert sum(name.endswith(".so") for name in archive.namelist()) == 1
        assert b"--cpu=generic" in archive.read("shapes/areas.abi3.so")


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ("aarch64-macos", "no wheels for 'aarch64-macos': the linker in pyddc writes no files of macOS"),
        ("x86_64-linux,x86_64-pc-windows-msvc", "there is no pydd-runtime for them; there are x86_64-linux"),
        ("x86_64", "there is no machine 'x86_64'; there are x86_64-linux and aarch64-linux"),
        ("", "there is no machine ''"),
    ],
)
def test_machines_that_there_are_no_wheels_for(project, targets, said):
    done = pydd_wheel(project, "--targets", targets)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr
    assert not (project / "dist").exists()


def test_wrong_projects(project, tmp_path):
    def refused(*arguments):
        done = pydd_wheel(project, *arguments)
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert not (project / "dist").exists()
        return done.stderr

    assert "No such file or directory" in refused("nowhere")
    assert "pyproject.toml" in refused(str(tmp_path))
    assert "not by `target`" in refused("-C", "pydd.target=aarch64-linux")
    kernel = project / "src/shapes/areas.pydd"
    kernel.write_text("def areas(r: Array(float64, 1)):\n    return r + undefined\n")
    assert "undefined" in refused()
    kernel.write_text(FILES["src/shapes/areas.pydd"])
    (project / "setup.py").write_text("raise OSError('a message of the project')\n")
    done = pydd_wheel(project)
    assert done.returncode == 1 and "OSError: a message of the project" in done.stderr
    # What is for one machine already.
    (project / "setup.py").write_text(
        "from setuptools import Extension, setup\nsetup(ext_modules=[Extension('shapes.native', ['native.c'])])\n"
    )
    (project / "native.c").write_text("int PyInit_native;\n")
    assert "is for one platform without the kernels already" in refused()


def test_machines_are_those_of_the_compiler(project):
    done = subprocess.run(
        [sys.executable, "-m", "pydd", "--target=none", "x.pydd"], capture_output=True, text=True, cwd=project
    )
    assert f"[possible values: {', '.join(_targets.PLATFORMS)}]" in done.stderr
