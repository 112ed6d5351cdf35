//! The table of the runtime's functions.

use core::ffi::{c_char, c_void};
use pydd_abi::{ABI_VERSION, Ctx, ModuleSpec, PrintItem, Status, Table, for_each_function};

/// How a module is made of its description: the host's.
pub type ModuleInit = unsafe extern "C" fn(spec: *const ModuleSpec) -> *mut c_void;

/// Python's `print`: the host's.
pub type Print = unsafe extern "C" fn(
    ctx: *mut Ctx,
    items: *const PrintItem,
    n: i64,
    sep: *const c_char,
    end: *const c_char,
) -> Status;

/// The functions of the table, by their names there. Those of the host do nothing here.
mod functions {
    #![allow(non_upper_case_globals, reason = "constants that stand for functions")]

    pub use crate::clock::*;
    pub use crate::csr::*;
    pub use crate::fft::*;
    pub use crate::linalg::*;
    pub use crate::list::*;
    pub use crate::matmul::*;
    pub use crate::owner::*;
    pub use crate::parallel::*;
    pub use crate::random::*;
    pub use crate::sort::*;
    pub use crate::special::*;
    use pydd_abi::Table;

    pub const module_init: super::ModuleInit = Table::STUBS.module_init;
    pub const print: super::Print = Table::STUBS.print;
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
