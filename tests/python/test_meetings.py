"""Every pair of types of numbers, wherever two definitions may meet, against CPython.

A cell is a construct, two types, two values and which of them comes. It is equal (in value and type), refused by the compiler with a code, or raises
OverflowError as docs/language.md states; anything else is a failure. `PYDD_LONG=1` runs all cells, otherwise a sample.
"""

import itertools
import os
import random
import re
import subprocess
import warnings

import numpy as np
import pytest

import pydd

LONG = bool(os.environ.get("PYDD_LONG"))
NUMPY = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
PYTHON = ["int", "float", "complex"]
TYPES = NUMPY + PYTHON

VALUES = {
    "bool": [True, False],
    "int": [0, 1, -1, 300, 2**31, -(2**53) - 1, 2**63 - 1],
    "float": [0.0, 0.1, -1.5, 1e300, 2.0**53],
    "complex": [0.1 + 1j, -2.0 + 0j],
    "float32": [0.0, 0.1, 3.0, 3e38],
    "float64": [0.1, -1.5, 1e300],
    "complex64": [0.1 + 1j, 3.0],
    "complex128": [0.1 + 1j, 1e300 + 0j],
}

# What stands in each function's body; `p` and `q` are its parameters of the two types, `n` and `c` say which way it goes.
CONSTRUCTS = {
    "if": ["x = p", "if c:", "    x = q", "return x"],
    "ternary": ["return q if c else p"],
    "returns": ["if c:", "    return q", "return p"],
    "loop": ["x = p", "for i in range(n):", "    x = q", "return x"],
    "while": ["x = p", "while n > 0:", "    x = q", "    n -= 1", "return x"],
    "first in a loop": [
        "for i in range(n + 1):",
        "    if i == 0:",
        "        x = p",
        "    else:",
        "        x = q",
        "return x",
    ],
    "min": ["return min(p, q)"],
    "max": ["return max(q, p)"],
    "min in a pfor": ["x = p", "pfor i in range(n):", "    x = min(x, q)", "return x"],
    "winner in a pfor": ["x = p", "pfor i in range(n):", "    if q > x:", "        x = q", "return x"],
    "sum in a pfor": ["x = p", "pfor i in range(n):", "    x += q", "return x"],
    "sum": ["x = p", "for i in range(n):", "    x += q", "return x"],
    "tuple": ["t = (p, q)", "if c:", "    t = (q, p)", "x, y = t", "return x, y"],
    "template": ["return either(p, q, c)"],
    "list": ["xs = [p, q]", "return xs"],
    "append": ["xs = [p]", "if c:", "    xs = [q]", "return xs"],
    "dict": ["d = {1: p, 2: q}", "return d"],
    "keys": ["d = {p: 1}", "d[q] = 2", "return d"],
    "set": ["s = {p, q}", "return s"],
    "print": ["x = p", "if c:", "    x = q", "print(x)"],
}
USES = [
    "x + q",
    "q - x",
    "x * 3",
    "x // 2",
    "x / 4",
    "x % 7",
    "x ** 2",
    "-x",
    "x == q",
    "x < 5",
    "x < p",
    "abs(x)",
    "x | 1",
    "x << 1",
    "0.1 * x",
]
CONSTRUCTS |= {f"then {use}": ["x = p", "if c:", "    x = q", f"return {use}"] for use in USES}

HOLDS_ONE_TYPE = {"list", "append", "dict", "keys", "set"}
TEMPLATE = "\n\ndef either(p, q, c):\n    if c:\n        return q\n    return p\n"


def values(name):
    if name in VALUES:
        return VALUES[name]
    info = np.iinfo(name)
    return sorted({int(info.min), 0, 1, min(int(info.max), 255), int(info.max)})


def source(cells):
    text = ["import numpy as np", TEMPLATE]
    for number, (p, q, construct) in cells.items():
        text.append(f"\ndef f{number}(p: {p}, q: {q}, n: int, c: bool):")
        text += [f"    {line}" for line in CONSTRUCTS[construct]]
        text.append("")
    return "\n".join(text) + "\n"


def accepted(cells, folder):
    """The module of the cells that compile, and the codes of those that do not."""
    path, refused = folder / "meetings.pydd", {}
    while cells:
        text = source(cells)
        path.write_text(text)
        done = subprocess.run(
            [os.environ.get("PYDDC") or pydd.find_compiler(), "-O0", path], capture_output=True, text=True
        )
        if done.returncode == 0:
            return path, refused
        starts = {i: line for i, line in enumerate(text.splitlines(), 1) if line.startswith("def f")}
        found = re.findall(r"error\[([\w-]+)\].*\n +--> .*:(\d+):\d+", done.stderr)
        assert found, done.stderr
        for code, line in found:
            at = max((i for i in starts if i <= int(line)), default=None)
            number = int(re.match(r"def f(\d+)", starts[at])[1]) if at else min(cells)
            refused[cells[number]] = code
        gone = {number for number, cell in cells.items() if cell in refused}
        assert gone, done.stderr
        cells = {number: cell for number, cell in cells.items() if number not in gone}
    return None, refused


def outcome(function, arguments, capsys):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = function(*arguments)
        except Exception as error:
            result = error
    return result, capsys.readouterr().out


def number(name, value):
    return value if name in PYTHON or name == "bool" else getattr(np, name)(value)


def parts(value):
    if isinstance(value, dict):
        return [part for item in value.items() for part in parts(item)]
    if isinstance(value, set):
        return [part for item in sorted(value) for part in parts(item)]
    return [part for item in value for part in parts(item)] if isinstance(value, (tuple, list)) else [value]


def same(a, b):
    return bool(a == b) or bool(a != a and b != b)


def wide(types):
    """Whether the two compute alike, so that they become one type."""
    strong = [t for t in types if t not in PYTHON]
    names = set(types)
    one = {"int": "int64", "float": "float64", "complex": "complex128"}
    kinds = {("int", "int64"), ("int", "float"), ("float", "float64"), ("int", "float64")}
    return (
        not strong
        or "bool" in names
        or "complex128" in names
        or tuple(sorted(names)) in {tuple(sorted(kind)) for kind in kinds}
        or names == {one.get(types[0], types[0])}
        or ("int64" in names and any(t.startswith(("float", "complex")) for t in names))
        or (
            "uint64" in names
            and any(t in ("int", "float", "complex", "float32", "float64", "complex64") for t in names)
        )
        or ("float64" in names and "complex" in names)
    )


def wrong(construct, types, arguments, expected, got):
    """Why the outcome is none that is stated, or None."""
    (want, wanted_text), (have, text) = expected, got
    arithmetic = construct.startswith(("then", "sum"))
    if isinstance(have, OverflowError) and not isinstance(want, Exception):
        large = [part for part in arguments if isinstance(part, (int, np.integer)) and abs(int(part)) > 2**24]
        return None if large or wide(types) or construct in HOLDS_ONE_TYPE else f"raised {have!r}"
    if isinstance(want, Exception) or isinstance(have, Exception):
        # Arithmetic of floats raises nothing.
        if isinstance(want, (ZeroDivisionError, OverflowError)) or type(want) is type(have):
            return None
        # Integers of Python's that a float cannot be meet it when they become one.
        return None if isinstance(have, OverflowError) else f"expected {want!r}, got {have!r}"
    pairs = list(zip(parts(want), parts(have), strict=True))
    for a, b in pairs:
        if isinstance(a, int) and not isinstance(a, bool) and not -(2**63) <= a < 2**63:
            continue
        types_differ = np.asarray(a).dtype != np.asarray(b).dtype
        one_type = (
            wide(types)
            or construct in HOLDS_ONE_TYPE
            or (arithmetic and ("complex" in types or "uint64" in types))
        )
        one_type |= "pfor" in construct and "int" in types
        if types_differ and not one_type:
            return f"expected {a!r} of {type(a).__name__}, got {b!r} of {type(b).__name__}"
        # Sums of floats may be added in another order.
        near = construct == "sum in a pfor" and np.isclose(a, b, rtol=1e-5)
        if not (same(a, b) or near) and not (arithmetic and (types_differ or wide(types))):
            return f"expected {a!r}, got {b!r}"
    if wanted_text != text and not wide(types):
        return f"expected to print {wanted_text!r}, printed {text!r}"
    return None


def all_cells():
    return list(itertools.product(TYPES, TYPES, CONSTRUCTS))


def groups():
    cells = all_cells()
    random.Random(7).shuffle(cells)
    size = 400
    chunks = [cells[i : i + size] for i in range(0, len(cells), size)]
    return chunks if LONG else chunks[:2]


@pytest.mark.parametrize("group", range(len(groups())))
def test_numbers_keep_their_values_where_they_meet(group, tmp_path, capsys):
    numbered = dict(enumerate(groups()[group]))
    path, refused = accepted(numbered, tmp_path)
    module = load(path)
    oracle = pydd.interpret(str(path))
    failures = []
    for number_of, cell in numbered.items():
        if cell in refused:
            continue
        p, q, construct = cell
        for a, b in itertools.product(values(p), values(q)):
            for n, c in ((0, False), (2, True)):
                arguments = [number(p, a), number(q, b), n, c]
                expected = outcome(getattr(oracle, f"f{number_of}"), arguments, capsys)
                got = outcome(getattr(module, f"f{number_of}"), arguments, capsys)
                why = wrong(construct, [p, q], arguments, expected, got)
                if why:
                    failures.append(f"{construct} of {p} {a!r} and {q} {b!r}, n={n}: {why}")
    assert not failures, f"{len(failures)} failures\n" + "\n".join(failures[:60])


def load(path):
    import importlib.util

    found = [f for f in path.parent.iterdir() if f.suffix == ".so"]
    spec = importlib.util.spec_from_file_location("meetings", found[0])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
