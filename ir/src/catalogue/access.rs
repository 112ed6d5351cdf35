//! Shapes, views, copies.

use super::{Algebra, Entry, Param, ParamKind, Shape, axis, display, entry, fixed, opt, req, rest};

const A: &[Param] = &[req("a")];
const A_AXIS: &[Param] = &[req("a"), axis()];
const RESHAPE: &[Param] = &[req("a"), Param { kind: ParamKind::Display, ..rest("shape") }, opt("order")];
const TRANSPOSE: &[Param] = &[req("a"), fixed(Param { kind: ParamKind::Display, ..rest("axes") })];
const EXPAND: &[Param] = &[req("a"), fixed(display("axis"))];
const SWAP: &[Param] = &[req("a"), fixed(req("axis1")), fixed(req("axis2"))];
const MOVE: &[Param] = &[req("a"), fixed(display("source")), fixed(display("destination"))];
const EXPAND_ANY: &[Param] = &[req("a"), axis()];
const BROADCAST: &[Param] = &[req("a"), display("shape")];
const ORDER: &[Param] = &[req("a"), opt("order")];

const fn make(params: &'static [Param], kind: Shape, doc: &'static str) -> Entry {
    entry(params, Algebra::Shape(kind), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(A_AXIS, Shape::Shape, "The lengths of all axes as a tuple, or of one axis.")
        .np(&["shape"])
        .bare(&["shape"])
        .attribute(&["shape"]),
    make(A_AXIS, Shape::Size, "Number of elements.").np(&["size"]).attribute(&["size"]),
    make(A, Shape::Ndim, "Number of axes.").np(&["ndim"]).attribute(&["ndim"]),
    make(RESHAPE, Shape::Reshape, "The same elements in another shape; a view where possible.")
        .np(&["reshape"])
        .bare(&["reshape"])
        .method(&["reshape"]),
    make(ORDER, Shape::Ravel, "All elements in one dimension; a view where possible.")
        .np(&["ravel"])
        .method(&["ravel"]),
    make(ORDER, Shape::Flatten, "All elements in one dimension; a copy.").method(&["flatten"]),
    make(TRANSPOSE, Shape::Transpose, "A view with the axes reversed or in the given order.")
        .np(&["transpose", "permute_dims"])
        .bare(&["transpose"])
        .attribute(&["T"])
        .method(&["transpose"]),
    make(SWAP, Shape::SwapAxes, "A view with two axes exchanged.").np(&["swapaxes"]).method(&["swapaxes"]),
    make(MOVE, Shape::MoveAxis, "A view with an axis moved to another place.").np(&["moveaxis"]),
    make(EXPAND_ANY, Shape::Squeeze, "A view without an axis of length 1; ValueError if it is longer.")
        .np(&["squeeze"])
        .method(&["squeeze"]),
    make(EXPAND, Shape::ExpandDims, "A view with a new axis of length 1.").np(&["expand_dims"]),
    make(BROADCAST, Shape::BroadcastTo, "A view stretched to a shape; read-only.").np(&["broadcast_to"]),
    make(BROADCAST, Shape::Stretched, "A view stretched to a shape.").internal(&["stretched_to"]),
    make(A, Shape::Diagonal, "A view of the diagonal of the last two axes.").internal(&["diagonal_view"]),
    make(&[req("a"), req("count")], Shape::Windows, "A view of neighbours along the first axis.")
        .internal(&["windows_view"]),
    make(A, Shape::DiagonalInPlace, "As `diagonal_view`, and it may be written.")
        .internal(&["diagonal_in_place"]),
    make(A, Shape::Strides, "How many bytes neighbours along each axis are apart.").attribute(&["strides"]),
    make(A, Shape::ItemSize, "The bytes of one element.").attribute(&["itemsize"]),
    make(A, Shape::NBytes, "The bytes of all elements.").attribute(&["nbytes"]),
    make(ORDER, Shape::Copy, "A new array with the same elements.")
        .np(&["copy"])
        .bare(&["copy"])
        .method(&["copy"]),
];
