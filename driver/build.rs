//! Links `pyddc` so that it runs on other systems than this one: with an older C library, and without a C++ library, libffi and zlib.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What LLVM's libraries ask for and Debian has as archives too.
const ARCHIVES: &[&str] = &["libstdc++.a", "libffi.a", "libz.a", "libzstd.a"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    for argument in pydd_glibc::link_arguments(&target) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for name in ARCHIVES {
        if let Some(archive) = archive(name) {
            link_to(&archive, &folder.join(name));
        }
    }
    // A library is taken from the first folder that has it, as an archive or not.
    println!("cargo::rustc-link-search=native={}", folder.display());
}

/// Where the C compiler finds an archive; none where it has only the shared library.
fn archive(name: &str) -> Option<PathBuf> {
    let output = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    path.is_absolute().then_some(path)
}

fn link_to(archive: &Path, link: &Path) {
    let _ = std::fs::remove_file(link);
    std::os::unix::fs::symlink(archive, link).expect("the folder that cargo gave is ours");
}
