//! Functions with rules of their own, and constants.

use super::{Algebra, Builtin, Default, Entry, Param, ParamKind, dtype, entry, flag, int, opt, req, rest};
use crate::elem::{ElemOp, ReduceOp};
use crate::op::Keep;

const X: &[Param] = &[req("x")];
const TEXT: &[Param] = &[req("text")];
const TEXT_BASE: &[Param] = &[req("text"), req("base")];
const XY: &[Param] = &[req("x"), req("y")];
const ITEMS: &[Param] = &[rest("items")];
const EXTREME: &[Param] = &[rest("items"), opt("axis"), opt("default")];
const POWER: &[Param] = &[req("x"), req("y"), opt("mod")];
const OVER: &[Param] = &[req("x"), opt("axis")];
const SUM: &[Param] = &[req("x"), opt("start"), opt("axis")];
const PRINT: &[Param] = &[rest("items"), opt("sep"), opt("end"), opt("flush")];
const ENUMERATE: &[Param] = &[req("iterable"), int("start", 0)];
const SORTED: &[Param] = &[req("x"), opt("key"), opt("reverse")];
const ROUND: &[Param] = &[req("number"), opt("ndigits")];
const NP_ROUND: &[Param] = &[req("a"), int("decimals", 0), opt("out")];
const AS_TYPE: &[Param] =
    &[req("a"), Param { default: Default::Required, ..dtype() }, opt("order"), flag("copy", true)];
const NEW_TYPE: &[Param] = &[req("x"), Param { default: Default::Required, ..dtype() }, flag("copy", true)];
const A: &[Param] = &[req("a")];
const SHAPE: &[Param] = &[Param { kind: ParamKind::Display, ..rest("shape") }];
const TYPE: &[Param] = &[Param { default: Default::Required, ..dtype() }];
const EINSUM: &[Param] = &[req("subscripts"), rest("operands"), opt("optimize")];
const SUBDTYPE: &[Param] = &[req("arg1"), req("arg2")];
const ISINSTANCE: &[Param] = &[req("x"), req("types")];
const VALUE: &[Param] = &[req("a"), req("value")];
const WHERE: &[Param] = &[req("condition"), opt("x"), opt("y")];

const fn make(params: &'static [Param], kind: Builtin, doc: &'static str) -> Entry {
    entry(params, Algebra::Builtin(kind), doc)
}

const fn constant(value: f64, doc: &'static str) -> Entry {
    entry(&[], Algebra::Constant(value), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(X, Builtin::Len, "Length of a list or tuple, or of an array's first axis.").bare(&["len"]),
    make(ITEMS, Builtin::Range, "Integers from start up to stop.").bare(&["range", "prange"]),
    make(ITEMS, Builtin::Slice, "Indices from start up to stop, for a subscript.").bare(&["slice"]),
    make(PRINT, Builtin::Print, "Writes its arguments to sys.stdout.").bare(&["print"]),
    make(ITEMS, Builtin::Zip, "Iterates over several at once.").bare(&["zip"]),
    make(ENUMERATE, Builtin::Enumerate, "Iterates with a counter.").bare(&["enumerate"]),
    make(X, Builtin::Reversed, "Iterates from the end.").bare(&["reversed"]),
    make(SHAPE, Builtin::NdIndex, "Iterates over the indices of all elements of a shape.").np(&["ndindex"]),
    make(A, Builtin::NdEnumerate, "Iterates over all elements with their indices.").np(&["ndenumerate"]),
    make(A, Builtin::Flat, "Iterates over all elements in row-major order.").attribute(&["flat"]),
    make(EINSUM, Builtin::Einsum, "Sums of products by subscripts: `einsum(\"ij,jk->ik\", a, b)`.")
        .np(&["einsum"]),
    make(TYPE, Builtin::Limits { floats: true }, "Limits of a float type: eps, max, min, tiny.")
        .np(&["finfo"]),
    make(TYPE, Builtin::Limits { floats: false }, "Limits of an integer type: max, min.").np(&["iinfo"]),
    make(TYPE, Builtin::NamedDType, "An element type, by its name or as it is: `np.dtype(\"int16\")`.")
        .np(&["dtype"]),
    make(X, Builtin::Abs, "Absolute value.").bare(&["abs"]),
    make(EXTREME, Builtin::Min, "The least of several numbers, of a list, or of an array's elements.")
        .bare(&["min"]),
    make(EXTREME, Builtin::Max, "The greatest of several numbers, of a list, or of an array's elements.")
        .bare(&["max"]),
    make(SUM, Builtin::Sum, "Sum of a list, from a start; of an array's elements, over all or an axis.")
        .bare(&["sum"]),
    make(OVER, Builtin::Any, "Whether some element is true.").bare(&["any"]),
    make(OVER, Builtin::All, "Whether every element is true.").bare(&["all"]),
    make(ROUND, Builtin::Round, "Rounded to the nearest integer, halves to even, or to so many digits.")
        .bare(&["round"]),
    make(NP_ROUND, Builtin::Round, "Rounded to so many decimals, halves to even.")
        .np(&["round", "around"])
        .method(&["round"]),
    make(POWER, Builtin::Pow, "Power, as `**`; of integers also modulo a third one.").bare(&["pow"]),
    make(XY, Builtin::Divmod, "Quotient and remainder, as `//` and `%`.").np(&["divmod"]).bare(&["divmod"]),
    make(X, Builtin::ToInt(ElemOp::Floor), "The greatest integer not above x.").math(&["floor"]),
    make(X, Builtin::ToInt(ElemOp::Ceil), "The least integer not below x.").math(&["ceil"]),
    make(X, Builtin::ToInt(ElemOp::Trunc), "The integer part of x.").math(&["trunc"]),
    make(VALUE, Builtin::Append, "Adds an item to the end of a list.").bare(&["append"]).method(&["append"]),
    make(AS_TYPE, Builtin::AsType, "A copy with another element type.").method(&["astype"]),
    make(NEW_TYPE, Builtin::AsType, "A copy with another element type.").np(&["astype"]),
    make(VALUE, Builtin::Fill, "Sets every element.").bare(&["fill"]).method(&["fill"]),
    make(WHERE, Builtin::Where, "Elements of x where the condition is true, else of y.")
        .np(&["where"])
        .bare(&["where"]),
    make(
        OVER,
        Builtin::ArgIndex(ReduceOp::ArgMin),
        "Index of the least element; of an n-d array one in each dimension.",
    )
    .bare(&["argmin"]),
    make(
        OVER,
        Builtin::ArgIndex(ReduceOp::ArgMax),
        "Index of the greatest element; of an n-d array one in each dimension.",
    )
    .bare(&["argmax"]),
    make(
        X,
        Builtin::List,
        "A new list with the items of a list, range, array, dict, `zip(…)` or `enumerate(…)`.",
    )
    .bare(&["list"]),
    make(
        &[req("a"), rest("others")],
        Builtin::Overlaps,
        "Whether the memory of an array may be that of another.",
    )
    .internal(&["overlaps"]),
    make(&[], Builtin::OnDevice, "Whether what is compiled is for a device.").internal(&["on_device"]),
    make(
        &[req("fresh"), req("like")],
        Builtin::LyingAs(Keep::Copy),
        "A fresh array, or a copy of it whose axes lie as those of another one's copy.",
    )
    .internal(&["lying_as"]),
    make(
        &[req("fresh"), rest("operands")],
        Builtin::LyingAs(Keep::Elem),
        "A fresh array, or a copy of it whose axes lie as an operation's on elements of these operands.",
    )
    .internal(&["lying_as_results"]),
    make(
        &[req("fresh"), req("like")],
        Builtin::LyingAs(Keep::Columns),
        "A fresh array, or a copy of it that is column-major where the other one is, without gaps.",
    )
    .internal(&["lying_in_columns"]),
    make(X, Builtin::Columns, "The lists that a list is made of.").internal(&["list_columns"]),
    make(X, Builtin::Items, "A tuple as a list of known length.").internal(&["list_of_parts"]),
    make(X, Builtin::IsKnown, "Whether it is known when the program is compiled.").internal(&["is_known"]),
    make(A, Builtin::ToList, "A new list of Python's numbers with a vector's elements.").method(&["tolist"]),
    make(
        SORTED,
        Builtin::Sorted,
        "A new list with the items in ascending order, or in that of `key=`, a function of an item.",
    )
    .bare(&["sorted"]),
    make(ITEMS, Builtin::ResultType, "The type that NumPy gives results of these numbers and arrays.")
        .np(&["result_type"]),
    make(
        &[req("x"), rest("args")],
        Builtin::Item,
        "The only element as a Python number, or the one at an index.",
    )
    .method(&["item"]),
    make(TEXT, Builtin::Digits { base: 16 }, "The integer that hexadecimal digits in a literal spell.")
        .bare(&["hextoi"]),
    make(TEXT, Builtin::Digits { base: 10 }, "The integer that digits in a literal spell.").bare(&["stoi"]),
    make(TEXT_BASE, Builtin::Digits { base: 0 }, "The integer that digits of a base spell, in a literal.")
        .bare(&["strtol"]),
    make(X, Builtin::Ord, "The code point of a character that is known when compiling.").bare(&["ord"]),
    make(
        X,
        Builtin::Hex,
        "An integer that is known when compiling in hexadecimal digits, as Python has them.",
    )
    .bare(&["hex"]),
    make(X, Builtin::Real, "Real part.").np(&["real"]).attribute(&["real"]),
    make(X, Builtin::Imag, "Imaginary part.").np(&["imag"]).attribute(&["imag"]),
    make(X, Builtin::DType, "The element type.").attribute(&["dtype"]),
    make(X, Builtin::TypeOf, "The type of a number, to convert to: `type(x)(1)`.").bare(&["type"]),
    make(ISINSTANCE, Builtin::IsInstance, "Whether a number is of a type, or of one of several.")
        .bare(&["isinstance"]),
    make(
        SUBDTYPE,
        Builtin::IsSubDType,
        "Whether an element type is of a kind, such as `np.floating`, or another one.",
    )
    .np(&["issubdtype"]),
    constant(std::f64::consts::PI, "The ratio of a circle's circumference to its diameter.")
        .np(&["pi"])
        .math(&["pi"])
        .cmath(&["pi"]),
    constant(std::f64::consts::E, "Euler's number.").np(&["e"]).math(&["e"]).cmath(&["e"]),
    constant(std::f64::consts::TAU, "A full turn in radians.").math(&["tau"]).cmath(&["tau"]),
    constant(f64::INFINITY, "Infinity.").np(&["inf"]).math(&["inf"]).cmath(&["inf"]),
    constant(f64::NAN, "Not a number.").np(&["nan"]).math(&["nan"]).cmath(&["nan"]),
    constant(0.577_215_664_901_532_9, "The Euler-Mascheroni constant.").np(&["euler_gamma"]),
];
