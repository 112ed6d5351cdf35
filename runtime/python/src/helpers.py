"""Python code of the runtime: what is shorter here than through the C API."""

import ast


def site_code(file, line, column, end_column, function):
    """Code that raises the global `_e` from the given place of a `.pydd` file.

    Columns count bytes from 1; 0 is unknown, and then no place within the line is shown.
    """
    tree = ast.parse("raise _e")
    start, end = (column - 1, end_column - 1) if 0 < column < end_column else (-1, -1)
    for node in ast.walk(tree):
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = line
            node.col_offset, node.end_col_offset = start, end
    code = compile(tree, file, "exec", dont_inherit=True)
    names = {"co_name": function}
    if hasattr(code, "co_qualname"):
        names["co_qualname"] = function
    return code.replace(**names)
