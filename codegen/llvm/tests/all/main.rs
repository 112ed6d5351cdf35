//! LLVM as a backend, and the code that it makes.

#[path = "../../../common/tests/backends/mod.rs"]
mod backends;
mod speed;
mod text;

use pydd_codegen_llvm as backend;
