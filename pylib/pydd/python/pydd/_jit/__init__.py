"""Functions of plain Python files and notebooks as kernels: `@pydd.kernel`, `@pydd.jit`, `@pydd.vectorize`, `@pydd.guvectorize`.

types       what the arguments of a call, or annotations, are in the language
annotations what a function is annotated with
source      a function's lines, changed in place so that lines and columns stay what they are
names       what the names that a function reads stand for
program     a function and all that it needs, as one source text
ufunc       ufuncs of functions, whose loops are kernels
signatures  types of arguments and results as Numba writes them
kernel      the object that a decorator makes: a version for each signature, or Python where that is not possible
"""
