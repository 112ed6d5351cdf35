//! Object to importable module, linked in process without a C compiler.
//!
//! [`link`] turns ELF objects into the bytes of a shared object and [`link_to_file`] also puts them in
//! place. The linker sees a file system that exists in memory only (`in_memory`), so the bytes depend on
//! neither folder, path nor time. What an object may ask of the process that loads it is one short list
//! (`imports`); a name outside of it is a compiler bug, reported before anything is linked.

mod archive;
mod error;
mod imports;
mod in_memory;
mod place;
mod system;
mod wild;

pub use archive::archive;
pub use error::LinkError;
pub use place::write_atomically;

use imports::Imports;
use object::Architecture;
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkOptions {
    /// Keep DWARF and the symbol table; otherwise both are stripped.
    pub debug_info: bool,
    /// The name by which programs that are linked with the library look for it.
    pub soname: Option<String>,
}

/// Links ELF `objects` into the bytes of a shared object.
///
/// What they call of `pydd_math` is added. The same objects and options give the same bytes. Calls from several threads run side by side.
pub fn link(objects: &[&[u8]], options: &LinkOptions) -> Result<Vec<u8>, LinkError> {
    let (objects, imports) = with_own_math(objects)?;
    let architecture = imports.architecture.ok_or_else(|| LinkError::Object("nothing to link".to_owned()))?;
    let libraries = system::libraries(architecture, imports.needs_libm)?;
    wild::run(&objects, emulation(architecture)?, &libraries, options)
}

/// The objects, with that of `pydd_math` where they call it, and what they need.
fn with_own_math<'a>(objects: &[&'a [u8]]) -> Result<(Vec<&'a [u8]>, Imports), LinkError> {
    let mut objects = objects.to_vec();
    let mut imports = imports::check(&objects)?;
    if imports.needs_own_math {
        objects.push(pydd_math::OBJECT);
        imports = imports::check(&objects)?;
    }
    if imports.needs_own_math {
        return Err(LinkError::Object("an unknown function of pydd_math".to_owned()));
    }
    Ok((objects, imports))
}

/// Links `objects` and puts the shared object at `path`, which either keeps its old content or gets all of the new one.
pub fn link_to_file(objects: &[&[u8]], options: &LinkOptions, path: &Path) -> Result<(), LinkError> {
    write_atomically(path, &link(objects, options)?)
}

/// The linker's name for a target.
fn emulation(architecture: Architecture) -> Result<&'static str, LinkError> {
    match architecture {
        Architecture::X86_64 => Ok("elf_x86_64"),
        Architecture::Aarch64 => Ok("aarch64linux"),
        other => Err(LinkError::Object(format!("no linker for {other:?} objects"))),
    }
}
