//! What shells and `man` know of the command: `pyddc completions` and `pyddc man`.

use crate::cli::Cli;
use crate::say;
use clap::{Command, CommandFactory};
use clap_complete::shells;
use std::process::ExitCode;

/// A shell that completions are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Prints the completions for a shell.
#[must_use]
pub fn completions(shell: Shell) -> ExitCode {
    let (mut script, mut command, name) = (Vec::new(), Cli::command(), "pyddc");
    match shell {
        Shell::Bash => clap_complete::generate(shells::Bash, &mut command, name, &mut script),
        Shell::Zsh => clap_complete::generate(shells::Zsh, &mut command, name, &mut script),
        Shell::Fish => clap_complete::generate(shells::Fish, &mut command, name, &mut script),
    }
    print(&script)
}

/// Prints the manual page of the command and, behind it, of its subcommands.
#[must_use]
pub fn man() -> ExitCode {
    print(&page())
}

/// The manual page in roff.
#[must_use]
pub fn page() -> Vec<u8> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    // Writing to a vector has no way to fail.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut page);
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        subcommand(inner, &mut page);
    }
    page
}

/// A subcommand's part of the page: what it is called with, and its options.
fn subcommand(command: &Command, page: &mut Vec<u8>) {
    let title = format!(".SH \"PYDDC {}\"\n", command.get_name().to_uppercase());
    page.extend_from_slice(title.as_bytes());
    let man = clap_mangen::Man::new(command.clone());
    let _ = man.render_description_section(page);
    if command.get_arguments().next().is_some() {
        let _ = man.render_options_section(page);
    }
}

fn print(text: &[u8]) -> ExitCode {
    match say::output(&String::from_utf8_lossy(text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say!("pyddc: cannot write the output: {error}");
            ExitCode::from(2)
        }
    }
}
