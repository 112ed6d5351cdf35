//! Special functions by Cephes, which is where SciPy has most of its own from: through `spec_math`.

use spec_math::cephes64 as cephes;
use spec_math::misc;
use std::f64::consts::PI;

/// A function of one number or two, by the code that the prelude has for it (`frontend/src/prelude/special.pydd`).
#[must_use]
pub fn special(code: i64, x: f64, y: f64) -> f64 {
    match code {
        0 => cephes::j0(x),
        1 => cephes::j1(x),
        2 => cephes::y0(x),
        3 => cephes::y1(x),
        4 => cephes::i0(x),
        5 => cephes::i1(x),
        6 => cephes::i0e(x),
        7 => cephes::i1e(x),
        8 => cephes::k0(x),
        9 => cephes::k1(x),
        10 => cephes::k0e(x),
        11 => cephes::k1e(x),
        12 => cephes::ndtri(x),
        13 => misc::erfcinv(x),
        14 => erfinv(x),
        15 => digamma(x),
        16 => cephes::ellpk(1.0 - x),
        17 => cephes::ellpe(x),
        18 => cephes::riemann_zeta(x),
        19 => sici(x).0,
        20 => sici(x).1,
        21 => cephes::spence(x),
        22 => cephes::ndtr(x),
        23 => beta(x, y),
        24 => betaln(x, y),
        25 => incomplete(cephes::igam, x, y),
        26 => incomplete(cephes::igamc, x, y),
        27 => cephes::zeta(x, y),
        28 => exp1(x),
        29 => expi(x),
        30 => log_ndtr(x),
        31 => binom(x, y),
        32 => gamma(x),
        _ => f64::NAN,
    }
}

/// By its power series near 0, where 1 - y would lose digits.
fn erfinv(y: f64) -> f64 {
    if y.abs() > 0.01 {
        return misc::erfcinv(1.0 - y.abs()).copysign(y);
    }
    let t = PI * y * y;
    let series =
        1.0 + t * (1.0 / 12.0 + t * (7.0 / 480.0 + t * (127.0 / 40320.0 + t * (4369.0 / 5_806_080.0))));
    PI.sqrt() / 2.0 * y * series
}

/// Beyond 1e9 by the first two terms of the asymptotic series, of which Cephes takes one.
fn sici(x: f64) -> (f64, f64) {
    if x.abs() <= 1e9 || !x.is_finite() {
        return cephes::sici(x);
    }
    let (sin, cos) = x.abs().sin_cos();
    let t = 1.0 / x.abs();
    let sine = PI / 2.0 - t * (cos + t * sin);
    (sine.copysign(x), t * (sin - t * cos))
}

/// An infinity of its sign at zero.
fn gamma(x: f64) -> f64 {
    if x == 0.0 { 1.0 / x } else { cephes::gamma(x) }
}

/// Near its greatest negative zero by a Taylor series, whose coefficients are values of Hurwitz's zeta function.
fn digamma(x: f64) -> f64 {
    const ROOT: f64 = -0.504_083_008_264_455_4;
    const AT_ROOT: f64 = 7.289_763_902_976_895e-17;
    if (x - ROOT).abs() >= 0.3 {
        return cephes::psi(x);
    }
    let off = ROOT - x;
    let (mut sum, mut power) = (AT_ROOT, -1.0);
    for n in 1..100 {
        power *= off;
        let term = power * cephes::zeta(f64::from(n + 1), ROOT);
        sum += term;
        if term.abs() < f64::EPSILON * sum.abs() {
            break;
        }
    }
    sum
}

/// Whether the gamma function has a pole.
fn is_pole(x: f64) -> bool {
    x <= 0.0 && x == x.floor()
}

fn beta(a: f64, b: f64) -> f64 {
    if is_pole(a + b) && !is_pole(a) && !is_pole(b) {
        return 0.0 * cephes::gamma(a) * cephes::gamma(b);
    }
    cephes::beta(a, b)
}

fn betaln(a: f64, b: f64) -> f64 {
    if is_pole(a + b) && !is_pole(a) && !is_pole(b) {
        return f64::NEG_INFINITY;
    }
    cephes::lbeta(a, b)
}

/// Cephes looks for zeros and infinities before it looks for NaN.
fn incomplete(function: fn(f64, f64) -> f64, a: f64, x: f64) -> f64 {
    if a.is_nan() || x.is_nan() { f64::NAN } else { function(a, x) }
}

/// Where exp(-x) is about to vanish, by the asymptotic series.
fn exp1(x: f64) -> f64 {
    if x < 0.0 || x.is_nan() {
        return f64::NAN;
    }
    if x > 600.0 {
        let t = 1.0 / x;
        return (-x).exp()
            * t
            * (1.0 - t * (1.0 - 2.0 * t * (1.0 - 3.0 * t * (1.0 - 4.0 * t * (1.0 - 5.0 * t)))));
    }
    cephes::expn(1, x)
}

fn expi(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < 0.0 {
        return -exp1(-x);
    }
    // As SciPy, which divides the exponential by the number.
    if x.exp() == f64::INFINITY {
        return f64::INFINITY;
    }
    let (shi, chi) = cephes::shichi(x);
    shi + chi
}

/// The logarithm of the normal distribution function. Far below 0 by the asymptotic series of its tail.
fn log_ndtr(x: f64) -> f64 {
    if x > -1.0 {
        return (-cephes::ndtr(-x)).ln_1p();
    }
    if x > -20.0 || x.is_nan() {
        return cephes::ndtr(x).ln();
    }
    let step = -1.0 / (x * x);
    let (mut term, mut sum) = (1.0, 1.0);
    let mut odd = 1.0;
    while f64::abs(term * odd * step) > f64::EPSILON * 0.25 {
        term *= odd * step;
        sum += term;
        odd += 2.0;
    }
    -0.5 * x * x - (-x).ln() - 0.5 * (2.0 * PI).ln() + f64::ln(sum)
}

/// The binomial coefficient of real numbers, as SciPy computes it: by products for a few factors, else by the beta function.
fn binom(n: f64, k: f64) -> f64 {
    if n.is_nan() || k.is_nan() || n < 0.0 && n == n.floor() {
        return f64::NAN;
    }
    if k == k.floor() && (n.abs() > 1e-8 || n == 0.0) {
        let mirrored = n == n.floor() && k > n / 2.0 && n > 0.0;
        let factors = if mirrored { n - k } else { k };
        if (0.0..20.0).contains(&factors) {
            return product(n, factors);
        }
    }
    if n >= 1e10 * k && k > 0.0 {
        return (-betaln(1.0 + n - k, 1.0 + k) - (n + 1.0).ln()).exp();
    }
    if k > 1e8 * n.abs() {
        return far_binom(n, k);
    }
    1.0 / (n + 1.0) / beta(1.0 + n - k, 1.0 + k)
}

fn product(n: f64, factors: f64) -> f64 {
    let (mut above, mut below) = (1.0, 1.0);
    let mut i = 1.0;
    while i <= factors {
        above *= i + n - factors;
        below *= i;
        if f64::abs(above) > 1e50 {
            above /= below;
            below = 1.0;
        }
        i += 1.0;
    }
    above / below
}

/// Of a k far above n.
fn far_binom(n: f64, k: f64) -> f64 {
    let gamma = cephes::gamma(1.0 + n);
    let size = (gamma / k + gamma * n / (2.0 * k * k)) / (PI * k.powf(n));
    let whole = k.floor();
    let (off, sign) = match whole.abs() < f64::from(i32::MAX) {
        true => (k - whole, if whole % 2.0 == 0.0 { 1.0 } else { -1.0 }),
        false => (k, 1.0),
    };
    size * ((off - n) * PI).sin() * sign
}
