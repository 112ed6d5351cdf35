//! Runs the case files under tests/: one test binary, one named test for each file.
//!
//! - [`run_case`]: `tests/run/**/*.pydd`, compiled code and the interpreter against CPython;
//! - [`lang_case`]: `tests/lang/*.md`, programs and their diagnostics; [`limits`]: hostile sources;
//! - [`page_case`]: the programs on the pages of `pyddc explain`;
//! - [`pass_case`]: `tests/passes/**/*.pir`, IR before and after a pass;
//! - [`generate`]: random programs, compared as run cases are.

pub mod compiler;
pub mod files;
pub mod generate;
pub mod interpreter;
pub mod lang_case;
pub mod limits;
pub mod markdown;
pub mod page_case;
pub mod pass_case;
pub mod run_case;
pub mod worker;

use libtest_mimic::Trial;

/// All tests, by name.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = run_case::trials();
    trials.extend(lang_case::trials());
    trials.extend(page_case::trials());
    trials.extend(limits::trials());
    trials.extend(pass_case::trials());
    trials.extend(generate::trials());
    trials
}

/// A failure's text, and the command that runs the test again.
#[must_use]
pub fn failure(name: &str, wrong: &[String]) -> libtest_mimic::Failed {
    let rerun = format!("cargo run --release -p pydd-harness -- --exact '{name}'");
    format!("{}\n\nto run it again: {rerun}", wrong.join("\n")).into()
}

/// Whether goldens are to be rewritten.
#[must_use]
pub fn blessing() -> bool {
    std::env::var_os("PYDD_BLESS").is_some_and(|value| value == "1")
}

/// Whether this is `make test-long`.
#[must_use]
pub fn is_long() -> bool {
    std::env::var_os("PYDD_LONG").is_some_and(|value| value == "1")
}
