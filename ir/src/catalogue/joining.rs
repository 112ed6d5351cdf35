//! Arrays put together, repeated and padded: functions of `frontend/src/prelude/joining.pydd`.

use super::{Default, Entry, Param, ParamKind, axis, dtype, fixed, int, opt, req, rest, stored, written};

const ARRAYS: Param = Param { kind: ParamKind::Display, ..req("arrays") };
const A: &[Param] = &[req("a")];
const ALONG: &[Param] = &[ARRAYS, fixed(int("axis", 0))];
const CONCATENATE: &[Param] = &[ARRAYS, fixed(int("axis", 0)), dtype()];
const WITH_LENGTH: &[Param] =
    &[Param { kind: ParamKind::Display, ..req("shape") }, fixed(req("axis")), req("n")];
const JOIN: &[Param] = &[ARRAYS];
const APPEND: &[Param] = &[req("arr"), req("values"), axis()];
const INSERT: &[Param] = &[req("arr"), req("obj"), stored("values"), axis()];
const DELETE: &[Param] = &[req("arr"), req("obj"), axis()];
const REPEAT: &[Param] = &[req("a"), req("repeats"), axis()];
const TILE: &[Param] = &[req("A"), Param { kind: ParamKind::Display, ..req("reps") }];
const PAD: &[Param] = &[
    req("array"),
    Param { kind: ParamKind::Display, ..req("pad_width") },
    opt("mode"),
    Param { kind: ParamKind::Display, ..opt("constant_values") },
];
const MESHGRID: &[Param] = &[rest("xi"), opt("indexing")];
const ROT: &[Param] = &[
    req("m"),
    fixed(Param { default: Default::Int(1), ..req("k") }),
    fixed(Param { kind: ParamKind::Display, ..opt("axes") }),
];

/// The prelude's file.
const FILE: &str = "joining";

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, FILE, function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(CONCATENATE, "concatenate", "Arrays one after the other along an axis.")
        .np(&["concatenate", "concat"]),
    make(ALONG, "stack", "Arrays of one shape along a new axis.").np(&["stack"]),
    make(JOIN, "hstack", "Arrays side by side.").np(&["hstack"]),
    make(JOIN, "vstack", "Arrays one below the other.").np(&["vstack", "row_stack"]),
    make(JOIN, "block", "A matrix of rows of matrices.").np(&["block"]),
    make(JOIN, "column_stack", "Vectors as the columns of a matrix.").np(&["column_stack"]),
    make(A, "atleast_1d", "With one axis at least.").np(&["atleast_1d"]),
    make(A, "atleast_2d", "With two axes at least, new ones in front.").np(&["atleast_2d"]),
    make(JOIN, "dstack", "Arrays one behind the other along the third axis.").np(&["dstack"]),
    make(A, "atleast_3d", "With three axes at least.").np(&["atleast_3d"]),
    make(APPEND, "append", "A copy with values added at the end.").np(&["append"]),
    make(INSERT, "insert", "A copy with values put in before an index.").np(&["insert"]),
    make(DELETE, "delete", "A copy without the elements at an index, indices or a mask.").np(&["delete"]),
    make(REPEAT, "repeat", "Each element several times.").np(&["repeat"]).method(&["repeat"]),
    make(TILE, "tile", "The whole array several times along each axis.").np(&["tile"]),
    make(PAD, "pad", "With more elements around it: constant, edge, wrap, reflect or symmetric.")
        .np(&["pad"]),
    make(MESHGRID, "meshgrid", "The coordinates of the points of a grid, an array for each axis.")
        .np(&["meshgrid"]),
    make(ROT, "rot90", "Turned by quarter turns; a view.").np(&["rot90"]),
    make(WITH_LENGTH, "with_length", "A shape with another length of an axis.").internal(&["with_length"]),
];
