//! Random numbers, one at a time: NumPy's bit generators and distributions, and those of Python's `random`.

use crate::types::DType;

/// What is drawn. Operands are a generator, a vector of six uint64 that [`Routine::SeedGenerator`](crate::Routine::SeedGenerator)
/// has filled and that lies without gaps, and then parameters. Without a generator the number comes from the stream of `np.random`, of which each thread has one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Draw {
    /// `() -> f64`: 53 random bits in [0, 1).
    Double,
    /// `() -> f64`: 24 random bits in [0, 1).
    Single,
    /// `(low, range) -> f64`
    Uniform,
    /// `(mean, deviation) -> f64`
    Normal,
    /// `(scale) -> f64`
    Exponential,
    /// `(mean) -> i64`; the mean is at least 0 and such that counts fit.
    Poisson,
    /// `() -> i64`: 32 random bits.
    Word,
    /// `(low, range) -> i64`: `low` to `low + range`, both included. The range is unsigned, the sum wraps.
    Integer,
    /// `(max) -> i64`: 0 to `max`, both included, as shuffling draws it.
    Interval,
    /// `(seed) -> i64`: starts the stream of `np.random`, for -1 one that nobody can foresee; gives 0. Never of a generator.
    Seed,
    /// `() -> i64`: 32 bits that nobody can foresee. Never of a generator.
    Entropy,
    /// `(magnitude) -> i64`: starts the stream of Python's `random`; the magnitude is unsigned. Gives 0. This and all that follow are of
    /// that stream, never of a generator.
    PythonSeed,
    /// `() -> f64`: 53 random bits in [0, 1).
    PythonDouble,
    /// `(count) -> i64`: so many random bits, 0 to 64.
    PythonBits,
    /// `(max) -> i64`: 0 to `max`, both included and unsigned.
    PythonBelow,
    /// `(low, range) -> f64`
    PythonUniform,
    /// `(low, high, range, mode) -> f64`: the mode is a fraction of the range.
    PythonTriangular,
    /// `(mean, deviation) -> f64`: `random.normalvariate`.
    PythonNormal,
    /// `(mean, deviation) -> f64`: of two that come together.
    PythonGauss,
    /// `(mean, deviation) -> f64`
    PythonLogNormal,
    /// `(rate) -> f64`
    PythonExponential,
    /// `(shape, scale) -> f64`: twice the shape is finite.
    PythonGamma,
    /// `(shape) -> f64`
    PythonPareto,
    /// `(scale, shape) -> f64`
    PythonWeibull,
    /// `(mean, concentration) -> f64`: the concentration is not NaN.
    PythonVonMises,
}

impl Draw {
    pub const ALL: [Self; 25] = [
        Self::Double,
        Self::Single,
        Self::Uniform,
        Self::Normal,
        Self::Exponential,
        Self::Poisson,
        Self::Word,
        Self::Integer,
        Self::Interval,
        Self::Seed,
        Self::Entropy,
        Self::PythonSeed,
        Self::PythonDouble,
        Self::PythonBits,
        Self::PythonBelow,
        Self::PythonUniform,
        Self::PythonTriangular,
        Self::PythonNormal,
        Self::PythonGauss,
        Self::PythonLogNormal,
        Self::PythonExponential,
        Self::PythonGamma,
        Self::PythonPareto,
        Self::PythonWeibull,
        Self::PythonVonMises,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Double => "draw_double",
            Self::Single => "draw_single",
            Self::Uniform => "draw_uniform",
            Self::Normal => "draw_normal",
            Self::Exponential => "draw_exponential",
            Self::Poisson => "draw_poisson",
            Self::Word => "draw_word",
            Self::Integer => "draw_integer",
            Self::Interval => "draw_interval",
            Self::Seed => "draw_seed",
            Self::Entropy => "draw_entropy",
            Self::PythonSeed => "python_seed",
            Self::PythonDouble => "python_double",
            Self::PythonBits => "python_bits",
            Self::PythonBelow => "python_below",
            Self::PythonUniform => "python_uniform",
            Self::PythonTriangular => "python_triangular",
            Self::PythonNormal => "python_normal",
            Self::PythonGauss => "python_gauss",
            Self::PythonLogNormal => "python_lognormal",
            Self::PythonExponential => "python_exponential",
            Self::PythonGamma => "python_gamma",
            Self::PythonPareto => "python_pareto",
            Self::PythonWeibull => "python_weibull",
            Self::PythonVonMises => "python_von_mises",
        }
    }

    /// The types of the parameters.
    #[must_use]
    pub const fn params(self) -> &'static [DType] {
        match self {
            Self::Double | Self::Single | Self::Word | Self::Entropy | Self::PythonDouble => &[],
            Self::Uniform
            | Self::Normal
            | Self::PythonUniform
            | Self::PythonNormal
            | Self::PythonGauss
            | Self::PythonLogNormal
            | Self::PythonGamma
            | Self::PythonWeibull
            | Self::PythonVonMises => &[DType::F64; 2],
            Self::Exponential | Self::Poisson | Self::PythonExponential | Self::PythonPareto => &[DType::F64],
            Self::PythonTriangular => &[DType::F64; 4],
            Self::Integer => &[DType::I64; 2],
            Self::Interval | Self::Seed | Self::PythonSeed | Self::PythonBits | Self::PythonBelow => {
                &[DType::I64]
            }
        }
    }

    #[must_use]
    pub const fn result(self) -> DType {
        match self {
            Self::Poisson
            | Self::Word
            | Self::Integer
            | Self::Interval
            | Self::Seed
            | Self::Entropy
            | Self::PythonSeed
            | Self::PythonBits
            | Self::PythonBelow => DType::I64,
            _ => DType::F64,
        }
    }

    /// Whether it may be of a generator.
    #[must_use]
    pub const fn takes_generator(self) -> bool {
        matches!(
            self,
            Self::Double
                | Self::Single
                | Self::Uniform
                | Self::Normal
                | Self::Exponential
                | Self::Poisson
                | Self::Word
                | Self::Integer
                | Self::Interval
        )
    }
}
