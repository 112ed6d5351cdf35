"""The tutorials in examples/notebooks: all of them run, and no notebook of the repository holds outputs."""

import os
import shutil
from pathlib import Path

import matplotlib.font_manager  # noqa: F401  Makes the cache of fonts, of which a first kernel would write to stderr.
import nbformat
import pytest
from nbclient import NotebookClient

REPOSITORY = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((REPOSITORY / "examples" / "notebooks").glob("*.ipynb"))
# Folders that hold what was built or installed, as those do whose names begin with a dot.
BUILT = {"build", "target"}


def test_there_are_tutorials():
    assert len(TUTORIALS) >= 6


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_tutorial(tutorial, tmp_path):
    shutil.copy(tutorial, tmp_path)
    book = nbformat.read(tmp_path / tutorial.name, as_version=4)
    client = NotebookClient(
        book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    # Of other cells an exception raises CellExecutionError here.
    client.execute(env={**os.environ, "PYDD_CACHE_DIR": str(tmp_path / "cache")})
    for cell in book.cells:
        if cell.cell_type != "code":
            continue
        raises = "raises-exception" in cell.metadata.get("tags", [])
        errors = [each.ename for each in cell.outputs if each.output_type == "error"]
        assert len(errors) == raises, f"cell {cell.id}: {errors}"
        warnings = [each.text for each in cell.outputs if each.get("name") == "stderr"]
        assert warnings == [], f"cell {cell.id}"


def test_notebooks_hold_no_outputs():
    notebooks = []
    for folder, folders, files in os.walk(REPOSITORY):
        folders[:] = [name for name in folders if name not in BUILT and not name.startswith(".")]
        notebooks += [Path(folder, name) for name in files if name.endswith(".ipynb")]
    assert set(TUTORIALS) <= set(notebooks)
    for path in notebooks:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                assert cell.outputs == [] and cell.execution_count is None, f"{path}, cell {cell.id}"
