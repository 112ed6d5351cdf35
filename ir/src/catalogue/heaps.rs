//! Heaps: `heapq`, and Intrepydd's functions, for which a heap is the same list. What they do is written in the language,
//! in `frontend/src/prelude/heaps.pydd`.

use super::{Algebra, Builtin, Entry, HeapOp, Param, entry, opt, req};

const H: &[Param] = &[req("heap")];
const H_X: &[Param] = &[req("heap"), req("item")];
const N_XS: &[Param] = &[req("n"), req("iterable"), opt("key")];

const fn own(params: &'static [Param], op: HeapOp, doc: &'static str) -> Entry {
    entry(params, Algebra::Builtin(Builtin::Heap(op)), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    own(H_X, HeapOp::Push, "Puts an item into a heap, a list of numbers or tuples.").heapq(&["heappush"]),
    own(H, HeapOp::Pop, "Takes the least item out and gives it; IndexError if there is none.")
        .heapq(&["heappop"])
        .bare(&["heappop"]),
    own(H, HeapOp::Heapify, "Makes a heap of a list, in place.").heapq(&["heapify"]),
    own(H_X, HeapOp::Replace, "Takes the least item out and gives it, then puts another one in.")
        .heapq(&["heapreplace"]),
    own(H_X, HeapOp::PushPop, "Puts an item in, then takes the least one out and gives it.")
        .heapq(&["heappushpop"]),
    own(N_XS, HeapOp::NLargest, "A new list of the n greatest items, in descending order.")
        .heapq(&["nlargest"]),
    own(N_XS, HeapOp::NSmallest, "A new list of the n least items, in ascending order.")
        .heapq(&["nsmallest"]),
    // Intrepydd's: an item is a key, or a key with a value.
    own(&[], HeapOp::Empty, "A heap without items: a new list.").bare(&["heapinit_empty"]),
    own(
        &[req("key"), opt("value")],
        HeapOp::New,
        "A heap of one item: a key, or a tuple of a key and a value.",
    )
    .bare(&["heapinit"]),
    own(
        &[req("heap"), req("key"), opt("value")],
        HeapOp::Push,
        "Puts an item into a heap: a key, or a tuple of a key and a value.",
    )
    .bare(&["heappush"]),
    own(H, HeapOp::Drop, "Takes the least item out; IndexError if there is none.").bare(&["heappop1"]),
    own(H, HeapOp::Peek, "The least key; IndexError if there is none.").bare(&["heappeek"]),
    own(H, HeapOp::Size, "How many items a heap has.").bare(&["heapsize"]),
    own(&[req("heap"), req("index")], HeapOp::Key, "The key of the item at an index of a heap's list.")
        .bare(&["heap_get_key"]),
];
