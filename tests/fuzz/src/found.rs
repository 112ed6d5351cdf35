//! Sources that showed something: kept under `tests/fuzz/found/`, and tried again by every test run.

use crate::check::{self, Finding};
use crate::{corpus, shrink};
use std::path::PathBuf;

/// The folder.
#[must_use]
pub fn folder() -> PathBuf {
    corpus::root().join("tests/fuzz/found")
}

/// Tries a kept source with all kinds of options.
///
/// # Errors
/// What does not hold.
pub fn replay(bytes: &[u8]) -> Result<(), Finding> {
    (0..16).try_for_each(|number| check::check(bytes, &check::options(number)).map(drop))
}

/// The path at which a source is kept; the same source has the same one.
#[must_use]
pub fn path(signature: &str, bytes: &[u8]) -> PathBuf {
    let words: Vec<&str> =
        signature.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let name: String = words.join("_").chars().take(60).collect();
    // FNV-1a.
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    folder().join(format!("{name}_{:08x}.pydd", hash >> 32))
}

/// Makes a finding's source small and keeps it.
///
/// # Errors
/// The file can't be written.
pub fn keep(bytes: &[u8], finding: &Finding, shows: impl FnMut(&[u8]) -> bool) -> std::io::Result<PathBuf> {
    let smallest = shrink::shrink(bytes, shows);
    let path = path(&finding.signature, &smallest);
    std::fs::create_dir_all(folder())?;
    std::fs::write(&path, smallest)?;
    Ok(path)
}
