//! Parallel loops of fake runtimes: chunks of a few iterations, one after the other on the calling thread.
//!
//! Unsafe here: the functions trust generated code, as the real ones do.

use pydd_abi::{Ctx, List, Owner, ParBody, ParCombine, Status};
use std::cell::RefCell;
use std::ptr;

/// Costs are kept up to so many loops.
const KEPT: usize = 100;

thread_local! {
    static COSTS: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// The costs of this thread's loops since the last call; of very many the first.
pub fn take_costs() -> Vec<i64> {
    COSTS.take()
}

/// The table's `par_for`, with chunks of `CHUNK` iterations.
///
/// # Safety
/// As the table says; the context has a table.
pub unsafe extern "C" fn par_for<const CHUNK: i64>(
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
    unsafe { par_append::<CHUNK>(ctx, n, cost, body, env, acc, identity, acc_words, combine, ptr::null(), 0) }
}

/// The table's `par_append`: each chunk appends to lists of its own.
///
/// # Safety
/// As for [`par_for`].
pub unsafe extern "C" fn par_append<const CHUNK: i64>(
    ctx: *mut Ctx,
    n: i64,
    cost: i64,
    body: ParBody,
    env: *const u64,
    acc: *mut u64,
    identity: *const u64,
    acc_words: i64,
    combine: Option<ParCombine>,
    lists: *const *mut List,
    list_count: i64,
) -> Status {
    COSTS.with_borrow_mut(|costs| {
        if costs.len() < KEPT {
            costs.push(cost);
        }
    });
    let (words, count) = (acc_words as usize, list_count as usize);
    let mut begin = 0;
    while begin < n {
        let end = n.min(begin.saturating_add(CHUNK));
        let mut part = vec![0; words + count];
        // SAFETY: the pointers hold what the ABI says.
        unsafe {
            let table = &*(*ctx).table;
            if words > 0 {
                ptr::copy_nonoverlapping(identity, part.as_mut_ptr(), words);
            }
            let mut own = vec![ptr::null_mut::<List>(); count];
            let mut status = 0;
            for (which, list) in own.iter_mut().enumerate() {
                status |=
                    (table.list_new)(ctx, (**lists.add(which)).dtype, (**lists.add(which)).depth, 0, list);
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
            own.iter().for_each(|&list| (table.release)(list.cast()));
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
            if (*list).len == (*list).cap && ((*(*ctx).table).list_grow)(ctx, list) != 0 {
                return 1;
            }
            let size = (*list).item_size();
            let end = (*list).data.add((*list).len as usize * size);
            ptr::copy_nonoverlapping((*part).data.add(item * size), end, size);
            if (*list).holds_owners() {
                ((*(*ctx).table).retain)(end.cast::<*mut Owner>().read());
            }
            (*list).len += 1;
        }
    }
    0
}
