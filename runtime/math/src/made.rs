//! What `build.rs` made of this crate, and how its functions are called there.

/// All functions as LLVM bitcode, by the names that [`symbol`] gives.
pub static BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/math.bc"));

/// The functions without fused multiply-add as a relocatable object, one section each.
pub static OBJECT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/math.o"));

/// Functions that loops call behind a mask, in rare iterations.
pub const RARE: [&str; 7] = [
    "pydd_math_sin_huge",
    "pydd_math_cos_huge",
    "pydd_math_tan_huge",
    "pydd_math_fmod_rare",
    "pydd_math_sin_large_f32",
    "pydd_math_cos_large_f32",
    "pydd_math_tan_large_f32",
];

/// Whether a function gives the same with fused multiply-add and without, since its results are exact.
#[must_use]
pub fn is_exact(name: &str) -> bool {
    name == "fmod"
}

/// The symbol of a function (`exp`, `atan2`, …) of float32 or float64; `fma`: with fused multiply-add.
#[must_use]
pub fn symbol(name: &str, float32: bool, fma: bool) -> String {
    format!("pydd_math_{name}_{}{}", if float32 { "f32" } else { "f64" }, if fma { "_fma" } else { "" })
}
