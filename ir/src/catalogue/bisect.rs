//! `bisect`: lists in ascending order. What the functions do is written in the language, in
//! `frontend/src/prelude/bisect.pydd`.

use super::{Algebra, BisectOp, Builtin, Entry, Param, entry, int, opt, req};

const PARAMS: &[Param] = &[req("a"), req("x"), int("lo", 0), opt("hi")];

const fn own(op: BisectOp, doc: &'static str) -> Entry {
    entry(PARAMS, Algebra::Builtin(Builtin::Bisect(op)), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    own(BisectOp::Left, "Where to insert into a sorted list or array, before equal items.")
        .bisect(&["bisect_left"]),
    own(BisectOp::Right, "Where to insert into a sorted list or array, behind equal items.")
        .bisect(&["bisect_right", "bisect"]),
    own(BisectOp::InsertLeft, "Inserts into a sorted list, before equal items.").bisect(&["insort_left"]),
    own(BisectOp::InsertRight, "Inserts into a sorted list, behind equal items.")
        .bisect(&["insort_right", "insort"]),
];
