//! Compiled loop IR, run in this process against a runtime that counts.

mod arrays;
mod control;
mod errors;
mod jit;
mod lists;
mod make;
mod module;
mod parallel;
mod runtime;
mod scalars;
mod speed;
