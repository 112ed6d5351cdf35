//! The program as a whole: files and their names, signatures and exports, which functions are made for which types, and
//! the typed program that comes of it. What a function does is walked in `flow`.

pub mod alias;
pub mod dump;
pub(super) mod exports;
pub(super) mod inspect;
pub(super) mod module_constant;
pub mod notes;
pub(super) mod renumber;
pub(super) mod session;
pub(super) mod signature;
pub(super) mod static_param;
pub mod tree;
pub mod ufunc;
pub(crate) mod unit;
pub mod visit;
