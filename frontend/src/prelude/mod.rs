//! Library functions written in the language itself, parsed when a program first needs them.

/// The text of a prelude file.
pub fn text(file: &str) -> Option<&'static str> {
    Some(match file {
        "creation" => include_str!("creation.pydd"),
        "elementwise" => include_str!("elementwise.pydd"),
        "indexing" => include_str!("indexing.pydd"),
        "intrepydd" => include_str!("intrepydd.pydd"),
        "linalg" => include_str!("linalg.pydd"),
        "scalar" => include_str!("scalar.pydd"),
        "sequence" => include_str!("sequence.pydd"),
        "shape" => include_str!("shape.pydd"),
        "sparse" => include_str!("sparse.pydd"),
        "sparse_build" => include_str!("sparse_build.pydd"),
        "stats" => include_str!("stats.pydd"),
        _ => return None,
    })
}
