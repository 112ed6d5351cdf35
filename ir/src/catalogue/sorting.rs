//! Order, search, sets, counts: functions of `frontend/src/prelude/sorting.pydd`.

use super::{
    Algebra, Entry, Param, ParamKind, array, axis, entry, fixed, flag, int, opt, req, stored, written,
};
use crate::op::LibOp;
use crate::routine::Routine;

const SORT: &[Param] = &[req("a"), fixed(int("axis", -1)), opt("kind")];
const ORDER: &[Param] = &[req("a"), req("order")];
const SOME: &[Param] = &[req("a"), req("kth"), req("out")];
const PARTITION: &[Param] = &[req("a"), req("kth"), fixed(int("axis", -1))];
const KEYS: &[Param] = &[Param { kind: ParamKind::Display, ..req("keys") }];
const SEARCH: &[Param] = &[req("a"), req("v"), opt("side"), opt("sorter")];
const DIGITIZE: &[Param] =
    &[req("x"), req("bins"), Param { constant: false, kind: ParamKind::Choice, ..flag("right", false) }];
const UNIQUE: &[Param] = &[
    req("ar"),
    flag("return_index", false),
    flag("return_inverse", false),
    flag("return_counts", false),
    axis(),
];
const AMONG: &[Param] =
    &[req("element"), req("test_elements"), flag("assume_unique", false), flag("invert", false)];
const SETS: &[Param] = &[req("ar1"), req("ar2")];
const BINCOUNT: &[Param] = &[req("x"), opt("weights"), int("minlength", 0)];
const HISTOGRAM: &[Param] = &[
    req("a"),
    int("bins", 10),
    Param { kind: ParamKind::Display, ..opt("range") },
    flag("density", false),
    opt("weights"),
];
const EDGES: &[Param] =
    &[req("a"), int("bins", 10), Param { kind: ParamKind::Display, ..opt("range") }, opt("weights")];
const HISTOGRAM_2D: &[Param] = &[
    req("x"),
    req("y"),
    Param { kind: ParamKind::Display, ..int("bins", 10) },
    Param { kind: ParamKind::Display, ..opt("range") },
    flag("density", false),
    opt("weights"),
];
const PUT_ALONG: &[Param] = &[array("arr"), req("indices"), stored("values"), fixed(req("axis"))];
const WHERE: &[Param] = &[req("condition"), req("arr")];
const TAKE: &[Param] = &[req("a"), req("indices"), axis(), opt("mode")];
const COMPRESS: &[Param] = &[req("condition"), req("a"), axis()];
const ALONG: &[Param] = &[array("arr"), req("indices"), fixed(int("axis", -1))];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "sorting", function, doc)
}

const fn choose(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "indexing", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(SORT, "argsort", "The indices that sort, equal elements in their order; NaN last.")
        .np(&["argsort"])
        .method(&["argsort"]),
    entry(ORDER, Algebra::Opaque(LibOp::Routine(Routine::Argsort)), "The indices that sort a vector.")
        .internal(&["argsort_into"]),
    entry(
        SOME,
        Algebra::Opaque(LibOp::Routine(Routine::Partition)),
        "A vector, elements of some ranks in place.",
    )
    .internal(&["partition_into"]),
    entry(SOME, Algebra::Opaque(LibOp::Routine(Routine::Argpartition)), "The indices that do so.")
        .internal(&["argpartition_into"]),
    make(SORT, "sort_in_place", "Sorts an array in place along an axis; NaN last.").method(&["sort"]),
    make(PARTITION, "partition", "Sorted, so that smaller elements come before the kth.").np(&["partition"]),
    make(PARTITION, "argpartition", "The indices that sort, so that smaller elements come before the kth.")
        .np(&["argpartition"])
        .method(&["argpartition"]),
    make(KEYS, "lexsort", "The indices that sort by several keys, the last one first.").np(&["lexsort"]),
    make(SEARCH, "searchsorted", "Where to insert values into a sorted array to keep it sorted.")
        .np(&["searchsorted"])
        .method(&["searchsorted"]),
    make(DIGITIZE, "digitize", "The number of each value's bin; ValueError for bins out of order.")
        .np(&["digitize"]),
    make(UNIQUE, "unique", "The different elements in ascending order.").np(&["unique"]),
    make(AMONG, "isin", "Whether each element is among others.").np(&["isin"]),
    make(SETS, "union1d", "The different elements of both, in ascending order.").np(&["union1d"]),
    make(SETS, "intersect1d", "The elements that both have, in ascending order.").np(&["intersect1d"]),
    make(SETS, "setdiff1d", "The elements that only the first has, in ascending order.").np(&["setdiff1d"]),
    make(SETS, "setxor1d", "The elements that just one has, in ascending order.").np(&["setxor1d"]),
    make(BINCOUNT, "bincount", "How often each integer from 0 occurs, or the sum of its weights.")
        .np(&["bincount"]),
    make(HISTOGRAM, "histogram", "How many elements lie in each bin, and the bins' edges.")
        .np(&["histogram"]),
    make(EDGES, "histogram_bin_edges", "The edges of the bins of `histogram`.").np(&["histogram_bin_edges"]),
    make(HISTOGRAM_2D, "histogram2d", "How many points lie in each bin of a grid, and the bins' edges.")
        .np(&["histogram2d"]),
    choose(PUT_ALONG, "put_along_axis", "Sets the elements that indices name along an axis.")
        .np(&["put_along_axis"]),
    choose(&[array("a"), req("ind"), stored("v")], "put", "Sets the elements at indices into all elements.")
        .np(&["put"]),
    choose(
        &[array("arr"), req("mask"), stored("vals")],
        "place",
        "Sets elements where a mask is true, one after the other.",
    )
    .np(&["place"]),
    choose(
        &[array("a"), req("mask"), stored("values")],
        "putmask",
        "Sets elements where a mask is true, by their places.",
    )
    .np(&["putmask"]),
    choose(
        &[array("dst"), req("src"), opt("where")],
        "copyto",
        "Copies into an array, where a mask is true.",
    )
    .np(&["copyto"]),
    choose(WHERE, "extract", "The elements where a condition is true.").np(&["extract"]),
    choose(TAKE, "take", "The elements at indices, of all or along an axis.").np(&["take"]).method(&["take"]),
    choose(COMPRESS, "compress", "The elements where a condition is true, along an axis.").np(&["compress"]),
    choose(ALONG, "take_along_axis", "The elements that indices name along an axis.")
        .np(&["take_along_axis"]),
];
