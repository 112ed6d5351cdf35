//! Random numbers, by the crate that the runtime uses too.

use crate::value::{Array, Scalar, Val};
use pydd_ir::{DType, Draw};
use pydd_numeric::random::{self, Source, WORDS, python};

fn word(array: &Array, at: i64) -> u64 {
    match array.get(&[at]) {
        Some(Scalar::Int(word, _)) => word as u64,
        _ => panic!("verified: integers; the frontend makes as many as are read"),
    }
}

fn store(generator: &Array, words: &[u64; WORDS]) {
    for (at, &word) in (0..).zip(words) {
        assert!(
            generator.set(&[at], Scalar::int(i128::from(word), DType::U64)),
            "the generator has its words"
        );
    }
}

/// Makes a generator of the words of a seed.
pub fn seed_generator(seed: &Array, generator: &Array) {
    let seed: Vec<u32> = (0..seed.size()).map(|at| word(seed, at) as u32).collect();
    let mut words = [0; WORDS];
    random::seed_generator(&mut words, &seed);
    store(generator, &words);
}

/// Draws from a generator, the first operand, or without one from this thread's stream.
pub fn draw(draw: Draw, operands: &[Val]) -> Scalar {
    let Some((Val::Array(generator), params)) = operands.split_first() else {
        return drawn(draw, Source::Stream, operands);
    };
    let mut words = std::array::from_fn(|at| word(generator, at as i64));
    let result = drawn(draw, Source::Generator(&mut words), params);
    store(generator, &words);
    result
}

fn drawn(draw: Draw, from: Source<'_>, params: &[Val]) -> Scalar {
    let float = |at: usize| match &params[at] {
        Val::Scalar(Scalar::Float(x, _)) => *x,
        _ => panic!("verified: a float"),
    };
    let int = |at: usize| match &params[at] {
        Val::Scalar(Scalar::Int(x, _)) => *x as i64,
        _ => panic!("verified: an integer"),
    };
    let real = |x: f64| Scalar::float(x, DType::F64);
    match draw {
        Draw::Double => real(from.double()),
        Draw::Single => real(from.single()),
        Draw::Uniform => real(from.uniform(float(0), float(1))),
        Draw::Normal => real(from.normal(float(0), float(1))),
        Draw::Exponential => real(from.exponential(float(0))),
        Draw::Poisson => Scalar::i64(from.poisson(float(0))),
        Draw::Word => Scalar::i64(i64::from(from.word())),
        Draw::Integer => Scalar::i64(from.integer(int(0) as u64, int(1) as u64) as i64),
        Draw::Interval => Scalar::i64(from.interval(int(0) as u64) as i64),
        Draw::Seed => {
            random::seed_stream(u32::try_from(int(0)).ok());
            Scalar::i64(0)
        }
        Draw::Entropy => Scalar::i64(i64::from(random::entropy() as u32)),
        Draw::PythonSeed => {
            python::seed(int(0) as u64);
            Scalar::i64(0)
        }
        Draw::PythonDouble => real(python::double()),
        Draw::PythonBits => Scalar::i64(python::bits(int(0) as u32) as i64),
        Draw::PythonBelow => Scalar::i64(python::below(int(0) as u64) as i64),
        Draw::PythonUniform => real(python::uniform(float(0), float(1))),
        Draw::PythonTriangular => real(python::triangular(float(0), float(1), float(2), float(3))),
        Draw::PythonNormal => real(python::normal(float(0), float(1))),
        Draw::PythonGauss => real(python::gauss(float(0), float(1))),
        Draw::PythonLogNormal => real(python::lognormal(float(0), float(1))),
        Draw::PythonExponential => real(python::exponential(float(0))),
        Draw::PythonGamma => real(python::gamma(float(0), float(1))),
        Draw::PythonPareto => real(python::pareto(float(0))),
        Draw::PythonWeibull => real(python::weibull(float(0), float(1))),
        Draw::PythonVonMises => real(python::von_mises(float(0), float(1))),
    }
}
