//! Loop IR to objects through LLVM.
//!
//! `pydd_codegen::lower` walks the IR; here is what its core of instructions is in LLVM (`builder`), what
//! belongs to the object as a whole (`object`), and LLVM's own pipeline.
//!
//! Only this crate names inkwell.

mod builder;
mod math;
mod object;
mod passes;
mod scopes;
mod target;

use inkwell::context::Context;
use inkwell::targets::{FileType, TargetMachine};
use pydd_codegen::cpu::Cpu;
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_ir::Module;

/// When to look at LLVM's IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    BeforePasses,
    AfterPasses,
}

/// Compiles a module to an ELF object, for `pydd_link`.
pub fn compile(module: &Module, options: &CodegenOptions) -> Result<Vec<u8>, CodegenError> {
    with_optimized(module, options, |llvm, machine| emit(llvm, machine, FileType::Object))
}

/// The module as LLVM's text.
pub fn llvm_text(module: &Module, options: &CodegenOptions, stage: Stage) -> Result<String, CodegenError> {
    match stage {
        Stage::AfterPasses => {
            with_optimized(module, options, |llvm, _| Ok(llvm.print_to_string().to_string()))
        }
        Stage::BeforePasses => {
            with_lowered(module, options, |llvm, _| Ok(llvm.print_to_string().to_string()))
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
    with_lowered(module, options, |llvm, machine| {
        passes::run(llvm, machine, options)?;
        take(llvm, machine)
    })
}

fn with_lowered<R>(
    module: &Module,
    options: &CodegenOptions,
    take: impl FnOnce(&inkwell::module::Module<'_>, &TargetMachine) -> Result<R, CodegenError>,
) -> Result<R, CodegenError> {
    let context = Context::create();
    let cpu = Cpu::find(&options.cpu)?;
    let processor = target::Processor::new(&cpu);
    let machine = target::machine(&processor, options)?;
    let object = object::Object::new(&context, &module.name, options, &cpu, &processor, &machine);
    pydd_codegen::lower::lower(&builder::Ir::new(&object), module, options, &cpu.required)?;
    object.link_math()?;
    if options.verify {
        passes::verify(&object.llvm)?;
    }
    take(&object.llvm, &machine)
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
