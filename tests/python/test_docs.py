"""Every snippet of README.md and docs/ does what the page says, and the site builds without a broken link.

`PYDD_BLESS=1` rewrites shown output that differs; read the difference.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tools" / "docs"))
from snippets import Block, pages  # noqa: E402

# Of all pages together; each says why.
NOT_RUN_AT_MOST = 8


def name(page: Path) -> str:
    return str(page.relative_to(REPOSITORY))


def run(page: Path, folder: Path) -> dict:
    folder.mkdir(parents=True)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYDD_CACHE_DIR": str(folder / "cache"),
        "COLUMNS": "100",
    }
    work = folder / "work"
    work.mkdir()
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("run_page.py"), page],
        cwd=work,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What became of each page; pages run side by side."""
    folder = tmp_path_factory.mktemp("docs")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        futures: dict[Path, Future] = {}
        for page in pages():
            futures[page] = pool.submit(run, page, folder / name(page).replace("/", "-"))
        yield futures


def bless(page: Path, failures: list[dict]) -> None:
    lines = page.read_text(encoding="utf-8").split("\n")
    for failure in reversed(failures):
        if failure["shown"] is None:
            continue
        block = Block(**failure["block"])
        shown = failure["shown"].rstrip("\n").split("\n")
        lines[block.line - 1 : block.end - 1] = [(block.indent + line).rstrip() for line in shown]
    page.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("page", pages(), ids=name)
def test_page(page, outcomes):
    failures = outcomes[page].result()["failures"]
    if os.environ.get("PYDD_BLESS"):
        bless(page, failures)
    assert not failures, "\n\n".join(f"{name(page)}:{each['line']}: {each['message']}" for each in failures)


def test_few_blocks_are_not_run(outcomes):
    results = {page: future.result() for page, future in outcomes.items()}
    not_run = [f"{name(page)}: {reason}" for page, result in results.items() for reason in result["not_run"]]
    assert len(not_run) <= NOT_RUN_AT_MOST, not_run
    assert sum(result["ran"] for result in results.values()) > 100


def test_site(tmp_path):
    """Strict: a broken link or anchor is an error."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site"],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site" / "index.html").is_file()
