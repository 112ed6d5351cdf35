//! Arrays in parts and the coordinates of grids: functions of `frontend/src/prelude/splitting.pydd`.

use super::{
    Algebra, Builtin, Entry, Param, ParamKind, Space, array, axis, display, entry, fixed, int, opt, req,
    rest, written,
};

const PARTS: Param = Param { kind: ParamKind::Display, ..req("indices_or_sections") };
const SPLIT: &[Param] = &[array("ary"), PARTS, fixed(int("axis", 0))];
const ARRAY_SPLIT: &[Param] = &[req("ary"), PARTS, fixed(int("axis", 0))];
const SPLIT_ALONG: &[Param] = &[array("ary"), PARTS];
const TRIANGLE: &[Param] = &[req("n"), int("k", 0), opt("m")];
const OF_TRIANGLE: &[Param] = &[req("arr"), int("k", 0)];
const FLAT_INDEX: &[Param] = &[
    Param { kind: ParamKind::Display, ..req("multi_index") },
    Param { kind: ParamKind::Display, ..req("dims") },
];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "splitting", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(SPLIT, "split", "Views of equal parts along an axis, or of those between indices.").np(&["split"]),
    make(ARRAY_SPLIT, "array_split", "As `split`, into parts that may differ by one in length.")
        .np(&["array_split"]),
    make(SPLIT_ALONG, "hsplit", "As `split`, along the second axis, of a vector along the first.")
        .np(&["hsplit"]),
    make(SPLIT_ALONG, "vsplit", "As `split`, along the first axis.").np(&["vsplit"]),
    make(SPLIT_ALONG, "dsplit", "As `split`, along the third axis.").np(&["dsplit"]),
    make(TRIANGLE, "tril_indices", "Rows and columns of a lower triangle.").np(&["tril_indices"]),
    make(TRIANGLE, "triu_indices", "Rows and columns of an upper triangle.").np(&["triu_indices"]),
    make(OF_TRIANGLE, "tril_indices_from", "Rows and columns of a matrix's lower triangle.")
        .np(&["tril_indices_from"]),
    make(OF_TRIANGLE, "triu_indices_from", "Rows and columns of a matrix's upper triangle.")
        .np(&["triu_indices_from"]),
    make(&[req("n")], "diag_indices", "Rows and columns of a diagonal.").np(&["diag_indices"]),
    make(&[req("arr")], "diag_indices_from", "Rows and columns of a square matrix's diagonal.")
        .np(&["diag_indices_from"]),
    make(
        &[req("x"), int("offset", 0)],
        "diagonal_of_last",
        "A view of a diagonal of the last two axes; read-only.",
    )
    .linalg(&["diagonal"]),
    make(
        &[req("a"), int("offset", 0), fixed(int("axis1", 0)), fixed(int("axis2", 1))],
        "diagonal",
        "A view of a diagonal; read-only.",
    )
    .np(&["diagonal"])
    .method(&["diagonal"]),
    make(&[req("v"), int("k", 0)], "diagflat", "A matrix with all elements on a diagonal.").np(&["diagflat"]),
    make(
        &[req("x"), display("window_shape"), axis()],
        "sliding_window_view",
        "A view of all windows of a shape, along all axes or these; read-only.",
    )
    .within(Space::StrideTricks, &["sliding_window_view"]),
    make(&[rest("args")], "ix_", "Vectors of positions as indices that give every combination.").np(&["ix_"]),
    make(FLAT_INDEX, "ravel_multi_index", "The index into all elements of an index in each axis.")
        .np(&["ravel_multi_index"]),
    entry(
        &[],
        Algebra::Builtin(Builtin::Grid { open: false }),
        "`mgrid[a:b, c:d]`: the coordinates of a grid's points.",
    )
    .np(&["mgrid"]),
    entry(
        &[],
        Algebra::Builtin(Builtin::Grid { open: true }),
        "`ogrid[a:b, c:d]`: the coordinates of a grid's axes.",
    )
    .np(&["ogrid"]),
    entry(
        &[],
        Algebra::Builtin(Builtin::Joined { columns: false }),
        "`r_[a, b:c, d]`: values and ranges one after the other.",
    )
    .np(&["r_"]),
    entry(
        &[],
        Algebra::Builtin(Builtin::Joined { columns: true }),
        "`c_[a, b]`: vectors as the columns of a matrix.",
    )
    .np(&["c_"]),
];
