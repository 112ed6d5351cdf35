//! What LLVM's module and assembly say.

use crate::backends::description::described;
use crate::backends::load::{load, options, text};
use pydd_codegen_llvm::{Stage, assembly, llvm_text};

#[test]
fn only_the_initialiser_is_visible() {
    let mut options = options(3);
    "generic".clone_into(&mut options.cpu);
    let assembly = assembly(&described(), &options).unwrap();
    let names = |directive| -> Vec<&str> {
        assembly.lines().filter_map(|line| line.trim().strip_prefix(directive)).map(str::trim).collect()
    };
    let hidden = names(".hidden");
    let visible: Vec<&str> =
        names(".globl").into_iter().filter(|name| !hidden.iter().any(|h| name.starts_with(h))).collect();
    assert_eq!(visible.len(), 1, "{visible:?}");
    assert!(visible[0].starts_with("PyInit_kernels"));
    assert!(!assembly.contains(".eh_frame") && !assembly.contains(".cfi_startproc"), "nothing unwinds");
}

#[test]
fn required_features_are_those_of_the_cpu() {
    for (cpu, want) in [("generic", ""), ("x86-64-v2", "sse3,ssse3,sse4.1,sse4.2,popcnt,cmpxchg16b")] {
        let mut options = options(1);
        cpu.clone_into(&mut options.cpu);
        assert_eq!(text(load(&described(), &options).spec().cpu_features).as_deref(), Some(want));
    }
}

#[test]
fn text_is_given_before_and_after_the_passes() {
    let before = llvm_text(&described(), &options(3), Stage::BeforePasses).unwrap();
    let after = llvm_text(&described(), &options(3), Stage::AfterPasses).unwrap();
    assert!(before.contains("define hidden i32 @pydd.set"));
    assert!(after.contains("define") && after.contains("@PyInit_kernels"));
}
