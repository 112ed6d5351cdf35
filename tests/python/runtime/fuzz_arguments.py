"""Calls kernels with arguments of all kinds, for as many seconds as the first argument says.

    python tests/python/runtime/fuzz_arguments.py 600 [SEED]

Each call gives what NumPy gives or raises one of the exceptions that refusals use. The seed of a
failing call is printed; after a crash, start again at the last seed shown.
"""

import sys
import time

import conftest
import numpy as np

conftest.pytest_configure()
import kernels  # noqa: E402

DTYPES = [
    "?",
    "i1",
    "i2",
    "i4",
    "i8",
    "u8",
    "q",
    "f2",
    "f4",
    "f8",
    ">f8",
    ">i4",
    "c8",
    "c16",
    "g",
    "O",
    "S3",
    "U2",
    "M8[s]",
    "f8,i4",
]
REFUSALS = (TypeError, OverflowError, ValueError)


def memory(rng, size):
    """An array of bytes that begins anywhere, so that views of it may be misaligned."""
    return np.frombuffer(bytearray(size + 8), "u1")[rng.integers(8) :][:size]


def array(rng):
    rank = int(rng.choice([0, 1, 1, 1, 2, 2, 3, 40]))
    shape = tuple(int(n) for n in (rng.integers(0, 6, rank) if rank < 10 else np.ones(rank)))
    dtype = np.dtype("f8") if rng.random() < 0.8 else np.dtype(str(rng.choice(DTYPES)))
    size = int(np.prod(shape)) * dtype.itemsize
    if dtype.kind == "O" or rng.random() < 0.5:
        a = np.zeros(shape, dtype)
    else:
        a = memory(rng, size).view(dtype).reshape(shape)
    if a.dtype.kind in "fiu" and a.dtype.names is None:
        a[...] = rng.integers(-8 if a.dtype.kind != "u" else 0, 8, shape)
    for axis in range(min(rank, 3)):
        step = int(rng.choice([1, 1, -1, 2, -2]))
        a = a[(slice(None),) * axis + (slice(None, None, step),)]
    if rng.random() < 0.3:
        a = a.T
    if rng.random() < 0.1:
        a = np.broadcast_to(a, (2, *a.shape)) if a.ndim < 30 else a
    if rng.random() < 0.1:
        a.flags.writeable = False
    if rng.random() < 0.05 and a.dtype.kind != "V":
        a = np.ma.array(a)
    return a


def value(rng):
    choices = [
        lambda: array(rng),
        lambda: array(rng),
        lambda: array(rng),
        lambda: float(rng.normal()),
        lambda: int(rng.integers(-5, 5)),
        lambda: int(rng.integers(-(2**62), 2**62)) * 7,
        lambda: bool(rng.random() < 0.5),
        lambda: complex(1, 2),
        lambda: np.dtype(str(rng.choice(DTYPES[:9]))).type(1),
        lambda: [value(rng) for _ in range(rng.integers(4))],
        lambda: [int(n) for n in rng.integers(-9, 9, rng.integers(5))],
        lambda: (1, 2.5),
        lambda: None,
        lambda: "text",
        lambda: object(),
    ]
    return choices[rng.integers(len(choices))]()


def is_vector(a, rank=1):
    return (
        isinstance(a, np.ndarray)
        and not isinstance(a, np.ma.MaskedArray)
        and a.dtype == np.dtype("f8")
        and a.dtype.isnative
        and a.ndim == rank
    )


def check(name, args, result):
    if name in ("total", "total_free"):
        assert is_vector(args[0]) and result == args[0].sum()
    elif name == "sum2":
        assert is_vector(args[0], 2) and result == args[0].sum()
    elif name == "tail":
        assert np.array_equal(result, args[0][1:]) and (result.size == 0 or np.shares_memory(result, args[0]))
    elif name == "whole":
        assert result is args[0]
    elif name == "dot":
        assert np.array_equal(result, args[0] @ args[1])
    elif name == "is_fast2":
        a, b = args
        assert not (result and np.may_share_memory(a, b) and np.shares_memory(a, b))
    elif name == "pair":
        assert np.array_equal(result[0], args[0]) and np.array_equal(result[1], args[0][1:])


# By name and number of arguments; without those that run long or fail by design.
FUNCTIONS = {"twice": 1, "total": 1, "total_free": 1, "sum2": 1, "is_fast2": 2, "scale": 2, "tail": 1, "whole": 1, "pair": 1, "dot": 2,
             "extend": 2, "second": 1, "either": 2, "weak": 1} | {n: 1 for n in dir(kernels) if n.startswith(("echo_", "same_"))}  # fmt: skip


ARRAYS = {"total", "total_free", "sum2", "is_fast2", "scale", "tail", "whole", "pair", "dot", "either"}


def main():
    end = time.monotonic() + float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 2**32
    names = sorted(FUNCTIONS)
    accepted = refused = 0
    while time.monotonic() < end:
        if (accepted + refused) % 10_000 == 0:
            print(f"from seed {seed}", flush=True)
        rng = np.random.default_rng(seed)
        name = names[rng.integers(len(names))]
        likely = array if name in ARRAYS and rng.random() < 0.7 else value
        args = [likely(rng) for _ in range(FUNCTIONS[name])]
        if len(args) == 2 and isinstance(args[0], np.ndarray) and args[0].ndim and rng.random() < 0.3:
            args[1] = args[0][rng.integers(3) :]
        try:
            result = getattr(kernels, name)(*args)
        except (*REFUSALS, AssertionError) as error:
            assert isinstance(error, REFUSALS) or name == "extend", (seed, name)
            refused += 1
        else:
            accepted += 1
            try:
                check(name, args, result)
            except AssertionError:
                print(f"\nseed {seed}: {name}({args}) gave {result}")
                raise
        seed += 1
    print(f"{accepted} calls gave what NumPy gives, {refused} were refused")


if __name__ == "__main__":
    main()
