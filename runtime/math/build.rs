//! Compiles this crate's functions to LLVM bitcode, and to an object for backends that cannot read that.
//!
//! Vectorisers are off: what they would make of a function alone is in the way once it is inlined into a loop.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build.rs");
    compile("pydd_bitcode", "llvm-bc", "math.bc");
    let object = compile("pydd_object", "obj", "math.o");
    let mut bytes = std::fs::read(&object).expect("just made");
    hide_symbols(&mut bytes).expect("rustc makes ELF objects of 64 bits");
    std::fs::write(&object, bytes).expect("just read");
}

fn compile(cfg: &str, emit: &str, name: &str) -> PathBuf {
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    let output = Path::new(&variable("OUT_DIR")).join(name);
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args([
        "src/lib.rs",
        "--crate-name=pydd_math",
        "--crate-type=lib",
        "--edition=2024",
        "--cap-lints=allow",
    ]);
    rustc.args(["--cfg", cfg, "--target", &variable("TARGET")]);
    rustc.arg(format!("--emit={emit}={}", output.display()));
    for option in [
        "opt-level=3",
        "panic=abort",
        "codegen-units=1",
        "debuginfo=0",
        "relocation-model=pic",
        "no-vectorize-loops",
        "no-vectorize-slp",
    ] {
        rustc.args(["-C", option]);
    }
    let status = rustc.status().unwrap_or_else(|error| panic!("{rustc:?}: {error}"));
    assert!(status.success(), "{rustc:?}: {status}");
    output
}

/// Gives all defined global symbols of an ELF object hidden visibility, so that a module exports none of them and the
/// linker drops what it does not use. Layouts: System V ABI, "Object Files".
fn hide_symbols(elf: &mut [u8]) -> Option<()> {
    const SYMBOL_TABLE: u64 = 2;
    const HIDDEN: u8 = 2;
    let number = |elf: &[u8], at: usize, size: usize| {
        let bytes = elf.get(at..at + size)?;
        Some(bytes.iter().rev().fold(0_u64, |sum, &byte| (sum << 8) | u64::from(byte)))
    };
    let index = |elf: &[u8], at: usize, size: usize| usize::try_from(number(elf, at, size)?).ok();
    let (sections, size, count) = (index(elf, 0x28, 8)?, index(elf, 0x3a, 2)?, index(elf, 0x3c, 2)?);
    for header in (0..count).map(|i| sections + i * size) {
        if number(elf, header + 4, 4)? != SYMBOL_TABLE {
            continue;
        }
        let (start, length) = (index(elf, header + 0x18, 8)?, index(elf, header + 0x20, 8)?);
        for symbol in (start..start + length).step_by(24) {
            let is_global = *elf.get(symbol + 4)? >> 4 == 1;
            if is_global && number(elf, symbol + 6, 2)? != 0 {
                *elf.get_mut(symbol + 5)? = HIDDEN;
            }
        }
    }
    Some(())
}
