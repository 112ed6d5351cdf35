//! The `pyddc` command.

use clap::Parser;
// For the linker: see its documentation.
use pydd_driver::cli::{Cli, Command};
use pydd_driver::{bug, explain, opt, session};
use pydd_glibc as _;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    bug::install_hook();
    let cli = Cli::parse();
    match &cli.command {
        Some(Command::Explain { code, json }) => explain::run(code.as_deref(), *json),
        Some(Command::Opt(args)) => opt::run(args),
        None => match cli.compile.options() {
            Ok(options) => session::run(&cli.compile.files, &options),
            Err(error) => error.exit(),
        },
    }
}
