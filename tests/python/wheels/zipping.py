"""A build backend for tests: it packs the folder `src` as it is, with the tag that a setting gives."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

METADATA = "Metadata-Version: 2.4\nName: sample\nVersion: 1\nRequires-Dist: {needs}\n\nAbout it.\n\nRequires-Dist: no-header\n"
# The settings of the last call.
given = {}


def _wheel(folder, settings, names):
    given.clear()
    given.update(settings or {}, epoch=os.environ["SOURCE_DATE_EPOCH"])
    tag = given.get("tag", "py3-none-any")
    file = f"sample-1-{tag}.whl"
    with zipfile.ZipFile(Path(folder, file), "w") as archive:
        for name in names:
            archive.write(Path("src", name), name)
        info = "sample-1.dist-info"
        archive.writestr(f"{info}/METADATA", METADATA.format(needs=given.get("needs", "pydd_runtime>=0.1")))
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n\n")
        archive.writestr(f"{info}/RECORD", "")
    return file


def build_wheel(folder, settings=None, metadata=None):
    names = sorted(str(path.relative_to("src")) for path in Path("src").rglob("*") if path.is_file())
    return _wheel(folder, settings, [name for name in names if "__pycache__" not in name])


def build_editable(folder, settings=None, metadata=None):
    file = _wheel(folder, settings, [])
    with zipfile.ZipFile(Path(folder, file), "a") as archive:
        archive.writestr("sample.pth", f"{Path('src').resolve()}\n")
    return file


def build_sdist(folder, settings=None):
    with tarfile.open(Path(folder, "sample-1.tar.gz"), "w:gz") as archive:
        for path in [
            "pyproject.toml",
            *sorted(Path("src").rglob("*.py")),
            *sorted(Path("src").rglob("*.so")),
        ]:
            archive.add(path, f"sample-1/{path}")
        link = tarfile.TarInfo("sample-1/link")
        link.type, link.linkname = tarfile.SYMTYPE, "pyproject.toml"
        archive.addfile(link, io.BytesIO())
    return "sample-1.tar.gz"


def get_requires_for_build_wheel(settings=None):
    return ["needed>=1"]
