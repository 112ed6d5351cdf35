"""Kernels: small functions that call one library function each, made from the catalogue and the recipes."""

import itertools
import re
from dataclasses import dataclass

import numpy as np
import recipes
import reference
import tolerances
from bodies import BODIES, parse_body
from inputs import COMPLEX, DTYPES, INTEGERS, SHAPES, VALUES, WEAK, Arg, Input, inputs_of, stable

ELEMENTS = [name for name in DTYPES]
RANKS = (0, 1, 2, 3)
LETTERS = "cdefgh"

# Optional parameters that are also tried as if they were required, together.
TOGETHER = {
    "np.where": ("x", "y"),
    "where": ("x", "y"),
    "np.clip": ("a_min", "a_max"),
    "array.clip": ("min", "max"),
    "np.arange": ("stop", "step"),
    "arange": ("stop",),
    "np.bincount": ("weights",),
    "np.random.randint": ("high", "size"),
    "rng.integers": ("high", "size"),
    "np.interp": ("left", "right"),
    "np.trapezoid": ("x",),
}

# Optional parameters that are given by place where all before them are given.
BY_PLACE = {"stop", "step", "x", "y", "base", "k", "mod", "a_min", "a_max", "high", "axis1", "axis2", "imag"}

# Parameters that the reference takes by keyword alone, though the catalogue gives them another name there.
KEYWORD = {(name, "ndigits"): "decimals" for name in ("np.round", "np.around", "array.round")}

# Intrepydd's names for sparse matrices, as methods, in the terms of SciPy.
MEANS = {
    "add": "{} + {}", "sub": "{} - {}", "subtract": "{} - {}", "matmul": "{} @ {}", "matmult": "{} @ {}",
    "mul": "{}.multiply({})", "minus": "-{}", "negative": "-{}", "abs": "abs({})", "ndim": "{}.ndim",
}  # fmt: skip


@dataclass(eq=False)
class Kernel:
    """A function that is compiled and run as it stands: `def kN(args): setup; return call`."""

    function: str
    call: str
    args: tuple
    dtype: str
    rank: int
    base: tuple | None = None
    setup: str = ""
    statement: bool = False
    also: str = ""
    thorough: bool = True
    exact: bool = False
    probe: str = ""
    written: str = ""
    # What stands for the call in CPython, where that has no such name.
    means: str = ""
    # The only values that it is called with.
    values: tuple = ()

    @property
    def id(self):
        kinds = ", ".join(annotation_of(arg, self) for _, arg in self.args)
        setup = self.setup + "; " if self.setup else ""
        return f"{setup}{self.call} | {kinds}"

    def source(self, name, reference=False):
        call = self.means if reference and self.means else self.call
        params = ", ".join(f"{n}: {annotation_of(arg, self)}" for n, arg in self.args)
        setup = self.setup + "; " if self.setup else ""
        if self.statement:
            given = [n for n, arg in self.args if arg.kind != "number"]
            tail = f"{call}; return {', '.join(given[:1]) or '0'}"
        else:
            tail = f"return {call}{self.also}"
        return f"def {name}({params}): {setup}{tail}"


def annotation_of(arg, kernel):
    return arg if isinstance(arg, str) else arg.annotation(kernel.dtype, kernel.rank)


def assignments(required, optional, singles, pairs):
    """Which alternative each parameter takes: the usual ones, then one other, then two others."""
    base = {param: options[0] for param, options in required}
    yield base, "base"
    others = [(param, option) for param, options in required for option in options[1:]]
    others += [(param, option) for param, options in optional for option in options]
    if singles:
        for param, option in others:
            yield {**base, param: option}, "single"
    if pairs:
        for (p, x), (q, y) in itertools.combinations(others, 2):
            if p.name != q.name:
                yield {**base, p: x, q: y}, "pair"


def text_of(function, chosen):
    """The call's text and its run-time arguments."""
    args, used = {}, set()
    written = " ".join(option for option in chosen.values() if isinstance(option, str))
    if re.search(r"\ba\b", written):
        args["a"] = recipes.MAIN
    if re.search(r"\bb\b", written):
        args["b"] = recipes.SAME
    letters = iter(LETTERS)
    parts = []
    skipped = False
    for param in function.params:
        if param not in chosen:
            skipped = True
            continue
        option = chosen[param]
        if isinstance(option, Arg):
            option = place(option, args, letters, used)
        keyword = KEYWORD.get((function.label, param.name), param.name)
        by_place = (
            param.required
            or param.rest
            or (param.name in BY_PLACE and not skipped)
            or function.space == "Math"
        )
        by_keyword = function.space == "Math" and param.name in ("rel_tol", "abs_tol", "start")
        by_place = by_place and not by_keyword
        skipped = skipped or not by_place
        parts.append(option if by_place else f"{keyword}={option}")
    return call_text(function, [part for part in parts if part]), tuple(sorted(args.items()))


def place(option, args, letters, used):
    """The name of a run-time argument."""
    first = option.role not in ("same", "last", "first") and "a" not in args
    name = "a" if first else "b" if "b" not in args and option == recipes.SAME else next(letters)
    if option == recipes.MAIN and args.get("a") == option:
        return "a"
    if option == recipes.SAME and args.get("b") == option and "b" not in used:
        used.add("b")
        return "b"
    args[name] = option
    used.add(name)
    return name


def call_text(function, parts):
    if function.kind == "constant":
        return function.spelled
    if function.space in ("Attribute", "SparseAttribute"):
        return f"{parts[0]}{function.spelled}"
    if function.space in ("Method", "Sparse"):
        return f"{parts[0]}{function.spelled}({', '.join(parts[1:])})"
    if function.space == "Generator":
        return f"rng{function.spelled}({', '.join(parts)})"
    return f"{function.spelled}({', '.join(parts)})"


def options_of(function, dtype, rank, blanks):
    """(required, optional): each parameter with its alternatives."""
    required, optional, first = [], [], True
    for param in function.params:
        if param.name == "rng" or (function.space in ("Attribute", "SparseAttribute") and not first):
            continue
        if param.name == "out" and param.default is None:
            continue
        if param.name == "where" and function.kind == "elementwise":
            continue
        options = recipes.alternatives(function, param, dtype, rank, first)
        if options is None:
            blanks.add(f"{function.label}: no recipe for `{param.name}`")
            options = []
        if any(isinstance(o, Arg) and o.kind != "number" for o in options[:1]) or (
            options and "a" in str(options[0])
        ):
            first = False
        if not options:
            if param.required:
                return None
            continue
        if param.required or (param.rest and options[0] != ""):
            required.append((param, list(options)))
        else:
            optional.append((param, [o for o in options if o != ""]))
    return required, optional


# Functions of square matrices that are in no module.
SQUARE = ("syrk", "dsyrk", "syr2k", "symm", "trmm", "lu", "ludcmp", "qr", "eig", "svd")


# How many axes `np.squeeze` leaves of the shapes below.
STAYING = {1: 1, 2: 1, 3: 2}


def base_shape(function, rank):
    if function.space in ("Linalg", "SciPyLinalg", "SparseLinalg") or function.name in SQUARE:
        return {2: (3, 3), 3: (2, 3, 3)}.get(rank)
    if function.name in ("cross", "diag_indices_from", "fill_diagonal") and rank:
        return {1: (3,), 2: (3, 3), 3: (3, 3, 3)}[rank]
    if function.name in ("unpackbits", "squeeze") and rank > 1:
        return {2: (1, 4), 3: (2, 1, 3)}[rank]
    return None


def finish(function, call, args, dtype, rank, thorough, blanks):
    """A kernel, with what the reference says of its result."""
    kernel = Kernel(function.label, call, args, dtype, rank, base_shape(function, rank), thorough=thorough)
    kernel.exact = is_exact(function, dtype)
    if function.name == "squeeze" and rank and "axis=" not in call:
        # The annotation says how many axes stay; others are a ValueError.
        kernel.setup = f"r: Array({dtype}, {STAYING[rank]}) = {call}"
        kernel.call, kernel.means = "r", f"r if r.ndim == {STAYING[rank]} else np.zeros(-1)"
    if function.space == "Sparse" and function.name in MEANS and "=" not in call:
        kernel.means = MEANS[function.name].format(*[name for name, _ in args], *["0"] * 2)
    if function.space == "Generator":
        kernel.setup, kernel.also = "rng = np.random.default_rng(7)", ", rng.random()"
    elif function.space == "Random" and function.name not in ("seed", "default_rng"):
        kernel.setup, kernel.also = "np.random.seed(7)", ", np.random.random()"
    elif function.label == "array.abs" and "=" not in call:
        # Any function of an array may be called as a method.
        kernel.means = f"np.abs({args[0][0]})"
    elif function.name == "seed":
        kernel.also = "; return np.random.random()"
    elif function.name == "default_rng":
        kernel.call += ".random()"
    return settle(kernel)


def is_exact(function, dtype):
    """Whether results must be equal to the last bit: one correctly rounded operation, or values moved about."""
    if function.kind in ("creation", "shape"):
        return True
    return (
        function.kind == "elementwise"
        and dtype not in COMPLEX
        and function.detail.split()[0] in tolerances.EXACT
    )


def settle_operator(kernel):
    """Operators of real numbers are exact, but for powers."""
    kernel.exact = (
        "**" not in kernel.call + kernel.setup and "@" not in kernel.call and "sum" not in kernel.call
    )
    kernel.exact = kernel.exact and not any(str(arg.dtype).startswith("complex") for _, arg in kernel.args)
    return kernel


def settle(kernel):
    """Whether a call is a statement follows from the reference's result."""
    result = reference.probe(kernel)
    kernel.statement = result is None
    if kernel.statement and kernel.also:
        kernel.call += kernel.also.replace(", ", "; r = ", 1) if kernel.also.startswith(", ") else ""
        kernel.also = ""
    return kernel


def with_out(function, call, args, dtype, rank):
    """The same with `out=`: of the result's type and another one, and overlapping the argument."""
    plain = Kernel(function.label, call, args, dtype, rank, base_shape(function, rank))
    result = reference.probe(plain)
    if not hasattr(result, "dtype") or str(result.dtype) not in DTYPES:
        return
    own = str(result.dtype)
    inner = call[:-1] + (", " if not call.endswith("()") else "")
    choices = [("z", own, result.ndim), ("z", "float64", result.ndim), ("z", "int32", result.ndim)]
    for name, kind, ndim in dict.fromkeys(choices):
        arg = Arg("array", "out", kind, ndim)
        yield Kernel(
            function.label,
            f"{inner}out={name})",
            (*args, (name, arg)),
            dtype,
            rank,
            plain.base,
            probe=call,
            thorough=False,
        )
    if function.kind == "elementwise":
        # Without `out=` the elements that are left out have no value.
        more = (*args, ("w", Arg("array", "mask", "bool")), ("z", Arg("array", "out", own, result.ndim)))
        yield Kernel(
            function.label,
            f"{inner}out=z, where=w)",
            more,
            dtype,
            rank,
            plain.base,
            probe=call,
            thorough=False,
        )
    names = [name for name, arg in args if arg == recipes.MAIN]
    if names and rank and own == dtype and result.ndim == rank:
        for text in ("a", "a[::-1]"):
            yield Kernel(
                function.label,
                f"{inner}out={text})",
                args,
                dtype,
                rank,
                plain.base,
                thorough=False,
                written="a",
            )


def generic(function, blanks, full):
    """Kernels of a function by its parameters."""
    made = {}

    def add(kernel):
        if not re.search(r"default_rng\(\)|random\.seed\(\)", kernel.call):
            made.setdefault(kernel.id, kernel)

    pair_dtypes = itertools.cycle(DTYPES[stable(function.label) % 13 :] + DTYPES)
    # SciPy's own functions overwrite foreign memory where `out=` is of another type than they compute in.
    takes_out = any(param.name == "out" for param in function.params) and function.space not in (
        "Special",
        "Math",
    )
    sparse = function.space in (
        "Sparse",
        "SparseAttribute",
        "SciPySparse",
        "SparseLinalg",
        "CsGraph",
    ) or function.section.endswith("parse matrices")
    ranks = (2,) if sparse or function.space == "Math" else RANKS
    # NumPy's complex numbers are floats to `math`, with a warning.
    dtypes = (*WEAK, *DTYPES[:-2]) if function.space == "Math" else ELEMENTS
    if function.alias:
        # Another name of the same: what its first name shows is not shown again.
        dtypes = ("float64", "int32", "complex64")
    for dtype in dtypes:
        for rank in ranks:
            options = options_of(function, dtype, rank, blanks)
            if options is None:
                return []
            required, optional = options
            together = TOGETHER.get(function.label)
            bases = [(required, optional)]
            if together:
                more = [(p, o) for p, o in optional if p.name in together]
                bases.append((required + more, [(p, o) for p, o in optional if p.name not in together]))
            for required, optional in bases:
                singles = not function.alias or dtype in ("float64", "int32")
                for chosen, kind in assignments(required, optional, singles, False):
                    chosen = {p: chosen[p] for p in function.params if p in chosen}
                    call, args = text_of(function, chosen)
                    add(finish(function, call, args, dtype, rank, kind == "base", blanks))
                    if takes_out and kind == "base":
                        for kernel in with_out(function, call, args, dtype, rank):
                            add(kernel)
                    if kind == "base":
                        for kernel in of_family(function, call, args, dtype, rank):
                            add(kernel)
                    if kind == "base" and function.space in ("Numpy", "Special", "Bare") and rank == 1:
                        for kernel in of_scalars(function, chosen, dtype, blanks):
                            add(kernel)
        if not full:
            continue
    if full and not function.alias:
        for rank in ranks:
            dtype = next(pair_dtypes)
            required, optional = options_of(function, dtype, rank, blanks)
            for chosen, kind in assignments(required, optional, False, True):
                if kind != "pair":
                    continue
                dtype = next(pair_dtypes) if function.space != "Math" else "float"
                chosen = {p: chosen[p] for p in function.params if p in chosen}
                call, args = text_of(function, chosen)
                add(finish(function, call, args, dtype, rank, False, blanks))
    return list(made.values())


def of_family(function, call, args, dtype, rank):
    """Whether a number that a function gives is Python's or NumPy's shows where it meets float32."""
    kernel = Kernel(function.label, call, args, dtype, rank, base_shape(function, rank), thorough=False)
    result = reference.probe(kernel)
    known = str(getattr(result, "dtype", "int64")) in DTYPES
    random = function.space in ("Generator", "Random")
    if isinstance(result, (bool, int, float, complex, np.generic)) and known and not random:
        kernel.call, kernel.values = f"np.float32(0.5) * {call}", ("plain", "duplicates")
        yield kernel


def of_scalars(function, chosen, dtype, blanks):
    """The same with numbers in the place of arrays."""
    kinds = (dtype, *WEAK) if dtype == "float64" else (dtype,)
    for kind in kinds:
        swapped = {
            p: Arg("number", o.role)
            if isinstance(o, Arg) and o.kind == "array" and o.role in ("main", "same")
            else o
            for p, o in chosen.items()
        }
        if swapped != chosen:
            call, args = text_of(function, swapped)
            yield finish(function, call, args, kind, 0, False, blanks)
    if dtype in ("float64", "int64"):
        swapped = {p: Arg("list", o.role) if isinstance(o, Arg) and o.kind == "array" and o.rank is None and o.dtype is None
                   else o for p, o in chosen.items()}  # fmt: skip
        if swapped != chosen:
            call, args = text_of(function, swapped)
            yield finish(function, call, args, "float" if dtype == "float64" else "int", 1, False, blanks)


def written_out(function):
    """Kernels of functions whose calls are given as texts."""
    made = {}
    for body in BODIES[function.label]:
        generic_body = re.search(r"\bT\b", body.split(")", 1)[0] + body.split("=", 1)[-1])
        for dtype in DTYPES + WEAK[:2] if generic_body else ("float64",):
            for kernel in parse_body(Kernel, function.label, body, dtype):
                made.setdefault(kernel.id, kernel)
    return list(made.values())


def of_function(function, blanks, full=True):
    """All kernels of a function."""
    if hasattr(function, "make"):
        return list({kernel.id: kernel for kernel in function.make(full)}.values())
    made = written_out(function) if BODIES.get(function.label) else generic(function, blanks, full)
    if not made:
        blanks.add(f"{function.label}: no recipe")
    return made


def cells_of(kernel):
    """The inputs that a kernel is called with."""
    found = all_cells_of(kernel)
    values = kernel.values or tuple(VALUES)
    # Sizes past all memory, and integers of Python's that have millions of digits.
    long = r"range\(|mgrid|ogrid|ndindex|factorial|comb\(|perm\(|np\.tri\(|tri[lu]_indices\(|round\(x, n\)"
    if re.search(long, kernel.call) or ("pow(" in kernel.call and kernel.dtype in WEAK):
        values = tuple(name for name in values if name != "extremes")
    if "sparse.eye(n" in kernel.call:
        values = tuple(name for name in values if name != "extremes")
    found = [each for each in found if not ends_the_reference(kernel, each)]
    # Rows that are all equal make a matrix singular, or nearly so, as rounding has it.
    singular = kernel.function.startswith(("np.linalg", "scipy.linalg")) and kernel.rank > 1
    return [each for each in found if each.values in values and not (singular and each.layout == "broadcast")]


def ends_the_reference(kernel, each):
    """SciPy 1.17 ends the process: it divides by a length of 0, and follows no pointer where a matrix of bools is singular.
    Neighbours in arrays that repeat one element it takes from elsewhere."""
    if kernel.function in ("scipy.signal.convolve2d", "scipy.signal.correlate2d"):
        return each.size == "empty" and "boundary=" in kernel.call
    if kernel.function == "scipy.linalg.inv":
        return kernel.dtype == "bool" and each.values == "extremes"
    return (
        kernel.function in ("scipy.ndimage.convolve", "scipy.ndimage.correlate")
        and each.layout == "broadcast"
    )


def all_cells_of(kernel):
    arrays = [arg for _, arg in kernel.args if not isinstance(arg, str)]
    if not arrays:
        return [Input("C", "plain")]
    first = arrays[0]
    dtype = first.parts(kernel.dtype)[-1] if first.kind in ("dict", "set") else first.dtype or kernel.dtype
    rank = kernel.rank
    if any(arg.kind == "array" and arg.rank is None for arg in arrays) and rank:
        return inputs_of(dtype, rank, kernel.thorough)
    if all(arg.kind == "number" for arg in arrays):
        return inputs_of(dtype, 0, len(arrays) == 1 or kernel.thorough)
    if all(arg.kind != "array" for arg in arrays):
        return [each for each in inputs_of(dtype, 1, kernel.thorough) if each.layout == "C"]
    return inputs_of(dtype, max(rank, 1), kernel.thorough) if rank else inputs_of(dtype, 0, kernel.thorough)


__all__ = ["COMPLEX", "INTEGERS", "SHAPES", "Kernel", "cells_of", "of_function"]
