//! Tests that are processes of their own, with the driver of `tests/fakecuda` in place of CUDA's.
//!
//! The dynamic linker reads `LD_LIBRARY_PATH` when a process starts, and the driver its own variables when it is initialised. So the test binary starts itself
//! for each scenario. The crate of the test names `pydd-fakecuda` among its dependencies, so that the driver is built beside it.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// What a process must do.
pub struct Scenario {
    pub name: &'static str,
    pub run: fn(),
    pub environment: &'static [(&'static str, &'static str)],
    /// Exit code, and a text that stderr must contain.
    pub exit: i32,
    pub says: &'static str,
    /// A text that stderr must not contain; empty for none.
    pub says_not: &'static str,
}

impl Scenario {
    #[must_use]
    pub const fn new(name: &'static str, run: fn()) -> Self {
        Self { name, run, environment: &[], exit: 0, says: "", says_not: "" }
    }

    #[must_use]
    pub const fn with(self, environment: &'static [(&'static str, &'static str)]) -> Self {
        Self { environment, ..self }
    }

    #[must_use]
    pub const fn saying(self, says: &'static str) -> Self {
        Self { says, ..self }
    }

    #[must_use]
    pub const fn not_saying(self, says_not: &'static str) -> Self {
        Self { says_not, ..self }
    }

    #[must_use]
    pub const fn exiting(self, exit: i32) -> Self {
        Self { exit, ..self }
    }

    fn check(&self) -> Result<(), Failed> {
        let output = start(self.name, self.environment)?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(self.exit) {
            return Err(format!("{:?}, not exit code {}; stderr:\n{said}", output.status, self.exit).into());
        }
        if !said.contains(self.says) {
            return Err(format!("stderr does not say {:?}:\n{said}", self.says).into());
        }
        if !self.says_not.is_empty() && said.contains(self.says_not) {
            return Err(format!("stderr says {:?}:\n{said}", self.says_not).into());
        }
        Ok(())
    }
}

const CHILD: &str = "PYDD_TEST_SCENARIO";

/// Runs a scenario's function in a process with these variables.
///
/// # Errors
/// No process, or no driver.
pub fn start(name: &str, environment: &[(&str, &str)]) -> std::io::Result<Output> {
    static FOLDER: OnceLock<Option<Arc<TempDir>>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| driver_folder().ok().map(Arc::new)).clone();
    let folder = folder.ok_or_else(|| std::io::Error::other("libfakecuda.so is not beside the test"))?;
    let mut command = Command::new(std::env::current_exe()?);
    command.env(CHILD, name).env("LD_LIBRARY_PATH", folder.path());
    command.envs(environment.iter().copied()).output()
}

/// A folder with the driver under the name that programs look for.
fn driver_folder() -> std::io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let built = std::env::current_exe()?.parent().unwrap_or(Path::new(".")).join("libfakecuda.so");
    std::os::unix::fs::symlink(built.canonicalize()?, folder.path().join("libcuda.so.1"))?;
    Ok(folder)
}

/// The `main` of a test binary: the scenarios, and tests that start some of them in their own way.
pub fn run_all(scenarios: Vec<Scenario>, others: Vec<Trial>) {
    if let Ok(name) = std::env::var(CHILD) {
        (scenarios.iter().find(|s| s.name == name).expect("a scenario").run)();
        return;
    }
    let trials = scenarios.into_iter().map(|scenario| Trial::test(scenario.name, move || scenario.check()));
    let trials = trials.chain(others).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

pub use libtest_mimic;
