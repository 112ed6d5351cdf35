//! Which processor the code is for, and what it needs of it.

use inkwell::OptimizationLevel;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetMachineOptions, TargetTriple,
};
use pydd_codegen::{CodegenError, CodegenOptions};

/// A processor to generate code for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cpu {
    /// LLVM's name of what may be used.
    pub name: String,
    /// LLVM's list of what may be used in addition.
    pub features: String,
    /// LLVM's name of what the code shall be fastest on.
    pub tune: Option<String>,
    /// What the runtime tests before it runs the code, as `is_x86_feature_detected!` spells it.
    pub required: Vec<&'static str>,
}

/// ISA levels of the x86-64 psABI; each includes those before it.
const LEVELS: [(&str, &[&str]); 4] = [
    ("x86-64", &[]),
    ("x86-64-v2", &["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cmpxchg16b"]),
    ("x86-64-v3", &["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"]),
    ("x86-64-v4", &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]),
];

/// Processors that can be named, with the ISA level that code for them uses (and the runtime tests).
const PROCESSORS: &[(&str, usize)] = &[
    ("nehalem", 1),
    ("westmere", 1),
    ("sandybridge", 1),
    ("ivybridge", 1),
    ("haswell", 2),
    ("broadwell", 2),
    ("skylake", 2),
    ("alderlake", 2),
    ("raptorlake", 2),
    ("skylake-avx512", 3),
    ("cascadelake", 3),
    ("cooperlake", 3),
    ("icelake-client", 3),
    ("icelake-server", 3),
    ("tigerlake", 3),
    ("sapphirerapids", 3),
    ("emeraldrapids", 3),
    ("graniterapids", 3),
    ("znver1", 2),
    ("znver2", 2),
    ("znver3", 2),
    ("znver4", 3),
    ("znver5", 3),
];

/// Features of a host that code may come to use, LLVM's name and `is_x86_feature_detected!`'s.
const DETECTABLE: &[(&str, &str)] = &[
    ("sse3", "sse3"),
    ("ssse3", "ssse3"),
    ("sse4.1", "sse4.1"),
    ("sse4.2", "sse4.2"),
    ("sse4a", "sse4a"),
    ("popcnt", "popcnt"),
    ("avx", "avx"),
    ("avx2", "avx2"),
    ("bmi", "bmi1"),
    ("bmi2", "bmi2"),
    ("f16c", "f16c"),
    ("fma", "fma"),
    ("lzcnt", "lzcnt"),
    ("movbe", "movbe"),
    ("adx", "adx"),
    ("avx512f", "avx512f"),
    ("avx512bw", "avx512bw"),
    ("avx512cd", "avx512cd"),
    ("avx512dq", "avx512dq"),
    ("avx512vl", "avx512vl"),
    ("avx512ifma", "avx512ifma"),
    ("avx512vbmi", "avx512vbmi"),
    ("avx512vbmi2", "avx512vbmi2"),
    ("avx512vnni", "avx512vnni"),
    ("avx512bitalg", "avx512bitalg"),
    ("avx512vpopcntdq", "avx512vpopcntdq"),
    ("avx512bf16", "avx512bf16"),
    ("avx512fp16", "avx512fp16"),
    ("gfni", "gfni"),
    ("avxvnni", "avxvnni"),
    ("avxifma", "avxifma"),
];

impl Cpu {
    /// The processor of this name: see `CodegenOptions::cpu`.
    pub fn find(name: &str) -> Result<Self, CodegenError> {
        if name == "native" {
            return Ok(Self::native());
        }
        if cfg!(not(target_arch = "x86_64")) {
            return Ok(Self {
                name: name.to_owned(),
                features: String::new(),
                tune: None,
                required: Vec::new(),
            });
        }
        let level = |level: usize, tune: Option<&str>| Self {
            name: LEVELS[level].0.to_owned(),
            features: String::new(),
            tune: tune.map(str::to_owned),
            required: LEVELS[..=level].iter().flat_map(|(_, features)| *features).copied().collect(),
        };
        let name = if name == "generic" { LEVELS[0].0 } else { name };
        if let Some(found) = LEVELS.iter().position(|(level, _)| *level == name) {
            return Ok(level(found, None));
        }
        match PROCESSORS.iter().find(|(processor, _)| *processor == name) {
            Some(&(processor, found)) => Ok(level(found, Some(processor))),
            None => Err(CodegenError::Option(unknown_cpu(name))),
        }
    }

    fn native() -> Self {
        let features = TargetMachine::get_host_cpu_features().to_string();
        let has = |name: &str| features.split(',').any(|f| f.strip_prefix('+') == Some(name));
        let required = DETECTABLE.iter().filter(|(llvm, _)| has(llvm)).map(|(_, rust)| *rust).collect();
        Self { name: TargetMachine::get_host_cpu_name().to_string(), features, tune: None, required }
    }
}

fn unknown_cpu(name: &str) -> String {
    let levels = LEVELS.iter().map(|(level, _)| *level);
    let processors = PROCESSORS.iter().map(|(processor, _)| *processor);
    let known: Vec<&str> = ["native", "generic"].into_iter().chain(levels).chain(processors).collect();
    format!("there is no processor '{name}'; known are {}", known.join(", "))
}

/// The target machine for these options.
pub fn machine(cpu: &Cpu, options: &CodegenOptions) -> Result<TargetMachine, CodegenError> {
    let config = InitializationConfig::default();
    Target::initialize_native(&config).map_err(CodegenError::Internal)?;
    let triple = triple();
    let target = Target::from_triple(&triple).map_err(|e| CodegenError::Internal(e.to_string()))?;
    let machine_options = TargetMachineOptions::new()
        .set_cpu(&cpu.name)
        .set_features(&cpu.features)
        .set_level(level(options.opt_level))
        .set_reloc_mode(RelocMode::PIC)
        .set_code_model(CodeModel::Small);
    target
        .create_target_machine_from_options(&triple, machine_options)
        .ok_or_else(|| CodegenError::Internal(format!("no target machine for {}", cpu.name)))
}

fn triple() -> TargetTriple {
    TargetTriple::create(if cfg!(target_arch = "aarch64") {
        "aarch64-unknown-linux-gnu"
    } else {
        "x86_64-unknown-linux-gnu"
    })
}

const fn level(opt_level: u8) -> OptimizationLevel {
    match opt_level {
        0 => OptimizationLevel::None,
        1 => OptimizationLevel::Less,
        2 => OptimizationLevel::Default,
        _ => OptimizationLevel::Aggressive,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_include_those_below() {
        let cpu = Cpu::find("x86-64-v3").unwrap();
        assert!(cpu.required.contains(&"sse4.2") && cpu.required.contains(&"fma"));
        assert!(Cpu::find("generic").unwrap().required.is_empty());
        assert_eq!(Cpu::find("znver4").unwrap().name, "x86-64-v4");
    }

    #[test]
    fn unknown_names_are_refused() {
        let Err(CodegenError::Option(message)) = Cpu::find("z80") else { panic!() };
        assert!(message.contains("x86-64-v3"), "{message}");
    }
}
