"""The worker: answers one JSON line for each JSON line.

    {"op": "load", "path": …, "modules": [{"name": …, "exact": …, "path": …}, …]}
                                                    ->  {"cases": [{"line": …, "text": …}, …]}
    {"op": "case", "index": …}                      ->  {"wrong": […], "interpreter": {…} or null}
    {"op": "script", "module": …, "code": …}        ->  {"stdout": …}

`python tests/harness/worker check FILE…` runs the cases in CPython alone and prints what they give.
"""

import contextlib
import faulthandler
import io
import json
import os
import sys
import traceback
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "pylib" / "pydd" / "python"))

import compare  # noqa: E402
import runner  # noqa: E402


def script(request):
    """Statements with the module's names, as a reader of the page would type them."""
    import numpy

    module = runner.import_module(request["module"])
    namespace = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    namespace.update(np=numpy, __name__="__main__")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(request["code"], "<page>", "exec"), namespace)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return {"stdout": out.getvalue()}


def serve():
    # What a kernel or a library writes to file descriptor 1 must not get into the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    current = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["op"] == "load":
                current = None
                current = runner.Runner(request["path"], request["modules"])
                answer = {"cases": [{"line": c.line, "text": c.text} for c in current.cases]}
            elif request["op"] == "case":
                wrong, interpreter = current.check(request["index"])
                answer = {"wrong": wrong, "interpreter": interpreter}
            else:
                answer = script(request)
        except Exception:
            answer = {"failed": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def describe(outcome, path):
    if outcome.error is not None:
        return f"{outcome.error!r} at line {compare.source_line(outcome.error, path)}"
    text = compare.show(outcome.result)
    return text + (f"  stdout {outcome.stdout!r}" if outcome.stdout else "")


def check_one(each, case, path):
    """Runs a case in CPython; what it gives and whether that looks like a mistake of the case."""
    outcome = each.outcome(each.oracle, case, "plain")
    name = type(outcome.error).__name__ if outcome.error is not None else None
    stated = case.raises[0] if case.raises else None
    notes = []
    if stated is not None and (stated != name or case.raises[1] not in (None, compare.source_line(outcome.error, path))):
        notes.append(f"states {stated}")
    if case.expect is not None:
        each.stated(case, outcome)
        notes.append(f"states {compare.show(outcome.result)}")
    suspect = stated is None and case.expect is None and name in ("NameError", "TypeError", "AttributeError", "SyntaxError")
    for variant in each.names_of_variants(case):
        each.outcome(each.oracle, case, variant)
    return f"{case.text} = {describe(outcome, path)}  {' '.join(notes)}", suspect


def check(paths):
    """Runs cases in CPython alone."""
    bad = 0
    for path in paths:
        print(f"== {path}")
        try:
            each = runner.Runner(path)
            for case in each.cases:
                text, suspect = check_one(each, case, path)
                bad += suspect
                print(f"  {'SUSPECT ' if suspect else ''}{text}")
        except Exception:
            bad += 1
            print("BROKEN " + traceback.format_exc())
    return 1 if bad else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        sys.exit(check(sys.argv[2:]))
    serve()
