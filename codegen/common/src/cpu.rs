//! Processors that code can be for, and what it needs of them.

use crate::CodegenError;

/// A processor to generate code for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cpu {
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
    pub fn find(name: &str) -> Result<Self, CodegenError> {
        if name == "native" {
            return Ok(Self { level: name.to_owned(), tune: None, required: detected() });
        }
        if cfg!(not(target_arch = "x86_64")) {
            return Ok(Self { level: name.to_owned(), tune: None, required: Vec::new() });
        }
        let level = |level: usize, tune: Option<&'static str>| Self {
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
            None => Err(CodegenError::Option(unknown_cpu(name))),
        }
    }

    /// Whether code may use a feature, spelled as `is_x86_feature_detected!` does.
    #[must_use]
    pub fn has(&self, feature: &str) -> bool {
        self.required.contains(&feature)
    }
}

fn unknown_cpu(name: &str) -> String {
    let levels = LEVELS.iter().map(|(level, _)| *level);
    let processors = PROCESSORS.iter().map(|(processor, _)| *processor);
    let known: Vec<&str> = ["native", "generic"].into_iter().chain(levels).chain(processors).collect();
    format!("there is no processor '{name}'; known are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_include_those_below() {
        let cpu = Cpu::find("x86-64-v3").unwrap();
        assert!(cpu.required.contains(&"sse4.2") && cpu.required.contains(&"fma"));
        assert!(Cpu::find("generic").unwrap().required.is_empty());
        assert_eq!(Cpu::find("znver4").unwrap().level, "x86-64-v4");
    }

    #[test]
    fn unknown_names_are_refused() {
        let Err(CodegenError::Option(message)) = Cpu::find("z80") else { panic!() };
        assert!(message.contains("x86-64-v3"), "{message}");
    }
}
