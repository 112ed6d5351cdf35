"""`%load_ext pydd` in a real kernel: what cells compile to, show and raise."""

import re

import nbformat
import pytest
from nbclient import NotebookClient

SETUP = "%load_ext pydd\nimport numpy as np\nN = 10\n\ndef helper(x, by=2):\n    return x * by * N"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """Runs cells in one kernel; gives the outputs of each, by the cell's number from 1."""
    folder = tmp_path_factory.mktemp("notebook")
    book = nbformat.v4.new_notebook()
    client = NotebookClient(
        book,
        timeout=120,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    with client.setup_kernel(env={**__import__("os").environ, "PYDD_CACHE_DIR": str(folder / "cache")}):
        number = 0

        def run(source):
            nonlocal number
            number += 1
            cell = nbformat.v4.new_code_cell(source)
            book.cells.append(cell)
            client.execute_cell(cell, len(book.cells) - 1, execution_count=number)
            return number, cell.outputs

        run(SETUP)
        yield run


def text(outputs):
    """All that a cell wrote and gave, without colours."""
    parts = []
    for each in outputs:
        if each.output_type == "stream":
            parts.append(each.text)
        elif each.output_type == "error":
            parts += [each.ename, *each.traceback]
        else:
            parts.append(each.data.get("text/plain", ""))
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(parts))


def test_functions_land_in_the_notebook(kernel):
    _, quiet = kernel("%%pydd\ndef norm(x: Array(float64, 1)) -> float64:\n    return sqrt((x * x).sum())")
    assert quiet == []
    assert text(kernel("norm(np.array([3.0, 4.0]))")[1]) == "5.0"


def test_a_changed_cell_takes_effect_at_once(kernel):
    for value in (1, 2, 1):
        kernel(f"%%pydd -O0\ndef constant() -> int64:\n    return {value}")
        assert text(kernel("constant()")[1]) == str(value)


def test_names_of_the_notebook(kernel):
    kernel(
        "%%pydd\nK = 3\ndef use(x: Array(float64, 1)):\n    pfor i in range(len(x)):\n        x[i] = helper(x[i]) + K + N"
    )
    assert text(kernel("x = np.arange(3.0); use(x); x")[1]) == "array([13., 33., 53.])"
    # A later cell calls what an earlier one defines, with its constants.
    kernel("%%pydd -O0\ndef again(x: Array(float64, 1)) -> float64:\n    use(x)\n    return x[0]")
    assert text(kernel("again(np.zeros(2))")[1]) == "13.0"
    kernel("import pydd\n@pydd.jit(strict=True)\ndef jitted(x):\n    return again(x) + helper(1)")
    assert text(kernel("jitted(np.zeros(2))")[1]) == "33.0"
    # A cell keeps what names stood for when it ran, and functions by types of arguments what they stand for now.
    shown = text(kernel("N = 100\ntry:\n    jitted(np.zeros(2))\nexcept pydd.CompileError as e: print(e)")[1])
    assert "`N` stands for different things" in shown
    kernel("N = 10")


def test_names_of_types(kernel):
    kernel("from pydd import Array, float64\nGrid = Array(float64, 2)\nMaybe = Grid | None")
    kernel(
        "%%pydd\ntype Own = Array(float64, 1)\ndef first(x: Grid, y: Maybe) -> Own:\n    row: Own = x[0]\n"
        "    return row if y is None else y[0]"
    )
    assert text(kernel("first(np.ones((1, 2)), None)")[1]) == "array([1., 1.])"
    assert text(kernel("first(np.ones((1, 2)), np.zeros((2, 1)))")[1]) == "array([0.])"
    kernel("%%pydd\ndef second(x: Grid) -> float64:\n    return first(x, None)[0]")
    assert text(kernel("second(np.ones((1, 2)))")[1]) == "1.0"
    _, outputs = kernel("%%pydd\ndef wrong(x: Grid) -> float64:\n    return Grid")
    assert "`Grid` is a type, and no value" in text(outputs)


def test_errors_show_in_the_cell(kernel):
    number, outputs = kernel("%%pydd\ndef wrong(x: float64) -> float64:\n    return x + nothing")
    (error,) = outputs
    assert error.output_type == "error" and error.ename == "CompileError"
    shown = text(outputs)
    assert f"--> In[{number}]:3:16" in shown and "name `nothing` is not defined" in shown
    assert "Traceback" not in shown and "_notebook.py" not in shown
    lines = "\n".join(error.traceback).splitlines()
    assert lines[0].startswith("\x1b[31merror[")
    # Marks have colours; the ground of errors leaves little of them for words.
    [label] = [line for line in lines if line.endswith("not defined")]
    assert "\x1b[31m^" in label and label.endswith("\x1b[0m not defined")


def test_why_a_name_of_the_notebook_was_left_out(kernel):
    _, outputs = kernel("big = [1]\n")
    _, outputs = kernel("%%pydd\ndef wrong() -> int64:\n    return big[0]")
    assert "`big` of the notebook was left out: `big` is a global list, which may change; pass it" in text(
        outputs
    )


def test_tracebacks_show_lines_of_the_cell(kernel):
    number, _ = kernel(
        "%%pydd\ndef item(x: Array(float64, 1), i: int) -> float64:\n    # a line\n    return x[i]"
    )
    _, outputs = kernel("item(np.zeros(3), 5)")
    shown = text(outputs)
    assert f"Cell In[{number}], line 4, in item" in shown
    assert "----> 4     return x[i]" in shown and "IndexError: index 5 is out of bounds" in shown


def test_decorated_functions_of_cells(kernel):
    number, _ = kernel("@pydd.jit\ndef item2(x, i):\n    return x[i]")
    shown = text(kernel("item2(np.zeros(3), 5)")[1])
    assert f"Cell In[{number}], line 3, in item2" in shown
    assert "kernel.py" not in shown
    number, _ = kernel(
        "@pydd.jit(strict=True)\ndef tries(x):\n    try:\n        return x\n    except ValueError:\n        return x"
    )
    assert f"--> In[{number}]:3:5" in text(kernel("tries(1)")[1])


def test_verbose_and_remarks(kernel):
    _, outputs = kernel("%%pydd -v --strict-fp\ndef half(x: float64) -> float64:\n    return x / 2")
    assert re.search(r"^half\(x.*\)\ncompiled and imported in \d+ ms", text(outputs))
    number, outputs = kernel("%%pydd\ndef unused(x):\n    return x\ndef used(y: int) -> int:\n    return y")
    assert "warning" in text(outputs) and f"In[{number}]:2:5" in text(outputs)


def test_the_report_is_a_page_in_the_cell(kernel):
    number, outputs = kernel(
        "%%pydd --report\ndef scaled(x: Array(float64, 1)) -> Array(float64, 1):\n    return x * 2 + 1"
    )
    page = "".join(each.data.get("text/html", "") for each in outputs if each.output_type == "display_data")
    assert page.startswith("<iframe") and f"In[{number}]" in page and "2 operations" in page
    assert "pydd:part" not in page


def test_usage(kernel):
    assert "unrecognized arguments: --foo" in text(kernel("%%pydd --foo\ndef f(): pass")[1])
    assert "%pydd takes a file" in text(kernel("%pydd")[1])


def test_the_command_line_goes_on_working(kernel):
    kernel("%%writefile doubling.pydd\ndef double(x: float64) -> float64:\n    return x + x")
    kernel("import sys, sysconfig\n!{sys.executable} -m pydd doubling.pydd")
    assert text(kernel("import doubling; doubling.double(4.0)")[1]) == "8.0"
    kernel("%pydd doubling.pydd")
    assert text(kernel("double(5.0)")[1]) == "10.0"


def test_two_constants_of_one_name(kernel):
    kernel("%%pydd\nKK = 3.0\ndef kk1(x: float64) -> float64:\n    return x * KK")
    _, outputs = kernel("%%pydd\nKK = 5.0\ndef kk2(x: float64) -> float64:\n    return x * KK + kk1(x)")
    assert "`kk1` of the notebook was left out: `KK` stands for different things" in text(outputs)


def test_a_cell_keeps_what_names_stood_for(kernel):
    kernel("SCALE = 2.0")
    kernel("%%pydd\ndef scaled(x: float64) -> float64:\n    return x * SCALE")
    kernel("SCALE = 10.0")
    kernel("%%pydd\ndef twice(x: float64) -> float64:\n    return scaled(scaled(x))")
    assert text(kernel("scaled(1.0), twice(1.0)")[1]) == "(2.0, 4.0)"


def test_exceptions_of_the_notebook_are_caught(kernel):
    kernel("class Q(Exception): pass")
    kernel(
        '%%pydd\nclass Bad(ValueError): pass\ndef rq(x: float) -> float:\n    if x > 1:\n        raise Q("z")\n    raise Bad("b")'
    )
    kernel("%%pydd\ndef again2(x: float) -> float:\n    return rq(x) + 1")
    for call in ("rq(2.0)", "again2(2.0)"):
        assert text(kernel(f"try:\n    {call}\nexcept Q as e:\n    print('caught', e)")[1]) == "caught z\n"
    for call in ("rq(0.0)", "again2(0.0)"):
        assert text(kernel(f"try:\n    {call}\nexcept Bad as e:\n    print('caught', e)")[1]) == "caught b\n"


def test_functions_of_the_notebook_named_as_the_languages(kernel):
    kernel("def add(a, b):\n    return a - b")
    kernel("%%pydd\ndef h1(x: float64) -> float64:\n    return add(x, 1.0)")
    assert text(kernel("h1(5.0)")[1]) == "4.0"
    kernel("del add")


def test_a_cell_with_its_own_import(kernel):
    kernel("def hnp(a):\n    return np.sum(a)")
    kernel(
        "%%pydd\nimport numpy as np\ndef w6(a: Array(float64, 1)) -> float64:\n    return hnp(a) + np.max(a)"
    )
    assert text(kernel("w6(np.arange(3.0))")[1]) == "5.0"


def test_a_lambda_is_a_helper(kernel):
    kernel("lmb = lambda x: x + 1")
    kernel("%%pydd\ndef lam(x: float) -> float:\n    return lmb(x)")
    assert text(kernel("lam(1.5)")[1]) == "2.5"


def test_what_a_helper_cannot_be(kernel):
    kernel("def gen(x):\n    yield x")
    _, outputs = kernel("%%pydd\ndef sums(x: float) -> float:\n    return sum(gen(x))")
    shown = text(outputs)
    assert "is a generator" in shown and "Traceback" not in shown


def test_named_modules(kernel):
    for value in (1, 2):
        kernel(f"%%pydd --name kern\ndef k() -> int:\n    return {value}")
        assert text(kernel("import kern; kern.k()")[1]) == str(value)
    assert "UsageError" in text(kernel("%%pydd --name numpy\ndef k() -> int:\n    return 1")[1])


def test_a_function_that_becomes_a_template(kernel):
    kernel("%%pydd\ndef tt(x: float64) -> float64:\n    return x")
    kernel("%%pydd\ndef tt(x):\n    return x + 1\ndef uu(x: float64) -> float64:\n    return tt(x)")
    assert "NameError" in text(kernel("tt(1.0)")[1])
    assert text(kernel("uu(1.0)")[1]) == "2.0"


def test_kernels_in_other_processes(kernel):
    for cell in (
        "%%pydd\ndef sent(x: float64) -> float64:\n    return x * 2\n"
        "@vectorize\ndef sent_too(x: float64) -> float64:\n    return x * 3",
        "import pydd, warnings\nOFFSET = 1.0\n@pydd.jit\ndef own(x):\n    return helper(x) + OFFSET + inner(x)",
        "@pydd.jit\ndef inner(x):\n    return x",
        "from joblib import Parallel, delayed\ndef task(x):\n    warnings.simplefilter('error')\n"
        "    return own(x), sent(x), float(sent_too(x)), len(own.signatures)",
    ):
        assert text(kernel(cell)[1]) == ""
    in_workers = "list(Parallel(2)(delayed({})(x) for x in (1.0, 2.0)))"
    for cell, wanted in {
        in_workers.format("task"): "[(22.0, 2.0, 3.0, 1), (43.0, 4.0, 6.0, 1)]",
        "own(1.0)": "22.0",
        # With what was compiled here.
        in_workers.format("own"): "[22.0, 43.0]",
        in_workers.format("sent"): "[2.0, 4.0]",
    }.items():
        assert text(kernel(cell)[1]) == wanted


def test_ufuncs_of_cells(kernel):
    assert text(kernel("%%pydd\n@vectorize\ndef uf1(x: float64) -> float64:\n    return x * 3")[1]) == ""
    assert text(kernel("uf1([1.0, 2.0])")[1]) == "array([3., 6.])"
    # Another cell calls the function.
    assert text(kernel("%%pydd\ndef uf2(x: float64) -> float64:\n    return uf1(x) + 1")[1]) == ""
    assert text(kernel("uf2(2.0)")[1]) == "7.0"


def test_exceptions_from_other_processes(kernel):
    kernel("class FromAfar(Exception): pass")
    assert text(kernel("%%pydd\ndef afar(x: float) -> float:\n    raise FromAfar('z')")[1]) == ""
    cell = (
        "from joblib import Parallel, delayed\n"
        "try:\n    Parallel(2)(delayed(afar)(x) for x in (1.0, 2.0))\n"
        "except FromAfar as e:\n    print('caught', e)"
    )
    assert text(kernel(cell)[1]) == "caught z\n"
