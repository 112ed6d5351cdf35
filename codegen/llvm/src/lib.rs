//! Loop IR to objects through LLVM.
//!
//! [`compile`] takes a module whose functions are at `Level::Loop`. Lowering is one walk over the
//! structured IR: `module` declares what there is, `function` holds the state of one LLVM function and
//! the dispatch over operations, and the other files lower one topic each. What no file here decides:
//! what a program means (the IR says it) and how the runtime is called (`pydd_abi` says it).
//!
//! Only this crate names inkwell.

mod arrays;
mod builder;
mod calls;
mod checks;
mod control;
mod function;
mod library;
mod lists;
mod loops;
mod memory;
mod module;
mod owners;
mod passes;
mod pfor;
mod polls;
mod scalar;
mod spec;
mod target;
mod types;

use inkwell::context::Context;
use inkwell::targets::{FileType, TargetMachine};
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_ir::Module;

/// What a compiled module is.
#[derive(Clone, Debug)]
pub struct Output {
    /// An ELF object, for `pydd_link`.
    pub object: Vec<u8>,
}

/// When to look at LLVM's IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    BeforePasses,
    AfterPasses,
}

/// Compiles a module to an object.
pub fn compile(module: &Module, options: &CodegenOptions) -> Result<Output, CodegenError> {
    let object = with_optimized(module, options, |llvm, machine| emit(llvm, machine, FileType::Object))?;
    Ok(Output { object })
}

/// The module as LLVM's text.
pub fn llvm_text(module: &Module, options: &CodegenOptions, stage: Stage) -> Result<String, CodegenError> {
    match stage {
        Stage::AfterPasses => {
            with_optimized(module, options, |llvm, _| Ok(llvm.print_to_string().to_string()))
        }
        Stage::BeforePasses => {
            let context = Context::create();
            let cpu = target::Cpu::find(&options.cpu)?;
            let machine = target::machine(&cpu, options)?;
            let llvm = module::lower(&context, module, options, &cpu, &machine)?;
            Ok(llvm.print_to_string().to_string())
        }
    }
}

/// The module as assembly.
pub fn assembly(module: &Module, options: &CodegenOptions) -> Result<String, CodegenError> {
    let bytes = with_optimized(module, options, |llvm, machine| emit(llvm, machine, FileType::Assembly))?;
    String::from_utf8(bytes).map_err(|e| CodegenError::Internal(e.to_string()))
}

fn with_optimized<R>(
    module: &Module,
    options: &CodegenOptions,
    take: impl FnOnce(&inkwell::module::Module<'_>, &TargetMachine) -> Result<R, CodegenError>,
) -> Result<R, CodegenError> {
    let context = Context::create();
    let cpu = target::Cpu::find(&options.cpu)?;
    let machine = target::machine(&cpu, options)?;
    let llvm = module::lower(&context, module, options, &cpu, &machine)?;
    passes::run(&llvm, &machine, options)?;
    take(&llvm, &machine)
}

fn emit(
    llvm: &inkwell::module::Module<'_>,
    machine: &TargetMachine,
    kind: FileType,
) -> Result<Vec<u8>, CodegenError> {
    let buffer =
        machine.write_to_memory_buffer(llvm, kind).map_err(|e| CodegenError::Internal(e.to_string()))?;
    let mut bytes = buffer.as_slice().to_vec();
    if kind == FileType::Assembly && bytes.last() == Some(&0) {
        bytes.pop();
    }
    Ok(bytes)
}
