//! Cranelift as a backend.

#[path = "../../../common/tests/backends/mod.rs"]
mod backends;
mod text;

use pydd_codegen_cranelift as backend;
