//! `itertools`, `functools.reduce` and `operator`.

use super::{Algebra, Applied, Builtin, Entry, Itertool, Param, Space, entry, int, opt, req, rest};

const ITERABLES: &[Param] = &[rest("iterables")];
const OVER: &[Param] = &[req("iterable")];
const PRODUCT: &[Param] = &[rest("iterables"), int("repeat", 1)];
const CHOSEN: &[Param] = &[req("iterable"), req("r")];
const ACCUMULATE: &[Param] = &[req("iterable"), opt("func"), opt("initial")];
const SLICE: &[Param] = &[req("iterable"), rest("bounds")];
const COUNT: &[Param] = &[int("start", 0), int("step", 1)];
const REPEAT: &[Param] = &[req("object"), opt("times")];
const REDUCE: &[Param] = &[req("function"), req("iterable"), opt("initial")];
const KEYS: &[Param] = &[rest("items")];
const A: &[Param] = &[req("a")];
const AB: &[Param] = &[req("a"), req("b")];

const fn make(params: &'static [Param], tool: Itertool, doc: &'static str) -> Entry {
    entry(params, Algebra::Builtin(Builtin::Itertool(tool)), doc)
}

const fn operator(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Prelude { file: "operator", function }, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(PRODUCT, Itertool::Product, "Iterates over all tuples with an item of each.")
        .itertools(&["product"]),
    make(CHOSEN, Itertool::Combinations, "Iterates over all choices of r items, in order.")
        .itertools(&["combinations"]),
    make(CHOSEN, Itertool::WithReplacement, "As `combinations`, where an item may be chosen several times.")
        .itertools(&["combinations_with_replacement"]),
    make(CHOSEN, Itertool::Permutations, "Iterates over all ways to take r items one behind the other.")
        .itertools(&["permutations"]),
    make(
        ACCUMULATE,
        Itertool::Accumulate,
        "Iterates over running sums, or what a function makes in place of sums.",
    )
    .itertools(&["accumulate"]),
    make(ITERABLES, Itertool::Chain, "Iterates over several, one behind the other.").itertools(&["chain"]),
    make(OVER, Itertool::Flatten, "Iterates over the items of all items.")
        .within(Space::Chain, &["from_iterable"]),
    make(OVER, Itertool::Pairwise, "Iterates over each item with the next one.").itertools(&["pairwise"]),
    make(SLICE, Itertool::Islice, "Iterates up to `stop`, or from `start` up to `stop` in steps.")
        .itertools(&["islice"]),
    make(COUNT, Itertool::Count, "Iterates over integers without an end.").itertools(&["count"]),
    make(REPEAT, Itertool::Repeat, "Iterates over one object, without an end or so many times.")
        .itertools(&["repeat"]),
    entry(
        REDUCE,
        Algebra::Builtin(Builtin::Applied(Applied::Reduce)),
        "What a function makes of the first two items, of that and the third, and so on.",
    )
    .within(Space::Functools, &["reduce"]),
    entry(
        KEYS,
        Algebra::Builtin(Builtin::ItemGetter),
        "The function that gives the item at an index, or a tuple of several.",
    )
    .within(Space::Operator, &["itemgetter"]),
    operator(AB, "add", "`a + b`.").within(Space::Operator, &["add"]),
    operator(AB, "sub", "`a - b`.").within(Space::Operator, &["sub"]),
    operator(AB, "mul", "`a * b`.").within(Space::Operator, &["mul"]),
    operator(AB, "truediv", "`a / b`.").within(Space::Operator, &["truediv"]),
    operator(AB, "floordiv", "`a // b`.").within(Space::Operator, &["floordiv"]),
    operator(AB, "mod", "`a % b`.").within(Space::Operator, &["mod"]),
    operator(AB, "power", "`a ** b`.").within(Space::Operator, &["pow"]),
    operator(AB, "matmul", "`a @ b`.").within(Space::Operator, &["matmul"]),
    operator(AB, "and_", "`a & b`.").within(Space::Operator, &["and_"]),
    operator(AB, "or_", "`a | b`.").within(Space::Operator, &["or_"]),
    operator(AB, "xor", "`a ^ b`.").within(Space::Operator, &["xor"]),
    operator(AB, "lshift", "`a << b`.").within(Space::Operator, &["lshift"]),
    operator(AB, "rshift", "`a >> b`.").within(Space::Operator, &["rshift"]),
    operator(AB, "eq", "`a == b`.").within(Space::Operator, &["eq"]),
    operator(AB, "ne", "`a != b`.").within(Space::Operator, &["ne"]),
    operator(AB, "lt", "`a < b`.").within(Space::Operator, &["lt"]),
    operator(AB, "le", "`a <= b`.").within(Space::Operator, &["le"]),
    operator(AB, "gt", "`a > b`.").within(Space::Operator, &["gt"]),
    operator(AB, "ge", "`a >= b`.").within(Space::Operator, &["ge"]),
    operator(A, "neg", "`-a`.").within(Space::Operator, &["neg"]),
    operator(A, "not_", "`not a`.").within(Space::Operator, &["not_"]),
];
