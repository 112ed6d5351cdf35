//! The test driver under unmodified cudarc: each scenario runs in a process of its own, with its own environment.

mod kernels;
mod memory;
mod misuse;
mod streams;
mod support;

use pydd_test_support::scenario;

fn main() {
    let all = [kernels::scenarios(), memory::scenarios(), misuse::scenarios(), streams::scenarios()];
    scenario::run_all(all.into_iter().flatten().collect(), Vec::new());
}
