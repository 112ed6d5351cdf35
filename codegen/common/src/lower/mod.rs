//! Loop IR to a backend's instructions: the one walk that all backends share.
//!
//! `module` declares what there is, `function` holds the state of one function and the dispatch over
//! operations, and the other files lower one topic each. What no file here decides: what a program means
//! (the IR says it), how the runtime is called (`pydd_abi` says it), and how an instruction looks on a
//! machine (that is what implementations of [`Emit`](crate::emit::Emit) say).

mod arrays;
mod batch;
mod calls;
mod checks;
mod combine;
mod control;
mod copies;
mod draws;
mod entries;
mod function;
mod helpers;
mod lanes;
mod launch;
mod library;
mod lists;
mod loops;
mod memory;
mod module;
mod owners;
mod polls;
mod private;
mod regions;
mod scalar;
mod several;
mod unrolled;
mod values;

pub use lanes::{CTX_LANES, CTX_LIMIT, LEAVES};
pub use module::{Known, OnDevice, lower, lower_for_device, source};
pub use private::is_private;
pub use values::part_types;
