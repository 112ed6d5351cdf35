"""Writes src/coefficients.rs: polynomials that approximate best in the relative sense (Remez exchange).

Needs mpmath. Run as `python coefficients.py`; rustfmt lays the file out.
"""

import pathlib
import struct

from mpmath import matrix as mp_matrix
from mpmath import mp, mpf

mp.dps = 60


def minimax(f, weight, low, high, count):
    """Coefficients of the polynomial p of `count` terms with the smallest max |f - p| * weight, and that max."""
    low, high = mpf(low), mpf(high)
    points = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / count) for i in range(count + 1)]
    grid_size = 40 * count
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / grid_size) for i in range(grid_size + 1)]
    values = [(f(x), weight(x)) for x in grid]
    for _ in range(12):
        rows = [[x**j for j in range(count)] + [(-1) ** i / weight(x)] for i, x in enumerate(points)]
        solution = mp.lu_solve(mp_matrix(rows), mp_matrix([f(x) for x in points]))
        p = [solution[j] for j in range(count)]
        errors = [(y - mp.polyval(p[::-1], x)) * w for x, (y, w) in zip(grid, values)]
        extremes = alternating(errors)
        if len(extremes) < count + 1:
            break
        while len(extremes) > count + 1:
            extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
        points = [grid[i] for i in extremes]
        level = abs(solution[count])
        if max(map(abs, errors)) < level * mpf("1.02"):
            break
    return p, max(map(abs, errors))


def alternating(errors):
    """Where the error is extreme between two changes of sign."""
    best = [0]
    for i, error in enumerate(errors[1:], 1):
        if (error > 0) == (errors[best[-1]] > 0):
            if abs(error) > abs(errors[best[-1]]):
                best[-1] = i
        else:
            best.append(i)
    return best


def constant(name, value, doc):
    return f"/// {doc}\npub const {name}: f64 = {float(value)!r};\n"


def pair(name, value, doc):
    """A value as the sum of two doubles."""
    high = float(value)
    return constant(f"{name}_HI", high, doc) + constant(
        f"{name}_LO", value - mpf(high), f"The rest of {name}."
    )


def parts(name, value, bits, count, doc):
    """A value as a sum of doubles, all but the last of which have few bits."""
    text, rest = [], value
    for i in range(count):
        if i + 1 < count:
            exponent = int(mp.floor(mp.log(abs(rest), 2))) - bits + 1
            part = mp.floor(rest / mpf(2) ** exponent) * mpf(2) ** exponent
        else:
            part = rest
        text.append(repr(float(part)))
        rest -= mpf(float(part))
    return f"/// {doc}\npub const {name}: [f64; {count}] = [{', '.join(text)}];\n"


def table(name, f, low, high, count, doc, weight=lambda x: mpf(1), apart=None):
    """A polynomial; `apart` names a constant that takes the leading bits of its first coefficient."""
    p, error = minimax(f, weight, low, high, count)
    bits = float(mp.log(error, 2))
    print(f"{name}: {count} terms, 2^{bits:.1f}")
    text = ""
    if apart:
        text = constant(apart, p[0], f"The first coefficient of {name}.")
        p[0] -= mpf(float(p[0]))
    numbers = ", ".join(repr(float(c)) for c in p)
    return f"{text}/// {doc} To 2^{bits:.1f}.\npub const {name}: [f64; {count}] = [{numbers}];\n"


def single(name, f, low, high, count, doc, weight=lambda x: mpf(1)):
    """A polynomial in float32."""
    p, error = minimax(f, weight, low, high, count)
    bits = float(mp.log(error, 2))
    print(f"{name}: {count} terms, 2^{bits:.1f}")
    return f"/// {doc} To 2^{bits:.1f}.\npub const {name}: [f32; {count}] = [{', '.join(map(nearest_single, p))}];\n"


def single_parts(name, value, bits, doc):
    """A value as a sum of floats, all but the last of which have so many bits."""
    text, rest = [], value
    for size in [*bits, 24]:
        part = mpf(0) if rest == 0 else mp.nint(mp.ldexp(rest, size - mp.frexp(rest)[1]))
        part = mp.ldexp(part, mp.frexp(rest)[1] - size)
        text.append(nearest_single(part))
        rest -= part
    return f"/// {doc}\npub const {name}: [f32; {len(text)}] = [{', '.join(text)}];\n"


def nearest_single(value):
    return f"{struct.unpack('f', struct.pack('f', float(value)))[0]!r}"


def series(g, count=40):
    """A function given by the Taylor coefficients g(0), g(1), … of its argument."""
    coefficients = [mpf(g(i)) for i in range(count)][::-1]
    return lambda z: mp.polyval(coefficients, z)


def main():
    half_ln2 = mp.log(2) / 2 * mpf("1.0001")
    quarter = (mp.pi / 4) ** 2 * mpf("1.0001")
    s2 = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mpf("1.001")
    e2 = half_ln2**2
    fac = mp.factorial

    # These are there for float64 and, with fewer terms, for float32.
    def exp(name, count, doc):
        f = series(lambda i: 1 / fac(i + 2))
        return table(name, f, -half_ln2, half_ln2, count, doc, lambda r: r * r + mpf("0.001"))

    def expm1(name, count, doc):
        f = series(lambda i: 1 / fac(i + 2))
        return table(name, f, -half_ln2, half_ln2, count, doc, lambda r: abs(r) + mpf("0.001"))

    def log(name, count, doc):
        f = series(lambda i: mpf(2) / (2 * i + 3))
        return table(name, f, 0, s2, count, doc, lambda z: z + mpf("0.0005"))

    def sin(name, count, doc):
        f = series(lambda i: (-1) ** (i + 1) / fac(2 * i + 3))
        return table(name, f, 0, quarter, count, doc, lambda z: z + mpf("0.001"))

    def cos(name, count, doc):
        f = series(lambda i: (-1) ** i / fac(2 * i + 4))
        return table(name, f, 0, quarter, count, doc, lambda z: z * z + mpf("0.0001"))

    out = [
        "//! Made by `coefficients.py`: polynomials, lowest power first, and constants.\n",
        '#![allow(clippy::excessive_precision, clippy::approx_constant, reason = "generated")]\n',
        constant("LOG2_E", 1 / mp.log(2), "log2(e)."),
        parts("LN2", mp.log(2), 32, 2, "ln(2); the first part has 32 bits."),
        pair("LN2_WHOLE", mp.log(2), "ln(2)."),
        parts("LN2_FINE", mp.log(2), 40, 2, "ln(2); the first part has 40 bits."),
        parts("INV_LN2", 1 / mp.log(2), 32, 2, "1 / ln(2); the first part has 32 bits."),
        parts("INV_LN10", 1 / mp.log(10), 32, 2, "1 / ln(10); the first part has 32 bits."),
        parts("LOG10_2", mp.log10(2), 40, 2, "log10(2); the first part has 40 bits."),
        constant("TWO_OVER_PI", 2 / mp.pi, "2 / pi."),
        parts("HALF_PI", mp.pi / 2, 32, 4, "pi / 2 in parts of 32 bits."),
        parts("HALF_PI_SHORT", mp.pi / 2, 32, 2, "pi / 2; the first part has 32 bits."),
        constant("INV_LN10_SHORT", 1 / mp.log(10), "1 / ln(10)."),
        pair("PI_2", mp.pi / 2, "pi / 2."),
        pair("PI_4", mp.pi / 4, "pi / 4."),
        pair("TWO_THIRDS", mpf(2) / 3, "2 / 3."),
        exp("EXP", 10, "(exp(r) - 1 - r) / r² for |r| ≤ ln(2)/2."),
        table(
            "SINH",
            series(lambda i: 1 / fac(2 * i + 3)),
            0,
            e2,
            5,
            "(sinh(r) - r) / r³ in r², for |r| ≤ ln(2)/2.",
            lambda z: z + mpf("0.001"),
        ),
        table(
            "COSH",
            series(lambda i: 1 / fac(2 * i + 4)),
            0,
            e2,
            5,
            "(cosh(r) - 1 - r²/2) / r⁴ in r², for |r| ≤ ln(2)/2.",
            lambda z: z * z + mpf("0.0001"),
        ),
        log("LOG", 7, "(log((1+s)/(1-s)) - 2s) / s³ in s²."),
        table(
            "LOG_FINE",
            series(lambda i: mpf(2) / (2 * i + 5)),
            0,
            s2,
            8,
            "(log((1+s)/(1-s)) - 2s - 2s³/3) / s⁵ in s².",
            lambda z: z * z + mpf("0.00005"),
        ),
        sin("SIN", 6, "(sin(r) - r) / r³ in r², for |r| ≤ pi/4."),
        cos("COS", 6, "(cos(r) - 1 + r²/2) / r⁴ in r², for |r| ≤ pi/4."),
        table(
            "ASIN",
            lambda z: asin_series(z),
            0,
            mpf("0.2501"),
            13,
            "(asin(x) - x) / x³ in x², for |x| ≤ 1/2.",
            lambda z: z + mpf("0.001"),
        ),
        table(
            "ATAN",
            series(lambda i: mpf(-1) ** (i + 1) / (2 * i + 3), 120),
            0,
            mpf("0.1717"),
            11,
            "(atan(x) - x) / x³ in x², for |x| ≤ tan(pi/8).",
            lambda z: z + mpf("0.001"),
        ),
        table(
            "ATAN_WHOLE",
            lambda z: atan_series(z),
            0,
            1,
            21,
            "The same for |x| ≤ 1.",
            lambda z: z + mpf("0.001"),
        ),
        table(
            "CBRT",
            lambda r: mp.cbrt(1 / r),
            mpf("0.89"),
            mpf("1.12"),
            5,
            "r^(-1/3), for r near 1.",
            lambda r: mp.cbrt(r),
        ),
        exp("EXP_SHORT", 6, "As EXP, for float32."),
        expm1("EXPM1_SHORT", 7, "The same where 1 is taken off, which leaves less to be relative to."),
        log("LOG_SHORT", 4, "As LOG, for float32."),
        log("LOG_OF_POWER", 5, "As LOG, for powers of float32."),
        table(
            "LOG2_OF_POWER",
            series(lambda i: 2 / (mp.log(2) * (2 * i + 1))),
            0,
            mpf("0.0401"),
            6,
            "log2((1+s)/(1-s)) / s in s², for 2/3 ≤ (1+s)/(1-s) ≤ 4/3.",
        ),
        table(
            "EXP2_OF_POWER",
            series(lambda i: mp.log(2) ** i / fac(i)),
            mpf("-0.5001"),
            mpf("0.5001"),
            8,
            "2^r for |r| ≤ 1/2.",
        ),
        sin("SIN_SHORT", 4, "As SIN, for float32."),
        cos("COS_SHORT", 4, "As COS, for float32."),
    ]
    out += erf_tables() + single_tables(half_ln2)
    pathlib.Path(__file__).with_name("src").joinpath("coefficients.rs").write_text("".join(out))


def single_tables(half_ln2):
    """What `single/` computes with, all in float32."""
    fac = mp.factorial
    ln2, ln10 = mp.log(2), mp.log(10)
    third = mpf("0.33334")
    # Angles are reduced by a quotient that is not quite the nearest integer.
    quarter = (mp.pi / 4 * mpf("1.02")) ** 2

    def log(name, base, doc):
        f = series(lambda i: mpf(-1) ** (i + 1) / (i + 2) / base, 120)
        return single(name, f, -third, third, 9, doc, lambda f: abs(f) + mpf("0.02"))

    def tan(z):
        r = mp.sqrt(z + mpf("1e-12"))
        return (mp.tan(r) - r) / r**3

    return [
        single_parts("LOG2_E_F32", 1 / ln2, [], "log2(e) in float32."),
        single_parts("LN2_F32", ln2, [16], "ln(2); the first part has 16 bits."),
        single_parts("LN2_FUSED_F32", ln2, [24], "ln(2) in parts for fused multiply-add."),
        single_parts("INV_LN2_F32", 1 / ln2, [24], "1 / ln(2)."),
        single_parts("INV_LN10_F32", 1 / ln10, [24], "1 / ln(10)."),
        single_parts("LOG10_2_F32", ln2 / ln10, [16], "log10(2); the first part has 16 bits."),
        single_parts("TWO_OVER_PI_F32", 2 / mp.pi, [], "2 / pi."),
        single_parts("HALF_PI_F32", mp.pi / 2, [24, 24], "pi / 2."),
        single_parts("PI_F32", mp.pi, [24], "pi."),
        single(
            "EXP_F32",
            series(lambda i: 1 / fac(i + 2)),
            -half_ln2,
            half_ln2,
            5,
            "(exp(r) - 1 - r) / r² for |r| ≤ ln(2)/2.",
            lambda r: r * r + mpf("0.001"),
        ),
        single(
            "EXPM1_F32",
            series(lambda i: 1 / fac(i + 2)),
            -half_ln2,
            half_ln2,
            6,
            "The same where 1 is taken off.",
            lambda r: abs(r) + mpf("0.001"),
        ),
        single(
            "SINH_F32",
            series(lambda i: 1 / fac(2 * i + 3)),
            0,
            half_ln2**2,
            3,
            "(sinh(r) - r) / r³ in r², for |r| ≤ ln(2)/2.",
            lambda z: z + mpf("0.001"),
        ),
        single(
            "COSH_F32",
            series(lambda i: 1 / fac(2 * i + 2)),
            0,
            half_ln2**2,
            3,
            "(cosh(r) - 1) / r² in r², for |r| ≤ ln(2)/2.",
            lambda z: z + mpf("0.001"),
        ),
        single(
            "TANH_F32",
            series(lambda i: tanh_coefficient(i + 1)),
            0,
            mpf("0.5625") ** 2,
            5,
            "(tanh(x) - x) / x³ in x², for |x| ≤ 9/16.",
            lambda z: z + mpf("0.001"),
        ),
        log("LOG_F32", mpf(1), "(log(1+f) - f) / f² for |f| ≤ 1/3."),
        log("LOG2_F32", ln2, "The same to base 2."),
        log("LOG10_F32", ln10, "The same to base 10."),
        single(
            "SIN_F32",
            series(lambda i: (-1) ** (i + 1) / fac(2 * i + 3)),
            0,
            quarter,
            3,
            "(sin(r) - r) / r³ in r², for |r| ≤ pi/4.",
            lambda z: z + mpf("0.001"),
        ),
        single(
            "COS_F32",
            series(lambda i: (-1) ** (i + 1) / fac(2 * i + 2)),
            0,
            quarter,
            4,
            "(cos(r) - 1) / r² in r², for |r| ≤ pi/4.",
            lambda z: z + mpf("0.001"),
        ),
        single(
            "TAN_F32",
            tan,
            0,
            quarter,
            7,
            "(tan(r) - r) / r³ in r², for |r| ≤ pi/4.",
            lambda z: z + mpf("0.001"),
        ),
        single(
            "ASIN_F32",
            asin_series,
            0,
            mpf("0.2501"),
            5,
            "(asin(x) - x) / x³ in x², for |x| ≤ 1/2.",
            lambda z: z + mpf("0.001"),
        ),
        single(
            "ATAN_F32",
            lambda z: atan_series(z),
            0,
            1,
            9,
            "(atan(x) - x) / x³ in x², for |x| ≤ 1.",
            lambda z: z + mpf("0.001"),
        ),
        single(
            "CBRT_F32",
            lambda r: mp.cbrt(1 / r),
            mpf("0.89"),
            mpf("1.12"),
            3,
            "r^(-1/3), for r near 1.",
            lambda r: mp.cbrt(r),
        ),
    ]


def tanh_coefficient(i):
    """Of x^(2i+1)."""
    n = 2 * i + 2
    return mpf(2) ** n * (mpf(2) ** n - 1) * mp.bernoulli(n) / mp.factorial(n)


def atan_series(z):
    """(atan(x) - x) / x³ with z = x²."""
    if z < mpf("1e-6"):
        return -mpf(1) / 3 + z / 5 - z * z / 7 + z**3 / 9
    x = mp.sqrt(z)
    return (mp.atan(x) - x) / (x * z)


def asin_series(z):
    """(asin(x) - x) / x³ with z = x²."""
    if z < mpf("1e-6"):
        return mpf(1) / 6 + 3 * z / 40 + 15 * z * z / 336
    x = mp.sqrt(z)
    return (mp.asin(x) - x) / (x * z)


def erf_tables():
    two = 2 / mp.sqrt(mp.pi)
    small = series(lambda i: two * mpf(-1) ** (i + 1) / (mp.factorial(i + 1) * (2 * i + 3)), 60)

    def at(x, middle):
        return (mpf(x) - middle) / (mpf(x) + middle)

    def scaled(x):
        return mp.erfc(x) * mp.exp(x * x)

    def whole(t):
        """erfc(x) exp(x²) (x + 4): smooth and of moderate size over the whole half line."""
        x = 4 * (1 + t) / (1 - t)
        return scaled(x) * (x + 4)

    def near(t):
        return 3 * (1 + t) / (1 - t)

    return [
        constant("ERF_SLOPE", two - 1, "2 / sqrt(pi) - 1."),
        table(
            "ERF",
            small,
            0,
            mpf("0.851") ** 2,
            10,
            "(erf(x) - 2x/sqrt(pi)) / x³ in x², for |x| ≤ 0.85.",
            lambda z: z + mpf("0.001"),
        ),
        table(
            "ERF_LARGE",
            lambda t: scaled(near(t)),
            at("0.849", 3),
            at(6, 3),
            12,
            "erfc(x) exp(x²) in (x-3)/(x+3), for 0.85 ≤ x ≤ 6, as precise as erf needs it.",
            lambda t: mp.exp(-(near(t) ** 2)) + mpf(2) ** -70,
        ),
        table(
            "ERFC",
            whole,
            at("0.79", 4),
            at(28, 4),
            21,
            "erfc(x) exp(x²) (x+4) in (x-4)/(x+4), for 0.8 ≤ x ≤ 28; first what ERFC_MIDDLE lacks.",
            lambda t: 1 / whole(t),
            "ERFC_MIDDLE",
        ),
    ]


if __name__ == "__main__":
    main()
