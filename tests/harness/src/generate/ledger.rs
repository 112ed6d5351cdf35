//! Which seeds have been run: a line each in `build/fuzz/ledger.txt`, so that a long run can be resumed.

use crate::files;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

pub struct Ledger {
    path: PathBuf,
    passed: BTreeSet<u64>,
}

impl Ledger {
    /// # Errors
    /// Its folder can't be made.
    pub fn open() -> Result<Self, String> {
        let folder = files::root().join("build/fuzz");
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let path = folder.join("ledger.txt");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let passed = text.lines().filter_map(|l| l.strip_suffix(" passed")?.parse().ok()).collect();
        Ok(Self { path, passed })
    }

    /// Seeds that have passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.passed.len()
    }

    #[must_use]
    pub fn has_passed(&self, seed: u64) -> bool {
        self.passed.contains(&seed)
    }

    /// Adds a line; several threads may.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn note(&self, seed: u64, passed: bool) -> Result<(), String> {
        let line = format!("{seed} {}\n", if passed { "passed" } else { "failed" });
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        file.and_then(|mut f| f.write_all(line.as_bytes())).map_err(|e| e.to_string())
    }
}
