//! Matrix products and whole-array library operations.

use super::{Algebra, Entry, Param, entry, fixed, int, opt, req};
use crate::op::LibOp;

const AB: &[Param] = &[req("a"), req("b")];
const SORT: &[Param] = &[req("a"), fixed(int("axis", -1)), opt("kind")];

pub(super) const ENTRIES: &[Entry] = &[
    entry(AB, Algebra::Contraction, "Matrix product; of two vectors their inner product.")
        .np(&["matmul", "dot"])
        .bare(&["matmult", "innerprod"])
        .method(&["dot"]),
    entry(
        SORT,
        Algebra::Opaque(LibOp::Sort),
        "A sorted copy along an axis; NaN last. None: of all elements.",
    )
    .np(&["sort"]),
    entry(&[], Algebra::Opaque(LibOp::Time), "Seconds since 1970.").bare(&["time"]),
];
