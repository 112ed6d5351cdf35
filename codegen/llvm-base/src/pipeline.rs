//! LLVM's passes and code generation, as all backends run them.

use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine};
use pydd_codegen::CodegenError;
use std::ffi::CStr;
use std::sync::Once;

/// Sets options of LLVM's command line, each once in the life of a process, before any thread runs LLVM's passes that ask for them.
pub fn parse_options(options: &[&'static CStr]) {
    let arguments: Vec<_> = [c"pyddc"].iter().chain(options).map(|option| option.as_ptr()).collect();
    let count = i32::try_from(arguments.len()).expect("few");
    // SAFETY: `count` pointers to strings that end with a zero and live as long as the process; LLVM copies what it keeps.
    unsafe { LLVMParseCommandLineOptions(count, arguments.as_ptr(), std::ptr::null()) };
}

/// Code generation leaves strength reduction of loops to the passes. For the life of the process.
pub fn leave_loops_as_they_are() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| parse_options(&[c"-disable-lsr"]));
}

/// Runs passes on the module.
///
/// # Errors
/// A compiler bug.
pub fn run_passes(
    module: &Module<'_>,
    machine: &TargetMachine,
    pipeline: &str,
    options: PassBuilderOptions,
) -> Result<(), CodegenError> {
    let run = module.run_passes(pipeline, machine, options);
    run.map_err(|e| CodegenError::Internal(format!("LLVM's passes failed: {e}")))
}

/// Checks the module by LLVM's rules.
///
/// # Errors
/// A compiler bug.
pub fn verify(module: &Module<'_>) -> Result<(), CodegenError> {
    module.verify().map_err(|e| CodegenError::Internal(format!("LLVM refuses the module: {e}")))
}

/// The module as an object, or as the text of an assembler.
///
/// # Errors
/// A compiler bug.
pub fn emit(llvm: &Module<'_>, machine: &TargetMachine, kind: FileType) -> Result<Vec<u8>, CodegenError> {
    let buffer =
        machine.write_to_memory_buffer(llvm, kind).map_err(|e| CodegenError::Internal(e.to_string()))?;
    let mut bytes = buffer.as_slice().to_vec();
    if kind == FileType::Assembly && bytes.last() == Some(&0) {
        bytes.pop();
    }
    Ok(bytes)
}
