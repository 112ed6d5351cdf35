"""What Python sees of GPUs, under the driver of `tests/fakecuda`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the driver."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "pydd-fakecuda"], cwd=ROOT, check=True)
    folder = tmp_path_factory.mktemp("driver")
    (folder / "libcuda.so.1").symlink_to(TARGET / "release" / "libfakecuda.so")
    return folder


def run(code: str, **variables: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr


LIST = "import pydd; print(pydd.devices())"


def test_devices_are_listed(driver: Path) -> None:
    out, said = run(
        LIST, LD_LIBRARY_PATH=str(driver), FAKECUDA_DEVICES="2", FAKECUDA_SM="86", FAKECUDA_DRIVER="12.4"
    )
    one = "compute_capability=(8, 6), memory=1073741824, driver=(12, 4))"
    assert out == (
        f"[Device(index=0, name='fakecuda device 0', {one}, Device(index=1, name='fakecuda device 1', {one}]\n"
    )
    assert said == ""


def test_without_a_card_the_list_is_empty(driver: Path) -> None:
    assert run(LIST, LD_LIBRARY_PATH=str(driver), FAKECUDA_DEVICES="0") == ("[]\n", "")
    assert run(LIST, LD_LIBRARY_PATH="") == ("[]\n", "")


def test_modules_without_kernels_look_for_no_driver(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "plain.pydd").write_text("def twice(x: float64) -> float64:\n    return 2.0 * x\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"import pydd; pydd.compile({str(tmp_path / 'plain.pydd')!r})\n"
        "import plain; assert plain.twice(2.0) == 4.0\n"
        "print('cuda' in open('/proc/self/maps').read())\n"
        "pydd.devices()\n"
        "print('cuda' in open('/proc/self/maps').read())"
    )
    out, said = run(code, LD_LIBRARY_PATH=str(driver), PYDD_DEVICE="gpu")
    assert (out, said) == ("False\nTrue\n", "")
