//! The test binary: `harness [FILTER]` runs case files, `harness fuzz` random programs.

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), pydd_harness::trials()).exit_code()
}
