//! Lists of scalars, of lists and of arrays.
//!
//! Unsafe here: a list is a heap value behind a raw pointer whose memory this file alone frees.

use crate::errors::{Error, guard};
use crate::owner::{self, release, retain};
use pydd_abi::{Ctx, DTypeCode, ExcKind, List, Owner, Status, layout, list_item_size};
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
    let data = allocate(layout)?;
    let owner = Owner::new(Some(drop_list), data, layout.size());
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

/// Memory, or null where there need not be any.
fn allocate(layout: Layout) -> Result<*mut u8, Error> {
    if layout.size() == 0 {
        return Ok(ptr::null_mut());
    }
    // SAFETY: the size is not zero.
    let data = unsafe { alloc(layout) };
    if data.is_null() { Err(no_memory()) } else { Ok(data) }
}

/// Of all the memory that a list has.
fn layout_of(list: &List) -> Result<Layout, Error> {
    items_layout(1, list.owner.capacity as i64)
}

fn no_memory() -> Error {
    Error::new(ExcKind::MemoryError, "")
}

/// # Safety
/// The owner of a list that [`new`] made, whose count fell to zero.
unsafe extern "C" fn drop_list(owner: *mut Owner) {
    // SAFETY: the owner is the first field of a boxed list of `new`.
    let mut list = unsafe { Box::from_raw(owner.cast::<List>()) };
    if list.holds_owners() {
        // SAFETY: nobody else has the list any more.
        unsafe { truncate(&mut list, 0) };
    }
    // SAFETY: nobody has its items any more.
    unsafe { free(&list) };
}

/// # Safety
/// Nobody uses the list's memory any more.
unsafe fn free(list: &List) {
    if let Ok(layout) = layout_of(list)
        && layout.size() != 0
    {
        // SAFETY: the memory was allocated with this layout.
        unsafe { dealloc(list.owner.data, layout) };
    }
}

/// Bytes before the first item.
fn front(list: &List) -> usize {
    list.data.addr() - list.owner.data.addr()
}

/// Room for `more` items, of that in front if this is much, or else by growing half as much again at least.
fn grow(list: &mut List, more: i64) -> Result<(), Error> {
    let wanted = list.len.saturating_add(more);
    if wanted <= list.cap || centre(list, 0, more) {
        return Ok(());
    }
    let cap = list.cap.saturating_add(list.cap / 2).max(8).max(wanted);
    let front = front(list);
    let bytes = items_layout(list.item_size(), cap)?.size();
    let (old, new) = (layout_of(list)?, items_layout(1, front.saturating_add(bytes) as i64)?);
    // SAFETY: the memory was allocated with `old`, unless there was none.
    let data =
        unsafe { if old.size() == 0 { alloc(new) } else { realloc(list.owner.data, old, new.size()) } };
    if data.is_null() {
        return Err(no_memory());
    }
    list.owner.data = data;
    list.owner.capacity = new.size();
    // SAFETY: what was in front still is.
    list.data = unsafe { data.add(front) };
    list.cap = cap;
    Ok(())
}

/// Room for one more item in front, of that behind the items if this is much, or else for half as many as there are at least.
fn grow_front(list: &mut List) -> Result<(), Error> {
    if front(list) > 0 || centre(list, 1, 0) {
        return Ok(());
    }
    let size = list.item_size();
    let gap = (list.len / 2).max(8);
    let layout = items_layout(size, list.cap.saturating_add(gap))?;
    let start = allocate(layout)?;
    // SAFETY: there is room for the gap and the items, in memory that is not the list's; the size of the gap is within it.
    unsafe {
        let data = start.add(gap as usize * size);
        if list.len > 0 {
            ptr::copy_nonoverlapping(list.data, data, list.len as usize * size);
        }
        free(list);
        list.data = data;
    }
    list.owner.data = start;
    list.owner.capacity = layout.size();
    Ok(())
}

/// Moves the items to the middle of the list's memory, beside room for so many in front and behind, if half as many items as there are fit in
/// besides: then both ends have room for a quarter, and items are moved as seldom as if there were memory for half as many more.
fn centre(list: &mut List, before: i64, behind: i64) -> bool {
    let size = list.item_size();
    let room = (list.owner.capacity / size) as i64;
    let spare = room.saturating_sub(list.len).saturating_sub(before).saturating_sub(behind);
    if spare < (list.len / 2).max(1) {
        return false;
    }
    let front = before + spare / 2;
    // SAFETY: the memory holds `room` items.
    unsafe {
        let data = list.owner.data.add(front as usize * size);
        ptr::copy(list.data, data, list.len as usize * size);
        list.data = data;
    }
    list.cap = room - front;
    true
}

/// What a list of lists holds; of a list of arrays, the owners that head them, each as if it were a list.
///
/// # Safety
/// A live list, of lists or arrays.
#[must_use]
pub unsafe fn inner(list: &List) -> &[*mut List] {
    if list.len == 0 {
        return &[];
    }
    // SAFETY: it has `len` items, which are pointers, and starts aligned.
    unsafe { std::slice::from_raw_parts(list.data.cast(), list.len as usize) }
}

/// Keeps the first `len` items of a list of lists or arrays.
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

/// Takes the first `count` items of a list of lists or arrays off.
///
/// # Safety
/// It has as many, and only the caller uses it.
unsafe fn drop_front(list: &mut List, count: i64) {
    // SAFETY: by the caller's promise; the list has a count of each of its items.
    unsafe {
        let dropped = inner(list)[..count as usize].to_vec();
        list.data = list.data.add(count as usize * list.item_size());
        list.len -= count;
        list.cap -= count;
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
            if list.holds_owners() {
                inner(part).iter().for_each(|&item| retain(item.cast()));
            }
        }
        list.len += part.len;
    }
    Ok(())
}

/// An array with these words as lists hold it, with a count of one.
///
/// # Safety
/// The words of an array, whose owner is null or alive.
pub unsafe fn hold_array(words: &[u64]) -> Result<*mut Owner, Error> {
    let layout = array_layout(size_of_val(words))?;
    // SAFETY: the block has room for an owner and the words behind it; the array's owner by the caller's promise.
    unsafe {
        let held = alloc(layout).cast::<Owner>();
        if held.is_null() {
            return Err(no_memory());
        }
        held.write(Owner::new(Some(drop_array), ptr::null_mut(), size_of_val(words)));
        ptr::copy_nonoverlapping(words.as_ptr(), array_words(held), words.len());
        retain(words[1] as *mut Owner);
        Ok(held)
    }
}

/// Of an owner with so many bytes of words behind it.
fn array_layout(bytes: usize) -> Result<Layout, Error> {
    Layout::from_size_align(layout::ARRAY_WORDS + bytes, align_of::<Owner>()).map_err(|_| no_memory())
}

/// The words of an array that a list holds.
///
/// # Safety
/// What [`hold_array`] made.
#[must_use]
pub unsafe fn array_words(held: *mut Owner) -> *mut u64 {
    // SAFETY: words lie behind the owner.
    unsafe { held.byte_add(layout::ARRAY_WORDS).cast() }
}

/// # Safety
/// What [`hold_array`] made, whose count fell to zero.
unsafe extern "C" fn drop_array(held: *mut Owner) {
    // SAFETY: it has a count of the array's owner, which is its second word.
    unsafe {
        release(array_words(held).add(1).read() as *mut Owner);
        if let Ok(layout) = array_layout((*held).capacity) {
            dealloc(held.cast(), layout);
        }
    }
}

/// The table's `list_array`.
///
/// # Safety
/// `words` points to the `count` words of an array; `out` is written on success.
pub unsafe extern "C" fn list_array(
    ctx: *mut Ctx,
    words: *const u64,
    count: i64,
    out: *mut *mut Owner,
) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        unsafe { out.write(hold_array(owner::slice(words, count))?) };
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
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
/// `list` is alive, of lists or arrays and not shorter, and no other thread uses it.
pub unsafe extern "C" fn list_truncate(list: *mut List, len: i64) {
    // SAFETY: by the caller's promise.
    unsafe { truncate(&mut *list, len) };
}

/// The table's `list_grow_front`.
///
/// # Safety
/// `list` is alive, and no other thread uses it.
pub unsafe extern "C" fn list_grow_front(ctx: *mut Ctx, list: *mut List) -> Status {
    // SAFETY: by the caller's promise.
    unsafe { guard(ctx, || grow_front(&mut *list)) }
}

/// The table's `list_drop_front`.
///
/// # Safety
/// `list` is alive, of lists or arrays and has as many items, and no other thread uses it.
pub unsafe extern "C" fn list_drop_front(list: *mut List, count: i64) {
    // SAFETY: by the caller's promise.
    unsafe { drop_front(&mut *list, count) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ctx, error};
    use std::collections::VecDeque;

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

    /// A list of numbers as generated code changes it, beside what it should hold.
    struct Queue {
        list: *mut List,
        expected: VecDeque<i64>,
        /// How often the runtime was asked for room.
        asked: usize,
    }

    impl Queue {
        fn new() -> Self {
            Self { list: new(DTypeCode::I64, 0).unwrap(), expected: VecDeque::new(), asked: 0 }
        }

        fn items(&self) -> &[i64] {
            // SAFETY: the list is alive and has so many numbers.
            match unsafe { (&*self.list, (*self.list).len as usize) } {
                (_, 0) => &[],
                // SAFETY: as above.
                (list, len) => unsafe { std::slice::from_raw_parts(list.data.cast(), len) },
            }
        }

        fn push(&mut self, item: i64) {
            let mut c = ctx();
            self.expected.push_back(item);
            // SAFETY: the list is alive, and has room once it grew.
            unsafe {
                if (*self.list).len == (*self.list).cap {
                    assert_eq!(list_grow(&mut c, self.list), 0);
                    self.asked += 1;
                }
                (*self.list).data.cast::<i64>().add((*self.list).len as usize).write(item);
                (*self.list).len += 1;
            }
        }

        fn push_front(&mut self, item: i64) {
            let mut c = ctx();
            self.expected.push_front(item);
            // SAFETY: as above.
            unsafe {
                if (*self.list).data == (*self.list).owner.data {
                    assert_eq!(list_grow_front(&mut c, self.list), 0);
                    self.asked += 1;
                }
                let first = (*self.list).data.cast::<i64>().sub(1);
                first.write(item);
                self.begin_at(first, 1);
            }
        }

        fn pop(&mut self) {
            if self.expected.pop_back().is_some() {
                // SAFETY: the list is alive and has items.
                unsafe { (*self.list).len -= 1 };
            }
        }

        fn pop_front(&mut self) {
            if self.expected.pop_front().is_some() {
                // SAFETY: as above.
                unsafe { self.begin_at((*self.list).data.cast::<i64>().add(1), -1) };
            }
        }

        unsafe fn begin_at(&self, first: *mut i64, more: i64) {
            // SAFETY: the list is alive.
            unsafe {
                (*self.list).data = first.cast();
                (*self.list).len += more;
                (*self.list).cap += more;
            }
        }
    }

    impl Drop for Queue {
        fn drop(&mut self) {
            // SAFETY: the list is alive until now.
            unsafe { release(self.list.cast()) };
        }
    }

    #[test]
    fn both_ends_grow_and_shrink() {
        let mut queue = Queue::new();
        let mut state = 1u64;
        for i in 0..20_000i64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Ends that gain most of the time, and those that lose, take turns.
            let gains = [[5, 1, 1, 1], [1, 5, 1, 1], [1, 1, 4, 4], [1, 3, 4, 0]][(i / 700 % 4) as usize];
            let mut at = (state >> 33) % gains.iter().sum::<u64>();
            let which = gains.iter().position(|&n| at.checked_sub(n).map(|rest| at = rest).is_none());
            match which.unwrap() {
                0 => queue.push(i),
                1 => queue.push_front(i),
                2 => queue.pop(),
                _ => queue.pop_front(),
            }
            if i % 50 == 0 {
                assert!(queue.items().iter().eq(&queue.expected));
            }
        }
        assert!(queue.items().iter().eq(&queue.expected));
    }

    #[test]
    fn room_is_made_seldom_at_either_end() {
        type Step = fn(&mut Queue, i64);
        let steps: [(&str, Step); 4] = [
            ("a queue", |queue, i| {
                queue.push(i);
                queue.pop_front();
            }),
            ("one that goes the other way", |queue, i| {
                queue.push_front(i);
                queue.pop();
            }),
            ("both ends in turn", |queue, i| {
                queue.push_front(i);
                queue.push(i);
                queue.pop();
                queue.pop_front();
            }),
            ("both ends grow", |queue, i| {
                queue.push_front(i);
                queue.push(i);
            }),
        ];
        for (what, step) in steps {
            let mut queue = Queue::new();
            (0..1000).for_each(|i| queue.push(i));
            queue.asked = 0;
            (0..10_000).for_each(|i| step(&mut queue, i));
            assert!(queue.asked < 50, "{what}: {}", queue.asked);
            assert!(queue.items().iter().eq(&queue.expected), "{what}");
            // SAFETY: the list is alive.
            let (room, len) = unsafe { ((*queue.list).owner.capacity / 8, (*queue.list).len as usize) };
            assert!(room <= 3 * len, "{what}: {room} for {len}");
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
    fn lists_that_are_taken_off_are_let_go() {
        let mut c = ctx();
        let rows: Vec<*mut List> = (0..4).map(|_| new(DTypeCode::I64, 1).unwrap()).collect();
        // SAFETY: the lists are alive as long as the counts say, and have the items that are written.
        unsafe {
            let outer = with_depth(DTypeCode::I64, 2, 4).unwrap();
            for (i, &list) in rows.iter().enumerate() {
                (*outer).data.cast::<*mut List>().add(i).write(list);
                retain(list.cast());
            }
            let count = |i: usize| (*rows[i]).owner.count.load(std::sync::atomic::Ordering::Relaxed);
            list_drop_front(outer, 0);
            assert_eq!(inner(&*outer), rows);
            list_drop_front(outer, 2);
            assert_eq!(inner(&*outer), &rows[2..]);
            assert_eq!([count(0), count(1), count(2), count(3)], [1, 1, 2, 2]);
            assert_eq!(list_grow(&mut c, outer), 0);
            assert_eq!(list_grow_front(&mut c, outer), 0);
            assert_eq!(inner(&*outer), &rows[2..]);
            list_drop_front(outer, 2);
            assert_eq!((*outer).len, 0);
            release(outer.cast());
            assert_eq!([count(0), count(1), count(2), count(3)], [1; 4]);
            rows.iter().for_each(|&list| release(list.cast()));
        }
    }

    #[test]
    fn a_list_of_arrays_has_a_count_of_their_memory() {
        let mut c = ctx();
        let arrays: Vec<*mut Owner> = (0..3).map(|n| owner::new_array(&[n], 8, true).unwrap()).collect();
        // SAFETY: the arrays and the list are alive as long as the counts say; an array of one axis has four words.
        unsafe {
            let count = |i: usize| (*arrays[i]).count.load(std::sync::atomic::Ordering::Relaxed);
            let list = with_depth(DTypeCode::F64, 2, 0).unwrap();
            for &array in arrays.iter().chain([&ptr::null_mut()]) {
                let words = [0x40, array as u64, 3, 8];
                let mut held = ptr::null_mut();
                assert_eq!(list_array(&mut c, words.as_ptr(), 4, &mut held), 0);
                assert_eq!(std::slice::from_raw_parts(array_words(held), 4), words);
                assert_eq!(list_grow(&mut c, list), 0);
                (*list).data.cast::<*mut Owner>().add((*list).len as usize).write(held);
                (*list).len += 1;
            }
            assert_eq!([count(0), count(1), count(2)], [2; 3]);
            let copy = with_depth(DTypeCode::F64, 2, 0).unwrap();
            extend(&mut *copy, &[list]).unwrap();
            list_drop_front(list, 1);
            list_truncate(list, 1);
            assert_eq!([count(0), count(1), count(2)], [2; 3]);
            release(copy.cast());
            assert_eq!([count(0), count(1), count(2)], [1, 2, 1]);
            release(list.cast());
            assert_eq!(count(1), 1);
            arrays.iter().for_each(|&array| release(array));
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
