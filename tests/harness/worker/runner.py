"""One run case: CPython against the compiled modules, in each layout of its arguments."""

import ast
import builtins
import importlib.machinery
import importlib.util
import itertools
import math
import os

import compare
import directives
import literals
import numpy as np
import oracle
import scipy.sparse
import variants

from pydd import _python_ufuncs

_fresh = itertools.count()

# Stores that make a read-only argument a TypeError even where a run does not reach them.
_MUTATORS = {"fill", "set_row", "set_col", "plus_eq", "minus_eq", "sort"}


class Call(Exception):
    """What a case's expression calls."""

    def __init__(self, name, arguments, keywords):
        super().__init__(name)
        self.name, self.arguments, self.keywords = name, arguments, keywords


def import_module(path):
    """The compiled module at a path, under a name that no module had before."""
    stem = os.path.basename(path).split(".")[0]
    name = f"case{next(_fresh)}.{stem}"
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def may_write(path):
    """Whether the source has a store to elements at all."""
    with open(path, encoding="utf-8") as source:
        tree = ast.parse(oracle.to_python(source.read()))
    for node in ast.walk(tree):
        stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        called = isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _MUTATORS
        if stored or called or isinstance(node, ast.AugAssign) or getattr(node, "arg", "") == "out":
            return True
    return False


def refuses_read_only(outcome):
    """Whether a compiled function did not run, since an argument that it writes can't be written."""
    return isinstance(outcome.error, TypeError) and "read-only" in str(outcome.error)


class Compiled:
    """A compiled module: how it was compiled, and whether that leaves no freedom to its floats."""

    def __init__(self, name, exact, path):
        self.name, self.exact, self.module = name, exact, import_module(path)


class Runner:
    """The cases of one file."""

    def __init__(self, path, modules=()):
        self.path = path
        self.cases = directives.parse(path)
        self.oracle = oracle.load(path)
        self.modules = [Compiled(**each) for each in modules]
        self.may_write = may_write(path)

    def call_of(self, case):
        """The call of a case, its arguments evaluated afresh."""
        namespace = {"np": np, "sp": scipy.sparse, "math": math, "inf": math.inf, "nan": math.nan, "__builtins__": builtins}
        for statement in case.given:
            exec(statement, namespace)
        for name, value in vars(self.oracle).items():
            # Of a function that keeps its results, the one within.
            function = getattr(value, "function", getattr(value, "__wrapped__", value))
            if callable(value) and getattr(getattr(function, "__code__", None), "co_filename", None) == self.path:
                namespace[name] = lambda *a, _name=name, **k: Call(_name, a, k)
        call = eval(case.text, namespace)
        if not isinstance(call, Call):
            raise TypeError(f"a case is a call of the module's function: {case.text}")
        return call

    def arrange(self, case, variant):
        """A call with its arrays in a layout, and their buffers."""
        call = self.call_of(case)
        make = variants.VARIANTS[variant]
        pairs = [make(a) if isinstance(a, np.ndarray) else (a, None) for a in call.arguments]
        buffers = [buffer for _, buffer in pairs if buffer is not None]
        return call.name, [a for a, _ in pairs], call.keywords, buffers

    def outcome(self, module, case, variant):
        name, arguments, keywords, buffers = self.arrange(case, variant)
        if not hasattr(module, name):
            raise AttributeError(f"the module has no function {name}")
        return compare.run(getattr(module, name), arguments, keywords, buffers)

    def names_of_variants(self, case):
        return variants.applicable(self.call_of(case).arguments) if case.variants else ["plain"]

    def check(self, index):
        """All that is wrong, a line each, and what the interpreter is to do."""
        case = self.cases[index]
        wrong = []
        for variant in self.names_of_variants(case):
            found = self.check_variant(case, variant)
            wrong += found if variant == "plain" else [f"{variant} arguments: {w}" for w in found]
        return wrong, self.for_interpreter(case)

    def check_variant(self, case, variant):
        expected = self.outcome(self.oracle, case, variant)
        self.stated(case, expected)
        wrong, exact, refused = [], [], {}
        for compiled in self.modules:
            got = self.outcome(compiled.module, case, variant)
            prefix = compiled.name and f"{compiled.name}: "
            wrong += [prefix + w for w in self.check_outcome(case, variant, expected, got)]
            refused.setdefault(refuses_read_only(got), []).append(compiled.name or "the usual way")
            if compiled.exact:
                exact.append((compiled.name, got))
        if len(refused) > 1:
            wrong.append(f"a read-only argument is refused by {refused[True]} and taken by {refused[False]}")
        return wrong + self.check_bits(exact)

    def check_bits(self, exact):
        """Modules that compute floats in source order agree bit for bit."""
        if not exact:
            return []
        first_name, first = exact[0]
        pairs = [(name, w) for name, got in exact[1:] for w in compare.differences(first, got, self.path, None)]
        return [f"{name} differs from {first_name}: {w}" for name, w in pairs]

    def check_outcome(self, case, variant, expected, got):
        """What is wrong with what one module gave."""
        if variant == "readonly":
            refused = refuses_read_only(got)
            wanted = isinstance(expected.error, ValueError) and "read-only" in str(expected.error)
            if refused and (wanted or self.may_write):
                return []
            if wanted:
                return [f"expected a TypeError that says read-only, got {got.error!r}"]
        if case.raises is not None:
            return self.stated_error(case, got)
        return compare.differences(expected, got, self.path, case.tolerance)

    def stated(self, case, expected):
        """Puts what the case states in the place of what CPython gave."""
        if case.expect is not None:
            expected.error = None
            expected.result = eval(case.expect, {"np": np, "math": math, "inf": math.inf, "nan": math.nan})

    def stated_error(self, case, got):
        kind, line, part = case.raises
        if got.error is None:
            return [f"expected {kind}, got {compare.show(got.result)}"]
        if compare.kind_name(got.error) != kind:
            return [f"expected {kind}, got {got.error!r}"]
        if part is not None and part not in str(got.error):
            return [f"expected {part!r} in the message, got {got.error!r}"]
        wrong = compare.line_difference(line, compare.source_line(got.error, self.path), got.error)
        return [wrong] if wrong else []

    def for_interpreter(self, case):
        """The call as literals, with what must come of it; None where it can't be written."""
        if not case.interpreter:
            return None
        call = self.call_of(case)
        arrays = [a for a in call.arguments if isinstance(a, np.ndarray)]
        # The IR has functions of numbers, and loops whose results are given.
        is_ufunc = isinstance(getattr(self.oracle, call.name), _python_ufuncs.PythonUfunc)
        if call.keywords or is_ufunc or variants.overlapping(arrays):
            return None
        try:
            arguments = [text for a in call.arguments for text in literals.argument(a)]
            expected = self.outcome(self.oracle, case, "rows")
            self.stated(case, expected)
            raises, line = None, None
            if case.raises is not None:
                raises, line, _ = case.raises
            elif expected.error is not None:
                raises = compare.kind_name(expected.error)
                line = compare.source_line(expected.error, self.path)
            after = [literals.flat(a)[0] if isinstance(a, (np.ndarray, list)) else None for a in expected.arguments]
            parts = (tuple, dict, set, scipy.sparse.sparray, scipy.sparse.spmatrix)
            in_parts = any(isinstance(a, parts) or literals.may_hold_tuples(a) for a in call.arguments)
            return {
                "function": call.name,
                "arguments": arguments,
                "results": [] if raises else literals.flat(expected.result),
                "after": [] if in_parts else after,
                "raises": raises,
                "line": line,
                "stdout": expected.stdout,
                "tolerance": case.tolerance,
            }
        except literals.Unwritable:
            return None
