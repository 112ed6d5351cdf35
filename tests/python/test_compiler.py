"""The package around the `pyddc` executable, as installed from its wheel."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import pydd
import pydd_runtime

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DOUBLE = "def double(x: float64) -> float64:\n    return x + x\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PYDD_CACHE_DIR", str(tmp_path / "cache"))


def python(*arguments, **options):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **options)


def test_versions():
    assert pydd.__version__ == version("pydd-compiler") == pydd_runtime.__version__


def test_the_wheel_has_the_manual_page_and_completions():
    share = Path(sys.prefix) / "share"
    for file, arguments in {
        "man/man1/pyddc.1": ["man"],
        "bash-completion/completions/pyddc": ["completions", "bash"],
        "zsh/site-functions/_pyddc": ["completions", "zsh"],
        "fish/vendor_completions.d/pyddc.fish": ["completions", "fish"],
    }.items():
        said = subprocess.run([pydd.find_compiler(), *arguments], capture_output=True, check=True)
        assert (share / file).read_bytes() == said.stdout, file


def test_find_compiler_takes_the_one_of_this_environment():
    found = pydd.find_compiler()
    assert os.access(found, os.X_OK)
    assert found.parent == Path(sys.executable).parent


def test_find_compiler_names_the_places_when_there_is_none(monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FileNotFoundError, match="PATH"):
        pydd.find_compiler()


def test_the_module_command_is_the_compiler():
    direct = subprocess.run([pydd.find_compiler(), "--version"], capture_output=True, text=True)
    through = python("-m", "pydd", "--version")
    assert direct.returncode == through.returncode == 0
    assert direct.stdout == through.stdout
    assert pydd.__version__ in direct.stdout


def test_the_module_command_keeps_the_exit_code(tmp_path):
    assert python("-m", "pydd", "--no-such-option").returncode == 2
    (tmp_path / "wrong.pydd").write_text("def f(\n")
    assert python("-m", "pydd", "wrong.pydd", cwd=tmp_path).returncode == 1


def test_compile_writes_beside_the_source(tmp_path):
    source = tmp_path / "doubling.pydd"
    source.write_text(DOUBLE)
    made = pydd.compile(source)
    assert made == tmp_path / "doubling.abi3.so" and made.is_file()
    result = python("-c", "import doubling; print(doubling.double(21.0))", cwd=tmp_path)
    assert (result.stdout, result.stderr) == ("42.0\n", "")


def test_compile_to_another_place(tmp_path):
    source = tmp_path / "a.pydd"
    source.write_text(DOUBLE)
    output = tmp_path / "out.abi3.so"
    assert pydd.compile(source, output=output, options=["-O0"]) == output
    assert output.is_file() and not (tmp_path / "a.abi3.so").exists()


def test_a_wrong_program_raises_with_the_diagnostics(tmp_path):
    source = tmp_path / "wrong.pydd"
    source.write_text("def f(x: float64) -> float64:\n    return y\n")
    with pytest.raises(pydd.CompileError, match=r"wrong\.pydd:2") as caught:
        pydd.compile(source)
    assert caught.value.returncode == 1
    assert not (tmp_path / "wrong.abi3.so").exists()


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.pydd"):
        pydd.compile(tmp_path / "none.pydd")
    with pytest.raises(FileNotFoundError, match=r"none\.pydd"):
        pydd.load("none.pydd")


def test_load_source_text():
    assert pydd.load(DOUBLE).double(1.5) == 3.0


def test_a_changed_file_loads_again_under_a_new_name(tmp_path):
    source = tmp_path / "again.pydd"
    source.write_text("def f() -> int64:\n    return 1\n")
    first = pydd.load(source)
    source.write_text("def f() -> int64:\n    return 2\n")
    second = pydd.load(str(source))
    assert (first.f(), second.f()) == (1, 2)
    assert first.__name__ != second.__name__ and first.__name__.startswith("again_")


def test_load_under_a_given_name(tmp_path):
    assert pydd.load(DOUBLE, "chosen").__name__ == "chosen"
    with pytest.raises(ValueError, match="not a module name"):
        pydd.load(DOUBLE, "not-a-name")


def test_loading_twice_compiles_once(monkeypatch):
    pydd.load(DOUBLE)
    monkeypatch.setattr("pydd._build.compile", None)
    assert pydd.load(DOUBLE).double(2.0) == 4.0


def test_kernels_of_the_example(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    from lloyd import BROADCAST, check_equal, lloyd

    kernels = pydd.load(EXAMPLES / "kmeans.pydd")
    points = np.random.default_rng(1).integers(0, 256, (5000, 3)).astype(np.float64)
    centers = points[:7].copy()
    check_equal(points, lloyd(kernels, points, centers, 5), lloyd(BROADCAST, points, centers, 5))


def test_kernels_of_the_pictures(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import mandelbrot
    import pearson

    escape_times = pydd.load(EXAMPLES / "mandelbrot.pydd").escape_times
    assert mandelbrot.check_equal(escape_times(90, 61, 50), mandelbrot.by_arrays(90, 61, 50)) < 3
    assert escape_times(0, 3, 50).shape == (3, 0)

    correlations = pydd.load(EXAMPLES / "pearson.pydd").correlations
    series = np.random.default_rng(2).random((40, 33))
    np.testing.assert_allclose(correlations(series), np.corrcoef(series), rtol=0, atol=1e-14)
    np.testing.assert_allclose(pearson.by_rows(series), np.corrcoef(series), rtol=0, atol=1e-14)
