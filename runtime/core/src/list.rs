//! Lists of scalars and of lists.
//!
//! Unsafe here: a list is a heap value behind a raw pointer whose memory this file alone frees.

use crate::errors::{Error, guard};
use crate::owner::{release, retain};
use pydd_abi::{Ctx, DTypeCode, ExcKind, List, Owner, Status, list_item_size};
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ptr;

/// A list of `len` uninitialised scalars, with a count of one.
pub fn new(dtype: DTypeCode, len: i64) -> Result<*mut List, Error> {
    with_depth(dtype, 1, len)
}

/// A list of `len` uninitialised items, with a count of one: of scalars, or of lists where the depth is above 1.
pub fn with_depth(dtype: DTypeCode, depth: u8, len: i64) -> Result<*mut List, Error> {
    let len = len.max(0);
    let layout = items_layout(list_item_size(dtype, depth), len)?;
    let data = if layout.size() == 0 {
        ptr::null_mut()
    } else {
        // SAFETY: the size is not zero.
        unsafe { alloc(layout) }
    };
    if data.is_null() && layout.size() != 0 {
        return Err(no_memory());
    }
    let owner = Owner::new(Some(drop_list), ptr::null_mut(), 0);
    let list = List { owner, data, len, cap: len, dtype, depth, _pad: [0; 6] };
    Ok(Box::into_raw(Box::new(list)))
}

fn items_layout(size: usize, items: i64) -> Result<Layout, Error> {
    usize::try_from(items)
        .ok()
        .and_then(|n| n.checked_mul(size))
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
    let mut list = unsafe { Box::from_raw(owner.cast::<List>()) };
    if list.holds_lists() {
        // SAFETY: nobody else has the list any more.
        unsafe { truncate(&mut list, 0) };
    }
    if let Ok(layout) = items_layout(list.item_size(), list.cap)
        && layout.size() != 0
    {
        // SAFETY: `data` was allocated with this layout.
        unsafe { dealloc(list.data, layout) };
    }
}

/// Room for `more` items, by growing half as much again at least.
fn grow(list: &mut List, more: i64) -> Result<(), Error> {
    let wanted = list.len.saturating_add(more);
    if wanted <= list.cap {
        return Ok(());
    }
    let cap = list.cap.saturating_add(list.cap / 2).max(8).max(wanted);
    let (old, new) = (items_layout(list.item_size(), list.cap)?, items_layout(list.item_size(), cap)?);
    // SAFETY: `data` was allocated with `old`, unless there were no items.
    let data = unsafe { if old.size() == 0 { alloc(new) } else { realloc(list.data, old, new.size()) } };
    if data.is_null() {
        return Err(no_memory());
    }
    list.data = data;
    list.cap = cap;
    Ok(())
}

/// The lists that a list of lists holds.
///
/// # Safety
/// A live list, of lists.
#[must_use]
pub unsafe fn inner(list: &List) -> &[*mut List] {
    if list.len == 0 {
        return &[];
    }
    // SAFETY: it has `len` items, which are pointers, and starts aligned.
    unsafe { std::slice::from_raw_parts(list.data.cast(), list.len as usize) }
}

/// Keeps the first `len` items of a list of lists.
///
/// # Safety
/// It is no shorter, and only the caller uses it.
unsafe fn truncate(list: &mut List, len: i64) {
    // SAFETY: by the caller's promise; the list has a count of each of its items.
    unsafe {
        let dropped = inner(list)[len as usize..].to_vec();
        list.len = len;
        dropped.into_iter().for_each(|item| release(item.cast()));
    }
}

/// Makes room for one item more.
///
/// # Safety
/// A list of [`new`] that only the caller uses.
pub unsafe fn reserve(list: &mut List) -> Result<(), Error> {
    grow(list, 1)
}

/// Appends all items of the parts, one part after the other.
///
/// # Safety
/// The parts are alive, of the list's items, and not the list; no other thread changes any of them.
pub unsafe fn extend(list: &mut List, parts: &[*mut List]) -> Result<(), Error> {
    // SAFETY: by the caller's promise.
    let parts: Vec<&List> = parts.iter().map(|&part| unsafe { &*part }).collect();
    let more = parts.iter().fold(0i64, |sum, part| sum.saturating_add(part.len));
    grow(list, more)?;
    let size = list.item_size();
    for part in parts.into_iter().filter(|part| part.len > 0) {
        // SAFETY: there is room for all parts, and lengths of lists fit the address space.
        unsafe {
            let end = list.data.add(list.len as usize * size);
            ptr::copy_nonoverlapping(part.data, end, part.len as usize * size);
            if list.holds_lists() {
                inner(part).iter().for_each(|&item| retain(item.cast()));
            }
        }
        list.len += part.len;
    }
    Ok(())
}

/// The table's `list_new`.
///
/// # Safety
/// `out` is written on success.
pub unsafe extern "C" fn list_new(
    ctx: *mut Ctx,
    dtype: DTypeCode,
    depth: u8,
    len: i64,
    out: *mut *mut List,
) -> Status {
    let body = || {
        let list = with_depth(dtype, depth, len)?;
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
    unsafe { guard(ctx, || grow(&mut *list, 1)) }
}

/// The table's `list_truncate`.
///
/// # Safety
/// `list` is alive, of lists and not shorter, and no other thread uses it.
pub unsafe extern "C" fn list_truncate(list: *mut List, len: i64) {
    // SAFETY: by the caller's promise.
    unsafe { truncate(&mut *list, len) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ctx, error};

    #[test]
    fn a_list_grows_and_keeps_its_items() {
        let mut c = ctx();
        let mut list = ptr::null_mut();
        // SAFETY: the list is alive until its release.
        unsafe {
            assert_eq!(list_new(&mut c, DTypeCode::I64, 1, 0, &mut list), 0);
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
    fn parts_are_joined_in_their_order() {
        let lists: Vec<*mut List> = [2i64, 0, 3].map(|len| new(DTypeCode::I16, len).unwrap()).to_vec();
        // SAFETY: the lists are alive until their release, and have the items that are written and read.
        unsafe {
            for (which, &list) in lists.iter().enumerate() {
                for i in 0..(*list).len as usize {
                    (*list).data.cast::<i16>().add(i).write((10 * which + i) as i16);
                }
            }
            let target = new(DTypeCode::I16, 0).unwrap();
            extend(&mut *target, &[]).unwrap();
            extend(&mut *target, &lists).unwrap();
            extend(&mut *target, &lists[2..]).unwrap();
            let items = std::slice::from_raw_parts((*target).data.cast::<i16>(), (*target).len as usize);
            assert_eq!(items, [0, 1, 20, 21, 22, 20, 21, 22]);
            lists.iter().chain([&target]).for_each(|&list| release(&raw mut (*list).owner));
        }
    }

    #[test]
    fn a_list_of_lists_has_a_count_of_each() {
        let inner_lists: Vec<*mut List> = (0..3).map(|_| new(DTypeCode::F64, 0).unwrap()).collect();
        // SAFETY: the lists are alive as long as the counts say, and have the items that are written.
        unsafe {
            let outer = with_depth(DTypeCode::F64, 2, 3).unwrap();
            for (i, &list) in inner_lists.iter().enumerate() {
                (*outer).data.cast::<*mut List>().add(i).write(list);
                retain(list.cast());
            }
            let count = |i: usize| (*inner_lists[i]).owner.count.load(std::sync::atomic::Ordering::Relaxed);
            let joined = with_depth(DTypeCode::F64, 2, 0).unwrap();
            extend(&mut *joined, &[outer, outer]).unwrap();
            assert_eq!([count(0), count(1), count(2)], [4; 3]);
            list_truncate(outer, 1);
            assert_eq!(inner(&*outer), &inner_lists[..1]);
            assert_eq!([count(0), count(1), count(2)], [4, 3, 3]);
            release(outer.cast());
            release(joined.cast());
            assert_eq!([count(0), count(1), count(2)], [1; 3]);
            inner_lists.iter().for_each(|&list| release(list.cast()));
        }
    }

    #[test]
    fn an_absurd_length_is_a_memory_error() {
        let mut c = ctx();
        let mut list = ptr::null_mut();
        // SAFETY: valid pointers.
        assert_eq!(unsafe { list_new(&mut c, DTypeCode::C128, 1, i64::MAX, &mut list) }, 1);
        assert_eq!(error(&mut c).0, ExcKind::MemoryError as u32);
    }
}
