"""Runs a `.pydd` source under CPython as the language means it.

`pydd.python` gives the plain Python text. On top of it annotations of scalars convert, as rule 7 of the language
says: parameters where a function is entered, declared variables where they are assigned, results where
they are returned. Line numbers stay those of the `.pydd` file.
"""

import __future__

import ast
import io
import tokenize
from types import ModuleType

import numpy as np

import pydd
from pydd import _python_ufuncs
from pydd.python import to_python

WEAK = {"int": int, "float": float, "complex": complex, "bool": bool}
CONVERT = "__pydd_convert__"


def load(path):
    """The module of a `.pydd` file, as CPython runs it."""
    with tokenize.open(path) as source:
        text = source.read()
    module = ModuleType("oracle")
    module.__file__ = str(path)
    module.__dict__.update({name: getattr(pydd, name) for name in pydd.intrepydd.__all__})
    module.__dict__[CONVERT] = convert
    # The decorators that the compiler knows without an import.
    module.__dict__.update(vectorize=_python_ufuncs.vectorize, guvectorize=_python_ufuncs.guvectorize)
    python = to_python(text)
    tree = ast.parse(python, str(path), type_comments=has_type_comment(python))
    tree = ast.fix_missing_locations(Conversions().visit(tree))
    code = compile(tree, str(path), "exec", __future__.annotations.compiler_flag, dont_inherit=True)
    exec(code, module.__dict__)
    return module


def has_type_comment(text):
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return any(t.type == tokenize.COMMENT and t.string.startswith("# type:") for t in tokens)


def convert(value, target):
    """`value` in the scalar type `target` names (a tuple of names: item by item); all else as it is."""
    if isinstance(target, tuple):
        return tuple(map(convert, value, target)) if isinstance(value, tuple) else value
    if target is None or not isinstance(value, (bool, int, float, complex, np.generic)):
        return value
    if target in WEAK:
        return WEAK[target](value)
    dtype = np.dtype(target)
    try:
        return dtype.type(value)
    except OverflowError:
        return np.array(int(value) & (2**64 - 1), np.uint64).astype(dtype)[()]


def scalar_target(node):
    """What an annotation says of a scalar: a type's name, a tuple of them, or None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.parse(node.value, mode="eval").body
    if isinstance(node, ast.Name):
        return scalar_name(node.id)
    if isinstance(node, ast.Attribute):
        return scalar_name(node.attr)
    if isinstance(node, ast.BinOp):
        return unless_none(node)
    if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "Optional":
        return scalar_target(node.slice)
    if isinstance(node, (ast.Call, ast.Subscript)):
        return tuple_target(node)
    return None


def unless_none(node):
    """Of a union with None the other member; None stays as it is."""
    members = [
        side
        for side in (node.left, node.right)
        if not (isinstance(side, ast.Constant) and side.value is None)
    ]
    return scalar_target(members[0]) if len(members) == 1 else None


def tuple_target(node):
    constructor = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(constructor, ast.Name) or constructor.id not in ("Tuple", "tuple"):
        return None
    if isinstance(node, ast.Call):
        items = node.args
    else:
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return tuple(scalar_target(item) for item in items)


def scalar_name(name):
    if name in WEAK:
        return name
    kind = getattr(pydd, name, None) if name in pydd.intrepydd.__all__ else None
    return np.dtype(kind).name if isinstance(kind, type) and issubclass(kind, np.generic) else None


class Conversions(ast.NodeTransformer):
    """Makes the conversions of annotations explicit."""

    def __init__(self):
        self.returns = [None]

    def visit_FunctionDef(self, node):
        self.returns.append(scalar_target(node.returns) if node.returns else None)
        self.generic_visit(node)
        self.returns.pop()
        at = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body[at:at] = [
            assign(name, target, node) for name, target in parameters(node.args) if target is not None
        ]
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        if node.value is not None and self.returns[-1] is not None:
            node.value = call(node.value, self.returns[-1])
        return node

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        target = scalar_target(node.annotation)
        if node.value is not None and target is not None:
            node.value = call(node.value, target)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        comment = node.type_comment
        target = scalar_target(ast.parse(comment.strip(), mode="eval").body) if comment else None
        if target is not None:
            node.value = call(node.value, target)
        return node


def parameters(args):
    """Parameters with what their annotation, or the next one to the right, says."""
    target, out = None, []
    for arg in reversed(args.posonlyargs + args.args):
        if arg.annotation is not None:
            target = scalar_target(arg.annotation)
        out.append((arg.arg, target))
    return out


def call(value, target):
    name = ast.copy_location(ast.Name(CONVERT, ast.Load()), value)
    return ast.copy_location(
        ast.Call(name, [value, ast.copy_location(ast.Constant(target), value)], []), value
    )


def assign(name, target, at):
    value = call(ast.copy_location(ast.Name(name, ast.Load()), at), target)
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), at)
