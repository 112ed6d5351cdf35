//! What every backend must do: compiled loop IR, run in this process against a runtime that counts.
//!
//! A backend's own test binary includes this module, and says which backend it is by a name at its root:
//! `use pydd_codegen_… as backend;`.

mod arrays;
mod control;
pub mod description;
mod errors;
mod lists;
pub mod load;
pub mod make;
mod parallel;
mod scalars;
