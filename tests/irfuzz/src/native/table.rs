//! Two tables of runtime functions: the real one's, and one whose memory is guarded and whose parallel
//! loops have chunks of two iterations. Both count what is alive.
//!
//! Unsafe here: the functions trust generated code, as the real ones do.

use super::memory::Guarded;
use pydd_abi::{Ctx, DTypeCode, List, Owner, PrintItem, Status, Table};
use pydd_core::{list, owner};
use pydd_test_support::chunks::{par_append, par_for};
use pydd_test_support::load::module_init;
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

/// The real functions, with those that count.
const COUNTED: Table =
    Table { array_alloc: real_alloc, list_new, ..pydd_core::table::table(module_init, print) };

static REAL: Table = COUNTED;

static GUARDED: Table =
    Table { array_alloc: guarded_alloc, par_for: par_for::<2>, par_append: par_append::<2>, ..COUNTED };

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

unsafe extern "C" fn list_new(
    ctx: *mut Ctx,
    dtype: DTypeCode,
    depth: u8,
    len: i64,
    out: *mut *mut List,
) -> Status {
    // SAFETY: as the caller promises.
    unsafe {
        let status = list::list_new(ctx, dtype, depth, len, out);
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
        // Never freed, so that a late release is noticed.
        let owner = Box::into_raw(Box::new(Owner::new(Some(drop_guarded), block.data, bytes)));
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

unsafe extern "C" fn print(
    _ctx: *mut Ctx,
    _items: *const PrintItem,
    _n: i64,
    _sep: *const c_char,
    _end: *const c_char,
) -> Status {
    0
}
