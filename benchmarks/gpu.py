"""What loops reach on a GPU, against its own copies, CuPy and kernels in CUDA C++ that NVIDIA's compiler made.

Usage: python benchmarks/gpu.py [--driver FOLDER] [--seconds S] [--only NAME,...]

Arrays are on the GPU, except for what is said to come over the bus; calls are timed as Python sees them, with a wait for the GPU behind each, but where it says "one after the other":
there a wait follows a thousand. All are checked against a peer's results, or NumPy's. Where no card is, the driver in FOLDER (`tests/fakecuda`) stands in for one: a dry run of small inputs, whose
times mean nothing.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent

MANDELBROT = r"""
extern "C" __global__ void escape_times(int *times, int height, int width, long long limit) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column >= width) return;
    double ci = 3.0 * row / height - 1.5, cr = 3.0 * column / width - 2.0, zr = 0.0, zi = 0.0;
    long long steps = 0;
    while (steps < limit && zr * zr + zi * zi <= 4.0) {
        double next = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = next;
        steps += 1;
    }
    times[(long long)row * width + column] = (int)steps;
}
"""

ACCELERATIONS = r"""
extern "C" __global__ void accelerations(float *__restrict__ out, const float *__restrict__ x, const float *__restrict__ y,
                                         const float *__restrict__ z, const float *__restrict__ mass, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        float square = dx * dx + dy * dy + dz * dz + 1e-9f;
        float pull = mass[j] / (square * sqrtf(square));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
    }
    out[i] = ax;
    out[n + i] = ay;
    out[2 * n + i] = az;
}
"""

SMOOTHED = r"""
extern "C" __global__ void smoothed(double *__restrict__ out, const double *__restrict__ u, int rows, int columns) {
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y + 1;
    if (j >= columns - 1) return;
    const double *at = u + (long long)i * columns + j;
    out[(long long)i * columns + j] = 0.25 * (at[-columns] + at[columns] + at[-1] + at[1]);
}
"""


@dataclass
class Row:
    """One line of the table."""

    name: str
    what: str
    seconds: float
    """Bytes that have to be moved at least, or 0."""
    moved: float = 0.0
    peer: str = ""
    peer_seconds: float = 0.0
    note: str = ""


def least(call: Callable[[], object], seconds: float) -> float:
    """The least time of a call, of at least five."""
    call()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


class Bench:
    def __init__(self, is_dry: bool, seconds: float) -> None:
        import pydd

        self.is_dry, self.seconds = is_dry, seconds
        self.pydd = pydd
        self.kernels = pydd.load(HERE / "gpu.pydd", gpu=True)
        self.unchecked = pydd.load(HERE / "gpu.pydd", options=["--unchecked"], gpu=True)
        self.random = np.random.default_rng(1)
        self.rows: list[Row] = []
        self.cupy = None
        if not is_dry:
            try:
                import cupy
            except ImportError:
                print("CuPy is not installed: nothing is compared with it, nor with the card's own copies")
            else:
                self.cupy = cupy

    def size(self, large: int, small: int) -> int:
        return small if self.is_dry else large

    def there(self, x: np.ndarray):
        return self.pydd.device_array(x)

    def theirs(self, x):
        """As CuPy's array over the same memory."""
        return self.cupy.asarray(x)

    def wait(self) -> None:
        self.cupy.cuda.runtime.deviceSynchronize()

    def peer_time(self, call: Callable[[], object]) -> float:
        """Of a peer's call, until the GPU is done."""

        def waited():
            call()
            self.wait()

        return least(waited, self.seconds)

    def own_time(self, call: Callable[[], object]) -> float:
        """Of a call of a kernel's, until the GPU is done."""

        def waited():
            call()
            self.pydd.synchronize()

        return least(waited, self.seconds)

    def add_repeated(self, what: str, call: Callable[[], object], peer: str, peer_call) -> None:
        """A call of a thousand."""
        count = self.size(1000, 3)

        def many(call, wait):
            def repeated():
                for _ in range(count):
                    call()
                wait()

            return repeated

        row = Row("call", what, least(many(call, self.pydd.synchronize), self.seconds) / count)
        if peer_call is not None:
            row.peer, row.peer_seconds = peer, least(many(peer_call, self.wait), self.seconds) / count
        self.rows.append(row)

    def add(
        self, name: str, what: str, call, moved: float = 0.0, peer: str = "", peer_call=None, note: str = ""
    ) -> Row:
        row = Row(name, what, self.own_time(call), moved, note=note)
        if self.cupy is not None and peer_call is not None:
            row.peer, row.peer_seconds = peer, self.peer_time(peer_call)
        self.rows.append(row)
        return row

    def same(self, one, other, tolerance: float = 1e-12) -> None:
        one, other = np.asarray(one), np.asarray(other.get() if hasattr(other, "get") else other)
        if not np.allclose(one, other, rtol=tolerance, atol=tolerance):
            sys.exit(f"results differ: {one!r} and {other!r}")

    # Each measures one thing.

    def copy(self) -> None:
        if self.cupy is None:
            return
        n = 1 << 28
        a, b = self.cupy.ones(n), self.cupy.empty(n)
        seconds = self.peer_time(lambda: self.cupy.copyto(b, a))
        self.bandwidth = 16 * n / seconds
        self.rows.append(Row("copy", "the card's own copy", seconds, 16 * n))
        n = 1 << 26
        pinned = self.cupy.cuda.alloc_pinned_memory(8 * n)
        host = np.frombuffer(pinned, np.float64, n)
        host[:] = 1.0
        device = self.cupy.empty(n)
        stream = self.cupy.cuda.Stream.null
        there = self.peer_time(lambda: device.set(host, stream))
        back = self.peer_time(lambda: device.get(out=host))
        self.bus = [8 * n / there, 8 * n / back]
        self.rows.append(Row("bus", "pinned memory to the card", there, 8 * n))
        self.rows.append(Row("bus", "pinned memory from the card", back, 8 * n))

    def fused(self) -> None:
        n = self.size(1 << 27, 1000)
        host = [self.random.random(n) for _ in range(3)]
        a, b, c = map(self.there, host)
        expected = np.sqrt(host[0] * host[0] + host[1]) * host[2] + host[0]
        self.same(self.kernels.fused(a, b, c).copy_to_host(), expected)
        peer = None
        if self.cupy is not None:
            x, y, z = map(self.theirs, (a, b, c))
            peer = lambda: self.cupy.sqrt(x * x + y) * z + x  # noqa: E731
        self.add(
            "fused", "sqrt(a*a+b)*c+a, a new array", lambda: self.kernels.fused(a, b, c), 32 * n, "CuPy", peer
        )
        out = self.there(np.zeros(n))
        self.add("fused", "the same into an array", lambda: self.kernels.fused_into(out, a, b, c), 32 * n)
        self.same(out.copy_to_host(), expected)
        self.add("fused", "without checks", lambda: self.unchecked.fused_into(out, a, b, c), 32 * n)
        narrow = [x.astype(np.float32) for x in host]
        a, b, c = map(self.there, narrow)
        self.same(self.kernels.fused_single(a, b, c).copy_to_host(), expected, 1e-5)
        self.add("fused", "float32", lambda: self.kernels.fused_single(a, b, c), 16 * n)

    def sums(self) -> None:
        n = self.size(1 << 28, 1000)
        host = self.random.random(n)
        a = self.there(host)
        for name in ("total", "total_by_loop"):
            function = getattr(self.kernels, name)
            self.same(function(a), host.sum())
            peer = None
            if self.cupy is not None:
                x = self.theirs(a)
                peer = lambda x=x: x.sum()  # noqa: E731
            self.add("sum", name, lambda f=function: f(a), 8 * n, "CuPy", peer)

    def running_sums(self) -> None:
        n = self.size(1 << 27, 1000)
        host = self.random.random(n)
        a = self.there(host)
        self.same(self.kernels.running(a).copy_to_host(), np.cumsum(host))
        peer = None
        if self.cupy is not None:
            x = self.theirs(a)
            peer = lambda: self.cupy.cumsum(x)  # noqa: E731
        self.add("running sum", "float64", lambda: self.kernels.running(a), 16 * n, "CuPy", peer)

    def columns(self) -> None:
        for shape in ((1 << 24, 8), (1 << 14, 1 << 13), (64, 1 << 21)):
            rows, width = self.size(shape[0], 50), self.size(shape[1], 7)
            host = self.random.random((rows, width))
            a = self.there(host)
            self.same(self.kernels.columns(a).copy_to_host(), host.sum(axis=0))
            peer = None
            if self.cupy is not None:
                x = self.theirs(a)
                peer = lambda x=x: x.sum(axis=0)  # noqa: E731
            call = lambda a=a: self.kernels.columns(a)  # noqa: E731
            self.add("sums of columns", f"{rows:,} x {width:,}", call, 8 * rows * width, "CuPy", peer)

    def stencil(self) -> None:
        n = self.size(16384, 30)
        host = self.random.random((n, n))
        u, out = self.there(host), self.there(np.zeros((n, n)))
        self.kernels.smoothed(out, u)
        expected = np.zeros((n, n))
        expected[1:-1, 1:-1] = 0.25 * (host[:-2, 1:-1] + host[2:, 1:-1] + host[1:-1, :-2] + host[1:-1, 2:])
        self.same(out.copy_to_host(), expected)
        peer = None
        if self.cupy is not None:
            kernel = self.cupy.RawKernel(SMOOTHED, "smoothed")
            x, y = self.theirs(u), self.theirs(out)
            arguments = (y, x, np.int32(n), np.int32(n))
            peer = lambda: kernel(((n + 255) // 256, n - 2), (256,), arguments)  # noqa: E731
        self.add(
            "stencil",
            "five points, float64",
            lambda: self.kernels.smoothed(out, u),
            16 * n * n,
            "CUDA C++",
            peer,
        )
        self.add("stencil", "without checks", lambda: self.unchecked.smoothed(out, u), 16 * n * n)

    def sparse(self) -> None:
        rows = self.size(4_000_000, 200)
        for what in ("32 in each row", "irregular"):
            if what == "irregular":
                counts = np.minimum(self.random.zipf(1.7, rows), rows // 40)
            else:
                counts = np.full(rows, 32)
            begin = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
            entries = int(begin[-1])
            # No column twice in a row, near the diagonal: a prime apart.
            within = np.arange(entries) - np.repeat(begin[:-1], counts)
            column = (
                np.repeat(np.arange(rows), counts) + 61 * (within - np.repeat(counts // 2, counts))
            ) % rows
            value, x = self.random.random(entries), self.random.random(rows)
            column = column.astype(np.int32)
            there = [self.there(v) for v in (begin, column, value, x)]
            y = self.there(np.zeros(rows))
            self.kernels.product(y, *there)
            peer = None
            if self.cupy is not None:
                import cupyx.scipy.sparse

                b, c, v, z = map(self.theirs, there)
                matrix = cupyx.scipy.sparse.csr_matrix((v, c, b), shape=(rows, rows))
                peer = lambda m=matrix, z=z: m @ z  # noqa: E731
                self.same(y.copy_to_host(), (matrix @ z).get(), 1e-9)
            moved = 12 * entries + 20 * rows
            call = lambda f: lambda: f(y, *there)  # noqa: E731, B023
            self.add("SpMV", what, call(self.kernels.product), moved, "cuSPARSE", peer)
            self.add("SpMV", f"{what}, without checks", call(self.unchecked.product), moved)

    def mandelbrot(self) -> None:
        n, limit = self.size(4096, 40), self.size(1000, 50)
        times = self.there(np.zeros((n, n), np.int32))
        self.kernels.escape_times(times, limit)
        peer = None
        if self.cupy is not None:
            kernel = self.cupy.RawKernel(MANDELBROT, "escape_times", ("-fmad=true",))
            theirs = self.cupy.zeros((n, n), np.int32)
            arguments = (theirs, np.int32(n), np.int32(n), np.int64(limit))
            peer = lambda: kernel(((n + 127) // 128, n), (128,), arguments)  # noqa: E731
            peer()
            ours = times.copy_to_host()
            differing = np.count_nonzero(ours != theirs.get())
            if differing > n * n // 1000:
                sys.exit(f"escape times differ in {differing} places")
        self.add(
            "Mandelbrot",
            f"{n} by {n}, {limit} steps",
            lambda: self.kernels.escape_times(times, limit),
            0,
            "CUDA C++",
            peer,
        )

    def bodies(self) -> None:
        n = self.size(65536, 100)
        host = [self.random.random(n).astype(np.float32) for _ in range(4)]
        there, out = [self.there(x) for x in host], self.there(np.zeros((3, n), np.float32))
        self.kernels.accelerations(out, *there)
        peer = None
        if self.cupy is not None:
            kernel = self.cupy.RawKernel(ACCELERATIONS, "accelerations")
            theirs = self.cupy.zeros((3, n), np.float32)
            arguments = (theirs, *map(self.theirs, there), np.int32(n))
            peer = lambda: kernel(((n + 255) // 256,), (256,), arguments)  # noqa: E731
            peer()
            self.same(out.copy_to_host(), theirs.get(), 1e-2)
        what = f"{n} bodies, float32"
        self.add("n-body", what, lambda: self.kernels.accelerations(out, *there), 0, "CUDA C++", peer)
        self.add("n-body", "without checks", lambda: self.unchecked.accelerations(out, *there))

    def histogram(self) -> None:
        n = self.size(1 << 26, 1000)
        for bins in (256, 1 << 20):
            host = self.random.integers(0, bins, n).astype(np.int32)
            x, h = self.there(host), self.there(np.zeros(bins, np.int64))
            self.kernels.counts(h, x)
            self.same(h.copy_to_host(), np.bincount(host, minlength=bins))
            peer = None
            if self.cupy is not None:
                theirs = self.theirs(x)
                peer = lambda x=theirs, b=bins: self.cupy.bincount(x, minlength=b)  # noqa: E731
            call = lambda h=h, x=x: self.kernels.counts(h, x)  # noqa: E731
            self.add("histogram", f"{bins:,} bins, int32 to int64", call, 4 * n, "CuPy's bincount", peer)

    def rows_of_softmax(self) -> None:
        n, m = self.size(1 << 15, 20), self.size(4096, 30)
        host = self.random.random((n, m)).astype(np.float32)
        x = self.there(host)
        e = np.exp(host[:10] - host[:10].max(axis=1, keepdims=True))
        self.same(self.kernels.softmax(x).copy_to_host()[:10], e / e.sum(axis=1, keepdims=True), 1e-5)
        cupy, y = self.cupy, None if self.cupy is None else self.theirs(x)

        def peer():
            e = cupy.exp(y - y.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)

        self.add("softmax", "of rows, float32", lambda: self.kernels.softmax(x), 8 * n * m, "CuPy", peer)

    def stap(self) -> None:
        channels, beams, n = self.size(64, 6), self.size(256, 5), self.size(1 << 15, 128)
        some = lambda *shape: self.random.random(shape) + 1j * self.random.random(shape)  # noqa: E731
        arrays = some(channels, n), some(beams, channels), some(n)
        there = [self.there(x) for x in arrays]
        library = np if self.cupy is None else self.cupy
        theirs = [self.theirs(x) for x in there] if self.cupy is not None else arrays

        def peer():
            cube, weights, replica = theirs
            spectra = library.fft.fft(weights @ cube, axis=1) * library.conj(library.fft.fft(replica))
            return library.fft.fft(library.fft.ifft(spectra, axis=1), axis=0)

        self.same(self.kernels.adapt(*there).copy_to_host(), peer(), 1e-9)
        what = f"{channels} channels, {beams} beams, {n:,} samples, complex128"
        self.add("STAP", what, lambda: self.kernels.adapt(*there), 0, "CuPy", peer)

    def latency(self) -> None:
        u, v = self.there(np.ones(1000)), self.there(np.ones(1000))
        peer = sum_peer = None
        if self.cupy is not None:
            x, y = self.theirs(u), self.theirs(v)
            peer = lambda: self.cupy.add(x, y, out=x)  # noqa: E731
            sum_peer = lambda: float(x.sum())  # noqa: E731
        call = lambda: self.kernels.add_to(u, v)  # noqa: E731
        self.add("call", "u += v of 1,000 elements", call, 0, "CuPy", peer)
        self.add_repeated("the same, one after the other", call, "CuPy", peer)
        self.add("call", "the sum of 1,000 elements", lambda: self.kernels.total(u), 0, "CuPy", sum_peer)

    def stream(self) -> None:
        n = self.size(1 << 28, 1000)
        a = self.random.random(n)
        out = np.zeros(n)
        os.environ["PYDD_DEVICE"] = "gpu"
        row = self.add(
            "bus",
            "out = f(a) of NumPy's arrays, both ways",
            lambda: self.kernels.fused_into(out, a, a, a),
            16 * n,
        )
        self.same(out[:1000], (np.sqrt(a * a + a) * a + a)[:1000])
        if self.cupy is not None:
            row.peer, row.peer_seconds = "pinned copies there, then back", sum(8 * n / b for b in self.bus)


MEASURES = (
    "copy",
    "fused",
    "sums",
    "running_sums",
    "columns",
    "stencil",
    "sparse",
    "mandelbrot",
    "bodies",
    "histogram",
    "rows_of_softmax",
    "stap",
    "latency",
    "stream",
)


def table(bench: Bench, card: str) -> str:
    lines = [
        f"{card}, {datetime.date.today()}" + (", a dry run: times mean nothing" if bench.is_dry else ""),
        "",
    ]
    lines += [
        "| | | ms | GB/s | of a copy | peer | peer ms | peer / ours |",
        "|---|---|---:|---:|---:|---|---:|---:|",
    ]
    for row in bench.rows:
        rate = row.moved / row.seconds if row.moved else 0.0
        of_copy = f"{rate / bench.bandwidth:.2f}" if rate and bench.cupy is not None else ""
        peer = f"{1e3 * row.peer_seconds:.4g}" if row.peer_seconds else ""
        ratio = f"{row.peer_seconds / row.seconds:.2f}" if row.peer_seconds else ""
        gb = f"{rate / 1e9:.0f}" if rate else ""
        lines.append(
            f"| {row.name} | {row.what} | {1e3 * row.seconds:.4g} | {gb} | {of_copy} | {row.peer} | {peer} | {ratio} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--driver", type=Path, help="stands in where no card is")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each of a table's numbers")
    parser.add_argument("--only", help="names of measures, with commas", default=",".join(MEASURES))
    arguments = parser.parse_args()
    os.environ.setdefault("PYDD_DEVICE", "gpu")
    import pydd

    cards = pydd.devices()
    is_dry = not cards or "fakecuda" in cards[0].name
    if not cards:
        if arguments.driver is None or "PYDD_BENCH_DRY" in os.environ:
            sys.exit("there is no GPU")
        folders = [str(arguments.driver.resolve()), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        os.environ.update(LD_LIBRARY_PATH=os.pathsep.join(folders), PYDD_BENCH_DRY="1")
        os.execv(sys.executable, [sys.executable, *sys.argv])
    bench = Bench(is_dry, 0.0 if is_dry else arguments.seconds)
    for name in arguments.only.split(","):
        getattr(bench, name)()
    print(table(bench, f"{cards[0].name}, driver {cards[0].driver[0]}.{cards[0].driver[1]}"))


if __name__ == "__main__":
    main()
