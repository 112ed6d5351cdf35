//! Sessions, options and the `pyddc` command.
//!
//! This crate is the only one that reads files, writes modules and prints.

pub mod backend;
pub mod bug;
pub mod case;
pub mod cli;
pub mod depfile;
pub mod explain;
pub mod host;
pub mod opt;
pub mod options;
pub mod pir;
pub mod place;
pub mod report;
pub mod say;
pub mod session;
pub mod stub;

pub use options::{Options, Stage};
