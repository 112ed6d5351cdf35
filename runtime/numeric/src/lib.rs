//! Fourier transforms (rustfft), factorizations (faer) and random numbers, as the runtime and the interpreter share them.
//!
//! This crate knows neither arrays with strides nor the ABI: it takes slices and gives slices. Everything runs on
//! the calling thread, so results do not depend on the number of threads.

pub mod fft;
pub mod linalg;
pub mod random;
pub mod sparse;
pub mod special;
