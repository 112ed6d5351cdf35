//! Interpolation, convolution and their like: functions of `frontend/src/prelude/numeric.pydd`.

use super::{
    Default, Entry, Param, ParamKind, axis, dtype, fixed, flag, int, operand, opt, req, rest, written,
};

const AB: &[Param] = &[req("a"), req("b")];
const MODE: &[Param] = &[req("a"), req("v"), opt("mode")];
const TRAPEZOID: &[Param] = &[req("y"), opt("x"), int("dx", 1), fixed(int("axis", -1))];
const GRADIENT: &[Param] = &[req("f"), rest("varargs"), axis(), fixed(int("edge_order", 1))];
const EDIFF: &[Param] = &[req("ary"), opt("to_end"), opt("to_begin")];
const RESIZE: &[Param] = &[req("a"), Param { kind: ParamKind::Display, ..req("new_shape") }];
const INTERP: &[Param] = &[req("x"), req("xp"), req("fp"), opt("left"), opt("right")];
const POLYVAL: &[Param] = &[req("p"), req("x")];
const VANDER: &[Param] = &[req("x"), opt("N"), flag("increasing", false)];
const TRI: &[Param] = &[req("N"), opt("M"), int("k", 0), dtype()];
const NAN_TO_NUM: &[Param] = &[req("x"), flag("copy", true), int("nan", 0), opt("posinf"), opt("neginf")];
const ANGLE: &[Param] = &[operand("z"), flag("deg", false)];
const SELECT: &[Param] = &[
    Param { kind: ParamKind::Display, ..req("condlist") },
    Param { kind: ParamKind::Display, ..req("choicelist") },
    int("default", 0),
];
const CHOOSE: &[Param] =
    &[req("a"), Param { kind: ParamKind::Display, ..req("choices") }, opt("out"), opt("mode")];
const UNRAVEL: &[Param] = &[req("indices"), Param { kind: ParamKind::Display, ..req("shape") }];
const FILL_DIAGONAL: &[Param] = &[req("a"), req("val")];
const LOGSPACE: &[Param] = &[
    req("start"),
    req("stop"),
    int("num", 50),
    flag("endpoint", true),
    Param { default: Default::Int(10), ..req("base") },
];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "numeric", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(TRAPEZOID, "trapezoid", "Integral along an axis by the trapezoidal rule.").np(&["trapezoid"]),
    make(GRADIENT, "gradient", "Differences of neighbours, central ones inside; for several axes a tuple.")
        .np(&["gradient"]),
    make(INTERP, "interp", "Linear interpolation between points in ascending order.").np(&["interp"]),
    make(MODE, "convolve", "Convolution of two vectors: full, same or valid.")
        .np(&["convolve"])
        .bare(&["convolve"]),
    make(MODE, "correlate", "Correlation of two vectors: valid, same or full.").np(&["correlate"]),
    make(AB, "cross", "Cross product of vectors of three elements.").np(&["cross"]),
    make(POLYVAL, "polyval", "A polynomial's value, the highest coefficient first.").np(&["polyval"]),
    make(AB, "kron", "Kronecker product.").np(&["kron"]).bare(&["kron"]),
    make(VANDER, "vander", "Powers of a vector's elements as columns.").np(&["vander"]),
    make(TRI, "tri", "Ones on and below a diagonal.").np(&["tri"]),
    make(NAN_TO_NUM, "nan_to_num", "NaN and infinities replaced by numbers.").np(&["nan_to_num"]),
    make(ANGLE, "angle", "Angle of complex numbers in radians.").np(&["angle"]),
    make(SELECT, "select", "Each element from the choice of the first condition that is true.")
        .np(&["select"]),
    make(CHOOSE, "choose", "Each element from the choice that an index names.")
        .np(&["choose"])
        .method(&["choose"]),
    make(UNRAVEL, "unravel_index", "The index in each axis of an index into all elements.")
        .np(&["unravel_index"]),
    make(FILL_DIAGONAL, "fill_diagonal", "Sets the main diagonal of a matrix.").np(&["fill_diagonal"]),
    make(EDIFF, "ediff1d", "Differences of neighbours, of all elements in order.").np(&["ediff1d"]),
    make(RESIZE, "resize", "The elements in another shape, repeated where it holds more.").np(&["resize"]),
    make(&[rest("args")], "broadcast_arrays", "Views of arrays, stretched to one shape.")
        .np(&["broadcast_arrays"]),
    make(&[rest("args")], "broadcast_shapes", "The shape that shapes are stretched to.")
        .np(&["broadcast_shapes"]),
    make(LOGSPACE, "logspace", "Numbers evenly spaced on a logarithmic scale.").np(&["logspace"]),
];
