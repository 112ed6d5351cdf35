//! Functions that call a function.

use super::{Algebra, Applied, Builtin, Entry, Param, dtype, entry, req, rest};

const ALONG_AXIS: &[Param] = &[req("func1d"), req("axis"), req("arr"), rest("args")];
const FROM_FUNCTION: &[Param] = &[req("function"), req("shape"), dtype()];
const PIECEWISE: &[Param] = &[req("x"), req("condlist"), req("funclist"), rest("args")];

const fn make(params: &'static [Param], applied: Applied, doc: &'static str) -> Entry {
    entry(params, Algebra::Builtin(Builtin::Applied(applied)), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(
        ALONG_AXIS,
        Applied::AlongAxis,
        "What a function gives for each vector along an axis: numbers, or arrays in the axis's place.",
    )
    .np(&["apply_along_axis"]),
    make(
        FROM_FUNCTION,
        Applied::FromFunction,
        "What a function gives for arrays of indices, one for each axis of the shape.",
    )
    .np(&["fromfunction"]),
    make(
        PIECEWISE,
        Applied::Piecewise,
        "An array like `x` with numbers, or what functions give for its elements, where conditions hold.",
    )
    .np(&["piecewise"]),
];
