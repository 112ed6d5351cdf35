"""Every snippet of README.md and docs/ does what the page says, and the site builds without a broken link.

`PYDD_BLESS=1` rewrites shown output that differs; read the difference.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "docs"))
import compiler
import reference
import run_page
from snippets import REPOSITORY, Block, pages

# Of all pages together; each says why.
NOT_RUN_AT_MOST = 6


def name(page: Path) -> str:
    return str(page.relative_to(REPOSITORY))


def run(page: Path, folder: Path) -> dict:
    folder.mkdir(parents=True)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYDD_CACHE_DIR": str(folder / "cache"),
        "IPYTHONDIR": str(folder / "ipython"),
        "COLUMNS": "100",
        # Marks below the lines of tracebacks differ between versions of Python.
        "PYTHONNODEBUGRANGES": "1",
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


# What is wrong with a page, and what is said of it.
WRONG = {
    "output": ("```python\nprint(1)\n```\n\n```text\n2\n```\n", "the output is\n1"),
    "result": ("```pycon\n>>> 1 + 1\n3\n```\n", "the output is\n2"),
    "exception": ("```python\nraise ValueError('no')\n```\n", "ValueError: no"),
    "exception of another kind": (
        "```pycon\n>>> [][0]\nTraceback (most recent call last):\n  …\nKeyError: 0\n```\n",
        "IndexError",
    ),
    "command": ("```console\n$ echo a\nb\n```\n", "the output is\na"),
    "status": ("```console\n$ false\n```\n", "exit status 1"),
    "diagnostic": (
        '```python title="f.pydd"\ndef f() -> int:\n    return x\n```\n\n```console\n$ pyddc f.pydd\n```\n',
        "error[undefined-name]",
    ),
    "cell": ('```python title="In [1]"\n1 / 0\n```\n', "ZeroDivisionError"),
    "warning": (
        "```python\nimport pydd\n\n@pydd.jit\ndef f(x):\n    return str(x)\n\nf(1)\n```\n",
        "a warning that the page does not show",
    ),
    "kind": ("```\nx\n```\n", "nothing says how to run a block of no language"),
}


def test_what_is_wrong_is_found(tmp_path):
    for what, (text, said) in WRONG.items():
        page = tmp_path / f"{what}.md"
        page.write_text(text, encoding="utf-8")
        failures = run(page, tmp_path / what)["failures"]
        assert len(failures) == 1 and said in failures[0]["message"], (what, failures)


def test_output_that_varies():
    agrees = run_page.agrees
    assert agrees("a b c\n", "a … c\n") and agrees("x\n1\n2\ny\n", "x\n…\ny") and agrees("", "")
    assert not agrees("a\nc\n", "a … c") and not agrees("ab", "a") and not agrees("a.c", "abc")


def test_site(tmp_path):
    """Strict: a broken link or anchor is an error."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site"],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "site"
    assert 'class="bars"' in (site / "index.html").read_text(encoding="utf-8")
    assert "softmax" in (site / "reports" / "softmax.html").read_text(encoding="utf-8")
    codes = compiler.says("explain").split()
    assert codes and all((site / "diagnostics" / f"{code}.html").is_file() for code in codes)
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors = re.findall(r'<h2 id="([^"]+)"', "".join(pages.values()))
    missing = [entry for entry in reference.entries() if anchors.count(entry.anchor) != 1]
    assert reference.entries() and not missing, missing
    # It works without a network.
    assert not [
        path for path, text in pages.items() if re.search(r'(src|<link[^>]* href)="(https?:)?//', text)
    ]
