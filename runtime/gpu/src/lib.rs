//! Kernels of parallel loops on CUDA devices.
//!
//! A loop's way: [`run`] asks whether a device is there and wanted ([`device`], [`wish`]) and worth it ([`cost`]), reads what the loop captures
//! ([`environment`]), joins the memory of its arrays to segments ([`footprint`], [`segments`]), and copies these to the device ([`worker`]). It launches the
//! kernel ([`code`]) in pieces ([`pace`]), and writes what changed into the arrays when all has arrived. So whatever fails, the arrays are untouched,
//! and the loop runs on the processor.
//!
//! Only `driver` calls CUDA. Nothing asks for a driver before the first loop with a kernel, or module with such.

mod code;
mod cost;
mod device;
mod driver;
mod environment;
mod footprint;
mod memory;
mod pace;
mod run;
mod say;
mod segments;
mod wish;
mod worker;

pub use device::{Found, found, is_wanted, release};
pub use driver::Properties;
pub use run::{Caller, Job, Outcome, run};
