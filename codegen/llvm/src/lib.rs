//! Loop IR to objects through LLVM.
//!
//! `pydd_codegen::lower` walks the IR, and `pydd_codegen_llvm_base` has its core of instructions in LLVM's; here are processors, LLVM's pipeline
//! for them, and what the vectorisers say. Each unit of functions becomes an object of its own, side by side with others.

mod lowered;
mod passes;
mod remarks;
mod target;

use crate::lowered::Lowered;
use inkwell::context::Context;
use inkwell::targets::FileType;
use pydd_codegen::cpu::Cpu;
use pydd_codegen::lower::Known;
use pydd_codegen::requirements::{self, Used};
use pydd_codegen::units::{self, Effort, Unit};
use pydd_codegen::{CodegenError, CodegenOptions, Remark};
use pydd_codegen_llvm_base::pipeline::{self, emit};
use pydd_codegen_llvm_base::{Ir, Object};
use pydd_ir::Module;
use remarks::Listener;

/// When to look at LLVM's IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    BeforePasses,
    AfterPasses,
}

/// Compiles a module to an ELF object, for `pydd_link`.
pub fn compile(module: &Module, options: &CodegenOptions) -> Result<Vec<u8>, CodegenError> {
    Ok(objects(module, &units::whole(module), options, None)?.remove(0))
}

/// Compiles a module to ELF objects, one for each of its units.
pub fn compile_units(module: &Module, options: &CodegenOptions) -> Result<Vec<Vec<u8>>, CodegenError> {
    objects(module, &units::units(module), options, None)
}

/// As [`compile_units`], with what LLVM's vectorisers say about loops.
pub fn compile_units_with_remarks(
    module: &Module,
    options: &CodegenOptions,
) -> Result<(Vec<Vec<u8>>, Vec<Remark>), CodegenError> {
    let listener = Listener::default();
    let options = CodegenOptions { remarks: true, ..options.clone() };
    let objects = objects(module, &units::units(module), &options, Some(&listener))?;
    Ok((objects, listener.finish()?))
}

fn objects(
    module: &Module,
    units: &[Unit],
    options: &CodegenOptions,
    listener: Option<&Listener>,
) -> Result<Vec<Vec<u8>>, CodegenError> {
    let allowed = Cpu::find(&options.cpu, options.architecture)?.required;
    let is_asked = options.variant.is_base && !allowed.is_empty();
    let made = for_units(module, units, options, listener, |unit| {
        passes::run(unit)?;
        let object = emit(&unit.llvm, &unit.machine, FileType::Object)?;
        let used = if is_asked { Used::by_object(&object)? } else { Used::default() };
        Ok((object, used))
    })?;
    let (mut objects, used): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    // The last one has the description.
    if let Some(last) = objects.last_mut().filter(|_| is_asked) {
        requirements::write(last, &options.features(), &Used::by_all(&used).of(&allowed))?;
    }
    Ok(objects)
}

/// The module's units as LLVM's text, one after the other.
pub fn llvm_text(module: &Module, options: &CodegenOptions, stage: Stage) -> Result<String, CodegenError> {
    let texts = for_units(module, &units::units(module), options, None, |unit| {
        if stage == Stage::AfterPasses {
            passes::run(unit)?;
        }
        Ok(unit.llvm.print_to_string().to_string())
    })?;
    Ok(texts.join("\n"))
}

/// The module's units as assembly, one after the other.
pub fn assembly(module: &Module, options: &CodegenOptions) -> Result<String, CodegenError> {
    let texts = for_units(module, &units::units(module), options, None, |unit| {
        passes::run(unit)?;
        let bytes = emit(&unit.llvm, &unit.machine, FileType::Assembly)?;
        String::from_utf8(bytes).map_err(|e| CodegenError::Internal(e.to_string()))
    })?;
    Ok(texts.join("\n"))
}

/// Lowers the units and gives each to `finish`, on several threads. All of a unit that a listener hears of is gone when this returns.
fn for_units<R: Send>(
    module: &Module,
    units: &[Unit],
    options: &CodegenOptions,
    listener: Option<&Listener>,
    finish: impl Fn(&Lowered<'_>) -> Result<R, CodegenError> + Sync,
) -> Result<Vec<R>, CodegenError> {
    let cpu = Cpu::find(&options.cpu, options.architecture)?;
    let processor = target::processor(&cpu, options.architecture);
    let known = Known::new(module, units, options);
    let contexts: Vec<Context> = units.iter().map(|_| Context::create()).collect();
    let options: Vec<CodegenOptions> = units.iter().map(|unit| options_of(unit, options)).collect();
    let mut all = Vec::new();
    for (i, (unit, (context, options))) in units.iter().zip(contexts.iter().zip(&options)).enumerate() {
        let machine = target::machine(&processor, options, unit.effort)?;
        let object = Object::new(context, module, options, &cpu, &processor, &machine);
        let describe = (i + 1 == units.len()).then_some(cpu.required.as_slice());
        pydd_codegen::lower::lower(&Ir::new(&object), module, unit, &known, options, describe)?;
        if let Some(debug) = &object.debug {
            debug.finish();
        }
        object.link_math()?;
        // Linking has a listener of its own, and leaves it there.
        listener.iter().for_each(|listener| listener.attach(context));
        if options.verify {
            pipeline::verify(&object.llvm)?;
        }
        let weight = unit.weight(module);
        let (options, effort) = (options.clone(), unit.effort);
        all.push(Lowered { llvm: object.llvm, machine, options, effort, weight });
    }
    lowered::map(all, |unit| finish(&unit))
}

/// On what gains little, LLVM spends little time.
fn options_of(unit: &Unit, options: &CodegenOptions) -> CodegenOptions {
    let most = if unit.effort < Effort::Full { 1 } else { 3 };
    CodegenOptions { opt_level: options.opt_level.min(most), ..options.clone() }
}
