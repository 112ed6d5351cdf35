//! What generated code calls: arrays, owners, threads, errors.
//!
//! This crate knows nothing of Python: what needs it goes through [`host`], which the extension
//! module fills in. Functions named in the ABI's table are `extern "C"`, and none of them lets a
//! panic out: [`errors::guard`] turns it into a SystemError.

pub mod alloc;
pub mod array;
pub mod clock;
pub mod cpu;
pub mod csr;
pub mod device;
pub mod device_library;
pub mod errors;
pub mod fft;
pub mod host;
pub mod linalg;
pub mod list;
pub mod matmul;
pub mod message;
pub mod owner;
pub mod parallel;
pub mod pool;
pub mod random;
pub mod scratch;
pub mod sort;
pub mod spec;
pub mod special;
pub mod stack;
pub mod table;

#[cfg(test)]
mod testing;

pub use errors::{Error, Raised};
