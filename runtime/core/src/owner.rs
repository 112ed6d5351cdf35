//! Owners of array memory.
//!
//! A fresh array is one block: the [`Owner`] in its first 64 bytes, then the elements.
//!
//! Unsafe here: pointers that generated code passes, valid by the ABI's rules, and the block that
//! an owner of ours heads.

use crate::alloc::{self, ALIGN};
use crate::errors::{Error, guard};
use crate::message;
use pydd_abi::{Ctx, ExcKind, Owner, Status};
use std::ptr;
use std::sync::atomic::{Ordering, fence};

const HEADER: usize = ALIGN;
const _: () = assert!(size_of::<Owner>() <= HEADER);

/// The bytes of an array, by NumPy's rules: zero dimensions do not hide an overflow of the others.
pub fn array_bytes(dims: &[i64], item_size: i64) -> Result<usize, Error> {
    let mut bytes = item_size;
    let mut empty = false;
    for &dim in dims {
        if dim < 0 {
            return Err(Error::value("negative dimensions are not allowed"));
        }
        if dim == 0 {
            empty = true;
            continue;
        }
        bytes = bytes.checked_mul(dim).ok_or_else(too_big)?;
    }
    Ok(if empty { 0 } else { usize::try_from(bytes).map_err(|_| too_big())? })
}

fn too_big() -> Error {
    Error::value(
        "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
    )
}

/// Memory for an array, with a count of one.
pub fn new_array(dims: &[i64], item_size: i64, zero: bool) -> Result<*mut Owner, Error> {
    let bytes = array_bytes(dims, item_size)?;
    let owner = new_block(bytes, zero);
    if owner.is_null() {
        #[allow(clippy::cast_precision_loss)]
        let size = message::bytes(bytes as f64);
        let shape = message::shape(dims);
        let text = format!("Unable to allocate {size} for an array with shape {shape}");
        return Err(Error::new(ExcKind::MemoryError, text));
    }
    Ok(owner)
}

/// An owner with `bytes` bytes, or null.
#[must_use]
pub fn new_block(bytes: usize, zero: bool) -> *mut Owner {
    let block = alloc::allocate(bytes.saturating_add(HEADER), zero);
    if block.is_null() {
        return ptr::null_mut();
    }
    let owner = block.cast::<Owner>();
    // SAFETY: the block is aligned to 64 bytes and has room for the header and `bytes` more.
    unsafe { owner.write(Owner::new(Some(drop_block), block.add(HEADER), bytes)) };
    owner
}

/// # Safety
/// The owner at the head of a block that `new_block` made, whose count fell to zero.
unsafe extern "C" fn drop_block(owner: *mut Owner) {
    // SAFETY: `owner` heads a block of `new_block`, and the count fell to zero.
    unsafe {
        let data = (*owner).data as usize;
        pydd_gpu::forget(&(data..data + (*owner).capacity));
        alloc::free(owner.cast(), (*owner).capacity + HEADER);
    }
}

/// Whether an owner heads memory of [`new_block`].
///
/// # Safety
/// It is null or alive.
pub unsafe fn is_fresh(owner: *const Owner) -> bool {
    // SAFETY: by the caller's promise.
    !owner.is_null()
        && unsafe { (*owner).drop }
            .is_some_and(|drop| ptr::fn_addr_eq(drop, drop_block as unsafe extern "C" fn(_)))
}

/// The table's `array_alloc`.
///
/// # Safety
/// `dims` points to `rank` dimensions; `out` is written on success.
pub unsafe extern "C" fn array_alloc(
    ctx: *mut Ctx,
    rank: i64,
    dims: *const i64,
    item_size: i64,
    zero: i32,
    out: *mut *mut Owner,
) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let dims = unsafe { slice(dims, rank) };
        let owner = new_array(dims, item_size, zero != 0)?;
        // SAFETY: by the caller's promise.
        unsafe { out.write(owner) };
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// `n` items at `data`, which may be null when there are none.
///
/// # Safety
/// `data` points to `n` initialised items that outlive the slice.
pub unsafe fn slice<'a, T>(data: *const T, n: i64) -> &'a [T] {
    match usize::try_from(n) {
        // SAFETY: by the caller's promise.
        Ok(n) if n > 0 => unsafe { std::slice::from_raw_parts(data, n) },
        _ => &[],
    }
}

/// The table's `retain`.
///
/// # Safety
/// `owner` is null or alive.
pub unsafe extern "C" fn retain(owner: *mut Owner) {
    if !owner.is_null() {
        // SAFETY: alive by the caller's promise.
        unsafe { (*owner).count.fetch_add(1, Ordering::Relaxed) };
    }
}

/// The table's `release`. As with `Arc`, the last release sees all that the others did.
///
/// # Safety
/// `owner` is null or alive, and the caller gives up one count.
pub unsafe extern "C" fn release(owner: *mut Owner) {
    if owner.is_null() {
        return;
    }
    // SAFETY: alive by the caller's promise; after the count fell to zero it is ours alone.
    unsafe {
        if (*owner).count.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            if let Some(drop) = (*owner).drop {
                drop(owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ctx, error};

    fn alloc_error(dims: &[i64]) -> (u32, String) {
        let mut c = ctx();
        let mut out = ptr::null_mut();
        let rank = i64::try_from(dims.len()).unwrap();
        // SAFETY: valid pointers.
        let status = unsafe { array_alloc(&mut c, rank, dims.as_ptr(), 8, 1, &mut out) };
        assert_eq!(status, 1);
        error(&mut c)
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri ends where memory does")]
    fn absurd_shapes_fail_as_in_numpy() {
        let (kind, text) = alloc_error(&[1_000_000_000_000_000_000]);
        assert_eq!(kind, ExcKind::MemoryError as u32);
        assert_eq!(text, "Unable to allocate 6.94 EiB for an array with shape (1000000000000000000,)");
        let negative = (ExcKind::ValueError as u32, "negative dimensions are not allowed".into());
        assert_eq!(alloc_error(&[2, -1]), negative);
        for dims in [[1 << 40, 1 << 40], [0, 1 << 62]] {
            assert!(alloc_error(&dims).1.starts_with("array is too big; `arr.size"));
        }
    }

    #[test]
    fn the_last_release_frees() {
        let owner = new_array(&[3, 4], 8, true).unwrap();
        // SAFETY: alive until the last release.
        unsafe {
            assert_eq!((*owner).capacity, 96);
            assert!(((*owner).data as usize).is_multiple_of(ALIGN));
            retain(owner);
            release(owner);
            assert_eq!((*owner).count.load(Ordering::Relaxed), 1);
            release(owner);
            release(ptr::null_mut());
            retain(ptr::null_mut());
        }
    }

    #[test]
    fn empty_arrays_have_an_owner_too() {
        let owner = new_array(&[0, 5], 8, false).unwrap();
        // SAFETY: ours.
        unsafe { release(owner) };
        assert_eq!(array_bytes(&[], 16), Ok(16));
    }
}
