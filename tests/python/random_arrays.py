"""Random programs of short statements over whole arrays: each computes one thing, or changes an array that others were computed from.

What an optimiser moves past such a change shows. All functions of a program take three arrays of one shape and a number of steps.
"""

from __future__ import annotations

import random

NUMBERS = ["0.5", "2.0", "-1.0", "3.0"]
# Of arrays p, q and r, and a number k.
COMPUTED = """
    -{p} | -{p} | {p} + {q} | {p} - {q} | {k} - {p} | {p} * {k} | {p} / {k} | {k} * {p} | {p} * {q} | -{p} * {q} | {p} - -{q}
    {p} + {q} * {k} | {p} ** 2 | np.abs({p}) | np.sin({p}) | np.cos({p}) | np.tanh({p}) | np.sqrt(np.abs({p}))
    np.where({p} < {q}, {p}, {r}) | np.minimum({p}, {q}) | np.maximum({p}, -{q}) | ({p} > {k}) * {q} | np.square({p} - {q})
    {p} - {q}.max(initial=0.0) | {p}.copy() | {p}.astype(np.float64) | np.zeros_like({p}) | {p}[:] | {p}[::-1]
"""
OF_ROWS = "np.concatenate(({p}[1:], {q}[:1])) | np.cumsum({p}) | np.roll({p}, 1) | np.roll({p}, n) - np.roll({q}, -1)"
OF_MATRICES = """
    {p}.T.copy().T | {p}[::-1, ::-1] | {p}[:, ::-1] | np.roll({p}, 1) | np.roll({p}, -1, axis=0) | np.roll({p}, n, 1) + np.roll({q}, 1, 0)
"""
# Of loops over time: a name stands for another array in each step.
STEPS = """
    {p} * 0.5 + {q} | {p} + {k} | np.where({p} < {q}, {p}, {p} * {k}) | {q} - {p} | np.roll({p}, 1) * 0.5 | {p} - np.roll({q}, -1)
    np.minimum({p}, {k}) | {q} | {q}.copy()
"""
CHANGES = """
    {p}[0] = {k} | {p}[-1] = {q}[0] | {p}[1:] = {q}[:-1] | {p}[::2] += {k} | {p} += {k} | {p} += {q} | {p} -= {q} | {p} *= {k}
    {p}[:] = {q} | {p}[:] = -{q} | {p}[{p} > 1.0] = {k} | {p}[{q} < 0.0] = -1.0 | np.negative({q}, out={p}) | np.add({p}, {q}, out={p})
"""


def patterns(text: str) -> list[str]:
    """Those between bars and in lines."""
    parts = [each.strip() for line in text.splitlines() for each in line.split(" | ")]
    return [each for each in parts if each]


class Program:
    """The functions `f0`, `f1`, … of a seed, and of how many axes their arrays are."""

    def __init__(self, seed: int, functions: int = 5) -> None:
        self.random = random.Random(seed)
        self.ranks = {f"f{number}": self.random.choice([1, 1, 2]) for number in range(functions)}
        texts = ["\n".join(self.function(name, rank)) for name, rank in self.ranks.items()]
        self.text = "import numpy as np\n\n\n" + "\n\n\n".join(texts) + "\n"

    def array(self) -> str:
        """One of the arrays so far, mostly a late one."""
        return self.random.choice(self.names[-5:] if self.random.random() < 0.6 else self.names)

    def made_of(self, text: str) -> str:
        pattern = self.random.choice(patterns(text))
        return pattern.format(p=self.array(), q=self.array(), r=self.array(), k=self.random.choice(NUMBERS))

    def computed(self, rank: int) -> str:
        """One operation, or two."""
        return self.made_of(COMPUTED + (OF_ROWS if rank == 1 else OF_MATRICES))

    def changed(self, indent: str, rank: int) -> str:
        """An array written to, all of it or a part."""
        whole = self.random.random() < 0.1
        return indent + (f"{self.array()}[:] = {self.computed(rank)}" if whole else self.made_of(CHANGES))

    def steps(self) -> list[str]:
        """A loop over time that gives names other arrays, and what they start from."""
        own = [f"t{len(self.names) + number}" for number in range(self.random.randint(1, 2))]
        starts = ["{p}.copy()", "{p}.copy()", "np.zeros_like({p})", "{p}", "{p} * 2.0"]
        lines = [f"    {each} = {self.random.choice(starts).format(p=self.array())}" for each in own]
        lines.append("    for k in range(n):")
        for each in own:
            other = self.random.choice([*own, self.array()])
            step = self.random.choice(patterns(STEPS)).format(p=each, q=other, k=self.random.choice(NUMBERS))
            lines.append(f"        {each} = {step}")
        if self.random.random() < 0.2:
            lines.append(f"        {own[0]}[{own[-1]} > 1.0] = {self.random.choice(NUMBERS)}")
        self.names += own
        return lines

    def function(self, name: str, rank: int) -> list[str]:
        self.names = ["a", "b", "c"]
        lines = [f"def {name}(a, b, c: Array(float64, {rank}), n: int64):"]
        for _ in range(self.random.randint(5, 12)):
            kind = self.random.random()
            if kind < 0.5:
                made = f"t{len(self.names)}"
                lines.append(f"    {made} = {self.computed(rank)}")
                self.names.append(made)
            elif kind < 0.82:
                lines.append(self.changed("    ", rank))
            elif kind < 0.89:
                lines += self.steps()
            elif kind < 0.94:
                lines.append("    for k in range(n):")
                lines += [self.changed("        ", rank) for _ in range(self.random.randint(1, 3))]
            else:
                lines += [f"    if {self.array()}.sum() > 1.0:", self.changed("        ", rank)]
                lines += ["    else:", self.changed("        ", rank)]
        return [*lines, f"    return {', '.join(self.names[3:] or ['a'])}, n"]
