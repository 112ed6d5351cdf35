//! Links the extension module so that it runs with an older C library than this machine's.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    for argument in pydd_glibc::link_arguments(&target) {
        println!("cargo::rustc-link-arg-cdylib={argument}");
    }
}
