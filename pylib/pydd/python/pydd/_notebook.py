"""`%load_ext pydd`: `%%pydd` compiles a cell, whose functions then are the notebook's."""

from __future__ import annotations

import html
import importlib.util
import keyword
import shlex
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

from . import _build, _cache, _cells
from ._cache import Request
from ._compiler import CompileError, flags
from ._jit import program
from ._jit.kernel import use_exceptions
from ._jit.types import Unsupported


@magics_class
class PyddMagics(Magics):
    """The magics of pydd."""

    @magic_arguments()
    @argument("-O", dest="opt", type=int, choices=range(4), help="level of optimisation; 0 compiles fastest")
    @argument("--report", action="store_true", help="show what became of loops and arrays")
    @argument(
        "--parallel",
        action="store_true",
        help="run loops and whole-array operations on threads where they may",
    )
    @argument("--gpu", action="store_true", help="make kernels for GPUs of loops and whole-array operations")
    @argument("--name", help="name of the module, to import it under as well")
    @argument("-v", "--verbose", action="store_true", help="say what was compiled, and how long it took")
    @argument("--strict-fp", action="store_true", help="evaluate floats exactly in source order")
    @argument("--fast-math", action="store_true", help="let NaN, infinity and signed zero lose their meaning")
    @argument("--unchecked", action="store_true", help="leave out the checks of indices")
    @argument("--check-races", action="store_true", help="raise where iterations of a parallel loop race")
    @argument("--options", default="", help="further options of pyddc, in quotes")
    @cell_magic
    def pydd(self, line: str, cell: str) -> None:
        """Compile the cell, and put its functions into the notebook.

        A name that the cell does not define may be one of the notebook's: a module, a function, a number, a text or an array,
        as it is when the cell runs.
        """
        given = parse_argstring(self.pydd, line)
        if given.name and (not given.name.isidentifier() or _is_foreign(given.name)):
            raise UsageError(
                f"--name {given.name}: a name that Python can import and no other module has is needed"
            )
        whole = f"%%pydd {line}".rstrip() + "\n" + cell
        made = _cells.Cell(_cells.register(whole, _cells.current()), 2, cell, self.shell.user_ns)
        started = time.perf_counter()
        compiled = _compiled(made, given, _shows_pages(self.shell))
        seconds = time.perf_counter() - started
        if given.name:
            sys.modules[given.name] = compiled.module
        names = _share_out(made, compiled.module)
        if compiled.remarks.strip():
            print(_cells.shown(compiled.remarks).rstrip())
        if given.verbose:
            _tell_of(compiled.module, names, seconds)
        if compiled.report is not None:
            _show_page(_cells.shown(compiled.report))

    @line_magic("pydd")
    def pydd_file(self, line: str) -> None:
        """`%pydd kernels.pydd`: compile a file, and put its functions into the notebook."""
        words = shlex.split(line)
        if len(words) != 1:
            raise UsageError("%pydd takes a file: %pydd kernels.pydd; %%pydd compiles a cell")
        file = Path(words[0]).expanduser()
        if not file.is_file():
            raise UsageError(f"no such file: {file}")
        module = _build.load(file)
        for name in vars(module):
            if not name.startswith("_"):
                self.shell.user_ns[name] = getattr(module, name)


@dataclass
class _Compiled:
    """What became of a cell."""

    module: ModuleType
    remarks: str
    # A page in HTML, where one was asked for and can be shown.
    report: str | None


def _compiled(made: _cells.Cell, given: Any, shows_pages: bool) -> _Compiled:
    """Compiles a cell as its magic's arguments say. Raises CompileError."""
    try:
        collected, reasons = program.collect_cell(made)
    except Unsupported as error:
        raise CompileError(f"In[{_cells.current()}] cannot be compiled: {error}") from None
    options = _options(given)
    with tempfile.TemporaryDirectory(prefix="pydd-") as folder:
        page = Path(folder) / "report.html"
        if given.report:
            options = (*options, f"--report={page}" if shows_pages else "--report")
        request = Request(collected.text, _build.identifier(given.name or "cell"), given.name, options)
        try:
            module, entry = _build.import_module(request)
        except CompileError as error:
            rendered = _cells.shown("\n\n".join([error.rendered, *reasons]))
            raise CompileError(rendered, error.returncode) from None
        report = page.read_text(encoding="utf-8") if page.exists() else None
    use_exceptions(module, collected.exceptions)
    return _Compiled(module, entry.remarks, report)


def _share_out(made: _cells.Cell, module: ModuleType) -> list[str]:
    """Puts what a cell defines into the notebook; the names of it."""
    notebook = made.namespace
    names = [name for name in made.defined if hasattr(module, name)]
    # What an earlier cell has made goes, where this one gives the name to something that Python does not see.
    for name in made.defined.difference(names):
        if _cells.cell_of(notebook.get(name)) is not None:
            del notebook[name]
    for name in names:
        value = getattr(module, name)
        if name in made.functions:
            _cells.remember(value, made)
        notebook[name] = value
    return names


def _tell_of(module: ModuleType, names: list[str], seconds: float) -> None:
    for name in sorted(names):
        signature = getattr(getattr(module, name), "__text_signature__", None) or ""
        print(f"{name}{signature}")
    print(f"compiled and imported in {seconds * 1e3:.0f} ms")


def _options(given: Any) -> tuple[str, ...]:
    return flags(
        opt=given.opt,
        parallel=given.parallel,
        gpu=given.gpu,
        fast_math=given.fast_math,
        strict_fp=given.strict_fp,
        unchecked=given.unchecked,
        check_races=given.check_races,
        options=shlex.split(given.options.strip("'\"")),
    )


def _is_foreign(name: str) -> bool:
    """Whether Python has another module of this name."""
    known = sys.modules.get(name)
    if known is None:
        return keyword.iskeyword(name) or importlib.util.find_spec(name) is not None
    return not str(getattr(known, "__file__", "")).startswith(str(_cache.folder()))


def _shows_pages(shell: Any) -> bool:
    """Whether what runs the cell is a notebook, and not a terminal."""
    return getattr(shell, "kernel", None) is not None


# As high as what it holds, up to a screen; and dark where JupyterLab is.
_FIT = (
    "const d = this.contentDocument, lab = document.body.dataset.jpThemeLight; "
    "if (lab) d.documentElement.style.colorScheme = lab === 'true' ? 'light' : 'dark'; "
    "this.style.height = Math.min(d.documentElement.scrollHeight + 24, 800) + 'px'"
)


def _show_page(page: str) -> None:
    from IPython.display import HTML, display

    # With a line break behind it, or IPython has advice about frames.
    frame = (
        f'<iframe srcdoc="{html.escape(page)}" onload="{html.escape(_FIT)}" title="report" '
        f'style="width: 100%; height: 32em; border: 1px solid #8884; border-radius: 4px"></iframe>\n'
    )
    display(HTML(frame))


def load(shell: Any) -> None:
    shell.register_magics(PyddMagics)
