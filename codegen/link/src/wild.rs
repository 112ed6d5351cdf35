//! The linker, run so that it cannot print, exit, or touch the disk.

use crate::in_memory::InMemory;
use crate::system::Library;
use crate::{LinkError, LinkOptions};
use libwild::{Args, Linker};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// Variables by which libwild deletes folders, exits the process, or runs another linker.
const HARMFUL_VARIABLES: &[&str] = &["WILD_SAVE_DIR", "WILD_SAVE_BASE", "WILD_REFERENCE_LINKER"];

const OUTPUT: &str = "module.so";

/// Links `objects` with `libraries`.
pub fn run(
    objects: &[&[u8]],
    emulation: &str,
    libraries: &[Library],
    options: &LinkOptions,
) -> Result<Vec<u8>, LinkError> {
    let harmful = |name: &&&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if let Some(name) = HARMFUL_VARIABLES.iter().find(harmful) {
        return Err(LinkError::Environment(name));
    }
    let mut names = Vec::new();
    let mut inputs = BTreeMap::new();
    for (i, bytes) in objects.iter().enumerate() {
        names.push(format!("{i}.o"));
        inputs.insert(PathBuf::from(format!("{i}.o")), Arc::from(*bytes));
    }
    for library in libraries {
        names.push(library.soname.to_owned());
        inputs.insert(PathBuf::from(library.soname), Arc::from(library.bytes.as_slice()));
    }
    let files = InMemory::new(inputs);
    let arguments = arguments(emulation, &names, options);
    guarded(&files, &arguments)?;
    files.take_output().ok_or_else(|| LinkError::Linker("it finished without output".to_owned()))
}

/// The command line, as `ld` would have it. No build id and no linker comment: neither says anything here.
fn arguments(emulation: &str, inputs: &[String], options: &LinkOptions) -> Vec<String> {
    let fixed = "ld -m EMULATION -shared --hash-style=gnu --eh-frame-hdr --build-id=none --no-identity-comment --gc-sections \
                 -z noexecstack -z relro -z now";
    let mut arguments: Vec<String> =
        fixed.split_whitespace().map(|word| word.replace("EMULATION", emulation)).collect();
    if !options.debug_info {
        arguments.push("-s".to_owned());
    }
    if let Some(name) = &options.soname {
        arguments.extend(["-soname".to_owned(), name.clone()]);
    }
    arguments.extend(["-o".to_owned(), OUTPUT.to_owned()]);
    arguments.extend_from_slice(inputs);
    arguments
}

/// Errors and panics of the linker as values.
fn guarded(files: &InMemory, arguments: &[String]) -> Result<(), LinkError> {
    // A pool of one: kernels are small, and the caller's own pool, if any, is left alone.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| LinkError::Linker(error.to_string()))?;
    let linking =
        AssertUnwindSafe(|| pool.install(|| link(files, arguments).map_err(|error| error.to_string())));
    match catch_unwind(linking) {
        Ok(result) => result.map_err(LinkError::Linker),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(LinkError::Linker(format!("panic: {}", text.unwrap_or("no message"))))
        }
    }
}

fn link(files: &InMemory, arguments: &[String]) -> libwild::error::Result {
    let mut parsed = Args::new(|| arguments.iter())?;
    // Warnings go to standard error unless someone takes them.
    parsed.on_warning(Box::new(|_| ()));
    parsed.parse(|| arguments.iter())?;
    let linker = Linker::with_file_system(files.clone());
    linker.run(&parsed)?;
    Ok(())
}
