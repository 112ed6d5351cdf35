"""Makes `pydd_runtime` (installed, or as cargo built it) and the hand-made kernel modules importable."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILT = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
PLACE = pathlib.Path(tempfile.mkdtemp(prefix="pydd-runtime-"))


def pytest_configure():
    build = ["cargo", "build", "--release", "--quiet", "-p", "pydd-abi", "--example", "kernels"]
    subprocess.run(build, cwd=ROOT, check=True)
    if importlib.util.find_spec("pydd_runtime") is None:
        package = PLACE / "pydd_runtime"
        package.mkdir()
        shutil.copy(BUILT / "lib_runtime.so", package / "_runtime.abi3.so")
        (package / "__init__.py").write_text("from . import _runtime\n")
    for name in ["kernels", "future", "past", "larger", "foreign"]:
        shutil.copy(BUILT / "examples" / "libkernels.so", PLACE / f"{name}.abi3.so")
    sys.path.insert(0, str(PLACE))
    # For the processes that tests start.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PLACE), os.environ.get("PYTHONPATH", "")])


def pytest_unconfigure():
    shutil.rmtree(PLACE, ignore_errors=True)


@pytest.fixture(params=["fields", "interface"])
def array_path(request):
    """Runs a test with both ways of reading arrays."""
    from pydd_runtime import _runtime

    fast = request.param == "fields"
    assert _runtime._use_array_fields(fast) == fast, "the self-test of the ndarray fields failed"
    yield request.param
    _runtime._use_array_fields(True)
