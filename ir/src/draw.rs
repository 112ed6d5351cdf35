//! Random numbers, one at a time: NumPy's bit generators and distributions.

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
}

impl Draw {
    pub const ALL: [Self; 11] = [
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
        }
    }

    /// The types of the parameters.
    #[must_use]
    pub const fn params(self) -> &'static [DType] {
        match self {
            Self::Double | Self::Single | Self::Word | Self::Entropy => &[],
            Self::Uniform | Self::Normal => &[DType::F64; 2],
            Self::Exponential | Self::Poisson => &[DType::F64],
            Self::Integer => &[DType::I64; 2],
            Self::Interval | Self::Seed => &[DType::I64],
        }
    }

    #[must_use]
    pub const fn result(self) -> DType {
        match self {
            Self::Double | Self::Single | Self::Uniform | Self::Normal | Self::Exponential => DType::F64,
            Self::Poisson | Self::Word | Self::Integer | Self::Interval | Self::Seed | Self::Entropy => {
                DType::I64
            }
        }
    }

    /// Whether it may be of a generator.
    #[must_use]
    pub const fn takes_generator(self) -> bool {
        !matches!(self, Self::Seed | Self::Entropy)
    }
}
