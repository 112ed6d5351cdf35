//! Compiles kernels of pydd in a build script, for a crate that has both.
//!
//! ```no_run
//! // build.rs
//! fn main() {
//!     pydd_build::Build::new().compile("src/kernels.pydd");
//! }
//!
//! // src/lib.rs: the module `kernels`.
//! include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
//! ```
//!
//! `pyddc` is the one of the environment variable `PYDDC`, or on the path. It says where `libpydd.so` is, unless `PYDD_LIB` does; the program looks for
//! that there, and beside itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// How kernels are compiled.
#[derive(Clone, Debug, Default)]
pub struct Build {
    options: Vec<String>,
    ndarray: bool,
    num_complex: bool,
}

impl Build {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more option of `pyddc`: `--cpu=x86-64-v3`, `-g`.
    #[must_use]
    pub fn option(mut self, option: impl Into<String>) -> Self {
        self.options.push(option.into());
        self
    }

    /// Whether arrays of ndarray can be passed. The crate then has `ndarray` among its dependencies.
    #[must_use]
    pub fn ndarray(mut self, on: bool) -> Self {
        self.ndarray = on;
        self
    }

    /// Whether complex numbers are those of `num_complex`, which is then among the crate's dependencies.
    #[must_use]
    pub fn num_complex(mut self, on: bool) -> Self {
        self.num_complex = on;
        self
    }

    /// Compiles a file to a module of its name, and links it with the crate. A program that is wrong ends the build with what `pyddc` says.
    ///
    /// # Panics
    /// This is no build script, or a file cannot be read or written.
    pub fn compile(&self, file: impl AsRef<Path>) {
        let file = file.as_ref();
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("pydd_build is for build scripts"));
        let name = file.file_stem().expect("the name of a .pydd file").to_string_lossy().into_owned();
        println!("cargo:rerun-if-changed={}", file.display());
        println!("cargo:rerun-if-env-changed=PYDDC");
        println!("cargo:rerun-if-env-changed=PYDD_LIB");
        self.run_compiler(file, &out);
        let made = out.join(&name);
        let read = |path: &str| {
            let path = made.join(path);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let module = self.module(&name, &read("src/lib.rs"), &read("src/pydd.rs"));
        write(&out.join(format!("{name}.rs")), &module);
        link(&name, &made, &out, &read("build.rs"));
    }

    fn run_compiler(&self, file: &Path, out: &Path) {
        let compiler = env::var_os("PYDDC").unwrap_or_else(|| "pyddc".into());
        let mut command = Command::new(&compiler);
        command.arg("--host=rust").arg("-o").arg(out).args(&self.options).arg(file);
        let done = command.output().unwrap_or_else(|error| {
            panic!("{}: {error}; set PYDDC to the compiler", compiler.to_string_lossy());
        });
        let said = String::from_utf8_lossy(&done.stderr);
        if !done.status.success() {
            eprintln!("{said}");
            std::process::exit(1);
        }
        // What was left out, and why. The last line is for who makes a crate by hand.
        for line in said.lines().filter(|line| line.contains("() is left out: ")) {
            println!("cargo:warning={line}");
        }
    }

    /// The crate that `pyddc` made, as a module of another one, which may have no such features.
    fn module(&self, name: &str, library: &str, support: &str) -> String {
        let inner = library.replacen("pub mod pydd;", &format!("pub mod pydd {{\n{support}}}"), 1);
        let mut text = format!("#[allow(clippy::all)]\npub mod {name} {{\n{inner}}}\n");
        for (feature, on) in [("ndarray", self.ndarray), ("num-complex", self.num_complex)] {
            let condition = format!("feature = \"{feature}\"");
            text = text.replace(&condition, if on { "all()" } else { "any()" });
        }
        text
    }
}

/// Tells Cargo where the kernels and the runtime are.
fn link(name: &str, made: &Path, out: &Path, build_script: &str) {
    let recorded = build_script.lines().find_map(|line| line.strip_prefix("const LIBRARY: &str = \""));
    let recorded = recorded.and_then(|rest| rest.strip_suffix("\";")).unwrap_or_default();
    let folder = env::var("PYDD_LIB").unwrap_or_else(|_| recorded.to_owned());
    let library = Path::new(&folder).join("libpydd.so");
    // In Cargo's own folder, where `cargo run` and `cargo test` look for it.
    if let Err(error) = fs::copy(&library, out.join("libpydd.so")) {
        panic!("{}: {error}; set PYDD_LIB to the folder of libpydd.so", library.display());
    }
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={}", made.display());
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static={name}");
    println!("cargo:rustc-link-lib=dylib=pydd");
    println!("cargo:rustc-link-lib=m");
    println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
