//! Which processor the code is for, and what it needs of it.

use inkwell::OptimizationLevel;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetMachineOptions, TargetTriple,
};
use pydd_codegen::cpu::{Architecture, Cpu};
use pydd_codegen::units::Effort;
use pydd_codegen::{CodegenError, CodegenOptions};
use pydd_codegen_llvm_base::Processor;

/// The processor in LLVM's names.
pub fn processor(cpu: &Cpu, architecture: Architecture) -> Processor {
    let known = if architecture == Architecture::X86_64 { FALSE_DEPENDENCIES } else { "" };
    if cpu.level == "native" {
        let own = TargetMachine::get_host_cpu_features().to_string();
        let features = if known.is_empty() { own } else { own + "," + known };
        return Processor { name: TargetMachine::get_host_cpu_name().to_string(), features, tune: None };
    }
    Processor { name: cpu.level.clone(), features: known.to_owned(), tune: cpu.tune }
}

/// Instructions that wait for what their destination held before on some processors, although they overwrite it: a loop over strided elements, whose
/// addresses are products, took five times as long there. LLVM clears it before where it is told so; a virtual machine may hide which
/// processor it is, and elsewhere that costs next to nothing.
const FALSE_DEPENDENCIES: &str =
    "+false-deps-mullq,+false-deps-perm,+false-deps-range,+false-deps-getmant,+false-deps-mulc";

/// The target machine for these options.
pub fn machine(
    processor: &Processor,
    options: &CodegenOptions,
    effort: Effort,
) -> Result<TargetMachine, CodegenError> {
    let config = InitializationConfig::default();
    match options.architecture {
        Architecture::X86_64 => Target::initialize_x86(&config),
        Architecture::Aarch64 => Target::initialize_aarch64(&config),
        Architecture::Nvptx => unreachable!("a device runs no modules"),
    }
    let triple = TargetTriple::create(options.architecture.triple());
    let target = Target::from_triple(&triple).map_err(|e| CodegenError::Internal(e.to_string()))?;
    let machine_options = TargetMachineOptions::new()
        .set_cpu(&processor.name)
        .set_features(&processor.features)
        .set_level(if effort <= Effort::Quick { OptimizationLevel::None } else { level(options.opt_level) })
        .set_reloc_mode(RelocMode::PIC)
        .set_code_model(CodeModel::Small);
    target
        .create_target_machine_from_options(&triple, machine_options)
        .ok_or_else(|| CodegenError::Internal(format!("no target machine for {}", processor.name)))
}

const fn level(opt_level: u8) -> OptimizationLevel {
    match opt_level {
        0 => OptimizationLevel::None,
        1 => OptimizationLevel::Less,
        2 => OptimizationLevel::Default,
        _ => OptimizationLevel::Aggressive,
    }
}
