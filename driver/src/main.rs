//! The `pyddc` command.

use clap::{CommandFactory, FromArgMatches};
use pydd_driver::cli::{Cli, Command};
use pydd_driver::settings::Given;
use pydd_driver::{bug, check, explain, lsp, new, opt, session, shells, watch};
use std::process::ExitCode;

// For the linker: see its documentation.
use pydd_glibc as _;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    bug::install_hook();
    let matches = Cli::command().get_matches();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    // The options of `watch` are those of compiling.
    let given = Given::on(matches.subcommand_matches("watch").unwrap_or(&matches));
    match &cli.command {
        Some(Command::Explain { code, json }) => explain::run(code.as_deref(), *json),
        Some(Command::Opt(args)) => opt::run(args),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::New { folder }) => new::run(folder),
        Some(Command::Watch(args)) => match args.options(given) {
            Ok(options) => watch::run(&args.files, &options),
            Err(error) => error.exit(),
        },
        Some(Command::Lsp { .. }) => lsp::run(),
        Some(Command::Completions { shell }) => shells::completions(*shell),
        Some(Command::Man) => shells::man(),
        None => match cli.compile.options(given) {
            Ok(options) => session::run(&cli.compile.files, &options),
            Err(error) => error.exit(),
        },
    }
}
