//! What LLVM's module and assembly say.

use crate::backends::description::described;
use crate::backends::load::{load, options, text};
use pydd_codegen::requirements::Used;
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
fn required_features_are_those_that_code_uses() {
    for (cpu, want) in [("generic", ""), ("x86-64-v2", ""), ("x86-64-v3", "avx"), ("x86-64-v4", "avx")] {
        let mut options = options(1);
        cpu.clone_into(&mut options.cpu);
        assert_eq!(text(load(&described(), &options).spec().cpu_features).as_deref(), Some(want), "{cpu}");
    }
}

#[test]
fn library_functions_that_are_not_inlined_run_on_all_processors() {
    if cfg!(target_arch = "x86_64") {
        let used = Used::by_object(pydd_math::OBJECT).unwrap();
        assert_eq!(used.of(&["avx"]), [""; 0]);
    }
}

#[test]
fn text_is_given_before_and_after_the_passes() {
    let before = llvm_text(&described(), &options(3), Stage::BeforePasses).unwrap();
    let after = llvm_text(&described(), &options(3), Stage::AfterPasses).unwrap();
    assert!(before.contains("define hidden i32 @pydd.set"));
    assert!(after.contains("define") && after.contains("@PyInit_kernels"));
}
