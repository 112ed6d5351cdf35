//! Reductions over axes.

use super::{Accumulate, Algebra, Entry, Param, axis, dtype, entry, flag, opt, req};
use crate::elem::ReduceOp;

const OVER: &[Param] =
    &[req("a"), axis(), dtype(), opt("out"), flag("keepdims", false), opt("initial"), opt("where")];
const EXTREME: &[Param] =
    &[req("a"), axis(), opt("out"), flag("keepdims", false), opt("initial"), opt("where")];
const TRUTH: &[Param] = &[req("a"), axis(), opt("out"), flag("keepdims", false), opt("where")];
const INDEX: &[Param] = &[req("a"), axis(), opt("out"), flag("keepdims", false)];

const fn sum_like(op: ReduceOp, doc: &'static str) -> Entry {
    entry(OVER, Algebra::Reduction { op, accumulate: Accumulate::Wide }, doc)
}

const fn select(params: &'static [Param], op: ReduceOp, accumulate: Accumulate, doc: &'static str) -> Entry {
    entry(params, Algebra::Reduction { op, accumulate }, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    sum_like(ReduceOp::Sum, "Sum over all elements or over `axis`; bool and small integers in 64 bits.")
        .np(&["sum"])
        .method(&["sum"]),
    sum_like(ReduceOp::Prod, "Product over all elements or over `axis`; bool and small integers in 64 bits.")
        .np(&["prod"])
        .bare(&["prod"])
        .method(&["prod"]),
    select(EXTREME, ReduceOp::Min, Accumulate::Element, "Least element; NaN wins; ValueError for nothing.")
        .np(&["min", "amin"])
        .method(&["min"]),
    select(
        EXTREME,
        ReduceOp::Max,
        Accumulate::Element,
        "Greatest element; NaN wins; ValueError for nothing.",
    )
    .np(&["max", "amax"])
    .method(&["max"]),
    select(TRUTH, ReduceOp::Any, Accumulate::Truth, "Whether some element is true.")
        .np(&["any"])
        .method(&["any"]),
    select(TRUTH, ReduceOp::All, Accumulate::Truth, "Whether every element is true.")
        .np(&["all"])
        .method(&["all"]),
    select(
        INDEX,
        ReduceOp::ArgMin,
        Accumulate::Element,
        "Index of the first least element, in row-major order.",
    )
    .np(&["argmin"])
    .method(&["argmin"]),
    select(
        INDEX,
        ReduceOp::ArgMax,
        Accumulate::Element,
        "Index of the first greatest element, in row-major order.",
    )
    .np(&["argmax"])
    .method(&["argmax"]),
];
