"""Random programs for what runs iterations side by side: loops whose inner loops end at different steps, and steps over whole arrays.

All functions of a program take two arrays of its element type and a number of steps. Numbers are compared exactly, so programs are compiled
with `--strict-fp`.
"""

from __future__ import annotations

import random

HEAD = "def {name}(x, y: Array({dtype}, 1), n: int64) -> Tuple(Array({dtype}, 1), Array(int64, 1), {dtype}, int64):"
DTYPES = ["float64", "float64", "float64", "float32", "complex128"]
NUMBERS = ["0.5", "1.0", "2.0", "-1.5", "3.0", "0.0"]


class Program:
    """The functions `f0`, `f1`, … of a seed."""

    def __init__(self, seed: int, functions: int = 6) -> None:
        self.random = random.Random(seed)
        self.dtype = self.random.choice(DTYPES)
        self.names = [f"f{number}" for number in range(functions)]
        # Of literals alone, `np.where` makes arrays of float64; and NumPy multiplies complex arrays with fused operations on some processors.
        whole = self.dtype == "float64"
        bodies = [self.steps if whole and number % 3 == 0 else self.loops for number in range(functions)]
        texts = ["\n".join(body(name)) for body, name in zip(bodies, self.names, strict=True)]
        self.text = "import numpy as np\n\n\n" + "\n\n\n".join(texts) + "\n"

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *items: str) -> str:
        return self.random.choice(items)

    def head(self, name: str) -> str:
        return HEAD.format(name=name, dtype=self.dtype)

    def number(self, names: list[str], depth: int = 0) -> str:
        """An expression of a number."""
        if depth > 2 or self.chance(0.3):
            return self.plain_number(names)
        a, b = self.number(names, depth + 1), self.number(names, depth + 1)
        plain = f"({a} {self.pick('+', '-', '*')} {b})"
        others = [f"({a} if {self.condition(names, depth + 1)} else {b})", f"(-{a})"]
        if self.dtype == "complex128":
            # Other operations round in several ways.
            others.append(f"np.conj({self.pick(*names)})")
        else:
            others += [f"abs({a})", f"({a} / ({b} * {b} + 1.0))", f"np.sqrt(abs({a}))"]
        return plain if self.chance(0.6) else self.pick(*others)

    def plain_number(self, names: list[str]) -> str:
        """A variable or a constant."""
        if self.dtype == "complex128":
            return self.pick(*names, *NUMBERS, "1j", "0.5j")
        number = self.pick(*names, *NUMBERS)
        # Where a variable is Python's float on one way, Python goes on in double precision.
        return f"np.float32({number})" if self.dtype == "float32" and number in NUMBERS else number

    def compared(self, names: list[str], depth: int) -> str:
        """An expression of a number that has an order."""
        if self.dtype != "complex128":
            return self.number(names, depth)
        name = self.pick(*names)
        return self.pick(
            f"{name}.real",
            f"{name}.imag",
            f"({name}.real * {name}.real + {name}.imag * {name}.imag)",
            "1.0",
            "4.0",
        )

    def condition(self, names: list[str], depth: int = 0) -> str:
        sign = self.pick("<", ">", "<=", ">=")
        found = f"{self.compared(names, depth + 1)} {sign} {self.compared(names, depth + 1)}"
        if self.chance(0.25):
            other = f"{self.compared(names, depth + 1)} < {self.compared(names, depth + 1)}"
            found = f"({found} {self.pick('and', 'or')} {other})"
        return f"not ({found})" if self.chance(0.1) else found

    def statements(self, names: list[str], indent: str, counts: bool, depth: int = 0) -> list[str]:
        """The body of an inner loop; one that `counts` has to count its steps itself."""
        lines = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.55 or depth > 2:
                lines.append(f"{indent}{self.pick('a', 'b')} = {self.number(names)}")
            elif kind < 0.62:
                lines.append(f"{indent}m += {self.pick('1', 'k', '2')}")
            elif kind < 0.75:
                lines.append(f"{indent}if {self.condition(names)}:")
                if self.chance(0.4):
                    lines.append(f"{indent}    {self.pick('a', 'b')} = {self.number(names)}")
                jump = self.pick("break", "break", "continue")
                if jump == "continue" and counts:
                    lines.append(f"{indent}    k += 1")
                lines.append(f"{indent}    {jump}")
            else:
                lines.append(f"{indent}if {self.condition(names)}:")
                lines += self.statements(names, indent + "    ", counts, depth + 1)
                if self.chance(0.5):
                    lines.append(f"{indent}else:")
                    lines += self.statements(names, indent + "    ", counts, depth + 1)
        return lines

    def loops(self, name: str) -> list[str]:
        """A loop over elements with a loop of its own within."""
        names = ["a", "b", *(each for each in ("x[i]", "y[i]") if self.chance(0.5))]
        inside, deeper = " " * 8, " " * 12
        lines = [
            self.head(name),
            f"    out = np.zeros(len(x), np.{self.dtype})",
            "    cnt = np.zeros(len(x), np.int64)",
            f"    total = np.{self.dtype}(0.0)",
            "    seen = 0",
            "    for i in range(len(x)):",
            f"{inside}a = x[i]",
            f"{inside}b = {self.pick('x[i] * 0.0', 'x[i] * 0.5', 'y[i]', 'y[i] + 1.0')}",
            f"{inside}m = 0",
        ]
        kind = self.random.randrange(3)
        if kind == 0:
            lines += [f"{inside}for k in range(n):", *self.statements(names, deeper, counts=False)]
        else:
            test = [f"{deeper}if k >= n:", f"{deeper}    break"] if kind == 1 else []
            head = "while True:" if kind == 1 else f"while k < n and {self.condition(names)}:"
            body = self.statements(names, deeper, counts=True)
            lines += [f"{inside}k = 0", f"{inside}{head}", *test, *body, f"{deeper}k += 1"]
        lines += [f"{inside}out[i] = {self.pick('a', 'b', 'a + b')}", f"{inside}cnt[i] = m"]
        if self.chance(0.2):
            lines.append(f"{inside}x[i] = b")
        if self.chance(0.4):
            lines.append(f"{inside}total += a")
        if self.chance(0.4):
            lines.append(f"{inside}seen += m")
        if self.chance(0.2):
            lines += [f"{inside}if {self.condition(['a', 'b'])}:", f"{inside}    seen += 1"]
        return [*lines, "    return out, cnt, total, seen"]

    def elements(self, depth: int = 0) -> str:
        """An expression of an array, or of a number."""
        if depth > 2 or self.chance(0.3):
            return self.pick("z", "w", "x", "0.5", "2.0", "1.0")
        a, b = self.elements(depth + 1), self.elements(depth + 1)
        plain = f"({a} {self.pick('+', '-', '*')} {b})"
        others = [f"abs({a})", f"np.sqrt(abs({a}))", f"np.where({a} < {b}, {b}, {self.elements(depth + 1)})"]
        return plain if self.chance(0.75) else self.pick(*others)

    def steps(self, name: str) -> list[str]:
        """A loop over time over whole arrays, by a mask or without."""
        inside = " " * 8
        lines = [
            self.head(name),
            "    z = x.copy()",
            "    w = y.copy()",
            "    cnt = np.zeros(len(x), np.int64)",
            "    for t in range(n):",
        ]
        masked = self.chance(0.5)
        if masked:
            left = self.pick("z", "w", "z + w", "z * z")
            lines.append(f"{inside}m = {left} {self.pick('<', '>')} {self.elements(1)}")
            if self.chance(0.3):
                lines.append(f"{inside}m = m | (z == 0.0)")
        for _ in range(self.random.randint(1, 3)):
            v, u = self.pick("z", "w"), self.pick("z", "w", "x")
            by_mask = [
                f"{v}[m] = {u}[m] * {self.pick('0.5', '2.0')} + {self.pick('z', 'w', 'x')}[m]",
                f"{v}[m] += {self.pick('1.0', '0.5')}",
                f"{v}[:] = np.where(m, {self.elements()}, {v})",
                f"cnt[m] {self.pick('+= 1', '= t', '+= t')}",
            ]
            whole = [
                f"{v}[:] = {self.elements()}",
                f"{v} += {self.elements()}",
                f"{v} *= {self.pick('0.5', '-1.0')}",
                f"{v} = {self.elements()} + z * 0.0",
                f"{v}[1:] = {v}[:-1] * 0.5 + {self.pick('z', 'w')}[1:]",
            ]
            lines.append(inside + self.pick(*(by_mask if masked else whole)))
        return [*lines, f"    return w + z, cnt, np.{self.dtype}(len(w)), n"]
