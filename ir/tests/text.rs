//! Runs over `tests/ir`: good files print as they are written, bad ones are refused with the error on their
//! first line.

use std::path::{Path, PathBuf};

use pydd_ir::rewrite::compact_module;
use pydd_ir::text::{PrintOptions, parse, print};

fn cases(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ir").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("the folder of cases")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pir"))
        .collect();
    files.sort();
    files
}

/// The text without comments and blank lines.
fn stripped(text: &str) -> String {
    let code = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with([';', '#']));
    code.map(|line| format!("{line}\n")).collect()
}

#[test]
fn good_cases_print_as_written() {
    for path in cases("") {
        let name = path.display();
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let module = parse(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
        let options = if text.contains(" at ") { PrintOptions::FULL } else { PrintOptions::default() };
        let printed = print(&module, options);
        assert_eq!(stripped(&printed), stripped(&text), "{name}");
        let again = parse(&printed).unwrap_or_else(|e| panic!("{name}, printed: {e}"));
        assert_eq!(again, compact_module(&module), "{name}");
    }
}
