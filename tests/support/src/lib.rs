//! What tests of several crates share.
//!
//! - [`runtime`]: a runtime that counts what is alive, for compiled code alone; [`chunks`]: its parallel loops, also
//!   for other tables;
//! - [`load`]: kernel modules, loaded as Python would;
//! - [`rng`]: random numbers that are the same in every run; [`stray`]: texts that lexers stumble over;
//! - [`scenario`]: tests that are processes of their own, under the driver of `tests/fakecuda`;
//! - [`clock`]: processor time, which does not depend on what else the machine does.

pub mod chunks;
pub mod clock;
pub mod load;
pub mod rng;
pub mod runtime;
pub mod scenario;
pub mod stray;
