"""Python's module `random` in functions that `pydd.jit` compiles."""

import random
import random as rnd
from random import choice, gauss, randint, shuffle
from random import random as number

import numpy as np
import pytest
from alike import same

import pydd

OWN = random.Random(3)


def test_the_module_and_its_functions():
    @pydd.jit
    def f(seed, n):
        random.seed(seed)
        inside = 0
        for _ in range(n):
            x, y = random.random(), number()
            if x * x + y * y < 1.0:
                inside += 1
        return inside, randint(1, 6), rnd.uniform(-1.0, 1.0), gauss(0.0, 2.0), gauss(1, 2)

    same(f, 5, 1000)
    same(f, -(2**40), 10)


def test_items():
    @pydd.jit
    def f(seed, xs, a):
        rnd.seed(seed)
        shuffle(xs)
        shuffle(a)
        return choice(xs), choice(a), random.sample(xs, 3), random.choices(xs, k=4), random.choice(range(10))

    same(f, 7, [1, 2, 3, 4, 5], np.arange(9.0))


def test_no_items():
    @pydd.jit
    def f(a):
        return choice(a)

    with pytest.raises(IndexError, match="Cannot choose from an empty sequence"):
        f(np.zeros(0))


def test_the_stream_is_not_that_of_the_module():
    @pydd.jit
    def f(seed):
        random.seed(seed)
        return random.random()

    random.seed(1)
    first = random.random()
    random.seed(1)
    assert f(2) != first
    assert random.random() == first
    assert f(1) == first


def test_before_it_is_seeded_nobody_foresees_it():
    @pydd.jit
    def f():
        random.seed()
        return random.random()

    assert f() != f()


def test_an_instance_is_refused():
    draw = OWN.random

    @pydd.jit(strict=True)
    def f():
        return draw()

    with pytest.raises(pydd.CompileError, match="`draw` is a builtins"):
        f()
