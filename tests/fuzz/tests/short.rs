//! A short run of a fixed seed, and everything that was found before.

use std::process::Command;

#[track_caller]
fn passes(argument: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_pydd-fuzz")).arg(argument).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}\n{told}{}", output.status, String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_was_found_stays_mended() {
    passes("--replay");
}

#[test]
fn a_short_run() {
    passes("--short");
}
