//! Random numbers, the streams of NumPy bit for bit: those of `np.random.default_rng`, whose state is in words of the caller's,
//! and the one of the functions of `np.random`, of which each thread has its own; in [`python`], the one of Python's `random`.

mod distributions;
mod layers;
mod mt19937;
mod pcg64;
pub mod python;
mod seed;
#[cfg(test)]
mod tests;

use mt19937::Mt19937;
pub use mt19937::Ready;
use pcg64::Pcg64;
pub use pcg64::{MULTIPLIER, WORDS};
pub use seed::entropy;
use std::cell::RefCell;

/// A bit generator.
trait BitGenerator {
    fn next_u32(&mut self) -> u32;
    fn next_u64(&mut self) -> u64;
    /// A number of 53 random bits in [0, 1).
    fn next_double(&mut self) -> f64;
}

/// A stream of a thread: its words, and the second of two normal numbers that come together.
#[repr(C)]
struct Stream {
    twister: Mt19937,
    normal: Option<f64>,
    seeded: bool,
}

thread_local! {
    static STREAM: RefCell<Stream> = const { RefCell::new(Stream::unseeded()) };
}

impl Stream {
    const fn unseeded() -> Self {
        Self { twister: Mt19937::unseeded(), normal: None, seeded: false }
    }

    fn start(&mut self, seed: impl FnOnce(&mut Mt19937)) {
        seed(&mut self.twister);
        self.normal = None;
        self.seeded = true;
    }

    /// Draws, from a stream that nobody can foresee if it has no seed.
    #[inline]
    fn draw<T>(&mut self, with: impl FnOnce(&mut Self) -> T) -> T {
        if !self.seeded {
            self.start(|twister| twister.seed_by_words(&seed::entropy_words()));
        }
        with(self)
    }

    /// NumPy's legacy normal numbers, by the polar method. G. Marsaglia and T. A. Bray, "A Convenient Method for Generating Normal Variables", SIAM Review 6(3), 1964.
    fn legacy_normal(&mut self) -> f64 {
        if let Some(second) = self.normal.take() {
            return second;
        }
        loop {
            let x = 2.0 * self.twister.next_double() - 1.0;
            let y = 2.0 * self.twister.next_double() - 1.0;
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.normal = Some(factor * x);
                return factor * y;
            }
        }
    }

    #[inline]
    fn legacy_exponential(&mut self) -> f64 {
        -(1.0 - self.twister.next_double()).ln()
    }
}

/// What the stream of `np.random` on this thread has ready. It stays where it is as long as the thread lives.
#[must_use]
pub fn ready() -> *mut Ready {
    STREAM.with(|stream| stream.as_ptr().cast())
}

/// Starts the stream of `np.random` on this thread: that of a seed, or one that nobody can foresee.
pub fn seed_stream(seed: Option<u32>) {
    STREAM.with_borrow_mut(|stream| {
        stream.start(|twister| match seed {
            Some(seed) => twister.seed(seed),
            None => twister.seed_by_words(&seed::entropy_words()),
        });
    });
}

/// Starts a generator from the words of a seed, the least significant one of each number first.
pub fn seed_generator(generator: &mut [u64; WORDS], seed: &[u32]) {
    Pcg64(generator).start(seed::spread(seed));
}

/// Where a number is drawn from.
pub enum Source<'a> {
    /// The stream of `np.random` on this thread.
    Stream,
    /// A generator's state.
    Generator(&'a mut [u64; WORDS]),
}

impl Source<'_> {
    #[inline(always)]
    fn draw<T>(
        self,
        stream: impl FnOnce(&mut Stream) -> T,
        generator: impl FnOnce(&mut Pcg64<'_>) -> T,
    ) -> T {
        match self {
            Self::Generator(words) => generator(&mut Pcg64(words)),
            Self::Stream => STREAM.with_borrow_mut(|own| own.draw(stream)),
        }
    }

    /// Of 53 random bits, in [0, 1).
    #[must_use]
    #[inline]
    pub fn double(self) -> f64 {
        self.draw(|s| s.twister.next_double(), |g| g.next_double())
    }

    /// Of 24 random bits, in [0, 1).
    #[must_use]
    #[inline]
    pub fn single(self) -> f64 {
        self.draw(|s| distributions::single(&mut s.twister), |g| distributions::single(g))
    }

    #[must_use]
    #[inline]
    pub fn uniform(self, low: f64, range: f64) -> f64 {
        low + range * self.double()
    }

    #[must_use]
    #[inline]
    pub fn normal(self, mean: f64, deviation: f64) -> f64 {
        mean + deviation * self.draw(Stream::legacy_normal, |g| distributions::normal(g))
    }

    #[must_use]
    #[inline]
    pub fn exponential(self, scale: f64) -> f64 {
        scale * self.draw(Stream::legacy_exponential, |g| distributions::exponential(g))
    }

    #[must_use]
    #[inline]
    pub fn poisson(self, mean: f64) -> i64 {
        self.draw(|s| distributions::poisson(&mut s.twister, mean), |g| distributions::poisson(g, mean))
    }

    /// 32 random bits.
    #[must_use]
    #[inline]
    pub fn word(self) -> u32 {
        self.draw(|s| s.twister.next_u32(), |g| g.next_u32())
    }

    /// Of `low` to `low + range`, both included, modulo 2^64.
    #[must_use]
    #[inline]
    pub fn integer(self, low: u64, range: u64) -> u64 {
        let offset = self
            .draw(|s| distributions::interval(&mut s.twister, range), |g| distributions::bounded(g, range));
        low.wrapping_add(offset)
    }

    /// Of 0 to `max`, as shuffling draws it.
    #[must_use]
    #[inline]
    pub fn interval(self, max: u64) -> u64 {
        self.draw(|s| distributions::interval(&mut s.twister, max), |g| distributions::interval(g, max))
    }
}
