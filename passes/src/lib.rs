//! IR to IR passes, one file for each, and the pipeline.
//!
//! [`pipeline`] holds the whole order. [`array`] are the passes on array IR, [`lower`] turns array IR into
//! loop IR, [`loops`] are the passes on it, [`ownership`] says there who frees what.

pub mod analysis;
pub mod array;
pub mod drop_unused;
pub mod loops;
pub mod lower;
pub mod ownership;
pub mod pass;
pub mod pipeline;
pub mod report;
#[cfg(test)]
mod testing;
pub mod versions;

pub use pass::{Finding, Need, OptLevel, Options, Pass, PassContext};
pub use pipeline::{Observer, PIPELINE, Quiet, Stopped, find, run_one, run_pipeline};
