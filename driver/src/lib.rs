//! Sessions, options and the `pyddc` command.
//!
//! This crate is the only one that reads files, writes modules and prints.

pub mod backend;
pub mod bug;
pub mod case;
pub mod check;
pub mod cli;
pub mod depfile;
pub mod digest;
pub mod explain;
pub mod host;
pub mod lsp;
pub mod new;
pub mod opt;
pub mod options;
pub mod pir;
pub mod place;
pub mod progress;
pub mod report;
pub mod say;
pub mod session;
pub mod settings;
pub mod shells;
pub mod stub;
pub mod watch;

pub use options::{Options, Stage};
