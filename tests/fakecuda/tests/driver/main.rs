//! The test driver under unmodified cudarc: each scenario runs in a process of its own, with its own environment.

mod kernels;
mod memory;
mod misuse;
mod streams;
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::Command;

/// What a scenario's process must do.
pub struct Scenario {
    pub name: &'static str,
    pub run: fn(),
    pub environment: &'static [(&'static str, &'static str)],
    /// Exit code, and a text that stderr must contain.
    pub exit: i32,
    pub says: &'static str,
}

impl Scenario {
    pub const fn new(name: &'static str, run: fn()) -> Self {
        Scenario { name, run, environment: &[], exit: 0, says: "" }
    }

    pub const fn with(self, environment: &'static [(&'static str, &'static str)]) -> Self {
        Scenario { environment, ..self }
    }

    pub const fn saying(self, says: &'static str) -> Self {
        Scenario { says, ..self }
    }

    pub const fn exiting(self, exit: i32) -> Self {
        Scenario { exit, ..self }
    }
}

const CHILD: &str = "FAKECUDA_TEST_SCENARIO";

fn start(scenario: &Scenario, folder: &std::path::Path) -> Result<(), Failed> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env(CHILD, scenario.name).env("LD_LIBRARY_PATH", folder);
    command.envs(scenario.environment.iter().copied());
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(scenario.exit) {
        return Err(format!("{:?}, not exit code {}; stderr:\n{said}", output.status, scenario.exit).into());
    }
    if !said.contains(scenario.says) {
        return Err(format!("stderr does not say {:?}:\n{said}", scenario.says).into());
    }
    Ok(())
}

fn main() {
    let scenarios: Vec<Scenario> =
        [kernels::scenarios(), memory::scenarios(), misuse::scenarios(), streams::scenarios()]
            .into_iter()
            .flatten()
            .collect();
    if let Ok(name) = std::env::var(CHILD) {
        (scenarios.iter().find(|s| s.name == name).expect("a scenario").run)();
        return;
    }
    let folder = support::driver_folder();
    let path = folder.path().to_path_buf();
    let trials = scenarios
        .into_iter()
        .map(|scenario| {
            let path = path.clone();
            Trial::test(scenario.name, move || start(&scenario, &path))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
