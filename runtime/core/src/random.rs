//! Random numbers: the table's `draw_…`, `python_…` and `seed_generator`.
//!
//! Unsafe here: a generator's words, which generated code passes.

use crate::array::Array;
use crate::errors::guard;
use pydd_abi::{ArrayRef, Ctx, PCG64_MULTIPLIER, RandomWords, Status};
use pydd_numeric::random::{self, Ready, Source, WORDS, python};
use std::mem::offset_of;

/// # Safety
/// Null, or a generator's words, which nothing else uses for `'a`.
unsafe fn source<'a>(generator: *mut u64) -> Source<'a> {
    // SAFETY: by the caller's promise.
    match unsafe { generator.cast::<[u64; WORDS]>().as_mut() } {
        Some(words) => Source::Generator(words),
        None => Source::Stream,
    }
}

macro_rules! draws {
    ($($name:ident($($param:ident: $ty:ty),*) -> $result:ty = |$from:ident| $draw:expr;)*) => {$(
        #[doc = concat!("The table's `", stringify!($name), "`.")]
        ///
        /// # Safety
        /// `generator` is null, or a generator's words.
        pub unsafe extern "C" fn $name(generator: *mut u64 $(, $param: $ty)*) -> $result {
            // SAFETY: by the caller's promise; a function does not call another with its generator meanwhile.
            let $from = unsafe { source(generator) };
            $draw
        }
    )*};
}

draws! {
    draw_double() -> f64 = |from| from.double();
    draw_single() -> f64 = |from| from.single();
    draw_uniform(low: f64, range: f64) -> f64 = |from| from.uniform(low, range);
    draw_normal(mean: f64, deviation: f64) -> f64 = |from| from.normal(mean, deviation);
    draw_exponential(scale: f64) -> f64 = |from| from.exponential(scale);
    draw_poisson(mean: f64) -> i64 = |from| from.poisson(mean);
    draw_word() -> i64 = |from| i64::from(from.word());
    draw_integer(low: i64, range: i64) -> i64 = |from| from.integer(low as u64, range as u64) as i64;
    draw_interval(max: i64) -> i64 = |from| from.interval(max as u64) as i64;
}

macro_rules! python_draws {
    ($($name:ident($($param:ident: $ty:ty),*) -> $result:ty = $draw:expr;)*) => {$(
        #[doc = concat!("The table's `", stringify!($name), "`.")]
        pub extern "C" fn $name(_generator: *mut u64 $(, $param: $ty)*) -> $result {
            $draw
        }
    )*};
}

python_draws! {
    python_seed(magnitude: i64) -> i64 = {
        python::seed(magnitude as u64);
        0
    };
    python_double() -> f64 = python::double();
    python_bits(count: i64) -> i64 = python::bits(count as u32) as i64;
    python_below(max: i64) -> i64 = python::below(max as u64) as i64;
    python_uniform(low: f64, range: f64) -> f64 = python::uniform(low, range);
    python_triangular(low: f64, high: f64, range: f64, mode: f64) -> f64 = python::triangular(low, high, range, mode);
    python_normal(mean: f64, deviation: f64) -> f64 = python::normal(mean, deviation);
    python_gauss(mean: f64, deviation: f64) -> f64 = python::gauss(mean, deviation);
    python_lognormal(mean: f64, deviation: f64) -> f64 = python::lognormal(mean, deviation);
    python_exponential(rate: f64) -> f64 = python::exponential(rate);
    python_gamma(shape: f64, scale: f64) -> f64 = python::gamma(shape, scale);
    python_pareto(shape: f64) -> f64 = python::pareto(shape);
    python_weibull(scale: f64, shape: f64) -> f64 = python::weibull(scale, shape);
    python_von_mises(mean: f64, concentration: f64) -> f64 = python::von_mises(mean, concentration);
}

const _: () = assert!(
    offset_of!(RandomWords, used) == offset_of!(Ready, used)
        && offset_of!(RandomWords, words) == offset_of!(Ready, words)
        && size_of::<RandomWords>() == size_of::<Ready>()
        && PCG64_MULTIPLIER == random::MULTIPLIER
);

/// The table's `random_words`.
pub extern "C" fn random_words(python: i32) -> *mut RandomWords {
    if python == 0 { random::ready().cast() } else { python::ready().cast() }
}

/// The table's `draw_seed`.
pub extern "C" fn draw_seed(_generator: *mut u64, seed: i64) -> i64 {
    random::seed_stream(u32::try_from(seed).ok());
    0
}

/// The table's `draw_entropy`.
pub extern "C" fn draw_entropy(_generator: *mut u64) -> i64 {
    i64::from(random::entropy() as u32)
}

/// The table's `seed_generator`.
///
/// # Safety
/// A vector of uint32, and one of six uint64 without gaps, which overlaps nothing.
pub unsafe extern "C" fn seed_generator(
    ctx: *mut Ctx,
    seed: *const ArrayRef,
    generator: *const ArrayRef,
) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let (seed, generator) = unsafe { (Array::new(&*seed).pack::<u32>(), &*generator) };
        // SAFETY: as above.
        random::seed_generator(unsafe { &mut *generator.data.cast::<[u64; WORDS]>() }, &seed);
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}
