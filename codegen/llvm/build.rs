//! Kernel modules that tests load find `PyCapsule_Import` in the test binary itself.

fn main() {
    println!("cargo:rustc-link-arg-tests=-Wl,--export-dynamic-symbol=PyCapsule_Import");
    println!("cargo:rerun-if-changed=build.rs");
}
