//! The one place that knows which backends there are.

use crate::host;
use crate::options::{Backend, Machine, Options, Stage};
use pydd_codegen::cpu::Cpu;
use pydd_codegen::device::Kernels;
use pydd_codegen::{CodegenError, CodegenOptions, Remark, Variant};
use pydd_ir::Module;
use std::sync::Arc;

#[cfg(not(any(feature = "llvm", feature = "cranelift")))]
compile_error!("pyddc needs a backend: one of the features `llvm` and `cranelift`");

/// What is asked of a backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// What the linker takes.
    Objects,
    /// The module as one object.
    Object,
    Assembly,
    /// The kernels for devices.
    Ptx,
    /// The backend's own IR.
    Ir,
}

/// One of the processors that a module is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level<'a> {
    pub cpu: &'a str,
    pub variant: &'a Variant,
}

/// Runs the backend on loop IR; all but `Objects` are one piece.
///
/// # Errors
/// A program or an option that the backend does not support, or a compiler bug.
pub fn run(
    module: &Module,
    level: Level<'_>,
    source_sha256: &str,
    options: &Options,
    output: Output,
) -> Result<Vec<Vec<u8>>, CodegenError> {
    let backend = choose(options)?;
    let options = codegen_options(module, level, source_sha256, options)?;
    if output == Output::Ptx {
        let texts = options.kernels.iter().flat_map(|kernels| &kernels.codes);
        return Ok(texts.map(|(_, text)| text.as_bytes().to_vec()).collect());
    }
    match backend {
        Backend::Llvm => llvm(module, &options, output),
        Backend::Cranelift => cranelift(module, &options, output),
    }
}

/// The objects, with what the backend says of its passes, if it is one that does.
///
/// # Errors
/// As [`run`].
pub fn run_with_remarks(
    module: &Module,
    level: Level<'_>,
    source_sha256: &str,
    options: &Options,
) -> Result<(Vec<Vec<u8>>, Vec<Remark>), CodegenError> {
    #[cfg(feature = "llvm")]
    if choose(options)? == Backend::Llvm {
        return pydd_codegen_llvm::compile_units_with_remarks(
            module,
            &codegen_options(module, level, source_sha256, options)?,
        );
    }
    Ok((run(module, level, source_sha256, options, Output::Objects)?, Vec::new()))
}

fn codegen_options(
    module: &Module,
    level: Level<'_>,
    source_sha256: &str,
    options: &Options,
) -> Result<CodegenOptions, CodegenError> {
    let made = CodegenOptions {
        opt_level: options.opt_level,
        architecture: options.target.architecture(),
        cpu: level.cpu.to_owned(),
        variant: level.variant.clone(),
        made_by: format!("pyddc {} {}", env!("CARGO_PKG_VERSION"), options.that_matter()),
        source_sha256: source_sha256.to_owned(),
        strict_fp: options.strict_fp,
        fast_math: options.fast_math,
        debug: options.debug,
        remarks: false,
        always_launch: false,
        verify: options.verify,
        kernels: None,
        description: options.host.map(|_| host::symbol(module)),
    };
    let kernels = kernels(module, &made, &options.gpu.0)?;
    Ok(CodegenOptions { kernels: kernels.map(Arc::new), ..made })
}

/// The kernels of loops for devices, where they are asked for and there are any.
#[cfg(feature = "llvm")]
fn kernels(
    module: &Module,
    options: &CodegenOptions,
    levels: &[u32],
) -> Result<Option<Kernels>, CodegenError> {
    let kernels = pydd_codegen_nvptx::compile(module, options, levels)?;
    Ok(Some(kernels).filter(|kernels| !kernels.names.is_empty()))
}

#[cfg(not(feature = "llvm"))]
fn kernels(_: &Module, _: &CodegenOptions, _: &[u32]) -> Result<Option<Kernels>, CodegenError> {
    Ok(None)
}

/// Whether kernels for devices can be made.
pub const fn has_devices() -> bool {
    cfg!(feature = "llvm")
}

/// Compute capabilities that kernels can be made for.
#[cfg(feature = "llvm")]
pub const fn device_levels() -> &'static [u32] {
    &pydd_codegen_nvptx::LEVELS
}

#[cfg(not(feature = "llvm"))]
pub const fn device_levels() -> &'static [u32] {
    &[]
}

/// The backend that the options ask for: the one whose IR is to be printed, the one that is named, or the
/// one that suits the optimisation level.
fn choose(options: &Options) -> Result<Backend, CodegenError> {
    let of_stage = match options.emit {
        Stage::Llvm => Some(Backend::Llvm),
        Stage::Clif => Some(Backend::Cranelift),
        _ => None,
    };
    match (of_stage, options.backend) {
        (Some(printed), Some(named)) if printed != named => {
            Err(CodegenError::Option("--emit asks for the IR of another backend than --backend".to_owned()))
        }
        (Some(backend), _) | (None, Some(backend)) => Ok(backend),
        // Only LLVM describes code to debuggers, and compiles for other machines.
        (None, None) if cfg!(feature = "llvm") && (options.debug || options.target != Machine::default()) => {
            Ok(Backend::Llvm)
        }
        (None, None) => Ok(default(options.opt_level)),
    }
}

/// The processors that variants of the module are made for. Cranelift, which is to be quick, makes one.
pub fn cpus(options: &Options) -> &[String] {
    let all = &options.cpu.0;
    if choose(options) == Ok(Backend::Cranelift) { &all[..1] } else { all }
}

/// [`vector_bits`] of the best of the processors.
pub fn best_vector_bits(options: &Options) -> u32 {
    let (cpus, variants) = (cpus(options), Variant::all(cpus(options)));
    let best = cpus.iter().zip(&variants).next_back();
    best.map_or(0, |(cpu, variant)| vector_bits(Level { cpu, variant }, options))
}

/// Width of the vectors that the backend makes of scalar operations side by side for the processor; 0 where it makes none.
pub fn vector_bits(level: Level<'_>, options: &Options) -> u32 {
    let vectorizes = choose(options) == Ok(Backend::Llvm);
    let Some(cpu) = Cpu::find(level.cpu, options.target.architecture()).ok().filter(|_| vectorizes) else {
        return 0;
    };
    let widths = [("avx512f", 512), ("avx2", 256)];
    widths.iter().find(|(feature, _)| cpu.has(feature)).map_or(128, |&(_, bits)| bits)
}

const fn default(opt_level: u8) -> Backend {
    let has_both = cfg!(all(feature = "llvm", feature = "cranelift"));
    if cfg!(feature = "llvm") && !(has_both && opt_level == 0) { Backend::Llvm } else { Backend::Cranelift }
}

#[cfg(feature = "llvm")]
fn llvm(module: &Module, options: &CodegenOptions, output: Output) -> Result<Vec<Vec<u8>>, CodegenError> {
    use pydd_codegen_llvm::{Stage, assembly, compile, compile_units, llvm_text};
    let piece = match output {
        Output::Objects => return compile_units(module, options),
        Output::Object => compile(module, options)?,
        Output::Assembly => assembly(module, options)?.into_bytes(),
        Output::Ir => llvm_text(module, options, Stage::AfterPasses)?.into_bytes(),
        Output::Ptx => unreachable!("no backend for processors makes kernels"),
    };
    Ok(vec![piece])
}

#[cfg(feature = "cranelift")]
fn cranelift(
    module: &Module,
    options: &CodegenOptions,
    output: Output,
) -> Result<Vec<Vec<u8>>, CodegenError> {
    use pydd_codegen_cranelift::{Text, compile, text};
    let piece = match output {
        Output::Objects | Output::Object => compile(module, options)?,
        Output::Assembly => text(module, options, Text::Assembly)?.into_bytes(),
        Output::Ir => text(module, options, Text::Clif)?.into_bytes(),
        Output::Ptx => unreachable!("no backend for processors makes kernels"),
    };
    Ok(vec![piece])
}

#[cfg(not(feature = "llvm"))]
fn llvm(_: &Module, _: &CodegenOptions, _: Output) -> Result<Vec<Vec<u8>>, CodegenError> {
    Err(CodegenError::Option("this pyddc was built without LLVM".to_owned()))
}

#[cfg(not(feature = "cranelift"))]
fn cranelift(_: &Module, _: &CodegenOptions, _: Output) -> Result<Vec<Vec<u8>>, CodegenError> {
    Err(CodegenError::Option("this pyddc was built without Cranelift".to_owned()))
}
