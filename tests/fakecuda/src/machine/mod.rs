//! Runs a kernel: blocks, warps and threads of a decoded program, in an order that a seed shuffles.
//!
//! Each thread has a program counter of its own and runs for a random number of instructions at a time, so that lanes diverge freely and a
//! missing barrier shows. Warps exist for instructions that their lanes do together. Memory is sequential: weak orders are not modelled.

mod block;
mod launch;
mod step;
mod thread;
mod warp;

pub use launch::{Launch, run};
