//! Runs over `tests/ir`: good files print as they are written, bad ones are refused with the error on their
//! first line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pydd_ir::ElemOp;
use pydd_ir::rewrite::compact_module;
use pydd_ir::text::{PrintOptions, parse, print};
use pydd_ir::verify::{RULES, verify};

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
        let printed = print(&module, &options);
        assert_eq!(stripped(&printed), stripped(&text), "{name}");
        let again = parse(&printed).unwrap_or_else(|e| panic!("{name}, printed: {e}"));
        assert_eq!(again, compact_module(&module), "{name}");
    }
}

/// What is wrong with a text; nothing where it is fine.
fn complaints(text: &str) -> Vec<String> {
    match parse(text) {
        Err(error) => vec![error.to_string()],
        Ok(module) => match verify(&module) {
            Ok(()) => Vec::new(),
            Err(errors) => errors.iter().map(ToString::to_string).collect(),
        },
    }
}

#[test]
fn good_cases_verify() {
    for path in cases("") {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        assert_eq!(complaints(&text), Vec::<String>::new(), "{}", path.display());
    }
}

#[test]
fn bad_cases_are_refused_for_the_stated_reason() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in cases("bad") {
        let name = path.display();
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let expected = text.lines().next().and_then(|line| line.strip_prefix("; error: "));
        let expected = expected.unwrap_or_else(|| panic!("{name}: the first line is `; error: …`"));
        let found = complaints(&text);
        if found.len() != 1 || !found[0].contains(expected) {
            wrong.push(format!("{name}: {expected}\nfound {found:#?}"));
            continue;
        }
        let rule = found[0].rsplit_once("(rule ").map(|(_, rest)| rest.trim_end_matches(')'));
        seen.extend(rule.map(|rule| rule.parse::<u8>().expect("the number of a rule")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // No text can break the first three, which `verify/tests.rs` covers.
    assert_eq!(seen, (4..=RULES).collect(), "there is a case for each rule");
}

#[test]
fn every_operation_is_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ir.md");
    let text = std::fs::read_to_string(root).expect("docs/ir.md");
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let mut names: BTreeSet<&str> = ElemOp::ALL.iter().map(|op| op.name()).collect();
    for path in cases("") {
        let module = parse(&std::fs::read_to_string(path).expect("a readable case")).expect("a module");
        names.extend(module.funcs.values().flat_map(|f| f.ops.values()).map(|op| op.kind.mnemonic()));
    }
    let missing: Vec<&&str> = names.iter().filter(|name| !words.contains(**name)).collect();
    assert!(missing.is_empty(), "docs/ir.md does not mention {missing:?}");
}
