//! The C library as the linker sees it: the functions that kernel modules may call, at the versions that old systems have.
//!
//! These are made here and not taken from this machine, so that a module's bytes do not depend on where it was linked, and so that it
//! runs with any glibc that Python runs with. musl knows the names of both files, and no versions.

use crate::LinkError;
use object::elf::{self, SymbolInfo, VersionFlags, VersionIndex};
use object::write::elf::{FileHeader, SinglePhaseWriter, Sym, Verdef};
use object::{Architecture, Endianness};
use std::collections::BTreeMap;

/// Calls that code generators make on their own. LLVM writes `bcmp` for a `memcmp` compared with zero.
pub const MEMORY: &[&str] = &["bcmp", "memcmp", "memcpy", "memmove", "memset"];

/// Functions of C's <math.h> for doubles that are still called; each has a twin for floats whose name ends in `f`.
/// `fma` is left out on purpose: a multiply-add is two instructions where the processor has no one for both,
/// never a call.
pub const MATH: &[&str] = &[
    // What `pydd_math` does not have or calls itself, by `pydd_codegen::math`.
    "fmod",
    "lgamma",
    "nextafter",
    "tgamma",
    // Cranelift calls these where the processor has no instruction to round (before SSE 4.1).
    "ceil",
    "floor",
    "nearbyint",
    "trunc",
    // LLVM calls these in versions that are to be small rather than fast.
    "fmax",
    "fmin",
];

pub fn is_math(name: &str) -> bool {
    MATH.contains(&name) || name.strip_suffix('f').is_some_and(|double| MATH.contains(&double))
}

/// A library to link with.
pub struct Library {
    pub soname: &'static str,
    pub bytes: Vec<u8>,
}

/// What each module is linked with, and libm where it `needs_libm`.
///
/// # Errors
/// A processor that modules are not made for.
pub fn libraries(architecture: Architecture, needs_libm: bool) -> Result<Vec<Library>, LinkError> {
    let mut libraries = vec![("libc.so.6", MEMORY.iter().map(|&name| name.to_owned()).collect())];
    if needs_libm {
        let twins = MATH.iter().flat_map(|&name| [name.to_owned(), format!("{name}f")]);
        libraries.push(("libm.so.6", twins.collect::<Vec<String>>()));
    }
    libraries
        .into_iter()
        .map(|(soname, functions)| Ok(Library { soname, bytes: library(architecture, soname, &functions)? }))
        .collect()
}

/// The version at which glibc has had a function in all its releases for a processor.
fn version(architecture: Architecture, function: &str) -> &'static str {
    match (architecture, function) {
        (Architecture::Aarch64, _) => "GLIBC_2.17",
        // The version before copies backwards as well, as `memmove` does.
        (_, "memcpy") => "GLIBC_2.14",
        _ => "GLIBC_2.2.5",
    }
}

/// A shared object that has functions by name and no code.
fn library(architecture: Architecture, soname: &str, functions: &[String]) -> Result<Vec<u8>, LinkError> {
    let machine = match architecture {
        Architecture::X86_64 => elf::EM_X86_64,
        Architecture::Aarch64 => elf::EM_AARCH64,
        other => return Err(LinkError::Object(format!("no C library for {other:?}"))),
    };
    write(machine, architecture, soname, functions).map_err(|error| LinkError::Object(error.to_string()))
}

fn write(
    machine: elf::Machine,
    architecture: Architecture,
    soname: &str,
    functions: &[String],
) -> object::write::Result<Vec<u8>> {
    // Index 1 is of the file itself.
    let mut versions = BTreeMap::new();
    for function in functions {
        let next = versions.len() as u16 + 2;
        versions.entry(version(architecture, function)).or_insert(next);
    }
    let mut bytes = Vec::new();
    let mut writer = SinglePhaseWriter::new_single_phase(Endianness::Little, true, &mut bytes);
    let header = FileHeader {
        os_abi: elf::ELFOSABI_NONE,
        abi_version: 0,
        e_type: elf::ET_DYN,
        e_machine: machine,
        e_entry: 0,
        e_flags: elf::FileFlags(0),
    };
    writer.write_file_header(&header)?;

    let own_name = writer.add_dynamic_string(soname.as_bytes());
    let names: Vec<_> = functions.iter().map(|name| writer.add_dynamic_string(name.as_bytes())).collect();
    let version_names: Vec<_> =
        versions.keys().map(|name| writer.add_dynamic_string(name.as_bytes())).collect();
    writer.write_dynstr()?;
    writer.write_null_dynamic_symbol();
    for name in names {
        let symbol = Sym {
            // Any section: the symbol is defined.
            section: Some(1),
            st_name: writer.dynamic_string_offset(Some(name)),
            st_info: SymbolInfo::new(elf::STB_GLOBAL, elf::STT_FUNC),
            st_other: elf::SymbolOther(0),
            st_shndx: elf::SymbolSection(0),
            st_value: 0,
            st_size: 0,
        };
        writer.write_dynamic_symbol(&symbol);
    }
    writer.write_null_gnu_versym();
    for function in functions {
        let index = versions[version(architecture, function)];
        writer.write_gnu_versym(elf::VersymIndex::from(VersionIndex(index)));
    }
    writer.write_align_gnu_verdef(versions.len() as u16 + 1);
    let own = std::iter::once((own_name, soname, 1, elf::VER_FLG_BASE));
    let others =
        versions.iter().zip(version_names).map(|((name, &index), id)| (id, *name, index, VersionFlags(0)));
    for (id, name, index, flags) in own.chain(others) {
        let definition = Verdef {
            version: elf::VER_DEF_CURRENT,
            flags,
            index: VersionIndex(index),
            aux_count: 1,
            name: writer.dynamic_string_offset(Some(id)),
            hash: elf::hash(name.as_bytes()),
        };
        writer.write_gnu_verdef(&definition);
    }
    writer.write_align_dynamic();
    writer.write_dynamic_string(elf::DT_SONAME, own_name)?;
    writer.write_dynamic(elf::DT_NULL, 0)?;

    writer.write_shstrtab()?;
    writer.write_null_section_header();
    writer.write_dynstr_section_header(0);
    writer.write_dynsym_section_header(0, 1);
    writer.write_gnu_versym_section_header(0);
    writer.write_gnu_verdef_section_header(0);
    writer.write_dynamic_section_header(0);
    writer.write_shstrtab_section_header();
    let mut head = Vec::new();
    writer.write_file_header_to(&mut head)?;
    bytes[..head.len()].copy_from_slice(&head);
    Ok(bytes)
}
