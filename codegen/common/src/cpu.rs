//! Processors that code can be for, and what it needs of them.

use crate::CodegenError;

/// Families of processors that there are backends for; systems are Linux.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Architecture {
    X86_64,
    Aarch64,
    /// NVIDIA's devices, which run kernels and no modules.
    Nvptx,
}

impl Architecture {
    /// That of this machine.
    pub const HOST: Self = if cfg!(target_arch = "aarch64") { Self::Aarch64 } else { Self::X86_64 };

    /// As compilers name the target.
    #[must_use]
    pub const fn triple(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64-unknown-linux-gnu",
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
            Self::Nvptx => "nvptx64-nvidia-cuda",
        }
    }
}

/// A processor to generate code for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cpu {
    pub architecture: Architecture,
    /// `native`, an ISA level of the x86-64 psABI, or elsewhere a name that only the backend knows.
    pub level: String,
    /// The processor that code shall be fastest on.
    pub tune: Option<&'static str>,
    /// Features that code may use, which the runtime tests at import, as `is_x86_feature_detected!` spells them.
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

macro_rules! detect {
    ($($name:tt)*) => {
        /// Features of this machine that code may come to use.
        #[cfg(target_arch = "x86_64")]
        fn detected() -> Vec<&'static str> {
            let mut found = Vec::new();
            $(if std::arch::is_x86_feature_detected!($name) {
                found.push($name);
            })*
            found
        }
    };
}

detect! {
    "sse3" "ssse3" "sse4.1" "sse4.2" "sse4a" "popcnt" "avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "adx"
    "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vnni"
    "avx512bitalg" "avx512vpopcntdq" "avx512bf16" "avx512fp16" "gfni" "avxvnni" "avxifma"
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Vec<&'static str> {
    Vec::new()
}

impl Cpu {
    /// The processor of this name: see [`CodegenOptions::cpu`](crate::CodegenOptions::cpu).
    ///
    /// # Errors
    /// There is none; the message lists those there are.
    pub fn find(name: &str, architecture: Architecture) -> Result<Self, CodegenError> {
        let is_host = architecture == Architecture::HOST;
        if name == "native" && is_host {
            return Ok(Self { architecture, level: name.to_owned(), tune: None, required: detected() });
        }
        if architecture != Architecture::X86_64 {
            return match name {
                "generic" => {
                    Ok(Self { architecture, level: name.to_owned(), tune: None, required: Vec::new() })
                }
                _ => Err(CodegenError::Option(unknown_cpu(name, architecture))),
            };
        }
        let level = |level: usize, tune: Option<&'static str>| Self {
            architecture,
            level: LEVELS[level].0.to_owned(),
            tune,
            required: LEVELS[..=level].iter().flat_map(|(_, features)| *features).copied().collect(),
        };
        let name = if name == "generic" { LEVELS[0].0 } else { name };
        if let Some(found) = LEVELS.iter().position(|(level, _)| *level == name) {
            return Ok(level(found, None));
        }
        match PROCESSORS.iter().find(|(processor, _)| *processor == name) {
            Some(&(processor, found)) => Ok(level(found, Some(processor))),
            None => Err(CodegenError::Option(unknown_cpu(name, architecture))),
        }
    }

    /// A device of this compute capability (10 * major + minor).
    #[must_use]
    pub fn device(level: u32) -> Self {
        Self {
            architecture: Architecture::Nvptx,
            level: format!("sm_{level}"),
            tune: None,
            required: Vec::new(),
        }
    }

    /// Whether a multiply-add is one instruction.
    #[must_use]
    pub fn fuses(&self) -> bool {
        self.architecture != Architecture::X86_64 || self.has("fma")
    }

    /// Whether there are instructions that round to whole numbers.
    #[must_use]
    pub fn rounds(&self) -> bool {
        self.architecture != Architecture::X86_64 || self.has("sse4.1")
    }

    /// Whether code may use a feature, spelled as `is_x86_feature_detected!` does.
    #[must_use]
    pub fn has(&self, feature: &str) -> bool {
        self.required.contains(&feature)
    }
}

fn unknown_cpu(name: &str, architecture: Architecture) -> String {
    let native = (architecture == Architecture::HOST).then_some("native");
    let mut known: Vec<&str> = native.into_iter().chain(["generic"]).collect();
    if architecture == Architecture::X86_64 {
        known.extend(LEVELS.iter().map(|(level, _)| *level));
        known.extend(PROCESSORS.iter().map(|(processor, _)| *processor));
    }
    format!("there is no processor '{name}'; known are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_include_those_below() {
        let find = |name| Cpu::find(name, Architecture::X86_64).unwrap();
        let cpu = find("x86-64-v3");
        assert!(cpu.required.contains(&"sse4.2") && cpu.required.contains(&"fma"));
        assert!(find("generic").required.is_empty());
        assert_eq!(find("znver4").level, "x86-64-v4");
    }

    #[test]
    fn unknown_names_are_refused() {
        let refusal = |architecture| match Cpu::find("z80", architecture) {
            Err(CodegenError::Option(message)) => message,
            other => panic!("{other:?}"),
        };
        assert!(refusal(Architecture::X86_64).contains("x86-64-v3"));
        assert!(!refusal(Architecture::Aarch64).contains("x86-64-v3"));
    }
}
