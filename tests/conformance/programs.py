"""Many kernels compiled as one module; those that the compiler refuses are found and left out."""

import json
import subprocess

from catalogue import pyddc
from reference import HEADER

FIRST_LINE = HEADER.count("\n") + 1


def source_of(kernels, reference=False):
    """The text of a module: a line for each kernel."""
    return HEADER + "".join(kernel.source(f"k{i}", reference) + "\n" for i, kernel in enumerate(kernels))


class CompilerFailed(Exception):
    """The compiler ended without saying which line is wrong."""


def compile_module(kernels, folder, name, options=("-O0",)):
    """(path of the module or None, kernels in it, {kernel: (code, message)} of those refused)."""
    kernels, refused = list(kernels), {}
    while kernels:
        path = folder / f"{name}.pydd"
        path.write_text(source_of(kernels))
        run = run_compiler([str(path), "-o", str(folder), "--message-format=json", *options])
        if run.returncode == 0:
            return folder / f"{name}.abi3.so", kernels, refused
        lines = errors(run.stderr)
        if not lines:
            found = bisect_failure(kernels, folder, name, options, run)
            for kernel, why in found.items():
                refused[kernel.id] = why
            kernels = [kernel for kernel in kernels if kernel.id not in refused]
            continue
        wrong = {kernels[line - FIRST_LINE].id: why for line, why in lines.items() if line >= FIRST_LINE}
        if not wrong:
            raise CompilerFailed(run.stderr[-2000:])
        refused.update(wrong)
        kernels = [kernel for kernel in kernels if kernel.id not in wrong]
    return None, [], refused


def run_compiler(arguments, seconds=240):
    try:
        return subprocess.run([pyddc(), *arguments], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(error.cmd, 124, "", "the compiler took too long")


def errors(text):
    """{line: (code, message)} of the diagnostics that are errors."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        diagnostic = json.loads(line)
        spans = sorted(diagnostic["spans"], key=lambda span: not span["primary"])
        if diagnostic["severity"] == "error" and spans:
            found.setdefault(spans[0]["start"]["line"], (diagnostic["code"], diagnostic["message"]))
    return found


def bisect_failure(kernels, folder, name, options, run):
    """The kernels that make the compiler fail: a compiler bug each."""
    if len(kernels) == 1:
        return {kernels[0]: ("compiler-bug", run.stderr[-600:])}
    found, half = {}, len(kernels) // 2
    for part in (kernels[:half], kernels[half:]):
        path = folder / f"{name}_part.pydd"
        path.write_text(source_of(part))
        again = run_compiler([str(path), "-o", str(folder), "--message-format=json", *options])
        if again.returncode != 0 and not errors(again.stderr):
            found |= bisect_failure(part, folder, name, options, again)
    if not found:
        # Only together: all of them are said to fail, so that it is seen.
        return {kernel: ("compiler-bug", run.stderr[-600:]) for kernel in kernels}
    return found
