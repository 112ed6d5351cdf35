"""Operators on every pair of element types, and conversions of every type to every type."""

from inputs import DTYPES, WEAK, Arg
from kernels import Kernel, settle_operator

BINARY = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=")
UNARY = ("-", "+", "~", "not ")
MATRIX = "@"


class Operator:
    """Stands for a function of the catalogue: what reports call it, and its kernels."""

    def __init__(self, label, make):
        self.label = self.spelled = label
        self.make = make


def all_operators():
    """Groups of kernels, as functions of the catalogue are groups."""
    out = [Operator(f"operator {op}", lambda full, op=op: binary(op, full)) for op in BINARY]
    out += [Operator(f"operator {op}=", lambda full, op=op: in_place(op, full)) for op in BINARY[:12]]
    out.append(Operator("operator @", lambda full: matrix_product(full)))
    out += [Operator(f"operator unary {op.strip()}", lambda full, op=op: unary(op)) for op in UNARY]
    return [*out, Operator("conversions", conversions), Operator("operator chains", chains)]


def kernel(label, call, args, rank=1, **more):
    return settle_operator(Kernel(label, call, tuple(args), "float64", rank, thorough=False, **more))


def array(dtype, role="main", rank=None):
    return Arg("array", role, dtype, rank)


def number(dtype, role="main"):
    return Arg("number", role, dtype)


def binary(op, full):
    """Arrays and numbers, of each pair of types; Python's own numbers on either side."""
    label = f"operator {op}"
    for left in DTYPES:
        for right in DTYPES:
            yield kernel(label, f"a {op} b", [("a", array(left)), ("b", array(right, "same"))])
            yield kernel(label, f"a {op} x", [("a", array(left)), ("x", number(right, "same"))])
            yield kernel(label, f"x {op} a", [("a", array(left)), ("x", number(right, "same"))])
            yield kernel(label, f"x {op} y", [("x", number(left)), ("y", number(right, "same"))], 0)
        # Python shifts its bools as far as memory goes.
        far = op == "<<" and left == "bool"
        for weak in WEAK:
            for text in (f"a {op} x", f"x {op} a"):
                yield kernel(label, text, [("a", array(left)), ("x", number(weak, "same"))])
            near = ("plain", "duplicates") if far else ()
            yield kernel(
                label, f"x {op} y", [("x", number(left)), ("y", number(weak, "same"))], 0, values=near
            )
            yield kernel(label, f"y {op} x", [("x", number(left)), ("y", number(weak, "same"))], 0)
        for literal in ("2", "-1", "0", "0.5", "300", "2j", "True", "3000000000"):
            for text in (f"a {op} {literal}", f"{literal} {op} a"):
                yield kernel(label, text, [("a", array(left))])
            for text in (f"x {op} {literal}", f"{literal} {op} x"):
                if far and text == "x << 3000000000":
                    continue
                yield kernel(label, text, [("x", number(left))], 0)
        for rank in (0, 2, 3):
            yield kernel(label, f"a {op} b", [("a", array(left)), ("b", array(left, "same"))], rank)
        yield kernel(label, f"a {op} b", [("a", array(left)), ("b", array(left, "last", 1))], 2)
    for left in WEAK:
        for right in WEAK:
            # Python's integers have no end: powers of large ones would not either.
            values = ("plain", "duplicates") if op in ("**", "<<") else ()
            yield kernel(
                label, f"x {op} y", [("x", number(left)), ("y", number(right, "same"))], 0, values=values
            )


def in_place(op, full):
    """`a op= b`, where the result is converted back to the array's type."""
    label = f"operator {op}="
    for left in DTYPES:
        for right in DTYPES:
            yield kernel(
                label, "a", [("a", array(left)), ("b", array(right, "same"))], setup=f"a {op}= b", written="a"
            )
            yield kernel(
                label,
                "a",
                [("a", array(left)), ("x", number(right, "same"))],
                setup=f"a {op}= x",
                written="a",
            )
        for weak in WEAK:
            yield kernel(
                label, "a", [("a", array(left)), ("x", number(weak, "same"))], setup=f"a {op}= x", written="a"
            )
        for text in (
            f"a {op}= a[::-1]",
            f"a[1:] {op}= a[:-1]",
            f"a[:-1] {op}= a[1:]",
            f"a[0] {op}= 2",
            f"a[::2] {op}= 1",
        ):
            yield kernel(label, "a", [("a", array(left))], setup=text, written="a")
        yield kernel(label, "a", [("a", array(left))], 2, setup=f"a {op}= a.T[:3, :3].sum()", written="a")


def matrix_product(full):
    label = "operator @"
    for left in DTYPES:
        for right in DTYPES:
            yield kernel(label, "a @ b", [("a", array(left)), ("b", array(right, "same"))])
            yield kernel(label, "a @ b.T", [("a", array(left)), ("b", array(right, "same"))], 2)
            yield kernel(label, "a @ b", [("a", array(left)), ("b", array(right, "last", 1))], 2)
        yield kernel(label, "a @ b.transpose(0, 2, 1)", [("a", array(left)), ("b", array(left, "same"))], 3)
        yield kernel(label, "a @ a", [("a", array(left))], 2)
        yield kernel(label, "a @ 2", [("a", array(left))], 2)


def unary(op):
    label = f"operator unary {op.strip()}"
    for dtype in DTYPES:
        for rank in (0, 1, 2, 3):
            yield kernel(label, f"{op}a", [("a", array(dtype))], rank)
        yield kernel(label, f"{op}x", [("x", number(dtype))], 0)
    for weak in WEAK:
        yield kernel(label, f"{op}x", [("x", number(weak))], 0)


def conversions(full):
    """`astype`, the types as functions, stores into elements and slices, of each type to each."""
    label = "conversions"
    for source in DTYPES:
        for target in DTYPES:
            name = "np.bool_" if target == "bool" else f"np.{target}"
            yield kernel(label, f"a.astype({name})", [("a", array(source))])
            yield kernel(label, f"{name}(x)", [("x", number(source))], 0)
            yield kernel(label, f"np.array(a, dtype={name})", [("a", array(source))])
            yield kernel(label, f"np.asarray(a, dtype={name})", [("a", array(source))])
            store = [("a", array(target)), ("b", array(source, "same"))]
            yield kernel(label, "a", store, setup="a[:] = b", written="a")
            item = [("a", array(target)), ("x", number(source, "same"))]
            yield kernel(label, "a", item, setup="a[0] = x", written="a")
            yield kernel(label, "a", item, setup="a[1:] = x", written="a")
        for weak in WEAK:
            yield kernel(
                label, "a", [("a", array(source)), ("x", number(weak, "same"))], setup="a[0] = x", written="a"
            )
            yield kernel(label, f"{weak}(x)", [("x", number(source))], 0)
    for weak in WEAK:
        for target in DTYPES[1:]:
            yield kernel(label, f"np.{target}(x)", [("x", number(weak))], 0)


def chains(full):
    """Several operators in a loop over the same elements, so that they are fused."""
    label = "operator chains"
    texts = [
        "(a + b) * a - b",
        "a * 2 + b / 4",
        "-(a + 1) * (b - 1)",
        "(a > b) & (a != 0)",
        "a * a + b * b",
        "(a + b) // 2",
    ]
    texts += [
        "(a - b) % 3",
        "abs(a - b) + a",
        "(a + 0.5).astype(np.float32) + b",
        "np.where(a > b, a, b) * 2",
        "(a * b).sum()",
    ]
    for dtype in DTYPES:
        for text in texts:
            for rank in (1, 2):
                yield kernel(label, text, [("a", array(dtype)), ("b", array(dtype, "same"))], rank)
