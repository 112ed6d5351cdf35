//! What Cranelift's functions look like.

use crate::backends::description::described;
use crate::backends::load::{load, options, text};
use pydd_codegen_cranelift::Text;

#[test]
fn functions_are_shown() {
    let clif = pydd_codegen_cranelift::text(&described(), &options(0), Text::Clif).unwrap();
    assert!(
        clif.contains("; pydd.fill.fast\nfunction") && clif.contains("; PyInit_kernels\nfunction"),
        "{clif}"
    );
    let assembly = pydd_codegen_cranelift::text(&described(), &options(0), Text::Assembly).unwrap();
    assert!(assembly.contains("; pydd.fill.fast\n") && assembly.contains("ret"), "{assembly}");
}

#[test]
fn required_features_are_those_that_code_uses() {
    for (cpu, want) in [("generic", ""), ("x86-64-v2", ""), ("x86-64-v3", "avx")] {
        let mut options = options(0);
        cpu.clone_into(&mut options.cpu);
        assert_eq!(text(load(&described(), &options).spec().cpu_features).as_deref(), Some(want), "{cpu}");
    }
}
