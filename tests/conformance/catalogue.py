"""The catalogue of library functions, as the compiler prints it."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def pyddc():
    """The executable: the one named in the environment, that of the build, or that of the installed package."""
    named = os.environ.get("PYDD_CONFORMANCE_COMPILER")
    target = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
    built = target / "release" / "pyddc"
    return named or (str(built) if built.exists() else str(REPOSITORY / ".venv" / "bin" / "pyddc"))


@dataclass(frozen=True)
class Param:
    name: str
    default: object
    takes: str
    constant: bool

    @property
    def required(self):
        return self.default == "required"

    @property
    def rest(self):
        return self.default == "rest"


@dataclass(frozen=True)
class Function:
    """A name that programs may use. An alias is another name of the same entry in the same space."""

    space: str
    name: str
    spelled: str
    alias: bool
    section: str
    params: tuple
    kind: str
    detail: str

    @property
    def label(self):
        """What reports call it: methods by what they are methods of."""
        prefix = {"Method": "array", "Attribute": "array", "Sparse": "sparse", "SparseAttribute": "sparse"}
        prefix |= {"Dict": "dict", "Set": "set", "Generator": "rng"}
        return prefix.get(self.space, "") + self.spelled


def functions():
    """All functions, in the catalogue's order."""
    text = subprocess.run(
        [pyddc(), "explain", "library", "--json"], capture_output=True, text=True, check=True
    ).stdout
    out = []
    for line in text.splitlines():
        entry = json.loads(line)
        params = tuple(Param(**param) for param in entry["params"])
        seen = set()
        for name in entry["names"]:
            alias = name["space"] in seen
            seen.add(name["space"])
            out.append(
                Function(
                    **name, alias=alias, params=params, **{k: entry[k] for k in ("section", "kind", "detail")}
                )
            )
    return out
