//! Puts a file in place so that no reader ever sees half of it.

use crate::LinkError;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Symbolic links that are followed one after the other; Linux has the same limit.
const LINKS: usize = 40;

/// Where bytes go.
enum Goal {
    /// A file, old or new, that a new one takes the place of.
    File(PathBuf),
    /// What is open already and must stay what it is: a device, a pipe, a descriptor under `/proc`.
    Open(File),
}

/// Writes a new file beside `path` and renames it over `path`. A process that has the old file mapped
/// keeps it; of several writers the last one wins with a whole file.
///
/// Symbolic links stay, and what they lead to is written. What is no ordinary file (`/dev/null`, `/dev/stdout`, a
/// pipe) is written to. A file that may not be written is not replaced either.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> std::result::Result<(), LinkError> {
    let written = match goal(path) {
        Ok(Goal::File(file)) => replace(&file, bytes),
        Ok(Goal::Open(mut file)) => file.write_all(bytes),
        Err(error) => Err(error),
    };
    written.map_err(|source| LinkError::Write { path: path.to_owned(), source })
}

fn goal(path: &Path) -> Result<Goal> {
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        if folder(&at).canonicalize().is_ok_and(|folder| folder.starts_with("/proc")) {
            // `/dev/stdout` leads here. The file behind a descriptor may have no name, and who opened it looks at no other.
            return OpenOptions::new().append(true).open(&at).map(Goal::Open);
        }
        match std::fs::symlink_metadata(&at) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Goal::File(at)),
            Err(error) => return Err(error),
            Ok(found) if found.is_symlink() => at = folder(&at).join(std::fs::read_link(&at)?),
            // Opening alone changes nothing, and fails for folders and for files that are not to be written.
            Ok(found) => {
                let open = OpenOptions::new().write(true).open(&at)?;
                return Ok(if found.is_file() { Goal::File(at) } else { Goal::Open(open) });
            }
        }
    }
    Err(Error::other("too many symbolic links"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::metadata(folder(path))?;
    // The process's umask takes from these permissions what it takes from any new file's. Texts are not run.
    let mode = if bytes.starts_with(b"\x7fELF") { 0o777 } else { 0o666 };
    let mut file = tempfile::Builder::new()
        .prefix(".pydd-")
        .suffix(".tmp")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder(path))
        .map_err(without_path)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Without the name of the file beside, which is nothing that a user has chosen.
fn without_path(error: Error) -> Error {
    match error.kind() {
        kind if error.raw_os_error().is_none() && kind != ErrorKind::Other => Error::from(kind),
        _ => error,
    }
}
