//! Kernel modules that the worker loads find `PyCapsule_Import` in the worker itself.

fn main() {
    println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic-symbol=PyCapsule_Import");
    println!("cargo:rerun-if-changed=build.rs");
}
