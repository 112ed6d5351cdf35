//! Where NVIDIA's libraries are.
//!
//! Unsafe here: libraries run code when they are loaded; those of these names are NVIDIA's.

use crate::say;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Folders that are looked in first, with colons between.
const VARIABLE: &str = "PYDD_CUDA_LIBRARIES";

/// Folders that hold packages, as the host knows them: pip's packages of NVIDIA's lie there.
static PACKAGES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Where packages lie: for Python the folders of `sys.path`.
pub fn look_in(folders: Vec<PathBuf>) {
    *crate::device::lock(&PACKAGES) = folders;
}

/// What may be the library, in the order in which to try it: its names in the given folders, as the process finds them (a library that is loaded already among these), in packages, and
/// where CUDA is installed.
pub fn candidates(names: &[&str]) -> Vec<PathBuf> {
    let variable = std::env::var_os(VARIABLE).unwrap_or_default();
    let given: Vec<PathBuf> =
        std::env::split_paths(&variable).filter(|p| !p.as_os_str().is_empty()).collect();
    let packages = crate::device::lock(&PACKAGES).clone();
    let toolkits = ["CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os);
    let toolkits = toolkits.map(PathBuf::from).chain([PathBuf::from("/usr/local/cuda")]);
    let installed = toolkits.flat_map(|toolkit| ["lib", "lib64"].map(|lib| toolkit.join(lib)));
    let folders = packages.iter().flat_map(|packages| of_nvidia(packages)).chain(installed);
    let existing = |folders: &mut dyn Iterator<Item = PathBuf>| -> Vec<PathBuf> {
        let files = folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        files.filter(|file| file.exists()).collect()
    };
    let mut all = existing(&mut given.into_iter());
    all.extend(names.iter().map(PathBuf::from));
    all.extend(existing(&mut { folders }));
    all
}

/// `nvidia/cublas/lib`, `nvidia/cu13/lib` and so on.
fn of_nvidia(packages: &Path) -> Vec<PathBuf> {
    let parts = std::fs::read_dir(packages.join("nvidia")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = parts.map(|part| part.path().join("lib")).collect();
    folders.sort();
    folders
}

/// Loads the first of these that works, as `works` finds out.
///
/// # Errors
/// There is none.
pub fn first<T>(
    what: &str,
    names: &[&str],
    works: impl Fn(&Library) -> Result<T, String>,
) -> Result<T, String> {
    for candidate in candidates(names) {
        // SAFETY: NVIDIA's, by its name.
        let library = match unsafe { Library::open(Some(&candidate), RTLD_NOW | RTLD_LOCAL) } {
            Ok(library) => library,
            Err(error) => {
                say::log(format_args!("{what}: no {}: {error}", candidate.display()));
                continue;
            }
        };
        match works(&library) {
            Ok(made) => {
                say::log(format_args!("{what} is {}", candidate.display()));
                // Its functions are used until the process ends.
                std::mem::forget(library);
                return Ok(made);
            }
            Err(why) => say::log(format_args!("{what}: {} {why}", candidate.display())),
        }
    }
    Err(format!("there is no {what} ({}) that works", names.join(", ")))
}

/// A function of a library.
///
/// # Errors
/// It has none of that name.
///
/// # Safety
/// It is of this type.
pub unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: by the caller's promise.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|_| format!("has no {name}"))
}
