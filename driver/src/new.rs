//! `pyddc new`: the folder that a project begins with.

use crate::say;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

const FILES: [(&str, &str); 5] = [
    ("kernels.pydd", include_str!("../templates/kernels.pydd")),
    ("main.py", include_str!("../templates/main.py")),
    ("test_kernels.py", include_str!("../templates/test_kernels.py")),
    ("pyproject.toml", include_str!("../templates/pyproject.toml")),
    (".gitignore", "*.abi3.so\n__pycache__/\n"),
];

/// Makes the folder and its files; nothing that is there is written over.
#[must_use]
pub fn run(folder: &Path) -> ExitCode {
    match make(folder) {
        Ok(()) => {
            let shown = folder.display();
            say!("made {shown}: `python {shown}/main.py` runs it, `python -m pytest {shown}` tests it");
            ExitCode::SUCCESS
        }
        Err(message) => {
            say!("pyddc: {message}");
            ExitCode::from(2)
        }
    }
}

fn make(folder: &Path) -> Result<(), String> {
    let shown = folder.display();
    match std::fs::create_dir(folder) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let is_empty = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
            if !is_empty {
                return Err(format!("{shown} is there already, and is not an empty folder"));
            }
        }
        Err(error) => return Err(format!("cannot make the folder {shown}: {error}")),
    }
    for (name, text) in FILES {
        let path = folder.join(name);
        let written = std::fs::File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}
