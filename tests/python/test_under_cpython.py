"""`pydd.python`: a `.pydd` source run by CPython."""

import sys
import traceback
from pathlib import Path

import numpy as np
import pytest

import pydd
from pydd.python import load, loads, to_python

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("pfor i in range(3):\n    pass\n", "for  i in range(3):\n    pass\n"),
        ("async:\n    pass\n", "if  1:\n    pass\n"),
        ("finish:  # all\n    pass\n", "if   1:  # all\n    pass\n"),
        ("isolated:\n    pass\n", "if     1:\n    pass\n"),
        ("if x:\n    pfor i, j in a:\n        async:\n            pass\n", None),
    ],
)
def test_parallel_statements_keep_their_width(source, python):
    rewritten = to_python(source)
    assert list(map(len, rewritten.splitlines())) == list(map(len, source.splitlines()))
    compile(rewritten, "test", "exec")
    assert python is None or rewritten == python


@pytest.mark.parametrize(
    "source",
    [
        "pfor = 3\n",
        "finish: int32 = 4\n",
        "isolated: int32\n",
        "pfor(x)\n",
        "pfor in xs\n",
        "pfor is None\n",
        "x = pfor\n",
        "s = 'pfor i in x:'\n",
        "s = '''\npfor i in x:\n'''\n",
        "f(\npfor\n)\n",
        "# pfor i in x:\n",
        "a.async_ = 1\n",
    ],
)
def test_other_uses_of_the_words_stay(source):
    assert to_python(source) == source


def test_an_unfinished_source_is_a_syntax_error_where_python_sees_it():
    with pytest.raises(SyntaxError) as caught:
        loads("def f(n):\n    pfor i in range(n):\n        g(i\n")
    assert caught.value.lineno == 3


def test_names_of_the_language_are_there():
    module = loads("def f(n: int64) -> Array(float64, 1):\n    return zeros(n, float64())\n")
    assert module.f(2).tolist() == [0.0, 0.0]


def test_annotations_are_not_evaluated():
    module = loads("def f(x: Nonsense(3)) -> more.nonsense:\n    y: unknown = x\n    return y\n")
    assert module.f(1) == 1


def test_names_of_types():
    text = "type Grid = Array(float64, 2)\nMaybe = Grid | None\ntype = 3\ndef f(x: Maybe) -> Grid:\n    y: Grid = x\n    return y\n"
    module = loads(text)
    assert module.f(1) == 1 and module.type == 3
    assert to_python("type(x)\ntype x\n") == "type(x)\ntype x\n"
    if sys.version_info < (3, 12):
        assert to_python(text).startswith("_  = Grid = Array(")
    else:
        assert to_python(text) == text


def test_parallel_statements_run_in_order():
    module = loads(
        """
def f(n: int64):
    seen = [0]
    finish:
        pfor i in range(n):
            async:
                isolated:
                    seen.append(i)
    return seen
"""
    )
    assert module.f(3) == [0, 0, 1, 2]


def test_context_manager_spelling():
    source = "def f():\n    n = 0\n    with finish():\n        with spawn():\n            with isolated():\n                n += 1\n    return n\n"
    assert loads(source).f() == 1


def test_a_traceback_shows_file_and_line(tmp_path):
    file = tmp_path / "wrong.pydd"
    file.write_text("# one\ndef f(a: Array(float64)):\n    pfor i in range(9):\n        a[i] = 1.0\n")
    with pytest.raises(IndexError) as caught:
        load(file).f(np.zeros(2))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name, last.line) == (str(file), 4, "f", "a[i] = 1.0")


def test_a_traceback_of_source_text_shows_its_line():
    with pytest.raises(ZeroDivisionError) as caught:
        loads("def f(x: int64):\n    return 1 // x\n").f(0)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "return 1 // x"


def test_encoding_and_line_ends(tmp_path):
    file = tmp_path / "text.pydd"
    file.write_bytes("# ärger\r\npfor i in range(2):\r\n    ü = i\r\n".encode())
    assert vars(load(file))["ü"] == 1
    form_feed = "x = 1\n\x0c\npfor i in range(2):\n    y = '\u2028'\n"
    assert loads(form_feed).i == 1


def test_interpret_is_load():
    assert pydd.interpret is load


def test_kmeans_gives_what_numpy_gives(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    from lloyd import BROADCAST, PRODUCT, check_equal, lloyd

    kernels = load(EXAMPLES / "kmeans.pydd")
    points = np.random.default_rng(0).integers(0, 256, (300, 3)).astype(np.float64)
    centers = points[:5].copy()
    expected = lloyd(BROADCAST, points, centers, 4)
    assert check_equal(points, lloyd(PRODUCT, points, centers, 4), expected) == 0
    labels, moved = found = lloyd(kernels, points, centers, 4)
    assert check_equal(points, found, expected) == 0
    assert labels.dtype == np.int64 and moved.shape == (5, 3)
