//! Signal processing and number theory of arrays: functions of `frontend/src/prelude/windows.pydd`.

use super::{Entry, Param, fixed, flag, int, operand, opt, req, written};

const M: &[Param] = &[req("M")];
const X: &[Param] = &[operand("x")];
const AB: &[Param] = &[operand("a"), operand("b")];
const POLYNOMIALS: &[Param] = &[req("a"), req("b")];
const SPACED: &[Param] = &[req("start"), req("stop"), int("num", 50), flag("endpoint", true)];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "windows", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(M, "hanning", "A Hann window.").np(&["hanning"]),
    make(M, "hamming", "A Hamming window.").np(&["hamming"]),
    make(M, "blackman", "A Blackman window.").np(&["blackman"]),
    make(M, "bartlett", "A triangular window with zeros at its ends.").np(&["bartlett"]),
    make(X, "sinc", "sin(pi x) / (pi x); 1 at 0.").np(&["sinc"]),
    make(
        &[req("p"), opt("discont"), fixed(int("axis", -1)), opt("period")],
        "unwrap",
        "Angles with jumps of more than half a period, or `discont`, undone along an axis.",
    )
    .np(&["unwrap"]),
    make(AB, "logaddexp", "log(exp(a) + exp(b)).").np(&["logaddexp"]),
    make(X, "modf", "Fractional and whole part, both with the sign of x.").np(&["modf"]),
    make(AB, "float_power", "Power in float64.").np(&["float_power"]),
    make(AB, "gcd", "Greatest common divisor, elementwise.").np(&["gcd"]),
    make(AB, "lcm", "Least common multiple, elementwise.").np(&["lcm"]),
    make(
        &[req("x"), req("y"), req("deg")],
        "polyfit",
        "The polynomial that fits points best, highest power first.",
    )
    .np(&["polyfit"]),
    make(&[req("seq_of_zeros")], "poly", "The polynomial with these zeros, highest power first.")
        .np(&["poly"]),
    make(
        &[req("filt"), opt("trim")],
        "trim_zeros",
        "A view of a vector without the zeros at its front ('f'), its back ('b') or both.",
    )
    .np(&["trim_zeros"]),
    make(&[req("p")], "polyder", "The derivative of a polynomial, highest power first.").np(&["polyder"]),
    make(SPACED, "geomspace", "Numbers in geometric progression.").np(&["geomspace"]),
    make(POLYNOMIALS, "polyadd", "The sum of two polynomials, highest power first.").np(&["polyadd"]),
    make(POLYNOMIALS, "polysub", "The difference of two polynomials, highest power first.").np(&["polysub"]),
    make(POLYNOMIALS, "polymul", "The product of two polynomials, highest power first.").np(&["polymul"]),
    make(&[req("p")], "polyint", "The integral of a polynomial, highest power first.").np(&["polyint"]),
    make(&[req("a")], "unpackbits", "The bits of an array of uint8, highest first, as one vector.")
        .np(&["unpackbits"]),
    make(&[req("a")], "packbits", "Bits, highest first, as a vector of uint8.").np(&["packbits"]),
    make(X, "bitwise_count", "How many bits of the absolute value are 1.").np(&["bitwise_count"]),
];
