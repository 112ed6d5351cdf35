//! Puts a file in place so that no reader ever sees half of it.

use crate::LinkError;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a new file beside `path` and renames it over `path`. A process that has the old file mapped
/// keeps it; of several writers the last one wins with a whole file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), LinkError> {
    let failed = |source| LinkError::Write { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // The process's umask takes from these permissions what it takes from any new file's.
    let mut file = tempfile::Builder::new()
        .prefix(".pydd-")
        .suffix(".tmp")
        .permissions(Permissions::from_mode(0o777))
        .tempfile_in(folder)
        .map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
