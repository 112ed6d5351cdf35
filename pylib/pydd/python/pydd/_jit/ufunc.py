"""NumPy's ufuncs of functions: kernels that call a function for each element, or each item, of operands.

The program is the function, and a kernel for each list of types that calls it:

    def f_loop_0(x: Array(float64, 1), y: Array(float64, 1), f_out0: Array(float64, 1)):
        for f_at in range(f_out0.shape[0]):
            f_out0[f_at] = f(x[f_at], y[f_at])

What a function returns for a list of types is asked of the compiler first, where nobody says it.
"""

from __future__ import annotations

import inspect
import itertools
import re
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pydd_runtime._runtime import _result_types

from .. import _build, _cells, _compiler
from .._cache import Request
from .._compiler import CompileError
from .._core import Core
from . import annotations, by_value, names, program
from .kernel import use_exceptions
from .signatures import Signature
from .types import Unsupported
from .watch import Watch

# What there are loops for where nobody says it, in the order in which NumPy tries them: the first to which all operands convert safely.
DEFAULTS = ("int64", "uint64", "float32", "float64", "complex128")
# Operands have types of NumPy's.
_STRONG = {"int": "int64", "float": "float64", "complex": "complex128"}
_NUMBER = re.compile(r"bool|u?int(8|16|32|64)|float(32|64)|complex(64|128)")
_ARRAY = re.compile(r"Array\((\w+)(?:, (\d+))?\)")
# A type of Python's is one value of it to NumPy's rules.
_WEAK = {"int64": 0, "float64": 0.0, "complex128": 0j}


@dataclass(frozen=True)
class Settings:
    """How a decorator makes ufuncs."""

    # None: by annotations, or DEFAULTS.
    signatures: tuple[Signature, ...] | None = None
    identity: Any = None
    command_line: tuple[str, ...] = ()


def vectorize(function: Any, settings: Settings) -> np.ufunc:
    """A ufunc that calls a function for each element. Raises CompileError."""
    return _make(function, settings, None)


def guvectorize(function: Any, core: Core, settings: Settings) -> np.ufunc:
    """A ufunc that calls a function for each item, which writes to its last parameters. Raises CompileError."""
    return _make(function, settings, core)


def _make(function: Any, settings: Settings, core: Core | None) -> np.ufunc:
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"a function is expected, not {type(function).__name__}")
    maker = _Maker(function, settings, core)
    try:
        return maker.ufunc()
    except Unsupported as error:
        raise CompileError(f"`{function.__name__}` cannot be compiled: {error}") from None


class _Maker:
    def __init__(self, function: types.FunctionType, settings: Settings, core: Core | None) -> None:
        self.function = function
        self.settings = settings
        self.core = core
        # As it is defined, by which the program calls it.
        self.name = function.__code__.co_name
        self.parameters = list(annotations.signature_of(function).parameters.values())

    def ufunc(self) -> np.ufunc:
        self._check_parameters()
        loops = self._loops() if self.core is None else [(each, ()) for each in self._operands()]
        texts = [self._loop(f"{self.name}_loop_{k}", *loop) for k, loop in enumerate(loops)]
        module = self._module("".join(texts), self.settings.command_line)
        kernels = [getattr(module, f"{self.name}_loop_{k}") for k in range(len(loops))]
        core = self.core
        n_inputs = len(self.parameters) if core is None else len(core.inputs)
        signature, numbers = (None, []) if core is None else (core.text, core.numbers())
        name, doc = self.function.__name__, inspect.getdoc(self.function)
        parts = (name, doc, kernels, n_inputs, signature, numbers, self.settings.identity)
        made = by_value.make_ufunc(self.function, parts)
        names.remember(made, names.UserUfunc(self.function, loops) if core is None else None)
        # Which the types of older NumPys do not have.
        for attribute in ("__module__", "__qualname__"):
            try:
                setattr(made, attribute, getattr(self.function, attribute))
            except AttributeError:
                break
        return made

    def _check_parameters(self) -> None:
        for parameter in self.parameters:
            if parameter.default is not parameter.empty:
                raise Unsupported(f"`{parameter.name}` has a default, and operands of a ufunc have none")
            if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
                raise Unsupported(f"`{parameter.name}` is not given by position, as operands of a ufunc are")
            if parameter.name == self.name or parameter.name.startswith(f"{self.name}_"):
                raise Unsupported(f"its parameter `{parameter.name}` is named as the function is")
        if not self.parameters:
            raise Unsupported("it has no parameters, and a ufunc has an operand at least")
        if self.core is not None and len(self.core.operands) != len(self.parameters):
            wanted = len(self.core.operands)
            raise Unsupported(
                f"{self.core.text} has {wanted} operands, and the function {len(self.parameters)} parameters"
            )

    # Types.

    def _operands(self) -> list[tuple[str, ...]]:
        """The types of parameters for which there are loops."""
        if (given := self.settings.signatures) is not None:
            found = [self._given(each) for each in given]
        elif any(p.name in annotations.written(self.function) for p in self.parameters):
            texts, _ = annotations.types_of(self.function)
            found = list(itertools.product(*([part.strip() for part in text.split(" | ")] for text in texts)))
        elif self.core is None:
            return self._that_compile([(kind,) * len(self.parameters) for kind in DEFAULTS])
        else:
            return self._that_compile([self._of_core(kind) for kind in DEFAULTS])
        return [tuple(self._operand(at, text) for at, text in enumerate(each)) for each in found]

    def _given(self, signature: Signature) -> tuple[str, ...]:
        if len(signature.arguments) != len(self.parameters):
            raise Unsupported(
                f"a signature has {len(signature.arguments)} arguments, and the function {len(self.parameters)} parameters"
            )
        if self.core is not None and signature.result not in (None, "None"):
            raise Unsupported(
                f"a signature returns {signature.result}; results are written to the last parameters"
            )
        return signature.arguments

    def _operand(self, at: int, text: str) -> str:
        """The type of a parameter as that of an operand. Raises Unsupported."""
        name = self.parameters[at].name
        text = _STRONG.get(text, text)
        if _NUMBER.fullmatch(text):
            if self.core is not None and (at >= len(self.core.inputs) or self.core.operands[at]):
                raise Unsupported(f"`{name}` is a number, and {self.core.text} makes it an array")
            return text
        array = _ARRAY.fullmatch(text)
        if self.core is None or array is None or not _NUMBER.fullmatch(_STRONG.get(array[1], array[1])):
            wanted = "a type of numbers" if self.core is None else "a type of numbers or an array of such"
            raise Unsupported(f"the type of `{name}` is {text}, and that of an operand is {wanted}")
        rank = max(1, len(self.core.operands[at]))
        if array[2] is not None and int(array[2]) != rank:
            raise Unsupported(
                f"`{name}` is an array of {array[2]} axes, and {self.core.text} gives it {rank}"
            )
        return f"Array({_STRONG.get(array[1], array[1])}, {rank})"

    def _of_core(self, kind: str) -> tuple[str, ...]:
        """All operands of one type."""
        assert self.core is not None
        inputs = (f"Array({kind}, {len(dims)})" if dims else kind for dims in self.core.inputs)
        outputs = (f"Array({kind}, {max(1, len(dims))})" for dims in self.core.outputs)
        return (*inputs, *outputs)

    def _that_compile(self, candidates: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Those of some lists of types for which the function can be compiled. Raises CompileError where there is none."""
        errors: list[Exception] = []
        # Complex numbers have no order, so that many functions are for all others.
        for some in (candidates, candidates[:-1]):
            try:
                self._probe(some)
                return some
            except (CompileError, Unsupported):
                continue
        found = []
        for each in candidates:
            try:
                self._probe([each])
                found.append(each)
            except (CompileError, Unsupported) as error:
                errors.append(error)
        if not found:
            # That of float64, which most are for.
            raise errors[DEFAULTS.index("float64")]
        return found

    def _loops(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The types of operands and results of each loop."""
        inputs = self._operands()
        given = [each.result for each in self.settings.signatures or ()]
        if given and all(given):
            return [(each, self._results(result)) for each, result in zip(inputs, given)]
        if self.settings.signatures is None and "return" in annotations.written(self.function):
            _, result = annotations.types_of(self.function)
            if result != "Any":
                return [(each, self._results(result)) for each in inputs]
        return list(zip(inputs, self._probe(inputs)))

    def _results(self, text: str | None) -> tuple[str, ...]:
        text = text or ""
        several = re.fullmatch(r"[Tt]uple[\[(](.*)[\])]", text)
        parts = [part.strip() for part in several[1].split(",")] if several else [text]
        strong = tuple(_STRONG.get(part, part) for part in parts)
        for part in strong:
            if not _NUMBER.fullmatch(part):
                raise Unsupported(f"it returns {text}, and the results of a ufunc are numbers")
        return strong

    # Programs.

    def _probe(self, inputs: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """What the function returns for each list of types."""
        names = [parameter.name for parameter in self.parameters]
        texts = []
        for k, kinds in enumerate(inputs):
            parameters = ", ".join(map("{}: {}".format, names, kinds))
            call = f"{self.name}({', '.join(names)})"
            texts.append(f"def {self.name}_probe_{k}({parameters}):\n    return {call}\n")
        # Nobody runs it.
        module = self._module("".join(texts), ("-O0",))
        if self.core is not None:
            return []
        return [self._returned(getattr(module, f"{self.name}_probe_{k}")) for k in range(len(inputs))]

    def _returned(self, kernel: Any) -> tuple[str, ...]:
        try:
            values = _result_types(kernel)
        except TypeError:
            raise Unsupported("it does not return a number, or a tuple of numbers") from None
        return tuple(_together(each) for each in values)

    def _loop(self, name: str, inputs: tuple[str, ...], results: tuple[str, ...]) -> str:
        """A kernel that calls the function for all elements, or for one item of a generalized ufunc."""
        names = [parameter.name for parameter in self.parameters]
        at = f"{self.name}_at"
        items = [f"{each}[{at}]" for each in names]
        outputs = [f"{self.name}_out{k}" for k in range(len(results))]
        kinds = map("{}: {}".format, names + outputs, map(_items_of, inputs + results))
        call = f"{self.name}({', '.join(items)})"
        if outputs:
            call = f"{', '.join(f'{output}[{at}]' for output in outputs)} = {call}"
        last = [*names, *outputs][-1]
        return f"def {name}({', '.join(kinds)}):\n    for {at} in range({last}.shape[0]):\n        {call}\n"

    def _module(self, callers: str, options: tuple[str, ...]) -> types.ModuleType:
        made = program.collect_called(self.function, callers, Watch())
        request = Request(made.text, _build.identifier(self.name)[:60], None, options)
        try:
            module, _ = _build.import_module(request)
        except CompileError as error:
            plain = _compiler.without_colours(error.rendered)
            if re.match(rf"error[^\n]*\n *--> <loops of {self.name}>", plain):
                # What is wrong is between the function and its caller, which nobody wrote.
                headline = plain.partition("\n")[0].partition(": ")[2]
                raise Unsupported(
                    f"it does not return the numbers that a ufunc can give: {headline}"
                ) from None
            raise CompileError(_cells.shown(error.rendered), error.returncode) from None
        use_exceptions(module, made.exceptions)
        return module


def _items_of(kind: str) -> str:
    """The type of an array whose items are of a type."""
    array = _ARRAY.fullmatch(kind)
    return f"Array({kind}, 1)" if array is None else f"Array({array[1]}, {int(array[2]) + 1})"


def _together(kinds: list[tuple[str, bool]]) -> str:
    """One type for numbers of several, by NumPy's rules: Python's own take the type of the others."""
    strong = [np.dtype(name) for name, weak in kinds if not weak or name not in _WEAK]
    weak = [_WEAK[name] for name, weak in kinds if weak and name in _WEAK]
    return np.result_type(*strong, *weak).name
