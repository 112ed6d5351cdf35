"""The core dimensions of generalized ufuncs."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

_SIDE = r"\s*\(\s*[\w\s,]*\)\s*(?:,\s*\(\s*[\w\s,]*\)\s*)*"


@dataclass(frozen=True)
class Core:
    """`(m,n),(n)->(m)`."""

    text: str
    # For each operand the names of its dimensions.
    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, text: str) -> Core:
        """Raises ValueError."""
        if not isinstance(text, str) or re.fullmatch(f"{_SIDE}->{_SIDE}", text, re.ASCII) is None:
            raise ValueError(f"not a signature of dimensions such as '(m,n),(n)->(m)': {text!r}")
        inputs, outputs = (
            tuple(tuple(re.findall(r"\w+", operand)) for operand in re.findall(r"\(([^)]*)\)", part))
            for part in text.split("->")
        )
        return cls(text.replace(" ", ""), inputs, outputs)

    @property
    def operands(self) -> tuple[tuple[str, ...], ...]:
        return self.inputs + self.outputs

    def numbers(self) -> list[list[int]]:
        """For each operand the numbers of its dimensions."""
        names = list(dict.fromkeys(itertools.chain.from_iterable(self.operands)))
        return [[names.index(name) for name in operand] for operand in self.operands]
