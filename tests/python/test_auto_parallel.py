"""`pydd.load(…, parallel=True)`: what the compiler makes parallel gives what it gives in order, whoever runs it."""

import subprocess
import sys

import numpy as np
import pytest

import pydd
import pydd_runtime

SOURCE = """\
import numpy as np


def black_scholes(s: Array(float64, 1), k: Array(float64, 1), t: Array(float64, 1)):
    d1 = (np.log(s / k) + 0.065 * t) / (0.3 * np.sqrt(t))
    d2 = d1 - 0.3 * np.sqrt(t)
    call = s / (1.0 + np.exp(-1.7 * d1)) - k * np.exp(-0.02 * t) / (1.0 + np.exp(-1.7 * d2))
    return call, call - s + k * np.exp(-0.02 * t)


def blur(u: Array(float64, 2)):
    return 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])


def blur_in_place(u: Array(float64, 2)):
    u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])


def softmax(x: Array(float64, 2)):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def sums(x: Array(float64, 2)):
    return np.sum(x, axis=0), np.sum(x, axis=1), np.sum(x), np.mean(x), np.var(x)


def extremes(x: Array(float64, 2)):
    return np.max(x), np.min(x, axis=0), np.max(x, axis=1), np.argmax(x), np.argmin(x, axis=1)


def of_integers(x: Array(int32, 2)):
    return np.sum(x), np.prod(x % 3 - 1), np.any(x > 99), np.all(x < 100), np.cumsum(x), np.sum(x, axis=0)


def of_complex(z: Array(complex128, 1)):
    return np.sum(z), np.abs(z), z * z.conjugate()


def dot(a: Array(float64, 1), b: Array(float64, 1)) -> float64:
    s = 0.0
    for i in range(len(a)):
        if a[i] > 0.1:
            s += a[i] * b[i]
    return s


def smallest(a: Array(float64, 1)):
    least = np.inf
    count = 0
    for i in range(len(a) - 1, -1, -1):
        least = min(least, a[i])
        if a[i] < 0.5:
            count += 1
    return least, count


def prefix(a: Array(float64, 1)):
    for i in range(1, len(a)):
        a[i] += a[i - 1]


def gather(a: Array(float64, 1), at: Array(int64, 1), out: Array(float64, 1)):
    for i in range(len(at)):
        out[i] = a[at[i]]


def scatter(a: Array(float64, 1), at: Array(int64, 1), out: Array(float64, 1)):
    for i in range(len(at)):
        out[at[i]] += a[i]


def bodies(p: Array(float64, 2)):
    f = np.zeros(p.shape)
    for i in range(p.shape[0]):
        d = p - p[i]
        w = (np.sum(d * d, axis=1) + 0.01) ** -1.5
        for k in range(3):
            f[i, k] = np.sum(d[:, k] * w)
    return f


def product(a: Array(float64, 2), b: Array(float64, 2)):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def columns(x: Array(float32, 2)):
    return np.sum(x, axis=0), np.max(x, axis=0, keepdims=True), np.mean((x - 0.5) ** 2, axis=0), np.any(x > 3, axis=0)


def of_blocks(x: Array(int16, 3), w: Array(int16, 1)):
    return np.sum(x * w, axis=(0, 1)), np.min(x - w, axis=(0, 2)), np.prod(x % 2 + 1, axis=0)


def stretched(x: Array(float64, 2), y: Array(float64, 2)):
    return np.sum(x * y, axis=0)


def widened(x: Array(int64, 2), y: Array(int64, 1)):
    return np.sum(x * y, axis=0), np.max(x - y, axis=0), np.any(x > y, axis=0)


def rows_before(w: Array(int64, 2)):
    for i in range(1, len(w)):
        w[i] += w[i - 1]
    for i in range(1, len(w)):
        w[i] = np.maximum(w[i], w[i - 1])
    for i in range(len(w)):
        w[0] += w[i]


def shifted(w: Array(int64, 1), times: int):
    for i in range(times):
        w[1:] += w[:-1]
    for i in range(times):
        w += w


def histogram(k: Array(int64, 1), w: Array(float64, 1), m: int):
    counts = np.zeros(m, np.int32)
    sums = np.zeros((m, 2))
    most = np.full(m, -1.0)
    for i in range(len(k)):
        counts[k[i]] += 1
        sums[k[i], i % 2] += w[i]
        most[k[i]] = max(most[k[i]], w[i])
    return counts, sums, most


def grouped(x: Array(float64, 2), label: Array(int64, 1), times: int):
    c = x[:4].copy()
    for t in range(times):
        total = np.zeros(c.shape)
        count = np.zeros(4)
        for i in range(len(x)):
            total[label[i]] += x[i] - c[0]
            count[label[i]] += 1
        c = total / (count[:, None] + 1)
    return c


def appended(n: int):
    found = [0]
    for i in range(n):
        if i % 7 == 3:
            found.append(i)
    return found
"""

rng = np.random.default_rng(14)


def prices(n):
    return rng.uniform(10, 50, n), rng.uniform(10, 50, n), rng.uniform(1, 2, n)


def cases():
    many = 300_000
    matrix, long = rng.normal(size=(600, 500)), rng.random(many)
    integers = rng.integers(-100, 100, (600, 500), dtype=np.int32)
    yield from (("black_scholes", prices(n)) for n in (0, 1, 5, many))
    for name in ("blur", "blur_in_place", "softmax", "sums", "extremes"):
        yield name, (matrix,)
        yield name, (matrix[::-2, ::3],)
        yield name, (matrix.T,)
        yield name, (matrix[:5, :3],)
    yield from (("of_integers", (x,)) for x in (integers, integers[::3, ::-1], integers[:3, :2]))
    yield "of_complex", (long[:100_000] + 1j * long[100_000:200_000],)
    yield from (("dot", (long[:n], long[::-1][:n])) for n in (0, 1, 1000, many))
    yield from (("smallest", (long[:n],)) for n in (0, 1, many))
    yield "smallest", (np.where(long > 0.9999, np.nan, long),)
    yield "prefix", (long,)
    at = rng.integers(-many, many, many)
    yield "gather", (long, at, np.zeros(many))
    yield "scatter", (long, at, np.zeros(many))
    narrow = rng.normal(size=(many // 3, 3)).astype(np.float32)
    yield from (
        ("columns", (x,))
        for x in (narrow, narrow[::-2], narrow[:, 1:], narrow[:1], np.asfortranarray(narrow))
    )
    blocks = rng.integers(-9, 9, (many // 6, 2, 3), dtype=np.int16)
    yield from (
        ("of_blocks", (x, np.arange(3, dtype=np.int16))) for x in (blocks, blocks[::5, ::-1], blocks[:2])
    )
    yield "stretched", (rng.random((many // 2, 2)), rng.random((many // 2, 2)))
    yield "stretched", (rng.random((many // 2, 2)), rng.random((1, 2)))
    yield "stretched", (rng.random((1, 1)), rng.random((many // 2, 2)))
    tall = rng.integers(-9, 9, (many, 1))
    yield from (
        ("widened", (x, np.arange(n)))
        for x in (tall, tall[:3], np.tile(tall, 5))
        for n in (5, 1)
        if n in (1, x.shape[1]) or x.shape[1] == 1
    )
    yield "rows_before", (rng.integers(-9, 9, (many, 3)),)
    yield "shifted", (rng.integers(-9, 9, 200), 3000)
    yield from (("histogram", (at % m, long, m)) for m in (1, 10, 1000, many))
    yield "histogram", (at[:0], long[:0], 3)
    yield "grouped", (rng.random((50_000, 3)), at[:50_000] % 4, 3)
    yield "bodies", (rng.random((300, 3)),)
    yield "product", (matrix[:90], matrix.T[:500, :80])
    yield from (("appended", (n,)) for n in (0, 5, many))


@pytest.fixture(scope="module")
def modules():
    return pydd.load(SOURCE, "in_order"), pydd.load(SOURCE, "in_any_order", parallel=True)


@pytest.fixture
def threads():
    """Sets the number of threads, until the test is over."""
    before = pydd_runtime.get_num_threads()
    yield pydd_runtime.set_num_threads
    pydd_runtime.set_num_threads(before)


def copies(arguments):
    """The arguments with memory of their own that lies as it did."""
    return [np.copy(each, order="K") if isinstance(each, np.ndarray) else each for each in arguments]


def outcome(function, arguments):
    """The results and the arguments afterwards, as a flat list."""
    result = function(*arguments)
    results = list(result) if isinstance(result, tuple) else [] if result is None else [result]
    return results + [each for each in arguments if isinstance(each, np.ndarray)]


@pytest.mark.parametrize("number", range(len(list(cases()))))
def test_any_number_of_threads_gives_what_the_order_gives(modules, threads, number):
    name, arguments = list(cases())[number]
    in_order, in_any_order = (getattr(module, name) for module in modules)
    wanted = outcome(in_order, copies(arguments))
    first = None
    for count in (1, 2, 5):
        threads(count)
        got = outcome(in_any_order, copies(arguments))
        for ours, theirs in zip(got, wanted, strict=True):
            # The order of float32 sums may be another one, in the last bit.
            tolerance = 3e-7 if np.asarray(theirs).dtype == np.float32 else 1e-11
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
        first = first or got
        for ours, before in zip(got, first, strict=True):
            assert np.asarray(ours).tobytes() == np.asarray(before).tobytes()


def test_overlapping_arguments(modules):
    in_order, in_any_order = modules
    for shift in (1, -1):
        a, b = np.arange(400_000.0), np.arange(400_000.0)
        at = np.arange(399_999)
        source, target = (slice(1, None), slice(None, -1))[::shift]
        in_order.gather(a[source], at, a[target])
        in_any_order.gather(b[source], at, b[target])
        np.testing.assert_array_equal(a, b)


def test_the_first_error_is_raised(modules):
    _, module = modules
    n = 400_000
    at = np.arange(n)
    at[[390_000, 200_123, 300_000]] = n + np.array([1, 2, 3])
    with pytest.raises(IndexError, match=f"index {n + 2} is out of bounds for axis 0 with size {n}"):
        module.gather(np.zeros(n), at, np.zeros(n))


def test_report_names_the_loops(tmp_path):
    (tmp_path / "kernel.pydd").write_text(SOURCE)
    command = [sys.executable, "-m", "pydd", "kernel.pydd", "--auto-parallel", "--report", "--emit=loops"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr
    lines = {int(line.split(":")[1]) for line in said.splitlines() if "--> kernel.pydd" in line}
    source = SOURCE.splitlines()
    loops = [line for line in said.split("\n\n") if line.startswith("remark[loop-parallel]")]
    assert len(loops) > 15 and lines
    places = {int(loop.splitlines()[1].split(":")[1]) for loop in loops}
    inside = {source[place - 1].strip() for place in places}
    assert "a[i] += a[i - 1]" not in inside
    assert not any("for i in range(1, len(a)):" in line for line in inside)
