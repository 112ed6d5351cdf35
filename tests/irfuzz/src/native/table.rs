//! Two tables of runtime functions: the real one's, and one whose memory is guarded and whose parallel
//! loops have chunks of two iterations. Both count what is alive.
//!
//! Unsafe here: the functions trust generated code, as the real ones do.

use super::memory::Guarded;
use pydd_abi::{ABI_VERSION, Ctx, DTypeCode, List, Owner, ParBody, ParCombine, PrintItem, Status, Table};
use pydd_core::{clock, csr, fft, linalg, list, matmul, owner, parallel, sort};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

static ALIVE: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// Memory of guarded owners, by the owner's address.
    static BLOCKS: RefCell<BTreeMap<usize, Guarded>> = const { RefCell::new(BTreeMap::new()) };
    static DAMAGED: RefCell<bool> = const { RefCell::new(false) };
}

type Drop = unsafe extern "C" fn(*mut Owner);
/// What the real runtime's owners are dropped with.
static REAL_DROPS: Mutex<BTreeMap<usize, Drop>> = Mutex::new(BTreeMap::new());

pub fn alive() -> i64 {
    ALIVE.load(Ordering::SeqCst)
}

pub fn forget() {
    ALIVE.store(0, Ordering::SeqCst);
    BLOCKS.take().into_values().for_each(std::mem::forget);
}

/// Whether something was written beside an array since the last question.
pub fn take_damage() -> bool {
    DAMAGED.take()
}

pub fn table(real: bool) -> &'static Table {
    if real { &REAL } else { &GUARDED }
}

static REAL: Table = Table {
    abi_version: ABI_VERSION,
    size: size_of::<Table>() as u32,
    module_init: super::load::module_init,
    array_alloc: real_alloc,
    retain: owner::retain,
    release: owner::release,
    par_for: parallel::par_for,
    print,
    matmul: matmul::matmul,
    list_new,
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

static GUARDED: Table = Table {
    abi_version: ABI_VERSION,
    size: size_of::<Table>() as u32,
    module_init: super::load::module_init,
    array_alloc: guarded_alloc,
    retain: owner::retain,
    release: owner::release,
    par_for,
    print,
    matmul: matmul::matmul,
    list_new,
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
    par_append,
};

/// Counts an owner of the real runtime until it is dropped.
unsafe fn count(owner: *mut Owner) {
    // SAFETY: a fresh owner.
    unsafe {
        let real = (*owner).drop.expect("fresh owners can be dropped");
        REAL_DROPS.lock().expect("no panics").insert(owner as usize, real);
        (*owner).drop = Some(counted_drop);
    }
    ALIVE.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn counted_drop(owner: *mut Owner) {
    ALIVE.fetch_sub(1, Ordering::SeqCst);
    let real = REAL_DROPS.lock().expect("no panics").remove(&(owner as usize));
    if let Some(real) = real {
        // SAFETY: its own drop function.
        unsafe { real(owner) };
    }
}

unsafe extern "C" fn real_alloc(
    ctx: *mut Ctx,
    rank: i64,
    dims: *const i64,
    item_size: i64,
    zero: i32,
    out: *mut *mut Owner,
) -> Status {
    // SAFETY: as the caller promises.
    unsafe {
        let status = owner::array_alloc(ctx, rank, dims, item_size, zero, out);
        if status == 0 {
            count(*out);
        }
        status
    }
}

unsafe extern "C" fn list_new(ctx: *mut Ctx, dtype: DTypeCode, len: i64, out: *mut *mut List) -> Status {
    // SAFETY: as the caller promises.
    unsafe {
        let status = list::list_new(ctx, dtype, len, out);
        if status == 0 {
            count((*out).cast());
        }
        status
    }
}

unsafe extern "C" fn guarded_alloc(
    ctx: *mut Ctx,
    rank: i64,
    dims: *const i64,
    item_size: i64,
    zero: i32,
    out: *mut *mut Owner,
) -> Status {
    let mut real = ptr::null_mut();
    // The real one knows which sizes are wrong.
    // SAFETY: as the caller promises.
    let status = unsafe { owner::array_alloc(ctx, rank, dims, item_size, zero, &mut real) };
    if status != 0 {
        return status;
    }
    // SAFETY: the real owner is alive up to its release; `out` takes an owner.
    unsafe {
        let bytes = (*real).capacity;
        owner::release(real);
        let block = Guarded::new(bytes, 64);
        if zero != 0 {
            ptr::write_bytes(block.data, 0, bytes);
        }
        let owner = Owner {
            count: AtomicI64::new(1),
            drop: Some(drop_guarded),
            data: block.data,
            capacity: bytes,
            object: ptr::null_mut(),
        };
        // Never freed, so that a late release is noticed.
        let owner = Box::into_raw(Box::new(owner));
        BLOCKS.with_borrow_mut(|blocks| blocks.insert(owner as usize, block));
        out.write(owner);
    }
    ALIVE.fetch_add(1, Ordering::SeqCst);
    0
}

unsafe extern "C" fn drop_guarded(owner: *mut Owner) {
    ALIVE.fetch_sub(1, Ordering::SeqCst);
    match BLOCKS.with_borrow_mut(|blocks| blocks.remove(&(owner as usize))) {
        Some(block) if block.is_intact() => {}
        _ => DAMAGED.set(true),
    }
}

unsafe extern "C" fn par_for(
    ctx: *mut Ctx,
    n: i64,
    cost: i64,
    body: ParBody,
    env: *const u64,
    acc: *mut u64,
    identity: *const u64,
    acc_words: i64,
    combine: Option<ParCombine>,
) -> Status {
    // SAFETY: as the caller promises; no lists.
    unsafe { par_append(ctx, n, cost, body, env, acc, identity, acc_words, combine, ptr::null(), 0) }
}

/// Each chunk appends to lists of its own.
unsafe extern "C" fn par_append(
    ctx: *mut Ctx,
    n: i64,
    _cost: i64,
    body: ParBody,
    env: *const u64,
    acc: *mut u64,
    identity: *const u64,
    acc_words: i64,
    combine: Option<ParCombine>,
    lists: *const *mut List,
    list_count: i64,
) -> Status {
    let (words, count) = (acc_words as usize, list_count as usize);
    let mut begin = 0;
    while begin < n {
        let end = n.min(begin.saturating_add(2));
        let mut part = vec![0; words + count];
        // SAFETY: the pointers hold what the ABI says.
        unsafe {
            if words > 0 {
                ptr::copy_nonoverlapping(identity, part.as_mut_ptr(), words);
            }
            let mut own = vec![ptr::null_mut::<List>(); count];
            let mut status = 0;
            for (which, list) in own.iter_mut().enumerate() {
                status |= list_new(ctx, (**lists.add(which)).dtype, 0, list);
                part[words + which] = list.expose_provenance() as u64;
            }
            if status == 0 {
                status = body(ctx, env, begin, end, part.as_mut_ptr());
            }
            for (which, &list) in own.iter().enumerate() {
                if status == 0 {
                    status = join(ctx, *lists.add(which), list);
                }
            }
            own.iter().for_each(|&list| owner::release(list.cast()));
            if status != 0 {
                return status;
            }
            if let (Some(combine), true) = (combine, words > 0) {
                combine(acc, part.as_ptr());
            }
        }
        begin = end;
    }
    0
}

/// Appends the items of a part.
unsafe fn join(ctx: *mut Ctx, list: *mut List, part: *mut List) -> Status {
    // SAFETY: both are alive and have items of one type.
    unsafe {
        for item in 0..(*part).len as usize {
            if (*list).len == (*list).cap && list::list_grow(ctx, list) != 0 {
                return 1;
            }
            let size = (*list).dtype.size();
            let end = (*list).data.add((*list).len as usize * size);
            ptr::copy_nonoverlapping((*part).data.add(item * size), end, size);
            (*list).len += 1;
        }
    }
    0
}

unsafe extern "C" fn print(
    _ctx: *mut Ctx,
    _items: *const PrintItem,
    _n: i64,
    _sep: *const c_char,
    _end: *const c_char,
) -> Status {
    0
}
