//! The table of the runtime's functions.

use pydd_abi::{ABI_VERSION, ModuleInit, Print, Table, for_each_function};

/// The functions of the table, by their names there. Those of the host do nothing here.
mod functions {
    #![allow(non_upper_case_globals, reason = "constants that stand for functions")]

    pub use crate::clock::*;
    pub use crate::csr::*;
    pub use crate::device::*;
    pub use crate::device_library::*;
    pub use crate::fft::*;
    pub use crate::linalg::*;
    pub use crate::list::*;
    pub use crate::matmul::*;
    pub use crate::owner::*;
    pub use crate::parallel::*;
    pub use crate::random::*;
    pub use crate::sort::*;
    pub use crate::special::*;
    use pydd_abi::{ModuleInit, Print, Table};

    pub const module_init: ModuleInit = Table::STUBS.module_init;
    pub const print: Print = Table::STUBS.print;
}

macro_rules! filled {
    ($($name:ident)*) => {
        Table { abi_version: ABI_VERSION, size: size_of::<Table>() as u32, $($name: functions::$name),* }
    };
}

const WITHOUT_HOST: Table = for_each_function!(filled!);

/// The table, with what touches the host.
#[must_use]
pub const fn table(module_init: ModuleInit, print: Print) -> Table {
    Table { module_init, print, ..WITHOUT_HOST }
}
