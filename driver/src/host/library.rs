//! Where a library for programs without Python goes, and what the user is told about it.

use crate::host::{File, Language};
use crate::options::Host;
use crate::place::{Place, unimportable};
use pydd_ir::Module;
use pydd_link::{LinkError, LinkOptions};
use std::path::{Path, PathBuf};

/// How a library is linked with programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Shared,
    Static,
}

impl Kind {
    /// `libkernels.so`.
    #[must_use]
    pub fn file_name(self, module: &str) -> String {
        format!("lib{module}.{}", if self == Self::Shared { "so" } else { "a" })
    }
}

/// The place of a library that is made of `input`; `output` is a folder that exists, or the one of `input`.
///
/// # Errors
/// There is no such folder, or the module's name cannot be a name elsewhere.
pub fn place(input: &Path, output: Option<&Path>, host: Host) -> Result<Place, String> {
    let name = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = match output {
        Some(folder) if folder.is_dir() => folder.to_owned(),
        Some(other) => {
            return Err(format!("with --host -o names a folder; there is no folder {}", other.display()));
        }
        None => input.parent().unwrap_or(Path::new("")).to_owned(),
    };
    if let Some(reason) = unimportable(&name) {
        return Err(format!(
            "{}: `{name}` {reason}, so it cannot name a library's functions; rename the file",
            input.display()
        ));
    }
    if name.starts_with("pydd") || name == "std" {
        return Err(format!("{}: the name `{name}` is taken in headers; rename the file", input.display()));
    }
    // A crate has a folder of its own, and a library that goes into the program.
    let folder = if host.language == Language::Rust { folder.join(&name) } else { folder };
    let target = Some(folder.join(host.kind.file_name(&name)));
    Ok(Place { name, target })
}

/// Where `libpydd` is that belongs to this compiler: beside it, as Cargo builds it, or in `lib` beside its folder.
fn runtime(kind: Kind) -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.to_owned();
    let folders = [folder.clone(), folder.join("../lib/pydd")];
    folders.into_iter().find(|folder| folder.join(kind.file_name("pydd")).is_file())
}

/// As [`runtime`], of the shared library.
#[must_use]
pub fn runtime_folder() -> Option<PathBuf> {
    runtime(Kind::Shared)
}

/// How a program uses the library at `target`: a command that compiles it, or a line of its manifest.
#[must_use]
pub fn compile_line(language: Language, target: &Path, kind: Kind) -> String {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.display().to_string(),
        _ => ".".to_owned(),
    };
    let module =
        target.file_stem().unwrap_or_default().to_string_lossy().trim_start_matches("lib").to_owned();
    let runtime =
        runtime(kind).map_or_else(|| "FOLDER-OF-LIBPYDD".to_owned(), |path| path.display().to_string());
    let compiler = match language {
        Language::C => "cc -std=c11 main.c",
        Language::Cpp => "c++ -std=c++17 main.cpp",
        Language::Rust => return format!("{module} = {{ path = \"{folder}\" }}"),
    };
    match kind {
        Kind::Shared => format!(
            "{compiler} -I{folder} -L{folder} -l{module} -L{runtime} -lpydd -Wl,-rpath,{folder} -Wl,-rpath,{runtime}"
        ),
        Kind::Static => {
            format!("{compiler} -I{folder} {folder}/lib{module}.a {runtime}/libpydd.a -lm -lpthread -ldl")
        }
    }
}

/// The library's bytes, of the module's objects.
///
/// # Errors
/// As [`pydd_link::link`].
pub fn link(
    kind: Kind,
    module: &Module,
    objects: &[Vec<u8>],
    debug_info: bool,
) -> Result<Vec<u8>, LinkError> {
    match kind {
        Kind::Static => pydd_link::archive(&objects.concat(), &module.name),
        Kind::Shared => {
            let objects: Vec<&[u8]> = objects.iter().map(Vec::as_slice).collect();
            let soname = Some(kind.file_name(&module.name));
            pydd_link::link(&objects, &LinkOptions { debug_info, soname })
        }
    }
}

/// Writes headers, or a crate's files, beside the library.
///
/// # Errors
/// What cannot be written, and why.
pub fn write_texts(library: &Path, texts: &[File]) -> Result<(), String> {
    for File { path, text } in texts {
        let path = library.with_file_name(path);
        path.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .map_err(|error| format!("cannot make the folder of {}: {error}", path.display()))?;
        pydd_link::write_atomically(&path, text.as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}
