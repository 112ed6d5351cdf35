"""Pages of what the compiler says of itself: the library, the command line, diagnostics."""

from __future__ import annotations

import html
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache

from compiler import says
from snippets import REPOSITORY

COVERAGE = REPOSITORY / "docs" / "coverage.md"
# What docs/coverage.md puts before the names of methods and attributes, by the space of names that the catalogue gives.
OWNERS = {
    "Method": "array",
    "Attribute": "array",
    "Sparse": "sparse",
    "SparseAttribute": "sparse",
    "Dict": "dict",
    "Set": "set",
    "Generator": "rng",
}


@dataclass(frozen=True)
class Entry:
    """A function, method or attribute.

    `names` are what programs write, `full` the same with the type that a method belongs to; `call` shows parameters and
    other names, as Markdown.
    """

    section: str
    names: list[str]
    full: list[str]
    call: str
    doc: str
    anchor: str


@cache
def entries() -> list[Entry]:
    """The catalogue, in its order: `explain library` and `explain library --json` have the same one."""
    lines = [line[2:] for line in says("explain", "library").splitlines() if line.startswith("- `")]
    taken: Counter[str] = Counter()
    found = []
    for line, data in zip(lines, says("explain", "library", "--json").splitlines(), strict=True):
        given = json.loads(data)
        names = [name["spelled"] for name in given["names"]]
        call, _, doc = line.partition(": ")
        if re.match(r"`([^`(]+)", call)[1] != names[0]:
            raise ValueError(f"the two lists of the library differ: {line}, {names}")
        full = [OWNERS.get(name["space"], "") + name["spelled"] for name in given["names"]]
        anchor = re.sub(r"[^\w.-]+", "", full[0])
        # Sparse matrices have some attributes twice, for matrices and for arrays.
        taken[anchor] += 1
        if taken[anchor] > 1:
            anchor += f"-{taken[anchor]}"
        found.append(Entry(given["section"], names, full, call, doc, anchor))
    return found


def library() -> dict[str, tuple[str, str]]:
    """A page for each section of the catalogue: path, title, text. The first one is the index."""
    cover = _coverage()
    sections = defaultdict(list)
    for entry in entries():
        sections[entry.section].append(entry)
    pages = {
        f"library/{_slug(title)}.md": (
            title,
            f"# {title}\n\n" + "\n".join(_function(each, cover) for each in rows),
        )
        for title, rows in sections.items()
    }
    return {"library/index.md": ("All functions", _index(sections)), **pages}


def _slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def _coverage() -> dict[str, tuple[str, str]]:
    """Of each name what docs/coverage.md says is taken and what is refused: the last two cells of a row."""
    text = COVERAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \|[^|]*\|[^|]*\|([^|]*)\|([^|]*)\|$", text, re.M)
    return {name: (taken.strip(), refused.strip()) for name, taken, refused in rows}


def _index(sections: dict[str, list[Entry]]) -> str:
    lines = [
        "# The library",
        "",
        f"{len(entries())} functions, methods and attributes, by the names that NumPy, SciPy, Python and Intrepydd give them. Shapes, types and",
        "values are theirs; [the language](../language.md#library) says where something is left open, and",
        "[what is covered](../coverage.md) how each was compared with them, for the types that stand below it. `pyddc explain np.sum` shows an entry in the terminal.",
        "",
    ]
    for title, rows in sections.items():
        links = ", ".join(f"[`{each.names[0]}`]({_slug(title)}.md#{each.anchor})" for each in rows)
        lines += [f"## {title}", "", links, ""]
    return "\n".join(lines)


def _function(entry: Entry, cover: dict[str, tuple[str, str]]) -> str:
    lines = [f"## `{entry.names[0]}` {{ #{entry.anchor} }}", "", entry.call, "", entry.doc, ""]
    # Names that are taken for the same share a line.
    said = defaultdict(list)
    for name, full in zip(entry.names, entry.full, strict=True):
        if full in cover:
            said[cover[full]].append(f"`{name}`")
    for (taken, refused), names in said.items():
        which = f"{', '.join(names)} compared" if len(said) > 1 else "Compared"
        text = f"{which} for {taken or 'no type'}."
        if refused:
            text += f" Refused at least in some calls, though NumPy, SciPy or Python accept them: {refused}."
        lines += [text, "{ .cover }", ""]
    return "\n".join(lines)


def diagnostics() -> dict[str, str]:
    """A page for each code, and an index: path, text."""
    pages = {}
    errors, remarks = [], []
    for code in says("explain").split():
        text = says("explain", code)
        pages[f"diagnostics/{code}.md"] = text
        summary = text.split("\n\n")[1].replace("\n", " ")
        remark = re.match(r"A remark of [^:]+: ", summary)
        sentence = summary[remark.end() :] if remark else summary
        sentence = sentence[0].upper() + sentence[1:].split(". ")[0].rstrip(".") + "."
        (remarks if remark else errors).append(f"| [`{code}`](diagnostics/{code}.md) | {sentence} |")
    head = "| code | |\n|---|---|\n"
    pages["diagnostics.md"] = (
        "# Diagnostics\n\n"
        "What stands between the brackets of `error[…]`, `warning[…]` and `remark[…]`. `pyddc explain CODE` shows a page in the terminal. "
        "How to read one: [Errors and what they mean](guide/errors.md).\n\n"
        f"## Errors and warnings\n\n{head}" + "\n".join(errors) + "\n\n"
        f"## Remarks of the report\n\n[Make it fast](guide/report.md) says how to use them.\n\n{head}"
        + "\n".join(remarks)
        + "\n"
    )
    return pages


# Those of which the page says more; `watch` takes what compiling takes.
COMMANDS = ["explain", "check", "new", "lsp", "completions", "man", "opt"]


def command_line() -> str:
    """The page of `pyddc --help` and its like."""
    parts = [
        "# Command line\n\n`pyddc FILE.pydd` writes the module `FILE.abi3.so` beside the source. "
        "What the options are for: [How to](howto/cpu.md), [Make it fast](guide/report.md).\n",
        "## `pyddc`\n\n" + _help(says("--help")),
        *(f"## `pyddc {name}`\n\n" + _help(says(name, "--help")) for name in COMMANDS),
        "## `pydd cache`\n\n```text\n" + says("cache", "--help", command="pydd") + "```\n",
    ]
    return "\n".join(parts)


def _help(text: str) -> str:
    """The help that clap prints, as text with a definition for each argument and option."""
    lines = []
    heading = ""
    for line in text.splitlines():
        stripped = line.strip()
        if re.fullmatch(r"[A-Z]\w+:", line):
            heading = line[:-1]
            lines += ["", f"**{heading}**", ""]
        elif line.startswith(("Usage:", "       pyddc")):
            lines += ["", f"    {line}"] if line.startswith("Usage:") else [f"    {line}"]
        elif (
            heading in ("Options", "Arguments")
            and re.match(r"\s{2,6}(-|\[|<)", line)
            and not line.startswith(" " * 8)
        ):
            name, _, below = stripped.partition("  ")
            lines += ["", f"`{name}`", ":   " + html.escape(below.strip(), quote=False)]
        elif heading == "Commands" and stripped:
            name, _, below = stripped.partition("  ")
            lines.append(f"- `{name}`: {below.strip()}")
        elif heading and stripped.startswith("- "):
            name, _, below = stripped[2:].partition(":")
            lines.append(f"    - `{name}`: {html.escape(below.strip(), quote=False)}")
        elif heading and stripped and line.startswith(" " * 4):
            lines.append("    " + html.escape(stripped, quote=False))
            if stripped == "Possible values:":
                lines.append("")
        elif stripped:
            lines += ["", html.escape(stripped, quote=False)]
        else:
            lines.append("")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"
