"""The cache of compiled modules, `pydd.auto` and the command `pydd cache`."""

import importlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pydd
from pydd import _cache, _compiler

DOUBLE = "def double(x: float64) -> float64:\n    return x + x\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PYDD_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def runs(monkeypatch):
    """The compilations from now on."""
    made = []
    original = _compiler.run
    monkeypatch.setattr(_compiler, "run", lambda *a: made.append(a) or original(*a))
    return made


def constant(value):
    return f"def f() -> int64:\n    return {value}\n"


def test_equal_requests_compile_once(runs, tmp_path):
    for _ in range(3):
        assert pydd.load(DOUBLE).double(2.0) == 4.0
    assert len(runs) == 1
    pydd.load(DOUBLE, options=["-O0"])
    pydd.load(DOUBLE, "named")
    pydd.load(DOUBLE + "\n")
    source = tmp_path / "double.pydd"
    source.write_text(DOUBLE)
    pydd.load(source)
    assert len(runs) == 5


def test_another_compiler_or_processor_is_another_module(runs, monkeypatch):
    pydd.load(DOUBLE)
    monkeypatch.setattr(_cache, "_processor", lambda: "another")
    pydd.load(DOUBLE)
    monkeypatch.setattr(_compiler, "identity", lambda: ["another"])
    pydd.load(DOUBLE)
    assert len(runs) == 3


def test_remarks_are_told_each_time():
    source = "def f(x):\n    return x\ndef g(x: int64) -> int64:\n    return x\n"
    for _ in range(2):
        with pytest.warns(pydd.PyddWarning, match="`f` is not compiled") as caught:
            pydd.load(source)
        assert caught[0].filename == __file__
        assert "\x1b" not in str(caught[0].message)


@pytest.mark.parametrize("harm", ["empty", "cut", "gone", "no entry", "half"])
def test_broken_entries_are_made_again(folder, harm):
    pydd.load(DOUBLE)
    (module,) = folder.rglob("*.so")
    if harm == "empty":
        module.write_bytes(b"")
    elif harm == "cut":
        # In a process of its own: a file that is mapped must not be cut.
        content = module.read_bytes()
        module.unlink()
        module.write_bytes(content[:100])
    elif harm == "gone":
        module.unlink()
    elif harm == "half":
        content = module.read_bytes()
        module.unlink()
        module.write_bytes(content[: len(content) // 2])
    else:
        (module.parent / "entry.json").write_bytes(b"\xff")
    code = f"import pydd; print(pydd.load({DOUBLE!r}).double(3.0))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("6.0\n", "")


def test_many_processes_at_once(folder):
    code = f"import pydd; print(pydd.load({DOUBLE!r}).double(3.0))"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(32)
    ]
    assert {process.communicate()[0] for process in processes} == {"6.0\n"}
    assert len(list(folder.rglob("*.so"))) == 1
    assert [path for path in folder.rglob(".new-*")] == []


def test_a_limit_of_its_size(folder, monkeypatch):
    monkeypatch.setenv("PYDD_CACHE_SIZE", "0")
    for value in range(3):
        assert pydd.load(constant(value)).f() == value
    # What is young may be in use.
    assert len(_cache.entries()) == 3 and _cache.prune() == 0
    old = _cache.entries()[0]
    os.utime(old.folder, (time.time() - 3600,) * 2)
    assert _cache.prune() == old.size and not old.folder.exists()
    monkeypatch.setenv("PYDD_CACHE_SIZE", "no number")
    assert _cache.limit() == 1024 << 20


def test_what_was_used_stays_longer():
    for value in range(2):
        pydd.load(constant(value))
    first, second = _cache.entries()
    for kept in (first, second):
        os.utime(kept.folder, (time.time() - 7200,) * 2)
    request = pydd._build.request(constant(0), None, ())
    _cache.obtain(request)
    kept = _cache.entries()
    assert kept[-1].used > time.time() - 60 and kept[0].used < time.time() - 3600


def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PYDD_CACHE_DIR", str(tmp_path / "file"))
    # Kept as long as the process lives.
    assert pydd.load(DOUBLE).double(2.0) == 4.0


def test_the_command(folder):
    def pydd_cache(*arguments):
        command = [Path(sys.executable).parent / "pydd", "cache", *arguments]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout

    pydd.load(DOUBLE)
    assert f"folder   {folder}\nmodules  1\n" in pydd_cache()
    assert pydd_cache("dir") == f"{folder}\n"
    assert "kernel_" in pydd_cache("list")
    assert "0.0 MiB freed" in pydd_cache("prune", "--size", "100")
    assert "freed" in pydd_cache("clear")
    assert "modules  0" in pydd_cache()


def test_the_command_is_the_compiler_as_well():
    script = Path(sys.executable).parent / "pydd"
    result = subprocess.run([script, "explain", "np.sum"], capture_output=True, text=True)
    assert result.returncode == 0 and "sum" in result.stdout


# `pydd.auto`.


@pytest.fixture
def auto(tmp_path, monkeypatch):
    from pydd import auto

    monkeypatch.syspath_prepend(tmp_path)
    auto.install()
    before = set(sys.modules)
    yield tmp_path
    auto.uninstall()
    for name in set(sys.modules) - before:
        sys.modules.pop(name, None)


def test_sources_are_imported(auto):
    (auto / "auto_a.pydd").write_text('"""Of a."""\n' + DOUBLE)
    module = importlib.import_module("auto_a")
    assert module.double(2.0) == 4.0 and module.__doc__ == "Of a."
    assert module.__file__ == str(auto / "auto_a.pydd")
    assert [path.name for path in auto.iterdir() if path.name.endswith(".so")] == []
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("auto_no_such")


def test_a_changed_source_is_reloaded(auto):
    source = auto / "auto_b.pydd"
    source.write_text(constant(1))
    module = importlib.import_module("auto_b")
    assert module.f() == 1
    source.write_text(constant(2))
    assert importlib.reload(module) is module and module.f() == 2


def test_sources_in_packages(auto):
    package = auto / "auto_package"
    package.mkdir()
    (package / "__init__.py").write_text("from .inner import double\n")
    (package / "inner.pydd").write_text(DOUBLE)
    module = importlib.import_module("auto_package")
    assert module.double(1.5) == 3.0
    assert sys.modules["auto_package.inner"].double is module.double


def test_errors_of_imports_are_the_compilers(auto):
    (auto / "auto_c.pydd").write_text("def f(x: float64) -> float64:\n    return y\n")
    with pytest.raises(pydd.CompileError, match=r"auto_c\.pydd:2:12"):
        importlib.import_module("auto_c")
    assert "auto_c" not in sys.modules


def test_a_source_goes_before_a_module_that_was_compiled_of_it(auto):
    source = auto / "auto_d.pydd"
    source.write_text(constant(1))
    pydd.compile(source)
    source.write_text(constant(2))
    assert importlib.import_module("auto_d").f() == 2
