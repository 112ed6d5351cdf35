//! `pyddc --host`: libraries for programs without Python, with headers or a crate by which these call the kernels.
//!
//! [`interface`] is what a module's functions are to such programs, in no language: [`c`], [`cpp`] and [`rust`] write it down. The functions they write
//! turn arguments into words and call `pydd_call` of `runtime/host`, which says what the words are.

mod c;
mod cpp;
mod doc;
pub mod interface;
pub mod library;
mod names;
mod rust;

use interface::Interface;
use pydd_ir::Module;

/// The language that kernels are called from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// C11: a header.
    C,
    /// C++17: a header.
    Cpp,
    /// A crate, in a folder of the module's name.
    Rust,
}

/// A text that is written beside the library, or into a folder there.
pub struct File {
    pub path: String,
    pub text: String,
}

impl File {
    fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// The texts by which a language calls the module's functions, for the library's folder.
#[must_use]
pub fn files(language: Language, module: &Module, interface: &Interface) -> Vec<File> {
    let c = File::new("pydd.h", include_str!("../../../runtime/host/include/pydd.h"));
    let name = &module.name;
    match language {
        Language::C => vec![c, File::new(format!("{name}.h"), c::header(module, interface))],
        Language::Cpp => vec![
            c,
            File::new("pydd.hpp", include_str!("../../../runtime/host/include/pydd.hpp")),
            File::new(format!("{name}.hpp"), cpp::header(module, interface)),
        ],
        Language::Rust => rust::files(module, interface),
    }
}

/// The name of the function that gives the module's description. It has a fingerprint of what the headers rely on, so that a program that was
/// compiled with another header is not linked, or not loaded.
#[must_use]
pub fn symbol(module: &Module) -> String {
    let mut text = String::new();
    for export in &module.exports {
        let params: Vec<_> = export.params.iter().map(|p| (&p.ty, p.written)).collect();
        text.push_str(&format!("{}{params:?}{:?};", export.name, export.result));
    }
    // FNV-1a, as published by Fowler, Noll and Vo: short, and the same on every machine.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("pydd_module_{}_{hash:016x}", module.name)
}
