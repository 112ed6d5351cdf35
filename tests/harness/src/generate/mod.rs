//! Random programs: well-typed by construction, with small dyadic data, so that results are compared bitwise.
//!
//! Each seed gives one module of a few functions with cases, which is checked as a run case. What fails is shrunk
//! and saved under `tests/run/found/`.

mod build;
mod data;
mod expression;
mod fuzz;
mod ledger;
mod random;
mod shrink;
mod tree;

pub use fuzz::main;

use crate::failure;
use libtest_mimic::{Failed, Trial};

/// Seeds that `make test` runs, and `make test-long`: 5,000 programs, four in a module. `harness fuzz` runs others.
const FIXED: (u64, u64) = (6, 1250);

/// A test for each of the fixed seeds.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let seeds = if crate::is_long() { FIXED.1 } else { FIXED.0 };
    (0..seeds)
        .map(|seed| {
            let name = format!("fuzz/seed_{seed}");
            Trial::test(name.clone(), move || run(&name, seed)).with_kind("fuzz")
        })
        .collect()
}

fn run(name: &str, seed: u64) -> Result<(), Failed> {
    let program = build::program(seed);
    let wrong = fuzz::check(&program)?;
    if crate::is_long() {
        ledger::Ledger::open()?.note(seed, wrong.is_empty())?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let hint = format!("to shrink and save it: harness fuzz --seeds {seed}..{}", seed + 1);
    Err(failure(name, &[program.text(), wrong.join("\n"), hint]))
}
