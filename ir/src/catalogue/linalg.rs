//! Matrix products and whole-array library operations.

use super::{Algebra, Entry, Param, entry, req};
use crate::op::LibOp;

const AB: &[Param] = &[req("a"), req("b")];
const A: &[Param] = &[req("a")];

pub(super) const ENTRIES: &[Entry] = &[
    entry(AB, Algebra::Contraction, "Matrix product; of two vectors their inner product.")
        .np(&["matmul", "dot"])
        .bare(&["matmult", "innerprod"])
        .method(&["dot"]),
    entry(A, Algebra::Opaque(LibOp::Sort), "A sorted copy along the last axis.").np(&["sort"]),
    entry(&[], Algebra::Opaque(LibOp::Time), "Seconds since 1970.").bare(&["time"]),
];
