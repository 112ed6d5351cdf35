"""The comments at the end of a run case.

    # given: a = np.arange(6.0)          a statement, done afresh before each run of the next case
    # case: f(a[1:], a[:-1])             one call of one of the module's functions
    # expect: 3.0                        what the language gives where it differs from CPython
    # raises: IndexError at 4: index 7   likewise an exception; line and part of the message may be left out
    # tolerance: 1e-12                   relative; before the first case it holds for all
    # variants: none                     arguments as they are only
    # interpreter: no                    not in the IR interpreter, for example because it takes too many steps
"""

import io
import re
import tokenize
from dataclasses import dataclass, field

RAISES = re.compile(r"(?P<kind>\w+)(?: at (?P<line>\d+))?(?:: (?P<part>.*))?$")
DIRECTIVE = re.compile(r"#\s*(given|case|expect|raises|tolerance|variants|interpreter):\s*(.*)$")


@dataclass
class Case:
    line: int
    text: str
    given: list[str]
    expect: str | None = None
    raises: tuple[str, int | None, str | None] | None = None
    tolerance: float | None = None
    variants: bool = True
    interpreter: bool = True


@dataclass
class _File:
    cases: list[Case] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    tolerance: float | None = None


def parse(path):
    """The cases of a file."""
    with tokenize.open(path) as source:
        text = source.read()
    file = _File()
    for number, line in enumerate(io.StringIO(text), 1):
        found = DIRECTIVE.match(line.rstrip())
        if found:
            _directive(file, number, found[1], found[2].strip())
    if not file.cases:
        raise ValueError(f"{path} has no case")
    if file.given:
        raise ValueError(f"{path}: a given without a case after it")
    return file.cases


def _directive(file, number, key, value):
    if key == "given":
        file.given.append(value)
    elif key == "case":
        file.cases.append(Case(number, value, file.given, tolerance=file.tolerance))
        file.given = []
    elif key == "tolerance" and not file.cases:
        file.tolerance = float(value)
    elif not file.cases:
        raise ValueError(f"line {number}: {key} before the first case")
    else:
        _modify(file.cases[-1], number, key, value)


def _modify(case, number, key, value):
    if key == "expect":
        case.expect = value
    elif key == "raises":
        found = RAISES.match(value)
        if not found:
            raise ValueError(f"line {number}: cannot read {value!r}")
        case.raises = (found["kind"], int(found["line"]) if found["line"] else None, found["part"])
    elif key == "tolerance":
        case.tolerance = float(value)
    elif key == "variants" and value == "none":
        case.variants = False
    elif key == "interpreter" and value == "no":
        case.interpreter = False
    else:
        raise ValueError(f"line {number}: cannot read {key}: {value!r}")
