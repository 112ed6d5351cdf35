//! Whether this processor has what a module was compiled for.

/// The features of a comma-separated list that the processor lacks.
pub fn missing(list: &str) -> Vec<&str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty() && !has(name)).collect()
}

fn has(name: &str) -> bool {
    // LLVM's spellings where they differ.
    let name = match name {
        "bmi" => "bmi1",
        "pclmul" => "pclmulqdq",
        "cx16" => "cmpxchg16b",
        "rdrnd" => "rdrand",
        "neon" if cfg!(target_arch = "aarch64") => return true,
        other => other,
    };
    detected(name).unwrap_or_else(|| listed_by_kernel(name))
}

macro_rules! detect {
    ($macro:ident, $name:expr, $($feature:tt)*) => {
        match $name {
            $($feature => Some(std::arch::$macro!($feature)),)*
            _ => None,
        }
    };
}

#[cfg(target_arch = "x86_64")]
fn detected(name: &str) -> Option<bool> {
    detect!(is_x86_feature_detected, name,
        "sse" "sse2" "sse3" "ssse3" "sse4.1" "sse4.2" "sse4a" "avx" "avx2" "fma" "f16c" "bmi1" "bmi2"
        "lzcnt" "popcnt" "movbe" "adx" "aes" "vaes" "pclmulqdq" "vpclmulqdq" "gfni" "sha" "rdrand"
        "rdseed" "fxsr" "xsave" "xsavec" "xsaveopt" "xsaves" "cmpxchg16b" "tbm" "avxvnni"
        "avx512f" "avx512cd" "avx512bw" "avx512dq" "avx512vl" "avx512ifma" "avx512vbmi" "avx512vbmi2"
        "avx512vnni" "avx512bitalg" "avx512vpopcntdq" "avx512bf16" "avx512fp16" "avx512vp2intersect")
}

#[cfg(target_arch = "aarch64")]
fn detected(name: &str) -> Option<bool> {
    detect!(is_aarch64_feature_detected, name,
        "fp" "asimd" "fp16" "rdm" "dotprod" "fhm" "fcma" "bf16" "i8mm" "lse" "rcpc" "crc" "aes" "sha2"
        "sha3" "sve" "sve2" "jsconv")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn detected(_: &str) -> Option<bool> {
    None
}

/// For names that the standard library does not know.
fn listed_by_kernel(name: &str) -> bool {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = text.lines().find(|line| line.starts_with("flags") || line.starts_with("Features"));
    let wanted = name.replace(['-', '.'], "_");
    flags.is_some_and(|line| line.split_whitespace().any(|flag| flag == wanted))
}
