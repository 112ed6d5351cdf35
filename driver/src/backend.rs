//! The one place that knows which backends there are.

use crate::options::Options;
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_ir::Module;

/// What is asked of a backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    Object,
    Assembly,
    /// The backend's own IR, optimised.
    Ir,
}

/// Runs the backend on loop IR.
///
/// # Errors
/// A program or an option that the backend does not support, or a compiler bug.
pub fn run(module: &Module, options: &Options, output: Output) -> Result<Vec<u8>, CodegenError> {
    let options = CodegenOptions {
        opt_level: options.opt_level,
        cpu: options.cpu.clone(),
        strict_fp: options.strict_fp,
        fast_math: options.fast_math,
        verify: options.verify,
    };
    use pydd_codegen_llvm::{Stage, assembly, compile, llvm_text};
    match output {
        Output::Object => compile(module, &options).map(|made| made.object),
        Output::Assembly => assembly(module, &options).map(String::into_bytes),
        Output::Ir => llvm_text(module, &options, Stage::AfterPasses).map(String::into_bytes),
    }
}
