//! The one place that knows which backends there are.

use crate::options::Options;
use pydd_codegen_llvm::{CodegenOptions, Emit};
use pydd_ir::Module;

/// What is asked of a backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    Object,
    Assembly,
    /// The backend's own IR, optimised.
    Ir,
}
