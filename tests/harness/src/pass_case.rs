//! Pass cases: `tests/passes/**/*.pir`; what they state is in `pydd_driver::case`.

use crate::{blessing, failure, files};
use libtest_mimic::{Failed, Trial};
use pydd_driver::case::{Case, bless};
use std::path::{Path, PathBuf};

/// A test for each file below `tests/passes`.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let test = |(name, path): (String, PathBuf)| {
        let own = name.clone();
        Trial::test(name, move || run(&own, &path)).with_kind("pass")
    };
    files::cases("passes", "pir").into_iter().map(test).collect()
}

fn run(name: &str, path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let text = match bless(&text).filter(|_| blessing()) {
        Some(blessed) => {
            std::fs::write(path, &blessed).map_err(|e| e.to_string())?;
            blessed
        }
        None => text,
    };
    let wrong = Case::parse(&text)?.check();
    if wrong.is_empty() { Ok(()) } else { Err(failure(name, &wrong)) }
}
