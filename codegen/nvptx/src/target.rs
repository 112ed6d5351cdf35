//! Which device the code is for.

use inkwell::OptimizationLevel;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetMachineOptions, TargetTriple,
};
use pydd_codegen::CodegenError;
use pydd_codegen::cpu::Cpu;
use pydd_codegen_llvm_base::Processor;

/// The device in LLVM's names. Of PTX the oldest version that has the device, which drivers of that age take.
pub fn processor(cpu: &Cpu) -> Processor {
    Processor { name: cpu.level.clone(), features: String::new(), tune: None }
}

pub fn machine(processor: &Processor) -> Result<TargetMachine, CodegenError> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let target = Target::from_triple(&triple).map_err(|e| CodegenError::Internal(e.to_string()))?;
    let options = TargetMachineOptions::new()
        .set_cpu(&processor.name)
        .set_features(&processor.features)
        .set_level(OptimizationLevel::Aggressive)
        .set_reloc_mode(RelocMode::Default)
        .set_code_model(CodeModel::Default);
    target
        .create_target_machine_from_options(&triple, options)
        .ok_or_else(|| CodegenError::Internal(format!("no target machine for {}", processor.name)))
}
