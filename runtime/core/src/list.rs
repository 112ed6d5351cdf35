//! Lists of scalars.
//!
//! Unsafe here: a list is a heap value behind a raw pointer whose memory this file alone frees.

use crate::errors::{Error, guard};
use pydd_abi::{Ctx, DTypeCode, ExcKind, List, Owner, Status};
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ptr;
use std::sync::atomic::AtomicI64;

/// A list of `len` uninitialised items, with a count of one.
pub fn new(dtype: DTypeCode, len: i64) -> Result<*mut List, Error> {
    let len = len.max(0);
    let layout = items_layout(dtype, len)?;
    let data = if layout.size() == 0 {
        ptr::null_mut()
    } else {
        // SAFETY: the size is not zero.
        unsafe { alloc(layout) }
    };
    if data.is_null() && layout.size() != 0 {
        return Err(no_memory());
    }
    let owner = Owner {
        count: AtomicI64::new(1),
        drop: Some(drop_list),
        data: ptr::null_mut(),
        capacity: 0,
        object: ptr::null_mut(),
    };
    let list = List { owner, data, len, cap: len, dtype, _pad: [0; 7] };
    Ok(Box::into_raw(Box::new(list)))
}

fn items_layout(dtype: DTypeCode, items: i64) -> Result<Layout, Error> {
    usize::try_from(items)
        .ok()
        .and_then(|n| n.checked_mul(dtype.size()))
        .and_then(|bytes| Layout::from_size_align(bytes, 16).ok())
        .ok_or_else(no_memory)
}

fn no_memory() -> Error {
    Error::new(ExcKind::MemoryError, "")
}

/// # Safety
/// The owner of a list that [`new`] made, whose count fell to zero.
unsafe extern "C" fn drop_list(owner: *mut Owner) {
    // SAFETY: the owner is the first field of a boxed list of `new`.
    let list = unsafe { Box::from_raw(owner.cast::<List>()) };
    if let Ok(layout) = items_layout(list.dtype, list.cap)
        && layout.size() != 0
    {
        // SAFETY: `data` was allocated with this layout.
        unsafe { dealloc(list.data, layout) };
    }
}

/// Room for one more item, by growing half as much again.
fn grow(list: &mut List) -> Result<(), Error> {
    if list.len < list.cap {
        return Ok(());
    }
    let cap = list.cap.saturating_add(list.cap / 2).max(8);
    let (old, new) = (items_layout(list.dtype, list.cap)?, items_layout(list.dtype, cap)?);
    // SAFETY: `data` was allocated with `old`, unless there were no items.
    let data = unsafe { if old.size() == 0 { alloc(new) } else { realloc(list.data, old, new.size()) } };
    if data.is_null() {
        return Err(no_memory());
    }
    list.data = data;
    list.cap = cap;
    Ok(())
}

/// The table's `list_new`.
///
/// # Safety
/// `out` is written on success.
pub unsafe extern "C" fn list_new(ctx: *mut Ctx, dtype: DTypeCode, len: i64, out: *mut *mut List) -> Status {
    let body = || {
        let list = new(dtype, len)?;
        // SAFETY: by the caller's promise.
        unsafe { out.write(list) };
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// The table's `list_grow`.
///
/// # Safety
/// `list` is alive, and no other thread uses it.
pub unsafe extern "C" fn list_grow(ctx: *mut Ctx, list: *mut List) -> Status {
    // SAFETY: by the caller's promise.
    unsafe { guard(ctx, || grow(&mut *list)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owner::release;
    use crate::testing::{ctx, error};

    #[test]
    fn a_list_grows_and_keeps_its_items() {
        let mut c = ctx();
        let mut list = ptr::null_mut();
        // SAFETY: the list is alive until its release.
        unsafe {
            assert_eq!(list_new(&mut c, DTypeCode::I64, 0, &mut list), 0);
            for i in 0..1000 {
                assert_eq!(list_grow(&mut c, list), 0);
                (*list).data.cast::<i64>().add(i).write(i64::try_from(i).unwrap());
                (*list).len += 1;
            }
            assert_eq!((*list).data.cast::<i64>().add(999).read(), 999);
            assert!((*list).cap < 2000);
            release(&raw mut (*list).owner);
        }
    }

    #[test]
    fn an_absurd_length_is_a_memory_error() {
        let mut c = ctx();
        let mut list = ptr::null_mut();
        // SAFETY: valid pointers.
        assert_eq!(unsafe { list_new(&mut c, DTypeCode::C128, i64::MAX, &mut list) }, 1);
        assert_eq!(error(&mut c).0, ExcKind::MemoryError as u32);
    }
}
