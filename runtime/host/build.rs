//! Names the library, so that a program that was linked with it by its path looks for it by its name.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libpydd.so");
}
