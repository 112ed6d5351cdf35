//! The table that kernels get through the capsule.

use pydd_abi::Table;

pub static TABLE: Table = pydd_core::table::table(crate::module::module_init, crate::print::print);
