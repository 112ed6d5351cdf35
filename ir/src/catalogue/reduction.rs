//! Reductions over axes.

use super::{Accumulate, Algebra, Entry, Param, axis, dtype, entry, flag, opt, req};
use crate::elem::ReduceOp;

const OVER: &[Param] = &[req("a"), axis(), dtype(), opt("out"), flag("keepdims", false)];
const SELECT: &[Param] = &[req("a"), axis(), opt("out"), flag("keepdims", false)];

const fn sum_like(op: ReduceOp, doc: &'static str) -> Entry {
    entry(OVER, Algebra::Reduction { op, accumulate: Accumulate::Wide }, doc)
}

const fn select(op: ReduceOp, accumulate: Accumulate, doc: &'static str) -> Entry {
    entry(SELECT, Algebra::Reduction { op, accumulate }, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    sum_like(ReduceOp::Sum, "Sum over all elements or over `axis`; bool and small integers in 64 bits.")
        .np(&["sum"])
        .method(&["sum"]),
    sum_like(ReduceOp::Prod, "Product over all elements or over `axis`; bool and small integers in 64 bits.")
        .np(&["prod"])
        .bare(&["prod"])
        .method(&["prod"]),
    select(ReduceOp::Min, Accumulate::Element, "Least element; NaN wins; ValueError for nothing.")
        .np(&["min", "amin"])
        .method(&["min"]),
    select(ReduceOp::Max, Accumulate::Element, "Greatest element; NaN wins; ValueError for nothing.")
        .np(&["max", "amax"])
        .method(&["max"]),
    select(ReduceOp::Any, Accumulate::Truth, "Whether some element is true.").np(&["any"]).method(&["any"]),
    select(ReduceOp::All, Accumulate::Truth, "Whether every element is true.").np(&["all"]).method(&["all"]),
    select(ReduceOp::ArgMin, Accumulate::Element, "Index of the first least element, in row-major order.")
        .np(&["argmin"])
        .method(&["argmin"]),
    select(ReduceOp::ArgMax, Accumulate::Element, "Index of the first greatest element, in row-major order.")
        .np(&["argmax"])
        .method(&["argmax"]),
];
