"""A fixed sample of the conformance matrix, each function at least once."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
MATRIX = REPOSITORY / "tests" / "conformance"


def test_the_sample_has_no_failures_but_the_known_ones():
    run = subprocess.run([sys.executable, str(MATRIX), "--sample", "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]


def test_the_page_of_what_is_covered_has_every_function():
    page = REPOSITORY / "docs" / "coverage.md"
    names = subprocess.run(
        [sys.executable, str(MATRIX), "--names"], capture_output=True, text=True, check=True
    )
    text = page.read_text(encoding="utf-8")
    missing = [name for name in names.stdout.splitlines() if f"| `{name}` |" not in text]
    assert not missing, f"run `make conformance`: docs/coverage.md lacks {missing}"
