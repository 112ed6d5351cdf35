//! The test binary: `harness [FILTER]` runs case files, `harness fuzz` random programs.

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("fuzz", rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return pydd_harness::generate::main(rest);
    }
    libtest_mimic::run(&Arguments::from_args(), pydd_harness::trials()).exit_code()
}
