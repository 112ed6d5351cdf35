"""Arguments that hold numbers and are no arrays of NumPy: an array over the same memory, or why there is none.

Libraries are known by the modules of their types and never imported. What is returned keeps the object's memory alive.
"""

import numpy as np


class Refused(Exception):
    """What stands behind `argument 'x' of f()`: why, and what to write instead."""


class WouldCopy(Refused):
    """The numbers do not lie in memory as they are."""


def as_array(value, name, dtype):
    """An array over the memory of `value`, or None where it holds no numbers that this module knows of.

    `name`: the parameter, as messages show it; `dtype`: the element type that is asked for. Raises Refused.
    """
    kind = type(value)
    known = _LIBRARIES.get(kind.__module__.partition(".")[0])
    if known is not None:
        found = known(value, name, dtype)
        if found is not None:
            return found
    if isinstance(value, np.generic):
        return None
    array = _of_buffer(value)
    if array is None and _has(kind, "__array_interface__"):
        array = _of_interface(value, name)
    if array is None and _has(kind, "__dlpack__"):
        array = _of_dlpack(value, name)
    if array is None and _has(kind, "__array__"):
        array = _same_twice(value, name, lambda: _of_method(value, name))
    return array


def memory_of(value):
    """As `as_array`, but None for what a call would refuse."""
    try:
        return as_array(value, "", "float64")
    except Refused:
        return None


def converted(value, name, dtype):
    """As `np.asarray(value, dtype)`, for a parameter that says `cast=True`; None where `value` is no array, list or number. Raises Refused."""
    if not isinstance(value, np.ndarray):
        try:
            array = as_array(value, name, dtype)
        except WouldCopy:
            array = value
        if array is None and not isinstance(value, _NESTED):
            return None
        value = value if array is None else array
    try:
        return np.asarray(value, dtype=dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise Refused(f"cannot be converted to {dtype}: {error}") from None


_NESTED = (list, tuple, range, int, float, complex, np.generic)


def _has(kind, attribute):
    # Of the type alone, as Python looks for such methods: some objects give any attribute that they are asked for.
    return any(attribute in vars(each) for each in kind.__mro__)


def _article(value):
    kind = type(value)
    noun = f"{kind.__module__.partition('.')[0]} {kind.__qualname__}".removeprefix("builtins ")
    return f"{'an' if noun[0] in 'aeiox' else 'a'} {noun}"


def _address(array):
    return array.__array_interface__["data"][0]


def _same_twice(value, name, make):
    """What a function makes of `value`, if it shows the same memory each time: a copy never does."""
    first = make()
    if first.size and _address(make()) != _address(first):
        raise WouldCopy(f"is {_article(value)} that would be copied; use np.asarray({name})")
    return first


# The general protocols.


def _of_buffer(value):
    """Of bytearray, array.array, ctypes, mmap and the like."""
    try:
        view = memoryview(value)
    except TypeError:
        return None
    try:
        return np.asarray(view)
    except (TypeError, ValueError):
        # Formats that NumPy does not know.
        return None


def _of_interface(value, name):
    interface = value.__array_interface__
    if interface.get("mask") is not None:
        raise Refused(f"is {_article(value)} with a mask, which would be ignored")
    return _same_twice(value, name, lambda: np.asarray(value))


def _of_dlpack(value, name):
    _check_tensor(value, name)
    try:
        # Without a copy, also in the versions of NumPy that do not know the word.
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Refused(
            f"is {_article(value)} that NumPy cannot look into: {error}; use np.asarray({name})"
        ) from None


# kDLCPU, kDLCUDAHost, kDLROCMHost.
_HOST = (1, 3, 11)


def _check_tensor(value, name):
    """Tensors whose memory is elsewhere, or whose changes are recorded."""
    if getattr(value, "requires_grad", False) is True:
        raise Refused(f"requires gradients, which a kernel does not record; use {name}.detach()")
    device = value.__dlpack_device__()[0]
    if int(device) not in _HOST:
        where = getattr(value, "device", "another device")
        raise Refused(f"is on {where}; use {name}.cpu()")


def _of_method(value, name):
    try:
        # A mask is for the caller to see.
        return np.asanyarray(value.__array__(copy=False))
    except TypeError:
        pass  # the keyword is of NumPy 2
    except ValueError:
        raise WouldCopy(f"is {_article(value)} that would be copied; use np.asarray({name})") from None
    try:
        return np.asanyarray(value.__array__())
    except (TypeError, ValueError) as error:
        raise Refused(f"is {_article(value)} that is no array: {error}") from None


# Libraries, of whose objects more is known than these protocols say.


def _pandas(value, name, dtype):
    if not hasattr(value, "to_numpy") or not hasattr(value, "isna"):
        return None
    convert = f"use {name}.to_numpy(dtype=np.{dtype})"
    kinds = list(value.dtypes) if hasattr(value, "columns") else [value.dtype]
    own = next((kind for kind in kinds if not isinstance(kind, np.dtype)), None)
    # A mask, or bits beside the numbers, say which ones are missing.
    if (own is not None or object in kinds) and np.any(value.isna()):
        instead = f"to_numpy(dtype=np.{dtype}, na_value=np.nan)"
        if not _has_nan(dtype):
            instead = f"fillna(0).to_numpy(dtype=np.{dtype})"
        raise Refused(f"is {_article(value)} of {own or 'objects'} with missing values; use {name}.{instead}")
    array = value.to_numpy()
    if array.dtype == object:
        of = ", ".join(sorted({str(kind) for kind in kinds}))
        raise WouldCopy(f"is {_article(value)} of {of}, whose values are Python objects; {convert}")
    if array.size and _address(value.to_numpy()) != _address(array):
        raise WouldCopy(f"is {_article(value)} that would be copied; {convert}")
    return array


def _has_nan(dtype):
    return dtype.startswith(("float", "complex"))


def _filled(name, dtype):
    return f"{name}.fill_null({'np.nan' if _has_nan(dtype) else 0})"


def _polars(value, name, dtype):
    if not hasattr(value, "to_numpy") or not hasattr(value, "null_count"):
        if hasattr(value, "collect"):
            raise Refused(f"is {_article(value)}, which is not computed; use {name}.collect()")
        return None
    nulls = value.null_count()
    if not isinstance(nulls, int):
        nulls = sum(nulls.row(0))
    if nulls:
        raise Refused(f"is {_article(value)} with nulls; use {_filled(name, dtype)}.to_numpy()")
    try:
        return value.to_numpy(allow_copy=False)
    except (RuntimeError, ValueError):
        raise WouldCopy(f"is {_article(value)} that would be copied; use {name}.to_numpy()") from None


def _pyarrow(value, name, dtype):
    if not hasattr(value, "null_count") or not hasattr(value, "type"):
        return None
    chunked = hasattr(value, "chunks")
    to_numpy = "to_numpy()" if chunked else "to_numpy(zero_copy_only=False)"
    if value.null_count:
        raise Refused(f"is {_article(value)} with nulls; use {_filled(name, dtype)}.{to_numpy}")
    how = f"use {name}.{to_numpy}"
    if chunked and value.num_chunks != 1:
        raise WouldCopy(f"is {_article(value)} of {value.num_chunks} chunks; {how}")
    part = value.chunk(0) if chunked else value
    copied = WouldCopy(f"is {_article(value)} of {value.type} that would be copied; {how}")
    try:
        array = part.to_numpy(zero_copy_only=True)
    except (ValueError, TypeError, NotImplementedError):
        raise copied from None
    # A dictionary's values are put together all the same.
    if array.size and _address(part.to_numpy(zero_copy_only=True)) != _address(array):
        raise copied
    return array


def _xarray(value, name, dtype):
    if not hasattr(value, "dims") or not hasattr(value, "data"):
        return None
    inner = value.data
    if type(inner).__module__.partition(".")[0] == "dask":
        return _dask(inner, name, dtype)
    if not isinstance(inner, np.ndarray):
        return as_array(inner, name, dtype)
    if inner.size and _address(value.data) != _address(inner):
        raise Refused(f"is {_article(value)} that is not loaded; use {name}.load()")
    return inner


def _dask(value, name, dtype):
    raise Refused(f"is {_article(value)}, which is not computed; use {name}.compute()")


def _torch(value, name, dtype):
    if not hasattr(value, "requires_grad") or not hasattr(value, "numpy"):
        return None
    _check_tensor(value, name)
    try:
        return value.numpy()
    except (RuntimeError, TypeError) as error:
        raise Refused(
            f"is {_article(value)} that NumPy cannot look into: {str(error).partition(chr(10))[0]}"
        ) from None


_LIBRARIES = {
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "xarray": _xarray,
    "dask": _dask,
    "torch": _torch,
}
