//! Links the kernels, and the runtime: `libpydd.so` of the folder PYDD_LIB, or of the compiler that made this crate.

use std::path::PathBuf;

const LIBRARY: &str = "FOLDER";

fn main() {
    println!("cargo:rerun-if-env-changed=PYDD_LIB");
    println!("cargo:rerun-if-changed=libMODULE.a");
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    println!("cargo:rustc-link-search=native={here}");
    println!("cargo:rustc-link-lib=static=MODULE");
    println!("cargo:rustc-link-lib=m");
    let folder = PathBuf::from(std::env::var("PYDD_LIB").unwrap_or_else(|_| LIBRARY.to_owned()));
    let library = folder.join("libpydd.so");
    // In Cargo's own folder, where `cargo run` and `cargo test` look for it.
    let out = std::env::var("OUT_DIR").expect("Cargo sets it");
    if let Err(error) = std::fs::copy(&library, PathBuf::from(&out).join("libpydd.so")) {
        panic!("{}: {error}; set PYDD_LIB to the folder of libpydd.so", library.display());
    }
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-lib=dylib=pydd");
}
