//! A `libcuda.so.1` for tests: the driver's functions over an interpreter of PTX.
//!
//! `README.md` says how tests use it and what it finds.

mod arithmetic;
mod decode;
mod driver;
mod fault;
mod libraries;
mod machine;
mod memory;
mod parse;
mod random;
