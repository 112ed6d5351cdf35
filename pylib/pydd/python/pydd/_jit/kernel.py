"""What the decorators make: a function that is compiled when it is called."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pydd_runtime._runtime import Dispatcher, _LeavingOut, _memory_of, _Unless, _use_exception

from .. import _build, _cells, _compiler
from .._cache import Request
from .._compiler import CompileError, PyddWarning
from . import annotations, by_value, program, source
from . import types as kinds
from .names import CACHED
from .signatures import signatures
from .types import COLUMN_MAJOR, Unsupported, key_of, key_of_argument
from .watch import Watch


@dataclass(frozen=True)
class Options:
    """How a decorator compiles."""

    # By annotations, instead of the arguments of calls.
    annotated: bool = False
    # Raise where a function cannot be compiled, instead of running it in Python.
    strict: bool = False
    # `prange` is a parallel loop, and not `range`.
    prange: bool = True
    # The types of parameters that a decorator was given, a version each.
    given: tuple[tuple[str, ...], ...] | None = None
    # The types of results that it was given, by those of parameters.
    results: dict[tuple[str, ...], str] = field(default_factory=dict, hash=False)
    command_line: tuple[str, ...] = ()
    # It keeps its results, as by `functools.cache`.
    cached: bool = False


@dataclass
class Version:
    """A function for the types of one call."""

    call: Callable[..., Any]
    parameters: tuple[str, ...]
    is_current: Callable[[], bool]
    # What `is_current` asks, in parts: names of modules, and functions.
    watched: tuple[list[tuple[Any, ...]], list[Callable[[], bool]]]
    # None: it runs in Python.
    request: Request | None = None
    module: types.ModuleType | None = None
    # The module's function that `call` calls.
    compiled: Any = None
    # Globals that it is given behind its arguments.
    passed: tuple[str, ...] = ()


# More are for arguments that are all different, such as texts.
_MOST_VERSIONS = 128

_KERNELS: weakref.WeakSet[Kernel] = weakref.WeakSet()


def _after_fork() -> None:
    """A lock that another thread of the parent held would never be given back."""
    for kernel in list(_KERNELS):
        kernel._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Kernel(Dispatcher):
    """A function that is compiled for the types of its arguments, or for those of its annotations.

    Attributes: `py_func`, the function in Python; `signatures`, the types of the versions that were made.
    """

    def __new__(cls, function: types.FunctionType, options: Options) -> Kernel:
        parameters = annotations.signature_of(function).parameters.values()
        # Of a plain function any argument may be given by position and by name.
        plain = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
        names = [p.name for p in parameters] if plain else None
        defaults = tuple(p.default for p in parameters if p.default is not p.empty)
        return super().__new__(cls, names, defaults, kinds.SIMPLE, not options.annotated, kinds.FUNCTIONS)

    def __init__(self, function: types.FunctionType, options: Options) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._run_in_python = functools.cache(function) if options.cached else function
        self._options = options
        self._versions: dict[Any, Version] = {}
        # For native callers.
        self._by_signatures: dict[Any, Kernel] = {}
        self._lock = threading.RLock()
        _KERNELS.add(self)
        self._told: set[str] = set()
        self._signature = annotations.signature_of(function)
        self._names = tuple(self._signature.parameters)

    def _prepare(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """What to call, and with which arguments, where no version is known for a call."""
        args = self._bound(args, kwargs)
        try:
            key = self._key(args)
        except RecursionError:
            self._tell(f"`{self.__name__}` runs in Python and is not compiled: an argument holds itself")
            return self._py_call, args
        version = self._versions.get(key)
        if version is None or not version.is_current():
            version = self._make(key, self._options.strict)
        if key in self._versions:
            # Where a short look tells such arguments from others, the next call finds it without this.
            self._add_version(args, *version.watched, version.call)
        return version.call, args

    def _key(self, args: tuple[Any, ...]) -> Any:
        if self._options.annotated:
            return None
        # One signature is for arguments in any order.
        one = self._options.given is not None and len(self._options.given) == 1
        return tuple(map(key_of if one else key_of_argument, args))

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments of a call by position, defaults included."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    # Versions.

    def _make(self, key: Any, strict: bool) -> Version:
        with self._lock:
            version = self._versions.get(key)
            if version is not None and version.is_current() and (version.request or not strict):
                return version
            watch = Watch()
            try:
                version, news = self._compiled(key, watch)
            except (Unsupported, CompileError) as error:
                version, news = self._in_python(error, watch, strict)
            # Beyond the limit all are the same, and none is kept.
            if len(self._versions) < _MOST_VERSIONS or key in self._versions:
                self._versions[key] = version
        # Not under the lock: what a program does with warnings may take its time, wait for another thread, or raise.
        self._tell(news)
        return version

    def _compiled(self, key: Any, watch: Watch) -> tuple[Version, str]:
        """The version for a key, and what there is to say about it."""
        if len(self._versions) >= _MOST_VERSIONS and key not in self._versions:
            raise Unsupported(f"there are {_MOST_VERSIONS} versions of it already")
        source.read(self.py_func)  # refuses what is never compiled
        if self.py_func.__code__.co_name == source.LAMBDA:
            raise Unsupported("it is a lambda; write it as a `def`")
        root = self._root(key)
        made = program.collect(root, self._options.prange, watch)
        name = self.py_func.__code__.co_name
        try:
            request, module, entry = self._built(made)
        except CompileError as error:
            if not watch.arrays:
                raise
            # Written to, they are no constants.
            try:
                watch = Watch()
                made = program.collect(replace(root, given_arrays=True), self._options.prange, watch)
                request, module, entry = self._built(made)
            except (Unsupported, CompileError):
                raise error from None
        news = _compiler.without_colours(_cells.shown(entry.remarks)).rstrip()
        call = compiled = getattr(module, name)
        if root.constants:
            call = _LeavingOut(call, [name not in root.constants for name in self._names])
        use_exceptions(module, made.exceptions)
        if made.passed:
            call = _with_globals(call, tuple(made.passed.values()))
        if watch.arrays:
            # Arguments must be no parts of the arrays that it has as constants.
            call = _Unless(call, _sharing_with(watch.arrays), self._plain_call())
        version = Version(
            call, root.types, watch.is_current, watch.parts(), request, module, compiled, tuple(made.passed)
        )
        return version, news

    def _built(self, made: program.Program) -> tuple[Request, types.ModuleType, Any]:
        """The module of a program. Raises CompileError."""
        name = self.py_func.__code__.co_name
        request = Request(made.text, _build.identifier(name)[:60], None, self._options.command_line)
        try:
            return request, *_build.import_module(request)
        except CompileError as error:
            raise CompileError(_cells.shown(error.rendered), error.returncode) from None

    def _root(self, key: Any) -> program.Root:
        function = self.py_func
        if not self._options.annotated:
            values = {name: kinds.constant_in(part) for name, part in zip(self._names, key)}
            constants = {name: value for name, value in values.items() if value is not None}
            pairs = [(name, part) for name, part in zip(self._names, key) if name not in constants]
            index = "int64" if any(map(kinds.has_wide_indices, key)) else "int32"
            given = self._given(key)
            types = given or tuple(_type_of(name, part, index) for name, part in pairs)
            result = self._options.results.get(given, "Any") if given else "Any"
            cached = self._options.cached
            return program.Root(function, types, result, constants=constants, cached=cached)
        texts, result = annotations.types_of(function)
        return program.Root(function, texts, result, annotated=True, cached=self._options.cached)

    def _given(self, key: Any) -> tuple[str, ...] | None:
        """The types that the decorator was given for such arguments; they convert numbers, and choose where there are several."""
        given = self._options.given
        if given is None:
            return None
        if any(len(types) != len(self._names) for types in given):
            raise Unsupported("a signature has another number of parameters")
        if len(given) == 1:
            return given[0]
        types = tuple(map(_type_of, self._names, key))
        # A number of Python's is what its signature says.
        weak = {"int": "int64", "float": "float64", "complex": "complex128"}
        exact = tuple(weak.get(each, each) for each in types)
        if exact in given:
            return exact
        # Any order is taken, if slower.
        for each in given:
            if _without_order(each) == _without_order(exact):
                return each
        raise Unsupported(f"no signature is for ({', '.join(types)})")

    def _in_python(
        self, error: Unsupported | CompileError, watch: Watch, strict: bool
    ) -> tuple[Version, str]:
        name = self.py_func.__name__
        if isinstance(error, CompileError) and error.returncode not in (1, 101):
            raise error
        if strict:
            if isinstance(error, CompileError):
                raise error from None
            raise CompileError(f"`{name}` cannot be compiled: {error}") from None
        news = f"`{name}` runs in Python and is not compiled: {error}"
        # Tried again when a name that was looked at gets another value.
        return Version(self._plain_call(), (), watch.is_current, watch.parts()), news

    def _plain_call(self) -> Callable[..., Any]:
        """What runs the function in Python, of arguments by position."""
        parameters = self._signature.parameters.values()
        by_position = all(p.kind is not p.KEYWORD_ONLY and p.kind < p.VAR_POSITIONAL for p in parameters)
        return self._run_in_python if by_position else self._py_call

    def _py_call(self, *args: Any) -> Any:
        """The function in Python, of arguments by position."""
        parameters = self._signature.parameters.values()
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for parameter, value in zip(parameters, args):
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                positional.extend(value)
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                named.update(value)
            elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                named[parameter.name] = value
            else:
                positional.append(value)
        return self._run_in_python(*positional, **named)

    def _tell(self, text: str) -> None:
        """A warning at the place of the user's call, once for each reason."""
        if not text.strip() or text in self._told:
            return
        self._told.add(text)
        frame, level = sys._getframe(1), 2
        while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(f"{__package__}."):
            frame, level = frame.f_back, level + 1
        warnings.warn(text, PyddWarning, stacklevel=level)

    # What a user may ask.

    @property
    def signatures(self) -> list[tuple[str, ...]]:
        """The types of the parameters of each version that was compiled."""
        return [version.parameters for version in self._compiled_versions()]

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile for these arguments without a call; with annotations there are none to give.

        Raises CompileError where the function cannot be compiled.
        """
        self._make(self._key(() if self._options.annotated else self._bound(args, kwargs)), strict=True)

    @property
    def address(self) -> int:
        """What `pydd.address` gives for this function."""
        from pydd_runtime import address

        return address(self)

    def __pydd_native__(self, signature: str | None) -> Any:
        """The compiled function for native callers: by annotations, by a signature, or the one that there is.

        What it was made of is looked at now, not when it is called. Raises CompileError, and TypeError where its types are not known.
        """
        if self._options.annotated:
            version = self._make(None, strict=True)
        elif signature is not None:
            version = self._by_signature(signature)
        else:
            compiled = [version for version in self._compiled_versions() if version.is_current()]
            if len(compiled) != 1:
                has = f"has {len(compiled)} compiled versions" if compiled else "is not compiled yet"
                raise TypeError(
                    f"{self.__name__}() {has}: annotate it for pydd.kernel, compile it for one list of types with .compile(…), or give `signature=`"
                    " where there is one"
                )
            version = compiled[0]
        if version.passed:
            raise TypeError(
                f"{self.__name__}() reads the global `{version.passed[0]}`, which native callers do not give it; make it a parameter"
            )
        return version.compiled

    def _by_signature(self, text: str) -> Version:
        (wanted,) = signatures(text)
        results = {} if wanted.result is None else {wanted.arguments: wanted.result}
        options = replace(self._options, given=(wanted.arguments,), results=results)
        # The decorator was given no signatures, or others.
        kernel = self._by_signatures.setdefault(
            (wanted.arguments, wanted.result), Kernel(self.py_func, options)
        )
        return kernel._make(tuple(key_of(0.0) for _ in self._names), strict=True)

    def inspect_asm(self) -> dict[tuple[str, ...], str]:
        """The assembly of each version, by its types."""
        return {version.parameters: self._stage(version, "asm") for version in self._compiled_versions()}

    def inspect_source(self) -> dict[tuple[str, ...], str]:
        """The source of each version as the compiler was given it: the function, what it calls, and constants."""
        return {
            version.parameters: version.request.text
            for version in self._compiled_versions()
            if version.request
        }

    def explain(self) -> str:
        """What became of loops and arrays in each version, as `pyddc --report` says it; or why there is none."""
        parts = []
        for version in self._compiled_versions():
            report = self._stage(version, None)
            parts.append(f"{self.__name__}({', '.join(version.parameters)})\n\n{report.strip()}")
        return "\n\n".join(parts) or "\n".join(self._told) or f"`{self.__name__}` was not called yet"

    def _compiled_versions(self) -> list[Version]:
        # Another thread may add one meanwhile.
        return [version for version in list(self._versions.values()) if version.request]

    def _stage(self, version: Version, emit: str | None) -> str:
        import tempfile
        from pathlib import Path

        assert version.request is not None
        options = version.request.options
        with tempfile.TemporaryDirectory(prefix="pydd-") as folder:
            file = Path(folder) / f"{version.request.stem}.pydd"
            file.write_text(version.request.text, encoding="utf-8")
            if emit is not None:
                return _compiler.stage(file, emit, options)
            output = file.with_suffix(".abi3.so")
            return _compiler.without_colours(
                _cells.shown(_compiler.run(file, output, [*options, "--report"]))
            )

    # As a function in other respects.

    def __getattr__(self, name: str) -> Any:
        # Older Pythons have computed them when the function was defined, and they were taken over.
        if name == "__annotations__":
            return self.py_func.__annotations__
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<pydd kernel {self.__qualname__}>"

    @functools.cached_property
    def _function(self) -> types.FunctionType:
        return by_value.function_to_send(self)

    def __reduce__(self) -> Any:
        return by_value.reduced(self)

    def __copy__(self) -> Kernel:
        return self

    def __deepcopy__(self, memo: Any) -> Kernel:
        return self


def _type_of(name: str, key: Any, index: str = "int32") -> str:
    try:
        return kinds.text_of(key, index)
    except Unsupported as error:
        raise Unsupported(f"the argument `{name}` is {error}") from None


def _with_globals(call: Callable[..., Any], values: tuple[Any, ...]) -> Callable[..., Any]:
    """Gives globals behind the arguments of each call."""
    return lambda *args: call(*args, *values)


def _without_order(types: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each.replace(COLUMN_MAJOR, "") for each in types)


def _sharing_with(arrays: list[Any]) -> Callable[[tuple[Any, ...]], bool]:
    """Says of arguments whether one of them is a part of one of these arrays, or the other way round."""

    def shares(args: tuple[Any, ...]) -> bool:
        for arg in args:
            kind = type(arg)
            if kind in _NUMBERS:
                continue
            for given in (arg,) if kind is np.ndarray else _arrays_in(arg):
                owns = given.flags.owndata
                for array in arrays:
                    if given is array:
                        return True
                    # Two arrays that own their memory have none in common, which is seen faster than NumPy compares addresses.
                    if not (owns and array.flags.owndata) and np.may_share_memory(given, array):
                        return True
        return False

    return shares


# Most arguments that are no arrays. They are asked at each call, and to look for memory in them takes longer than most calls.
_NUMBERS = frozenset((int, float, complex, bool, str, type(None), np.float64, np.int64))


def _arrays_in(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays that an argument is or holds."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays_in(item)
    elif (shared := _memory_of(value)) is not None:
        yield shared
    else:
        # Of sparse matrices.
        for part in ("data", "indices", "indptr"):
            if isinstance(found := getattr(value, part, None), np.ndarray):
                yield found


def use_exceptions(module: types.ModuleType, classes: dict[str, type[BaseException]]) -> None:
    """A kernel raises the user's classes in place of its own of the same names."""
    for name, kind in classes.items():
        if hasattr(module, name):
            _use_exception(module, name, kind)


def decorator(function: Any, options: Options) -> Any:
    """Both `@pydd.jit` and `@pydd.jit(…)`."""
    if function is None:
        return lambda function: decorator(function, options)
    if isinstance(function, Kernel):
        return Kernel(function.py_func, options)
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(decorator(function.__func__, options))
    if isinstance(function, CACHED):
        return decorator(function.__wrapped__, replace(options, cached=True))
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"a function is expected, not {type(function).__name__}")
    return Kernel(function, options)
