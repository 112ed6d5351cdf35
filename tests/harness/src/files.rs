//! Where things are.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The repository's root.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two levels below the root").to_owned()
}

/// The Python with NumPy and the runtime: `$PYDD_PYTHON`, else the repository's `.venv`.
#[must_use]
pub fn python() -> PathBuf {
    std::env::var_os("PYDD_PYTHON").map_or_else(|| root().join(".venv/bin/python"), PathBuf::from)
}

/// The compiler: `$PYDDC`, else the executable beside this one.
#[must_use]
pub fn pyddc() -> PathBuf {
    if let Some(path) = std::env::var_os("PYDDC") {
        return PathBuf::from(path);
    }
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name("pyddc")
}

/// The driver's file, and those of the libraries that it has functions of.
const DRIVER: [&str; 3] = ["libcuda.so.1", "libcublas.so.12", "libcufft.so.11"];

/// A folder with a driver for devices over an interpreter of their code, and libraries, which stays as long as this process; or that of a card's own driver, as `PYDD_TEST_DRIVER` says.
///
/// # Errors
/// The library is not built.
pub fn device_driver() -> Result<&'static Path, String> {
    static CARD: LazyLock<Option<PathBuf>> =
        LazyLock::new(|| std::env::var_os("PYDD_TEST_DRIVER").map(PathBuf::from));
    if let Some(folder) = &*CARD {
        return Ok(folder);
    }
    static FOLDER: LazyLock<Result<TempDir, String>> = LazyLock::new(|| {
        let own = std::env::current_exe().unwrap_or_default();
        let built = own.with_file_name("libfakecuda.so");
        if !built.exists() {
            return Err(format!("{} is missing: build pydd-fakecuda", built.display()));
        }
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        for name in DRIVER {
            std::os::unix::fs::symlink(&built, folder.path().join(name)).map_err(|e| e.to_string())?;
        }
        Ok(folder)
    });
    FOLDER.as_ref().map(TempDir::path).map_err(Clone::clone)
}

/// Files of an extension below a folder of `tests/`, sorted, with their test names: `run/memory/ping_pong`.
#[must_use]
pub fn cases(folder: &str, extension: &str) -> Vec<(String, PathBuf)> {
    let tests = root().join("tests");
    let mut found = Vec::new();
    collect(&tests.join(folder), extension, &mut found);
    found.sort();
    let name = |path: &Path| {
        let relative = path.strip_prefix(&tests).unwrap_or(path).with_extension("");
        relative.to_string_lossy().replace('\\', "/")
    };
    found.into_iter().map(|path| (name(&path), path)).collect()
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}
