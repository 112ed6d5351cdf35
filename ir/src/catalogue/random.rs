//! Random numbers: functions of `np.random`, methods of its generators, and what functions of
//! `frontend/src/prelude/random.pydd` draw with.

use super::{
    Algebra, Builtin, Entry, Param, ParamKind, Space, dtype, entry, fixed, flag, int, opt, req, rest, written,
};
use crate::draw::Draw;
use crate::op::LibOp;
use crate::routine::Routine;

const SIZE: Param = Param { kind: ParamKind::Display, ..opt("size") };
const RNG: Param = req("rng");

const FROM: &[Param] = &[RNG];
const FROM_ONE: &[Param] = &[RNG, req("a")];
const FROM_TWO: &[Param] = &[RNG, req("a"), req("b")];

const fn stream(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "random", function, doc)
}

const fn method(
    params: &'static [Param],
    function: &'static str,
    name: &'static [&'static str],
    doc: &'static str,
) -> Entry {
    written(params, "random", function, doc).within(Space::Generator, name)
}

const fn draw(params: &'static [Param], draw: Draw, name: &'static [&'static str]) -> Entry {
    entry(params, Algebra::Opaque(LibOp::Draw(draw)), "A random number; of the stream where `rng` is None.")
        .internal(name)
}

pub(super) const ENTRIES: &[Entry] = &[
    stream(&[opt("seed")], "seed", "Starts this thread's stream, by an integer or the operating system.")
        .random(&["seed"]),
    stream(&[rest("size")], "stream_rand", "Uniform numbers in [0, 1), in an array of this shape.")
        .random(&["rand"]),
    stream(
        &[Param { kind: ParamKind::Display, ..req("shape") }, dtype()],
        "numpy_random_rand",
        "Uniform numbers in [0, 1) of `np.random`'s stream, in an array of this shape and type.",
    )
    .bare(&["numpy_random_rand"]),
    stream(
        &[req("low"), req("high")],
        "randint",
        "An integer of low to high, both included; of `np.random`'s stream, not of Python's `random`.",
    )
    .bare(&["randint"]),
    stream(&[rest("size")], "stream_randn", "Standard normal numbers, in an array of this shape.")
        .random(&["randn"]),
    stream(&[SIZE], "stream_random", "Uniform numbers in [0, 1).").random(&[
        "random",
        "random_sample",
        "ranf",
        "sample",
    ]),
    stream(
        &[req("low"), opt("high"), SIZE, dtype()],
        "stream_integers",
        "Integers from low, or 0, up to high, which is left out.",
    )
    .random(&["randint"]),
    stream(&[int("low", 0), int("high", 1), SIZE], "stream_uniform", "Uniform numbers in [low, high).")
        .random(&["uniform"]),
    stream(&[int("loc", 0), int("scale", 1), SIZE], "stream_normal", "Normal numbers.").random(&["normal"]),
    stream(&[SIZE], "stream_standard_normal", "Standard normal numbers.").random(&["standard_normal"]),
    stream(&[int("scale", 1), SIZE], "stream_exponential", "Exponential numbers.").random(&["exponential"]),
    stream(&[SIZE], "stream_standard_exponential", "Exponential numbers of scale 1.")
        .random(&["standard_exponential"]),
    stream(&[int("lam", 1), SIZE], "stream_poisson", "Counts of a Poisson distribution.")
        .random(&["poisson"]),
    stream(
        &[req("a"), SIZE, flag("replace", true), opt("p")],
        "stream_choice",
        "Elements of a vector, or of range(a), with probabilities p.",
    )
    .random(&["choice"]),
    stream(&[req("x")], "stream_permutation", "range(x), or a copy of x, with its rows in random order.")
        .random(&["permutation"]),
    stream(
        &[req("x")],
        "stream_shuffle",
        "Puts the rows of an array, or the items of a list, in random order.",
    )
    .random(&["shuffle"]),
    stream(
        &[opt("seed")],
        "default_rng",
        "A generator, seeded by integers or by the operating system. It is passed by reference.",
    )
    .random(&["default_rng"]),
    method(&[RNG, SIZE, dtype()], "random", &["random"], "Uniform numbers in [0, 1), float64 or float32."),
    method(
        &[RNG, req("low"), opt("high"), SIZE, dtype(), flag("endpoint", false)],
        "integers",
        &["integers"],
        "Integers from low, or 0, up to high, which is left out unless it is said to be the endpoint.",
    ),
    method(
        &[RNG, int("low", 0), int("high", 1), SIZE],
        "uniform",
        &["uniform"],
        "Uniform numbers in [low, high).",
    ),
    method(&[RNG, int("loc", 0), int("scale", 1), SIZE], "normal", &["normal"], "Normal numbers."),
    method(&[RNG, SIZE], "standard_normal", &["standard_normal"], "Standard normal numbers."),
    method(&[RNG, int("scale", 1), SIZE], "exponential", &["exponential"], "Exponential numbers."),
    method(
        &[RNG, SIZE],
        "standard_exponential",
        &["standard_exponential"],
        "Exponential numbers of scale 1.",
    ),
    method(&[RNG, int("lam", 1), SIZE], "poisson", &["poisson"], "Counts of a Poisson distribution."),
    method(
        &[RNG, req("a"), SIZE, flag("replace", true), opt("p"), fixed(int("axis", 0)), flag("shuffle", true)],
        "choice",
        &["choice"],
        "Rows of an array, or numbers of range(a), with probabilities p.",
    ),
    method(
        &[RNG, req("x"), fixed(int("axis", 0))],
        "permutation",
        &["permutation"],
        "range(x), or a copy of x, with its rows in random order.",
    ),
    method(
        &[RNG, req("x"), fixed(int("axis", 0))],
        "shuffle",
        &["shuffle"],
        "Puts the rows of an array, or the items of a list, in random order.",
    ),
    entry(&[req("words")], Algebra::Builtin(Builtin::Generator), "The generator that is in these words.")
        .internal(&["generator_of"]),
    entry(
        &[req("seed"), req("words")],
        Algebra::Opaque(LibOp::Routine(Routine::SeedGenerator)),
        "Makes a generator of the words of a seed.",
    )
    .internal(&["seed_generator"]),
    draw(FROM, Draw::Double, &["draw_double"]),
    draw(FROM, Draw::Single, &["draw_single"]),
    draw(FROM_TWO, Draw::Uniform, &["draw_uniform"]),
    draw(FROM_TWO, Draw::Normal, &["draw_normal"]),
    draw(FROM_ONE, Draw::Exponential, &["draw_exponential"]),
    draw(FROM_ONE, Draw::Poisson, &["draw_poisson"]),
    draw(FROM, Draw::Word, &["draw_word"]),
    draw(FROM_TWO, Draw::Integer, &["draw_integer"]),
    draw(FROM_ONE, Draw::Interval, &["draw_interval"]),
    draw(FROM_ONE, Draw::Seed, &["draw_seed"]),
    draw(FROM, Draw::Entropy, &["draw_entropy"]),
];
