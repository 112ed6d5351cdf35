"""Exception classes that modules define."""

import pickle
import sys
import threading

import numpy as np
import pytest

import pydd

SOURCE = '''
import numpy as np


class ModelError(ValueError):
    """What a model cannot do."""


class Diverged(ModelError):
    pass


def root(x: float64) -> float64:
    if x < 0:
        raise Diverged(f"x is {x}")
    if x == 0:
        raise ModelError
    return x ** 0.5


def over(a: Array(float64, 1)):
    pfor i in range(a.shape[0]):
        if a[i] < 0:
            raise Diverged(f"at {i}")
        a[i] = a[i] ** 0.5
'''


@pytest.fixture(scope="module", params=["-O0", "-O3"])
def module(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    name = "own" + request.param[2:]
    (folder / f"{name}.pydd").write_text(SOURCE)
    return pydd.load(folder / f"{name}.pydd", options=[request.param])


def test_classes_are_those_of_the_module(module):
    assert issubclass(module.ModelError, ValueError)
    assert module.Diverged.__base__ is module.ModelError
    assert module.ModelError.__doc__ == "What a model cannot do."
    assert module.Diverged.__doc__ is None
    assert module.Diverged.__module__ == module.__name__
    assert module.Diverged.__qualname__ == "Diverged"


def test_callers_catch_them(module):
    with pytest.raises(module.Diverged, match=r"^x is -1\.5$") as caught:
        module.root(-1.5)
    assert type(caught.value) is module.Diverged
    assert caught.value.args == ("x is -1.5",)
    assert caught.traceback[-1].frame.code.name == "root"
    with pytest.raises(ValueError) as caught:
        module.root(0.0)
    assert type(caught.value) is module.ModelError
    assert caught.value.args == ()


def test_instances_are_pickled(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module.__name__, module)
    again = pickle.loads(pickle.dumps(module.Diverged("text")))
    assert type(again) is module.Diverged
    assert again.args == ("text",)


def test_the_lowest_iteration_raises(module):
    a = np.ones(100_000)
    a[[777, 90_000]] = -1
    with pytest.raises(module.Diverged, match=r"^at 777$"):
        module.over(a)


def test_threads(module):
    seen = []

    def work():
        for _ in range(200):
            try:
                module.root(-1.0)
            except module.Diverged as error:
                seen.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == ["x is -1.0"] * 400
