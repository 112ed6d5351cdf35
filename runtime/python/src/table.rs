//! The table that kernels get through the capsule.

use pydd_abi::{ABI_VERSION, Table};
use pydd_core::{clock, csr, fft, linalg, list, matmul, owner, parallel, sort};

pub static TABLE: Table = Table {
    abi_version: ABI_VERSION,
    size: size_of::<Table>() as u32,
    module_init: crate::module::module_init,
    array_alloc: owner::array_alloc,
    retain: owner::retain,
    release: owner::release,
    par_for: parallel::par_for,
    print: crate::print::print,
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
};
