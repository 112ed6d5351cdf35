"""The projects under `examples/projects`, built by pip, installed where pydd is not, and used."""

import functools
import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest

import pydd_runtime

ROOT = Path(__file__).resolve().parents[3]
PROJECTS = ROOT / "examples/projects"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]

# What each package is asked, and its answer.
USES = {
    "setuptools": ("import peaks; print(peaks.find([0, 3, 1, 1, 2, 0], 2.5), peaks.find([]))", "[1] []"),
    "maturin": (
        "import edits; print(edits.distances(['kitten', 'sitting', 'Größe', 'größe']).tolist())",
        "[[0, 3, 5, 5], [3, 0, 7, 7], [5, 7, 0, 1], [5, 7, 1, 0]]",
    ),
    "hatch": ("import smoothing; print(smoothing.smooth([2, float('nan'), 4], 0.5))", "[2. 2. 3.]"),
    "meson": ("import heat; print(heat.diffuse([[0, 0, 0], [0, 5, 0], [0, 0, 0]], 2)[1])", "[0.  0.2 0. ]"),
    "cmake": ("import neighbours; print(neighbours.count([[0, 0], [3, 4], [9, 9]], 5))", "[1 1 0]"),
}
# The kernel of each.
MODULES = {
    "setuptools": "peaks/_search",
    "maturin": "edits/_distance",
    "hatch": "smoothing/_exponential",
    "meson": "heat/_steps",
    "cmake": "neighbours/_count",
}
WRONG = "\n\ndef wrong() -> int64:\n    return missing\n"


@functools.cache
def environment():
    """That of a shell in which the virtual environment is active."""
    scripts = str(Path(sys.executable).parent)
    return {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        # What this workspace has compiled of PyO3 serves the example as well.
        "CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target")),
        "CARGO_PROFILE_RELEASE_INCREMENTAL": "true",
        "PIP_NO_INDEX": "1",
    }


def run(command, folder=ROOT, **variables):
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={**environment(), **variables}
    )


def succeeds(command, *where, **variables):
    result = run(command, *where, **variables)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def copied(name, folder):
    """A copy of a project, as builds leave files in their folders."""
    project = shutil.copytree(PROJECTS / name, folder / name)
    if name == "maturin":
        shutil.copy(ROOT / "Cargo.lock", project)
    return project


def build(project, folder):
    """The wheel that pip makes of a project."""
    folder.mkdir(exist_ok=True)
    succeeds([*PIP, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder), str(project)])
    (made,) = folder.iterdir()
    return made


def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The wheel of each project."""
    folder = tmp_path_factory.mktemp("projects")
    with ThreadPoolExecutor(2) as pool:
        made = pool.map(lambda name: build(copied(name, folder), folder / f"dist-{name}"), USES)
        return dict(zip(USES, made))


@pytest.fixture(scope="module")
def site(wheels, tmp_path_factory):
    """A folder with all of them, NumPy and the runtime, but not the compiler."""
    folder = tmp_path_factory.mktemp("site")
    succeeds([*PIP, "install", "--no-deps", "--target", str(folder), *map(str, wheels.values())])
    for package in (numpy, pydd_runtime):
        found = Path(package.__file__).parent
        (folder / found.name).symlink_to(found)
    return folder


def use(code, site):
    """What Python prints with the packages of one folder alone."""
    return run([sys.executable, "-S", "-c", code], site, PYTHONPATH=str(site))


def test_the_compiler_is_not_where_the_packages_run(site):
    assert "No module named 'pydd'" in use("import pydd", site).stderr


@pytest.mark.parametrize("name", USES)
def test_a_package_runs(name, wheels, site):
    module = MODULES[name]
    assert {f"{module}.abi3.so", f"{module}.pyi", f"{module.split('/')[0]}/__init__.py"} <= names(
        wheels[name]
    )
    assert re.search(r"-cp3\d+-abi3-linux_x86_64\.whl$", wheels[name].name)
    code, expected = USES[name]
    result = use(code, site)
    assert (result.stdout.strip(), result.stderr) == (expected, "")


def test_the_extension_stands_beside_the_kernels(wheels, tmp_path):
    assert {"edits/_text.abi3.so", "edits/_distance.abi3.so"} <= names(wheels["maturin"])
    project = wheels["maturin"].parent.with_name("maturin")
    succeeds([sys.executable, "-c", f"import pydd.build; pydd.build.build_wheel({str(tmp_path)!r})"], project)
    assert (tmp_path / wheels["maturin"].name).read_bytes() == wheels["maturin"].read_bytes()


def test_wheels_run_on_other_systems(wheels):
    for name in ("setuptools", "hatch"):
        assert '"manylinux_2_' in succeeds(["auditwheel", "show", str(wheels[name])])


def test_setuptools_alone_makes_the_same_files(wheels, site, tmp_path):
    project = copied("setuptools", tmp_path)
    file = project / "pyproject.toml"
    file.write_text(file.read_text().replace("pydd.build", "setuptools.build_meta"))
    made = build(project, tmp_path / "dist")
    # It packs what it takes for data as well.
    others = names(wheels["setuptools"]) | {"peaks/_search.pydd"}
    assert (made.name, names(made)) == (wheels["setuptools"].name, others)
    kernel = f"{MODULES['setuptools']}.abi3.so"
    assert zipfile.ZipFile(made).read(kernel) == (site / kernel).read_bytes()
    succeeds([sys.executable, "-c", "from setuptools import setup; setup()", "-q", "sdist"], project)
    (archive,) = (project / "dist").iterdir()
    listed = succeeds(["tar", "-tf", str(archive)])
    assert "src/peaks/_search.pydd\n" in listed and ".so" not in listed


@pytest.mark.parametrize("name", ["setuptools", "hatch", "setuptools.build_meta"])
def test_an_editable_package(name, tmp_path):
    backend = name if name == "setuptools.build_meta" else None
    project = copied(name.split(".")[0], tmp_path)
    if backend:
        file = project / "pyproject.toml"
        file.write_text(file.read_text().replace("pydd.build", backend))
    site = tmp_path / "site"
    install = [
        *PIP,
        "install",
        "--no-build-isolation",
        "--no-deps",
        "--target",
        str(site),
        "--editable",
        str(project),
    ]
    succeeds(install)

    def used():
        code, expected = USES[name.split(".")[0]]
        code = f"import site; site.addsitedir({str(site)!r}); {code}"
        result = run([sys.executable, "-c", code], tmp_path, PYDD_CACHE_DIR=str(tmp_path / "cache"))
        return result.stdout.strip() or result.stderr, expected

    said, expected = used()
    assert said == expected
    (source,) = project.rglob("*.pydd")
    source.write_text(source.read_text() + WRONG)
    if backend:
        # Compiled beside its source, as extension modules are.
        assert used()[0] == expected
        result = run(
            [sys.executable, "-c", f"import {backend} as b; b.build_editable({str(tmp_path)!r})"], project
        )
        assert result.returncode != 0
        is_short(result.stdout + result.stderr, source.relative_to(project), source)
    else:
        assert "name `missing` is not defined" in used()[0]


@pytest.mark.parametrize("name", ["setuptools", "hatch"])
def test_pip_shows_the_diagnostic_of_a_wrong_kernel(name, tmp_path):
    project = copied(name, tmp_path)
    (source,) = project.rglob("*.pydd")
    source.write_text(source.read_text() + WRONG)
    result = run([*PIP, "wheel", "--no-build-isolation", "--no-deps", "-w", str(tmp_path), str(project)])
    assert result.returncode != 0
    is_short(result.stdout + result.stderr, source.relative_to(project), source)


def is_short(said, shown, source):
    """The output has the diagnostic of what stands last in a source, and no traceback."""
    line = len(source.read_text().splitlines())
    assert "error[undefined-name]: name `missing` is not defined\n" in said
    assert f"--> {shown}:{line}:12" in said
    assert "Traceback" not in said, said


def test_cmake_and_meson_compile_again_what_has_changed(tmp_path):
    built = tmp_path / "built"
    folder = succeeds([sys.executable, "-c", "import pydd.build as b; print(b.cmake_dir())"]).strip()
    cmake = copied("cmake", tmp_path)
    succeeds(["cmake", "-S", str(cmake), "-B", str(built), f"-Dpydd_DIR={folder}", "-G", "Unix Makefiles"])
    again(["cmake", "--build", str(built)], cmake, built / "_count.abi3.so")
    meson = copied("meson", tmp_path)
    succeeds(["meson", "setup", str(tmp_path / "by meson"), str(meson)])
    again(["ninja", "-C", str(tmp_path / "by meson")], meson, tmp_path / "by meson/_steps.abi3.so")


def again(build, project, module):
    """A second build does nothing, and one after a change compiles."""
    succeeds(build)
    first = module.stat().st_mtime_ns
    succeeds(build)
    assert module.stat().st_mtime_ns == first
    (source,) = project.rglob("*.pydd")
    source.write_text(source.read_text() + "\n\ndef other() -> int64:\n    return 1\n")
    succeeds(build)
    assert module.stat().st_mtime_ns > first


def test_make_reads_a_depfile(tmp_path):
    source = tmp_path / "a kernel.pydd"
    source.write_text("def f() -> int64:\n    return 1\n")
    rule = "k.abi3.so:\n\tpyddc 'a kernel.pydd' -o $@ --depfile k.d\n-include k.d\n"
    (tmp_path / "Makefile").write_text(rule)
    assert "pyddc" in succeeds(["make"], tmp_path)
    assert "up to date" in succeeds(["make"], tmp_path)
    later = (tmp_path / "k.abi3.so").stat().st_mtime + 1
    os.utime(source, (later, later))
    assert "pyddc" in succeeds(["make"], tmp_path)


@pytest.mark.parametrize("name", ["setuptools", "maturin", "hatch", "meson", "cmake"])
def test_the_how_to_shows_what_a_project_has(name):
    page = (ROOT / "docs/howto/builds.md").read_text()
    shown = {"meson": "meson.build", "cmake": "CMakeLists.txt"}.get(name, "pyproject.toml")
    assert f'title="{shown}"\n{(PROJECTS / name / shown).read_text()}```' in page
