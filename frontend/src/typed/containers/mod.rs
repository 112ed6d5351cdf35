//! Values that are taken apart into numbers, arrays and lists: tuples, lists, heaps, dicts, sets, sparse matrices. What is
//! done with many items is written in the prelude; here are the operations that depend on how many parts there are.

pub(super) mod dict_methods;
pub(super) mod dict_ops;
pub(super) mod dict_wholes;
pub(super) mod dicts;
pub(super) mod heaps;
pub(super) mod list_items;
pub(super) mod list_ops;
pub(super) mod long_lists;
pub(super) mod own;
pub(super) mod sparse;
pub(super) mod sparse_index;
pub(super) mod tuples;
