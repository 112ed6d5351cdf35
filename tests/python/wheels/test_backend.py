"""`pydd.build` around a backend that packs a folder: what it adds to wheels and archives, and what it says of wrong projects."""

import base64
import csv
import hashlib
import os
import platform
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
import zipping

import pydd
import pydd.build

SQUARE = "def square(x: float64) -> float64:\n    return x * x\n"
TOML = """\
[build-system]
requires = []
build-backend = "pydd.build"

[tool.pydd]
wraps = "zipping"
sources = ["src/**/*.pydd"]
"""


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    """A project with a package and a kernel, in which the process is."""
    folder = tmp_path / "project"
    write(folder, {"pyproject.toml": TOML, "src/pkg/__init__.py": "", "src/pkg/square.pydd": SQUARE})
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYDD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    return folder


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def wheel(folder, **settings):
    """The path of the wheel."""
    folder.mkdir(exist_ok=True)
    return folder / pydd.build.build_wheel(str(folder), settings)


def contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def refused(capfd, tmp_path, **settings):
    """What is said of a project of which no wheel is made."""
    with pytest.raises(SystemExit) as caught:
        wheel(tmp_path / "dist", **settings)
    assert caught.value.code == 1
    assert list((tmp_path / "dist").iterdir()) == []
    return capfd.readouterr().err


def run(code, *paths):
    """What Python prints, in a process of its own."""
    search = os.pathsep.join(map(str, paths))
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": search}
    )
    return result.stdout.strip() or result.stderr.strip()


def test_a_wheel_has_the_module_and_its_stub(tmp_path):
    made = wheel(tmp_path / "dist")
    assert made.name == "sample-1-cp310-abi3-linux_x86_64.whl"
    files = contents(made)
    assert "def square(x: float" in files["pkg/square.pyi"].decode()
    info = files["sample-1.dist-info/WHEEL"].decode()
    assert info == "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp310-abi3-linux_x86_64\n"
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path / "site")
    assert (
        run("import pkg.square as s; print(s.square(3.0), s.__name__)", tmp_path / "site") == "9.0 pkg.square"
    )


def test_the_record_is_of_the_files(tmp_path):
    files = contents(wheel(tmp_path / "dist"))
    rows = {
        name: (digest, size)
        for name, digest, size in csv.reader(files["sample-1.dist-info/RECORD"].decode().split())
    }
    assert list(rows) == list(files)
    assert rows.pop("sample-1.dist-info/RECORD") == ("", "")
    for name, (digest, size) in rows.items():
        expected = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).decode().rstrip("=")
        assert (digest, size) == (f"sha256={expected}", str(len(files[name])))


def test_the_same_project_gives_the_same_bytes(tmp_path, project, monkeypatch):
    first = wheel(tmp_path / "first").read_bytes()
    archive = (tmp_path / "first" / pydd.build.build_sdist(str(tmp_path / "first"))).read_bytes()
    moved = project.rename(tmp_path / "moved")
    monkeypatch.chdir(moved)
    for path in moved.rglob("*"):
        os.utime(path, (10**9, 10**9))
    (moved / "src/pkg/__init__.py").chmod(0o600)
    assert wheel(tmp_path / "second").read_bytes() == first
    assert (tmp_path / "second" / pydd.build.build_sdist(str(tmp_path / "second"))).read_bytes() == archive

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    dated = wheel(tmp_path / "dated")
    with zipfile.ZipFile(dated) as opened:
        assert {info.date_time for info in opened.infolist()} == {time.gmtime(1700000000)[:6]}
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in opened.infolist()}
    assert modes["pkg/square.abi3.so"] == 0o755 and modes["pkg/__init__.py"] == 0o644


@pytest.mark.parametrize(("epoch", "year"), [("0", 1980), ("99999999999", 2106)])
def test_times_that_archives_do_not_hold(tmp_path, monkeypatch, epoch, year):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with zipfile.ZipFile(wheel(tmp_path / "dist")) as opened:
        assert {info.date_time[0] for info in opened.infolist()} == {year}
    with tarfile.open(tmp_path / pydd.build.build_sdist(str(tmp_path))) as opened:
        assert {time.gmtime(member.mtime).tm_year for member in opened.getmembers()} == {year}
    assert os.environ["SOURCE_DATE_EPOCH"] == epoch


def test_a_time_that_is_none(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert "SOURCE_DATE_EPOCH must be a number of seconds, not 'yesterday'" in refused(capfd, tmp_path)


def test_code_is_for_a_portable_processor_unless_it_is_said(tmp_path):
    def module(**settings):
        return contents(wheel(tmp_path / "dist", **settings))["pkg/square.abi3.so"]

    def compiled(*options):
        made = tmp_path / "square.abi3.so"
        subprocess.run([pydd.find_compiler(), "src/pkg/square.pydd", "-o", made, *options], check=True)
        return made.read_bytes()

    assert module() == compiled("--cpu=portable") != compiled("--cpu=x86-64-v3")
    assert module(**{"pydd.cpu": "x86-64-v3"}) == compiled("--cpu=x86-64-v3")
    assert module(**{"pydd.opt-level": "0"}) == compiled("--cpu=portable", "-O0")
    write(Path(), {"pyproject.toml": TOML + 'cpu = "x86-64-v3"\nopt-level = 1\nflags = ["--strict-fp"]\n'})
    assert module(other="theirs") == compiled("--cpu=x86-64-v3", "-O1", "--strict-fp")
    assert zipping.given == {"other": "theirs", "epoch": "1580601600"}
    assert "SOURCE_DATE_EPOCH" not in os.environ


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("py3-none-manylinux_2_28_x86_64", "cp310-abi3-manylinux_2_28_x86_64"),
        ("cp38-abi3-linux_x86_64", "cp310-abi3-linux_x86_64"),
        ("cp312-abi3-linux_x86_64", "cp312-abi3-linux_x86_64"),
        ("cp311-cp311-linux_x86_64", "cp311-cp311-linux_x86_64"),
        ("cp311-none-linux_x86_64", "cp311-none-linux_x86_64"),
    ],
)
def test_tags_of_wheels_for_one_platform_stay(tmp_path, tag, expected):
    assert wheel(tmp_path / "dist", tag=tag).name == f"sample-1-{expected}.whl"


def test_other_pythons_are_refused(tmp_path, capfd):
    assert "not for cp313-cp313t" in refused(capfd, tmp_path, tag="cp313-cp313t-linux_x86_64")
    assert "not for pp310-pypy310_pp73" in refused(capfd, tmp_path, tag="pp310-pypy310_pp73-linux_x86_64")


def test_a_wheel_for_another_machine(tmp_path, capfd):
    other = {"x86_64": "aarch64", "aarch64": "x86_64"}[platform.machine()]
    settings = {"pydd.target": f"{other}-linux"}
    made = wheel(tmp_path / "there", **settings)
    assert made.name == f"sample-1-cp310-abi3-linux_{other}.whl"
    machine = int.from_bytes(contents(made)["pkg/square.abi3.so"][18:20], "little")
    assert machine == {"x86_64": 62, "aarch64": 183}[other]
    assert wheel(tmp_path / "there", tag=f"cp311-cp311-manylinux_2_28_{other}", **settings)
    tag = f"cp311-cp311-linux_{platform.machine()}"
    assert f"the kernels are for {other}-linux, and other files" in refused(
        capfd, tmp_path, tag=tag, **settings
    )
    assert "x86_64-linux" in refused(capfd, tmp_path, **{"pydd.target": "none"})


def test_what_was_compiled_beside_the_source_is_not_packed(tmp_path):
    write(Path("src/pkg"), {"square.abi3.so": "old", "square.pyi": "old"})
    files = contents(wheel(tmp_path / "dist"))
    assert files["pkg/square.abi3.so"].startswith(b"\x7fELF") and b"old" not in files["pkg/square.pyi"]
    assert len(set(files)) == len(
        zipfile.ZipFile(tmp_path / "dist/sample-1-cp310-abi3-linux_x86_64.whl").namelist()
    )


def test_wrong_kernels_are_diagnosed_together(tmp_path, capfd):
    write(Path("src/pkg"), {"one.pydd": "def f() -> int64:\n    return y\n", "two.pydd": "def f(:\n"})
    said = refused(capfd, tmp_path)
    assert "error[undefined-name]: name `y` is not defined\n --> src/pkg/one.pydd:2:12" in said
    assert " --> src/pkg/two.pydd:1:" in said
    assert "Traceback" not in said and "\x1b" not in said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('source = ["src/*.pydd"]', "no key `source`; there is sources"),
        ('sources = ["src/none/*.pydd"]', "no file matches 'src/none/*.pydd'"),
        ('sources = ["/src/pkg/*.pydd"]', "no pattern of .pydd files in the project's folder"),
        ('sources = ["../**/*.pydd"]', "no pattern of .pydd files in the project's folder"),
        ('sources = ["src/pkg/*"]', "no pattern of .pydd files in the project's folder"),
        ('sources = "src/pkg/square.pydd"', "`sources` of [tool.pydd] must be a list of strings"),
        ("sources = []", "needs the kernels"),
        ('cpu = "x86-64-v2"', "needs the kernels"),
        ('sources = ["src/pkg/*.pydd"]\nopt-level = true', "must be an integer, not True"),
        ('sources = ["src/pkg/*.pydd"]\nopt-level = 7', "7 is not in 0..=3"),
        ('sources = ["src/pkg/*.pydd"]\ncpu = "none"', "there is no processor 'none'"),
        ('sources = ["src/pkg/*.pydd"]\nflags = ["--no-such"]', "`flags` may not have `--no-such`"),
        ('sources = ["src/pkg/*.pydd"]\nflags = ["--emit=ir"]', "`flags` may not have `--emit=ir`"),
        ('sources = ["src/pkg/*.pydd"]\nroot = "lib"', "src/pkg/square.pydd is not in `root`, 'lib'"),
        ('sources = ["src/pkg/*.pydd"]\nroot = ""', "the wheel has no src/pkg/"),
        ('sources = ["src/pkg/*.pydd"', "pyproject.toml: "),
        ('sources = ["**/*.pydd"]', "lib/pkg/square.pydd and src/pkg/square.pydd would both be pkg.square"),
    ],
)
def test_wrong_tables(tmp_path, capfd, lines, said):
    write(Path(), {"pyproject.toml": f'[tool.pydd]\nwraps = "zipping"\n{lines}\n'})
    write(Path("lib/pkg"), {"__init__.py": "", "square.pydd": SQUARE})
    message = refused(capfd, tmp_path)
    assert said in message and "Traceback" not in message


def test_the_other_backend_and_the_runtime_must_be_there(tmp_path, capfd):
    assert "the kernels need pydd-runtime" in refused(capfd, tmp_path, needs="numpy")
    assert "the kernels need pydd-runtime" in refused(capfd, tmp_path, needs="pydd-runtime; extra == 'fast'")
    write(Path(), {"pyproject.toml": TOML.replace("zipping", "no_such_backend")})
    assert "no module 'no_such_backend'; name its package in `requires`" in refused(capfd, tmp_path)
    write(Path(), {"pyproject.toml": TOML.replace("zipping", "pydd.build")})
    assert "wraps another backend, not 'pydd.build'" in refused(capfd, tmp_path)


def test_hooks_that_the_other_backend_lacks():
    assert pydd.build.get_requires_for_build_wheel() == ["needed>=1"]
    assert pydd.build.get_requires_for_build_sdist() == []
    assert not hasattr(pydd.build, "prepare_metadata_for_build_wheel")


def test_packages_without_an_init_file(tmp_path):
    write(Path("src"), {"space/inner/__init__.py": "", "space/inner/deep.pydd": SQUARE, "alone.pydd": SQUARE})
    write(Path(), {"pyproject.toml": TOML + 'root = "src"\n'})
    assert {"space/inner/deep.abi3.so", "alone.abi3.so", "pkg/square.abi3.so"} <= set(
        contents(wheel(tmp_path / "dist"))
    )


def test_archives_have_sources_and_no_binaries(tmp_path, monkeypatch):
    write(Path("src/pkg"), {"square.abi3.so": "made", "data.so": "theirs"})
    file = tmp_path / pydd.build.build_sdist(str(tmp_path))
    with tarfile.open(file) as archive:
        names = archive.getnames()
        archive.extractall(tmp_path, filter="data")
    assert sorted(names) == [
        f"sample-1/{name}"
        for name in (
            "link",
            "pyproject.toml",
            "src/pkg/__init__.py",
            "src/pkg/data.so",
            "src/pkg/square.pydd",
        )
    ]
    from_here = contents(wheel(tmp_path / "dist"))
    monkeypatch.chdir(tmp_path / "sample-1")
    from_archive = contents(wheel(tmp_path / "dist"))
    assert from_archive["pkg/square.abi3.so"] == from_here["pkg/square.abi3.so"]


def test_editable_kernels_are_compiled_when_they_have_changed(tmp_path, project):
    made = tmp_path / pydd.build.build_editable(str(tmp_path))
    assert made.name == "sample-1-py3-none-any.whl"
    files = contents(made)
    head, _, description = files["sample-1.dist-info/METADATA"].decode().partition("\n\n")
    assert head.splitlines()[-2:] == ["Requires-Dist: pydd_runtime>=0.1", "Requires-Dist: pydd-compiler"]
    assert description == "About it.\n\nRequires-Dist: no-header\n"
    assert not [name for name in files if name.endswith(".so")]
    site = tmp_path / "site"
    with zipfile.ZipFile(made) as archive:
        archive.extractall(site)

    def imported(code):
        return run(f"import site; site.addsitedir({str(site)!r}); {code}")

    assert imported("from pkg import square; print(square.square(3.0), square.__file__)") == (
        f"9.0 {project / 'src/pkg/square.pydd'}"
    )
    write(
        project, {"src/pkg/square.pydd": SQUARE.replace("x * x", "x * x + 1.0"), "src/pkg/new.pydd": SQUARE}
    )
    assert (
        imported("import pkg.square, pkg.new; print(pkg.square.square(3.0), pkg.new.square(3.0))")
        == "10.0 9.0"
    )
    assert "No module named 'pkg.none'" in imported("import pkg.none")
    assert imported("import sys; print('pydd' in sys.modules)") == "False"

    write(project, {"src/pkg/square.pydd": SQUARE.replace("x * x", "x * y")})
    assert "src/pkg/square.pydd:2:16" in imported("import pkg.square")
    write(project, {"pyproject.toml": TOML + "cpu = 2\n"})
    assert "ImportError: pyproject.toml: `cpu`" in imported("import pkg.square")
