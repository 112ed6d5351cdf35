//! One function for one list of parameter types: its state, its statements and loops, and what each name stands for
//! where ways meet. What an expression gives is asked of `expressions`; which functions are made is decided in `program`.

pub(super) mod absent;
pub(super) mod assign;
pub(super) mod env;
pub(super) mod function;
pub(super) mod hidden;
pub(super) mod infer;
pub(super) mod iterate;
pub(super) mod itertools;
pub(super) mod loops;
pub(super) mod pfor;
pub(super) mod pfor_dicts;
pub(super) mod reduced;
pub(super) mod sizes;
pub(super) mod steps;
pub(super) mod stmt;
mod unpack;
pub(super) mod winner;
