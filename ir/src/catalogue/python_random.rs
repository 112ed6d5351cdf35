//! Python's module `random`: what its functions do is written in `frontend/src/prelude/python_random.pydd`, with draws from a stream of
//! their own.

use super::{Algebra, Entry, Param, Space, entry, int, opt, req, rest, written};
use crate::draw::Draw;
use crate::op::LibOp;

const RNG: Param = req("rng");
const FROM_ONE: &[Param] = &[RNG, req("a")];
const FROM_TWO: &[Param] = &[RNG, req("a"), req("b")];
const AB: &[Param] = &[req("a"), req("b")];
const MU_SIGMA: &[Param] = &[req("mu"), req("sigma")];
const STANDARD: &[Param] = &[int("mu", 0), int("sigma", 1)];
const ALPHA_BETA: &[Param] = &[req("alpha"), req("beta")];

const fn own(name: &'static [&'static str; 1], params: &'static [Param], doc: &'static str) -> Entry {
    written(params, "python_random", name[0], doc).within(Space::PythonRandom, name)
}

const fn draw(params: &'static [Param], draw: Draw, name: &'static [&'static str]) -> Entry {
    entry(params, Algebra::Opaque(LibOp::Draw(draw)), "A random number of the stream of Python's `random`.")
        .internal(name)
}

pub(super) const ENTRIES: &[Entry] = &[
    own(
        &["seed"],
        &[opt("a")],
        "Starts this thread's stream of `random`, by an integer, a float or the operating system.",
    ),
    own(&["random"], &[], "A uniform number in [0, 1)."),
    own(&["uniform"], AB, "A uniform number between a and b."),
    own(&["randint"], AB, "An integer of a to b, both included."),
    own(
        &["randrange"],
        &[req("start"), opt("stop"), int("step", 1)],
        "An integer of `range(start)` or `range(start, stop, step)`.",
    ),
    own(&["getrandbits"], &[req("k")], "k random bits, at most 63, as an integer."),
    own(&["choice"], &[req("seq")], "An item of a list, tuple, range or array; IndexError if there is none."),
    own(&["shuffle"], &[req("x")], "Puts the items of a list or vector in random order."),
    own(
        &["sample"],
        &[req("population"), req("k")],
        "A list of k items of a list, tuple or range, from different places.",
    ),
    own(
        &["choices"],
        &[req("population"), opt("weights"), rest("others"), opt("cum_weights"), int("k", 1)],
        "A list of k items, each drawn from all, by weights or their running sums.",
    ),
    own(&["gauss"], STANDARD, "A normal number, of two that come together."),
    own(&["normalvariate"], STANDARD, "A normal number."),
    own(&["lognormvariate"], MU_SIGMA, "A number whose logarithm is normal."),
    own(&["expovariate"], &[int("lambd", 1)], "An exponential number of mean 1 / lambd."),
    own(
        &["triangular"],
        &[int("low", 0), int("high", 1), opt("mode")],
        "A number of a density that rises from low to mode, and falls to high.",
    ),
    own(&["betavariate"], ALPHA_BETA, "A number of a beta distribution."),
    own(&["gammavariate"], ALPHA_BETA, "A number of a gamma distribution; beta is its scale."),
    own(&["paretovariate"], &[req("alpha")], "A number of a Pareto distribution."),
    own(&["weibullvariate"], ALPHA_BETA, "A number of a Weibull distribution; alpha is its scale."),
    own(&["vonmisesvariate"], &[req("mu"), req("kappa")], "An angle of a von Mises distribution."),
    draw(FROM_ONE, Draw::PythonSeed, &["python_seed"]),
    draw(&[RNG], Draw::PythonDouble, &["python_double"]),
    draw(FROM_ONE, Draw::PythonBits, &["python_bits"]),
    draw(FROM_ONE, Draw::PythonBelow, &["python_below"]),
    draw(FROM_TWO, Draw::PythonUniform, &["python_uniform"]),
    draw(&[RNG, req("a"), req("b"), req("c"), req("d")], Draw::PythonTriangular, &["python_triangular"]),
    draw(FROM_TWO, Draw::PythonNormal, &["python_normal"]),
    draw(FROM_TWO, Draw::PythonGauss, &["python_gauss"]),
    draw(FROM_TWO, Draw::PythonLogNormal, &["python_lognormal"]),
    draw(FROM_ONE, Draw::PythonExponential, &["python_exponential"]),
    draw(FROM_TWO, Draw::PythonGamma, &["python_gamma"]),
    draw(FROM_ONE, Draw::PythonPareto, &["python_pareto"]),
    draw(FROM_TWO, Draw::PythonWeibull, &["python_weibull"]),
    draw(FROM_TWO, Draw::PythonVonMises, &["python_von_mises"]),
];
