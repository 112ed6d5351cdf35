//! Library functions written in the language itself, parsed when a program first needs them.

/// Each file with its text.
const FILES: &[(&str, &str)] = &[
    ("bisect", include_str!("bisect.pydd")),
    ("cmath", include_str!("cmath.pydd")),
    ("creation", include_str!("creation.pydd")),
    ("dicts", include_str!("dicts.pydd")),
    ("distance", include_str!("distance.pydd")),
    ("elementwise", include_str!("elementwise.pydd")),
    ("extremes", include_str!("extremes.pydd")),
    ("factorizations", include_str!("factorizations.pydd")),
    ("fourier", include_str!("fourier.pydd")),
    ("heaps", include_str!("heaps.pydd")),
    ("indexing", include_str!("indexing.pydd")),
    ("integrate", include_str!("integrate.pydd")),
    ("intrepydd", include_str!("intrepydd.pydd")),
    ("joining", include_str!("joining.pydd")),
    ("linalg", include_str!("linalg.pydd")),
    ("ndimage", include_str!("ndimage.pydd")),
    ("numeric", include_str!("numeric.pydd")),
    ("operator", include_str!("operator.pydd")),
    ("printing", include_str!("printing.pydd")),
    ("python_random", include_str!("python_random.pydd")),
    ("random", include_str!("random.pydd")),
    ("rounding", include_str!("rounding.pydd")),
    ("scalar", include_str!("scalar.pydd")),
    ("scipy_linalg", include_str!("scipy_linalg.pydd")),
    ("sequence", include_str!("sequence.pydd")),
    ("shape", include_str!("shape.pydd")),
    ("signal", include_str!("signal.pydd")),
    ("solving", include_str!("solving.pydd")),
    ("sorting", include_str!("sorting.pydd")),
    ("sparse", include_str!("sparse.pydd")),
    ("sparse_build", include_str!("sparse_build.pydd")),
    ("sparse_index", include_str!("sparse_index.pydd")),
    ("sparse_graph", include_str!("sparse_graph.pydd")),
    ("sparse_linalg", include_str!("sparse_linalg.pydd")),
    ("sparse_make", include_str!("sparse_make.pydd")),
    ("sparse_products", include_str!("sparse_products.pydd")),
    ("sparse_values", include_str!("sparse_values.pydd")),
    ("special", include_str!("special.pydd")),
    ("splitting", include_str!("splitting.pydd")),
    ("stats", include_str!("stats.pydd")),
    ("summary", include_str!("summary.pydd")),
    ("windows", include_str!("windows.pydd")),
];

/// The text of a prelude file.
pub fn text(file: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == file).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::FILES;
    use crate::diagnostics::Diagnostics;
    use crate::source::SourceFile;
    use crate::syntax;
    use crate::syntax::ast::StmtKind;
    use pydd_ir::catalogue::{Algebra, TABLES};
    use std::collections::BTreeMap;

    /// How many parameters each function of a file has.
    fn functions(file: &str, text: &str) -> BTreeMap<String, usize> {
        let mut sink = Diagnostics::new();
        let source = SourceFile::new(format!("{file}.pydd"), text.to_owned());
        let module = syntax::parse(&source, &mut sink);
        assert!(sink.is_empty(), "{file}: {:?}", sink.sorted());
        let functions = module.expect("it has text").body.into_iter().filter_map(|stmt| match stmt.kind {
            StmtKind::FunctionDef(def) => Some((def.name.name, def.params.len())),
            _ => None,
        });
        functions.collect()
    }

    #[test]
    fn files_are_right_and_hold_what_the_catalogue_names() {
        let files: BTreeMap<&str, _> =
            FILES.iter().map(|(name, text)| (*name, functions(name, text))).collect();
        for entry in TABLES.iter().copied().flatten() {
            let Algebra::Prelude { file, function } = entry.algebra else { continue };
            let count = files.get(file).and_then(|functions| functions.get(function));
            assert_eq!(count, Some(&entry.params.len()), "{file}.{function}");
        }
    }
}
