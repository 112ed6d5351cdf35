//! The table of the runtime's functions.

use crate::{clock, csr, fft, linalg, list, matmul, owner, parallel, random, sort, special};
use core::ffi::{c_char, c_void};
use pydd_abi::{ABI_VERSION, Ctx, ModuleSpec, PrintItem, Status, Table};

/// The table, with what touches the host: how a module is made of its description, and `print`.
#[must_use]
pub const fn table(
    module_init: unsafe extern "C" fn(spec: *const ModuleSpec) -> *mut c_void,
    print: unsafe extern "C" fn(
        ctx: *mut Ctx,
        items: *const PrintItem,
        n: i64,
        sep: *const c_char,
        end: *const c_char,
    ) -> Status,
) -> Table {
    Table {
        abi_version: ABI_VERSION,
        size: size_of::<Table>() as u32,
        module_init,
        array_alloc: owner::array_alloc,
        retain: owner::retain,
        release: owner::release,
        par_for: parallel::par_for,
        print,
        matmul: matmul::matmul,
        list_new: list::list_new,
        list_grow: list::list_grow,
        time: clock::time,
        sort: sort::sort,
        poll: clock::poll,
        fft: fft::fft,
        inverse_fft: fft::inverse_fft,
        real_fft: fft::real_fft,
        inverse_real_fft: fft::inverse_real_fft,
        solve: linalg::solve,
        slogdet: linalg::slogdet,
        cholesky: linalg::cholesky,
        qr: linalg::qr,
        svd: linalg::svd,
        eigh: linalg::eigh,
        eig: linalg::eig,
        argsort: sort::argsort,
        csr_times: csr::csr_times,
        par_append: parallel::par_append,
        seed_generator: random::seed_generator,
        draw_double: random::double,
        draw_single: random::single,
        draw_uniform: random::uniform,
        draw_normal: random::normal,
        draw_exponential: random::exponential,
        draw_poisson: random::poisson,
        draw_word: random::word,
        draw_integer: random::integer,
        draw_interval: random::interval,
        draw_seed: random::seed,
        draw_entropy: random::entropy,
        list_truncate: list::list_truncate,
        partition: sort::partition,
        argpartition: sort::argpartition,
        special: special::special,
        sparse_solve: linalg::sparse_solve,
    }
}
