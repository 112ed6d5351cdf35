//! Functions that make arrays, and the names of types, which convert.

use super::{Algebra, Creation, Entry, Param, display, dtype, entry, opt, req};
use crate::types::DType;

const SHAPE: &[Param] = &[display("shape"), dtype(), opt("order")];
const FULL: &[Param] = &[display("shape"), req("fill_value"), dtype(), opt("order")];
const LIKE: &[Param] = &[req("a"), dtype(), opt("order")];
const FULL_LIKE: &[Param] = &[req("a"), req("fill_value"), dtype(), opt("order")];
const ARANGE: &[Param] = &[req("start"), opt("stop"), opt("step"), dtype()];
const OBJECT: &[Param] = &[display("object"), dtype(), opt("order")];
const VALUE: &[Param] = &[opt("x")];

const fn make(params: &'static [Param], kind: Creation, doc: &'static str) -> Entry {
    entry(params, Algebra::Creation(kind), doc)
}

const fn convert(dtype: DType, weak: bool) -> Entry {
    entry(VALUE, Algebra::Convert { dtype, weak }, "Converts to this type; as an argument, the type itself.")
}

pub(super) const ENTRIES: &[Entry] = &[
    make(SHAPE, Creation::Zeros, "A new array of zeros, float64 unless `dtype` says otherwise.")
        .np(&["zeros"])
        .bare(&["zeros"]),
    make(SHAPE, Creation::Ones, "A new array of ones.").np(&["ones"]).bare(&["ones"]),
    make(SHAPE, Creation::Empty, "A new array with unspecified contents.")
        .np(&["empty", "ndarray"])
        .bare(&["empty"]),
    make(FULL, Creation::Full, "A new array filled with one value.").np(&["full"]).bare(&["full"]),
    make(LIKE, Creation::ZerosLike, "Zeros in the shape and type of another array.")
        .np(&["zeros_like"])
        .bare(&["zeros_like"]),
    make(LIKE, Creation::OnesLike, "Ones in the shape and type of another array.")
        .np(&["ones_like"])
        .bare(&["ones_like"]),
    make(LIKE, Creation::EmptyLike, "A new array in the shape and type of another.")
        .np(&["empty_like"])
        .bare(&["empty_like"]),
    make(FULL_LIKE, Creation::FullLike, "One value in the shape and type of another array.")
        .np(&["full_like"])
        .bare(&["full_like"]),
    make(SHAPE, Creation::Zeros2d, "A new matrix of zeros.").bare(&["zeros_2d"]),
    make(SHAPE, Creation::Empty2d, "A new matrix with unspecified contents.").bare(&["empty_2d"]),
    make(ARANGE, Creation::Arange, "Evenly spaced numbers from start up to stop.")
        .np(&["arange"])
        .bare(&["arange"]),
    make(OBJECT, Creation::Array, "An array from nested lists of numbers, or a copy of an array.")
        .np(&["array"])
        .bare(&["array"]),
    make(OBJECT, Creation::AsArray, "As `array`, without a copy where none is needed.").np(&["asarray"]),
    // Types. `int` and `float` are Python's; `long` and `double` are Intrepydd's names.
    convert(DType::Bool, true).bare(&["bool"]),
    convert(DType::I64, true).bare(&["int"]),
    convert(DType::F64, true).bare(&["float"]),
    Entry { params: &[opt("real"), opt("imag")], ..convert(DType::C128, true) }.bare(&["complex"]),
    convert(DType::Bool, false).np(&["bool_", "bool"]).bare(&["boolean"]),
    convert(DType::I8, false).np(&["int8"]).bare(&["int8"]),
    convert(DType::I16, false).np(&["int16"]).bare(&["int16"]),
    convert(DType::I32, false).np(&["int32", "intc"]).bare(&["int32"]),
    convert(DType::I64, false).np(&["int64", "intp", "int_", "longlong"]).bare(&["int64", "long"]),
    convert(DType::U8, false).np(&["uint8"]).bare(&["uint8"]),
    convert(DType::U16, false).np(&["uint16"]).bare(&["uint16"]),
    convert(DType::U32, false).np(&["uint32"]).bare(&["uint32"]),
    convert(DType::U64, false).np(&["uint64", "uintp", "uint", "ulonglong"]).bare(&["uint64"]),
    convert(DType::F32, false).np(&["float32", "single"]).bare(&["float32"]),
    convert(DType::F64, false).np(&["float64", "double"]).bare(&["float64", "double"]),
    convert(DType::C64, false).np(&["complex64"]).bare(&["complex64"]),
    convert(DType::C128, false).np(&["complex128"]).bare(&["complex128"]),
];
