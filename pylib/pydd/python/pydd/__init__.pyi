from typing import TypeAlias as _TypeAlias
from typing import TypeVar as _TypeVar

import numpy as _np

from pydd_runtime import DeviceArray as DeviceArray
from pydd_runtime import address as address
from pydd_runtime import cfunc as cfunc
from pydd_runtime import device_array as device_array
from pydd_runtime import devices as devices
from pydd_runtime import get_num_threads as get_num_threads
from pydd_runtime import low_level_callable as low_level_callable
from pydd_runtime import set_num_threads as set_num_threads
from pydd_runtime import synchronize as synchronize

from . import intrepydd as intrepydd
from . import numba as numba
from . import python as python
from ._build import compile as compile
from ._build import load as load
from ._compiler import CompileError as CompileError
from ._compiler import PyddWarning as PyddWarning
from ._decorators import Kernel as Kernel
from ._decorators import guvectorize as guvectorize
from ._decorators import jit as jit
from ._decorators import kernel as kernel
from ._decorators import vectorize as vectorize
from ._find import find_compiler as find_compiler
from ._source import source as source
from .intrepydd import (
    Array as Array,
)
from .intrepydd import (
    D as D,
)
from .intrepydd import (
    Dict as Dict,
)
from .intrepydd import (
    F as F,
)
from .intrepydd import (
    Heap as Heap,
)
from .intrepydd import (
    I as I,
)
from .intrepydd import (
    J as J,
)
from .intrepydd import (
    List as List,
)
from .intrepydd import (
    Set as Set,
)
from .intrepydd import (
    SparseArray as SparseArray,
)
from .intrepydd import (
    SparseMat as SparseMat,
)
from .intrepydd import (
    Tuple as Tuple,
)
from .intrepydd import (
    acos as acos,
)
from .intrepydd import (
    add as add,
)
from .intrepydd import (
    allclose as allclose,
)
from .intrepydd import (
    append as append,
)
from .intrepydd import (
    arange as arange,
)
from .intrepydd import (
    argmax as argmax,
)
from .intrepydd import (
    argmin as argmin,
)
from .intrepydd import (
    arr_to_spm as arr_to_spm,
)
from .intrepydd import (
    arraysub as arraysub,
)
from .intrepydd import (
    asin as asin,
)
from .intrepydd import (
    atan as atan,
)
from .intrepydd import (
    boolean as boolean,
)
from .intrepydd import (
    compatibility_check as compatibility_check,
)
from .intrepydd import (
    complex64 as complex64,
)
from .intrepydd import (
    complex128 as complex128,
)
from .intrepydd import (
    convolve as convolve,
)
from .intrepydd import (
    copy as copy,
)
from .intrepydd import (
    cos as cos,
)
from .intrepydd import (
    csr_to_spm as csr_to_spm,
)
from .intrepydd import (
    diag as diag,
)
from .intrepydd import (
    div as div,
)
from .intrepydd import (
    double as double,
)
from .intrepydd import (
    dsyrk as dsyrk,
)
from .intrepydd import (
    eig as eig,
)
from .intrepydd import (
    elemwise_not as elemwise_not,
)
from .intrepydd import (
    empty as empty,
)
from .intrepydd import (
    empty_2d as empty_2d,
)
from .intrepydd import (
    empty_like as empty_like,
)
from .intrepydd import (
    empty_spm as empty_spm,
)
from .intrepydd import (
    eq as eq,
)
from .intrepydd import (
    exp as exp,
)
from .intrepydd import (
    fill as fill,
)
from .intrepydd import (
    finish as finish,
)
from .intrepydd import (
    float32 as float32,
)
from .intrepydd import (
    float64 as float64,
)
from .intrepydd import (
    ge as ge,
)
from .intrepydd import (
    get_col as get_col,
)
from .intrepydd import (
    get_row as get_row,
)
from .intrepydd import (
    get_row_ptr as get_row_ptr,
)
from .intrepydd import (
    getcol as getcol,
)
from .intrepydd import (
    getnnz as getnnz,
)
from .intrepydd import (
    getval as getval,
)
from .intrepydd import (
    gt as gt,
)
from .intrepydd import (
    heap_get_key as heap_get_key,
)
from .intrepydd import (
    heapinit as heapinit,
)
from .intrepydd import (
    heapinit_empty as heapinit_empty,
)
from .intrepydd import (
    heappeek as heappeek,
)
from .intrepydd import (
    heappop as heappop,
)
from .intrepydd import (
    heappop1 as heappop1,
)
from .intrepydd import (
    heappush as heappush,
)
from .intrepydd import (
    heapsize as heapsize,
)
from .intrepydd import (
    hextoi as hextoi,
)
from .intrepydd import (
    innerprod as innerprod,
)
from .intrepydd import (
    int8 as int8,
)
from .intrepydd import (
    int16 as int16,
)
from .intrepydd import (
    int32 as int32,
)
from .intrepydd import (
    int64 as int64,
)
from .intrepydd import (
    isinf as isinf,
)
from .intrepydd import (
    isnan as isnan,
)
from .intrepydd import (
    isolated as isolated,
)
from .intrepydd import (
    kron as kron,
)
from .intrepydd import (
    le as le,
)
from .intrepydd import (
    log as log,
)
from .intrepydd import (
    logical_and as logical_and,
)
from .intrepydd import (
    logical_not as logical_not,
)
from .intrepydd import (
    logical_or as logical_or,
)
from .intrepydd import (
    logical_xor as logical_xor,
)
from .intrepydd import (
    long as long,
)
from .intrepydd import (
    lt as lt,
)
from .intrepydd import (
    lu as lu,
)
from .intrepydd import (
    ludcmp as ludcmp,
)
from .intrepydd import (
    matmult as matmult,
)
from .intrepydd import (
    maximum as maximum,
)
from .intrepydd import (
    minimum as minimum,
)
from .intrepydd import (
    minus as minus,
)
from .intrepydd import (
    minus_eq as minus_eq,
)
from .intrepydd import (
    mul as mul,
)
from .intrepydd import (
    multiply as multiply,
)
from .intrepydd import (
    neq as neq,
)
from .intrepydd import (
    nnz as nnz,
)
from .intrepydd import (
    numpy_random_rand as numpy_random_rand,
)
from .intrepydd import (
    plus_eq as plus_eq,
)
from .intrepydd import (
    prange as prange,
)
from .intrepydd import (
    prod as prod,
)
from .intrepydd import (
    qr as qr,
)
from .intrepydd import (
    randint as randint,
)
from .intrepydd import (
    set_col as set_col,
)
from .intrepydd import (
    set_row as set_row,
)
from .intrepydd import (
    shape as shape,
)
from .intrepydd import (
    sin as sin,
)
from .intrepydd import (
    sparse_diags as sparse_diags,
)
from .intrepydd import (
    spawn as spawn,
)
from .intrepydd import (
    spm_add as spm_add,
)
from .intrepydd import (
    spm_diags as spm_diags,
)
from .intrepydd import (
    spm_mask as spm_mask,
)
from .intrepydd import (
    spm_mul as spm_mul,
)
from .intrepydd import (
    spm_set_item as spm_set_item,
)
from .intrepydd import (
    spm_set_item_unsafe as spm_set_item_unsafe,
)
from .intrepydd import (
    spm_to_csr as spm_to_csr,
)
from .intrepydd import (
    spmm as spmm,
)
from .intrepydd import (
    spmm_dense as spmm_dense,
)
from .intrepydd import (
    spmv as spmv,
)
from .intrepydd import (
    sqrt as sqrt,
)
from .intrepydd import (
    stoi as stoi,
)
from .intrepydd import (
    stride as stride,
)
from .intrepydd import (
    strtol as strtol,
)
from .intrepydd import (
    sub as sub,
)
from .intrepydd import (
    sum_rows as sum_rows,
)
from .intrepydd import (
    svd as svd,
)
from .intrepydd import (
    symm as symm,
)
from .intrepydd import (
    syr2k as syr2k,
)
from .intrepydd import (
    syrk as syrk,
)
from .intrepydd import (
    tan as tan,
)
from .intrepydd import (
    tocsc as tocsc,
)
from .intrepydd import (
    tocsr as tocsr,
)
from .intrepydd import (
    transpose as transpose,
)
from .intrepydd import (
    tril as tril,
)
from .intrepydd import (
    triu as triu,
)
from .intrepydd import (
    trmm as trmm,
)
from .intrepydd import (
    uint8 as uint8,
)
from .intrepydd import (
    uint16 as uint16,
)
from .intrepydd import (
    uint32 as uint32,
)
from .intrepydd import (
    uint64 as uint64,
)
from .intrepydd import (
    where as where,
)
from .intrepydd import (
    where1 as where1,
)
from .intrepydd import (
    zeros as zeros,
)
from .intrepydd import (
    zeros_2d as zeros_2d,
)
from .python import load as interpret

_Element = _TypeVar("_Element", bound=_np.generic)
Array1: _TypeAlias = _np.ndarray[tuple[int], _np.dtype[_Element]]
Array2: _TypeAlias = _np.ndarray[tuple[int, int], _np.dtype[_Element]]
Array3: _TypeAlias = _np.ndarray[tuple[int, int, int], _np.dtype[_Element]]
Array4: _TypeAlias = _np.ndarray[tuple[int, int, int, int], _np.dtype[_Element]]
Array5: _TypeAlias = _np.ndarray[tuple[int, int, int, int, int], _np.dtype[_Element]]
Array6: _TypeAlias = _np.ndarray[tuple[int, int, int, int, int, int], _np.dtype[_Element]]
Array7: _TypeAlias = _np.ndarray[tuple[int, int, int, int, int, int, int], _np.dtype[_Element]]
Array8: _TypeAlias = _np.ndarray[tuple[int, int, int, int, int, int, int, int], _np.dtype[_Element]]
Array9: _TypeAlias = _np.ndarray[tuple[int, int, int, int, int, int, int, int, int], _np.dtype[_Element]]
Array10: _TypeAlias = _np.ndarray[
    tuple[int, int, int, int, int, int, int, int, int, int], _np.dtype[_Element]
]
Array11: _TypeAlias = _np.ndarray[
    tuple[int, int, int, int, int, int, int, int, int, int, int], _np.dtype[_Element]
]
Array12: _TypeAlias = _np.ndarray[
    tuple[int, int, int, int, int, int, int, int, int, int, int, int], _np.dtype[_Element]
]
Array13: _TypeAlias = _np.ndarray[
    tuple[int, int, int, int, int, int, int, int, int, int, int, int, int], _np.dtype[_Element]
]
Array14: _TypeAlias = _np.ndarray[
    tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int], _np.dtype[_Element]
]
Array15: _TypeAlias = _np.ndarray[
    tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int], _np.dtype[_Element]
]
Array16: _TypeAlias = _np.ndarray[
    tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int], _np.dtype[_Element]
]

__version__: str
__all__ = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "boolean",
    "double",
    "long",
    "I",
    "J",
    "F",
    "D",
    "Array",
    "List",
    "Dict",
    "Set",
    "Tuple",
    "Heap",
    "SparseMat",
    "SparseArray",
    "Array1",
    "Array2",
    "Array3",
    "Array4",
    "Array5",
    "Array6",
    "Array7",
    "Array8",
    "Array9",
    "Array10",
    "Array11",
    "Array12",
    "Array13",
    "Array14",
    "Array15",
    "Array16",
    "prange",
    "finish",
    "spawn",
    "isolated",
    "append",
    "fill",
    "zeros",
    "zeros_2d",
    "empty",
    "empty_2d",
    "empty_like",
    "arange",
    "copy",
    "numpy_random_rand",
    "randint",
    "get_row",
    "get_row_ptr",
    "get_col",
    "set_row",
    "set_col",
    "sum_rows",
    "plus_eq",
    "minus_eq",
    "shape",
    "stride",
    "arraysub",
    "prod",
    "argmin",
    "argmax",
    "allclose",
    "where",
    "where1",
    "minus",
    "isnan",
    "isinf",
    "elemwise_not",
    "sqrt",
    "exp",
    "log",
    "cos",
    "sin",
    "tan",
    "acos",
    "asin",
    "atan",
    "add",
    "sub",
    "mul",
    "div",
    "maximum",
    "minimum",
    "eq",
    "neq",
    "lt",
    "gt",
    "le",
    "ge",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "compatibility_check",
    "transpose",
    "innerprod",
    "matmult",
    "tril",
    "triu",
    "diag",
    "kron",
    "convolve",
    "hextoi",
    "stoi",
    "strtol",
    "syrk",
    "dsyrk",
    "syr2k",
    "symm",
    "trmm",
    "lu",
    "ludcmp",
    "qr",
    "eig",
    "svd",
    "empty_spm",
    "csr_to_spm",
    "arr_to_spm",
    "spm_to_csr",
    "spm_set_item",
    "spm_set_item_unsafe",
    "getval",
    "getnnz",
    "getcol",
    "nnz",
    "heapinit_empty",
    "heapinit",
    "heappush",
    "heappop",
    "heappop1",
    "heappeek",
    "heapsize",
    "heap_get_key",
    "spm_add",
    "spm_mul",
    "multiply",
    "spmm",
    "spmv",
    "spmm_dense",
    "sparse_diags",
    "spm_diags",
    "spm_mask",
    "tocsc",
    "tocsr",
]
