//! Mutated sources through the frontend and the passes, without a backend: nothing may panic, hang, or leave
//! IR that the verifier objects to.
//!
//! - [`corpus`]: where sources come from; [`mutate`]: how they are changed, with [`words`] and [`tokens`];
//! - [`check`]: what must hold; [`epoch`]: a number of inputs in a row;
//! - [`shrink`] and [`found`]: what becomes of a finding;
//! - [`supervise`]: runs epochs in a process of its own, which may crash or hang.

pub mod check;
pub mod corpus;
pub mod epoch;
pub mod found;
pub mod mutate;
pub mod shrink;
pub mod supervise;
pub mod tokens;
pub mod words;
