//! Kernels of parallel loops on CUDA devices.
//!
//! A loop's way: [`run`] asks whether a device is there and wanted ([`device`], [`wish`]) and worth it ([`cost`]), reads what the loop captures
//! ([`environment`]), joins the memory of its arrays to segments ([`footprint`], [`segments`]), and has the call's session copy to the device what is not there ([`session`],
//! [`mirror`], [`worker`], which has [`ring`]s of pinned memory and [`helpers`]). It launches the kernel ([`code`]) in pieces ([`pace`]), with
//! one or several threads for an iteration ([`lanes`]), and learns from the [`board`] what failed. What tells nothing is not waited for ([`queue`], [`backlog`]), nor at the end of a call whose arrays all live there ([`mark`]). Where the device's memory is too small, a part of the iterations after the other, each with what
//! it touches ([`spans`]). What kernels wrote comes back when the processor asks for it, or when the call ends. So whatever
//! fails, the host's memory is as it was before the loop, and the loop runs on the processor; unless earlier loops left results on the device, which are then lost, or are there in part.
//!
//! Matrix products and Fourier transforms are NVIDIA's libraries', where these are found ([`library`]).
//!
//! Only `driver` calls CUDA, and only `library` those. Nothing asks for a driver before the first loop with a kernel, or module with such.

mod backlog;
mod board;
mod code;
mod cost;
mod device;
mod driver;
mod environment;
mod footprint;
mod helpers;
mod lanes;
mod library;
mod mark;
mod memory;
mod mirror;
mod pace;
mod queue;
mod resident;
mod ring;
mod run;
mod say;
mod segments;
mod session;
mod spans;
mod wish;
mod worker;

pub use device::{Found, found, is_there, is_wanted, release, synchronize, takes_all};
pub use driver::Properties;
pub use footprint::Footprint;
pub use library::{Attempt, Call, Function, Operand, library, look_in};
pub use resident::{CallArrays, Pending, Refused, Resident};
pub use run::{Caller, Job, Outcome, run};
pub use session::{Lost, apart, end, forget, host_access, is_preferred};
