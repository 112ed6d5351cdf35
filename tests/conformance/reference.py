"""The reference: the same text in CPython, with NumPy, SciPy and the language's names in plain Python."""

import bisect
import cmath
import collections
import functools
import heapq
import itertools
import math
import operator
import random
import time
import warnings

import inputs
import numpy as np
import scipy.integrate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg
import scipy.spatial
import scipy.special

import pydd
from pydd.python import loads

HEADER = """\
import bisect
import cmath
import collections
import functools
import heapq
import itertools
import math
import operator
import random
import time
import numpy as np
import scipy.integrate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg
import scipy.spatial
import scipy.special
"""

# Names without a prefix that Python knows by `from numpy import …` alone.
FROM_NUMPY = "array eye mean full full_like ones_like zeros_like power reshape outer ones".split()

NAMES = {name: getattr(pydd, name) for name in pydd.intrepydd.__all__}
NAMES.update(np=np, math=math, cmath=cmath, scipy=scipy, heapq=heapq, bisect=bisect, collections=collections)
NAMES.update(functools=functools, itertools=itertools, operator=operator, random=random, time=time)

NAMES.update({name: getattr(np, name) for name in FROM_NUMPY if name not in NAMES})

_MISSING = object()


def arguments(kernel, each):
    """The arguments of one call, made anew."""
    made = []
    for i, (_, arg) in enumerate(kernel.args):
        if isinstance(arg, str):
            made.append(None)
        elif arg.role == "out":
            made.append(out_array(kernel, arg, each))
        else:
            made.append(inputs.argument(arg, kernel.dtype, kernel.rank, each, kernel.base, i))
    return made


def out_array(kernel, arg, each):
    """An array that the result without `out=` would fit into."""
    result = evaluate(kernel, kernel.probe, each)
    shape = result.shape if isinstance(result, np.ndarray) and result.ndim == arg.rank else (2,) * arg.rank
    return np.full(shape, 1, arg.dtype)


def evaluate(kernel, text, each):
    """The value of an expression with a kernel's arguments; the exception that it raises."""
    names = [name for name, arg in kernel.args if getattr(arg, "role", "") != "out"]
    plain = [arg for _, arg in kernel.args if getattr(arg, "role", "") != "out"]
    values = [
        inputs.argument(arg, kernel.dtype, kernel.rank, each, kernel.base, i) for i, arg in enumerate(plain)
    ]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        space = {**NAMES, **dict(zip(names, values))}
        try:
            if kernel.setup:
                exec(kernel.setup, space)
            return eval(text, space)
        except Exception as error:
            return error


def probe(kernel):
    """The result of a kernel's call on plain values, or its exception."""
    if any(isinstance(arg, str) for _, arg in kernel.args):
        return _MISSING
    return evaluate(kernel, kernel.call, inputs.Input("C" if kernel.rank else "0", "plain"))


def module(source):
    """A module of kernels as CPython runs it."""
    made = loads(source)
    vars(made).update({name: NAMES[name] for name in FROM_NUMPY})
    return made
