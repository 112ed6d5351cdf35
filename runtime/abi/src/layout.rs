//! Offsets that generated code uses, taken from the types themselves.

use crate::{Ctx, List, Table};
use core::mem::offset_of;

pub const CTX_TABLE: usize = offset_of!(Ctx, table);
pub const CTX_STACK_LIMIT: usize = offset_of!(Ctx, stack_limit);
pub const CTX_SITE: usize = offset_of!(Ctx, site);
pub const CTX_KIND: usize = offset_of!(Ctx, kind);
pub const CTX_CALLER: usize = offset_of!(Ctx, caller);
pub const CTX_PAYLOAD: usize = offset_of!(Ctx, payload);

pub const LIST_DATA: usize = offset_of!(List, data);
pub const LIST_LEN: usize = offset_of!(List, len);
pub const LIST_CAP: usize = offset_of!(List, cap);

pub const OWNER_DATA: usize = offset_of!(crate::Owner, data);

pub const TABLE_ABI_VERSION: usize = offset_of!(Table, abi_version);
pub const TABLE_SIZE: usize = offset_of!(Table, size);
pub const TABLE_MODULE_INIT: usize = offset_of!(Table, module_init);
pub const TABLE_ARRAY_ALLOC: usize = offset_of!(Table, array_alloc);
pub const TABLE_RETAIN: usize = offset_of!(Table, retain);
pub const TABLE_RELEASE: usize = offset_of!(Table, release);
pub const TABLE_PAR_FOR: usize = offset_of!(Table, par_for);
pub const TABLE_PRINT: usize = offset_of!(Table, print);
pub const TABLE_MATMUL: usize = offset_of!(Table, matmul);
pub const TABLE_LIST_NEW: usize = offset_of!(Table, list_new);
pub const TABLE_LIST_GROW: usize = offset_of!(Table, list_grow);
pub const TABLE_TIME: usize = offset_of!(Table, time);
pub const TABLE_SORT: usize = offset_of!(Table, sort);
pub const TABLE_POLL: usize = offset_of!(Table, poll);
pub const TABLE_FFT: usize = offset_of!(Table, fft);
pub const TABLE_INVERSE_FFT: usize = offset_of!(Table, inverse_fft);
pub const TABLE_REAL_FFT: usize = offset_of!(Table, real_fft);
pub const TABLE_INVERSE_REAL_FFT: usize = offset_of!(Table, inverse_real_fft);
pub const TABLE_SOLVE: usize = offset_of!(Table, solve);
pub const TABLE_SLOGDET: usize = offset_of!(Table, slogdet);
pub const TABLE_CHOLESKY: usize = offset_of!(Table, cholesky);
pub const TABLE_QR: usize = offset_of!(Table, qr);
pub const TABLE_SVD: usize = offset_of!(Table, svd);
pub const TABLE_EIGH: usize = offset_of!(Table, eigh);
pub const TABLE_EIG: usize = offset_of!(Table, eig);
pub const TABLE_ARGSORT: usize = offset_of!(Table, argsort);
pub const TABLE_CSR_TIMES: usize = offset_of!(Table, csr_times);
pub const TABLE_SPARSE_SOLVE: usize = offset_of!(Table, sparse_solve);
pub const TABLE_PAR_APPEND: usize = offset_of!(Table, par_append);
pub const TABLE_SEED_GENERATOR: usize = offset_of!(Table, seed_generator);
pub const TABLE_DRAW_DOUBLE: usize = offset_of!(Table, draw_double);
pub const TABLE_DRAW_SINGLE: usize = offset_of!(Table, draw_single);
pub const TABLE_DRAW_UNIFORM: usize = offset_of!(Table, draw_uniform);
pub const TABLE_DRAW_NORMAL: usize = offset_of!(Table, draw_normal);
pub const TABLE_DRAW_EXPONENTIAL: usize = offset_of!(Table, draw_exponential);
pub const TABLE_DRAW_POISSON: usize = offset_of!(Table, draw_poisson);
pub const TABLE_DRAW_WORD: usize = offset_of!(Table, draw_word);
pub const TABLE_DRAW_INTEGER: usize = offset_of!(Table, draw_integer);
pub const TABLE_DRAW_INTERVAL: usize = offset_of!(Table, draw_interval);
pub const TABLE_DRAW_SEED: usize = offset_of!(Table, draw_seed);
pub const TABLE_DRAW_ENTROPY: usize = offset_of!(Table, draw_entropy);
pub const TABLE_LIST_TRUNCATE: usize = offset_of!(Table, list_truncate);
pub const TABLE_PARTITION: usize = offset_of!(Table, partition);
pub const TABLE_ARGPARTITION: usize = offset_of!(Table, argpartition);
pub const TABLE_SPECIAL: usize = offset_of!(Table, special);
