//! Which processor the code is for, and Cranelift's settings.

use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use pydd_codegen::cpu::{Architecture, Cpu};
use pydd_codegen::{CodegenError, CodegenOptions};

/// What code is generated for.
pub struct Target {
    pub isa: OwnedTargetIsa,
    /// What the runtime tests before it runs the code, as `is_x86_feature_detected!` spells it.
    pub required: Vec<&'static str>,
}

/// Features that Cranelift makes use of: the name that `is_x86_feature_detected!` has, and Cranelift's.
const FEATURES: &[(&str, &str)] = &[
    ("sse3", "has_sse3"),
    ("ssse3", "has_ssse3"),
    ("sse4.1", "has_sse41"),
    ("sse4.2", "has_sse42"),
    ("popcnt", "has_popcnt"),
    ("avx", "has_avx"),
    ("avx2", "has_avx2"),
    ("bmi1", "has_bmi1"),
    ("bmi2", "has_bmi2"),
    ("lzcnt", "has_lzcnt"),
    ("fma", "has_fma"),
];

impl Target {
    pub fn new(options: &CodegenOptions) -> Result<Self, CodegenError> {
        let cpu = Cpu::find(&options.cpu, options.architecture)?;
        if cpu.architecture != Architecture::HOST {
            return Err(CodegenError::Option(
                "Cranelift compiles for this machine's processors only: --backend llvm".to_owned(),
            ));
        }
        let mut builder = isa::lookup_by_name(cpu.architecture.triple()).map_err(internal)?;
        let mut required = Vec::new();
        for &(name, flag) in FEATURES.iter().filter(|(name, _)| cpu.required.contains(name)) {
            builder.enable(flag).map_err(internal)?;
            required.push(name);
        }
        let isa = builder.finish(flags(options)?).map_err(internal)?;
        Ok(Self { isa, required })
    }
}

fn flags(options: &CodegenOptions) -> Result<settings::Flags, CodegenError> {
    let mut flags = settings::builder();
    let settings = [
        ("opt_level", if options.opt_level == 0 { "none" } else { "speed" }),
        ("is_pic", "true"),
        ("enable_verifier", if options.verify { "true" } else { "false" }),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        // Nothing unwinds through kernels.
        ("unwind_info", "false"),
    ];
    for (name, value) in settings {
        flags.set(name, value).map_err(internal)?;
    }
    Ok(settings::Flags::new(flags))
}

fn internal(error: impl std::fmt::Display) -> CodegenError {
    CodegenError::Internal(error.to_string())
}
