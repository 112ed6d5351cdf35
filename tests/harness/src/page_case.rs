//! The pages of `pyddc explain`: the first program of each is refused (or warned of) with the page's code and
//! nothing else, and the second, which says what to write instead, compiles without a word. What concerns a part of
//! the language that is not there yet may be refused as that, too.

use crate::markdown::fences;
use crate::{compiler, failure, files};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// What a page can only describe; `limits` tests these.
const NOT_SHOWN: [&str; 4] = ["bad-encoding", "file-too-large", "less-effort", "nesting-too-deep"];
/// What is said only to who asks, among other things that are said then.
const ON_REQUEST: [&str; 32] = [
    "allocations",
    "array-contracted",
    "array-in-registers",
    "array-made",
    "columns-side-by-side",
    "copy-left-out",
    "equal-lengths",
    "loop-check",
    "loop-in-lanes",
    "loop-in-order",
    "loop-not-on-device",
    "loop-not-vectorized",
    "loop-on-device",
    "loop-parallel",
    "loop-vectorized",
    "loop-versioned",
    "loops-apart",
    "loops-joined",
    "made-once",
    "mask-in-place",
    "masks-grouped",
    "moved-out-of-loop",
    "operations-fused",
    "part-computed",
    "pfor-table",
    "private-copies",
    "product-masked",
    "product-sampled",
    "rows-side-by-side",
    "short-axis",
    "statements-vectorized",
    "time-inside",
];
/// What only the backend finds out.
const OF_BACKEND: [&str; 3] = ["loop-not-vectorized", "loop-vectorized", "statements-vectorized"];
const NOT_YET: &str = "unsupported-yet";

/// A test for each page in `frontend/errors`.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let codes = pydd_frontend::diagnostics::code::all().map(|code| code.name());
    codes
        .filter(|code| !NOT_SHOWN.contains(code))
        .map(|code| Trial::test(format!("errors/{code}"), move || run(code)).with_kind("page"))
        .collect()
}

fn run(code: &str) -> Result<(), Failed> {
    let path = files::root().join("frontend/errors").join(code).with_extension("md");
    let page = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let programs = fences(&page)?;
    let [wrong, right] = programs.as_slice() else {
        return Err("a page has two programs: a wrong one, and what to write instead".into());
    };
    let mut problems = Vec::new();
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut said = reported(folder.path(), &wrong.text, code)?;
    if said.len() > 1 {
        said.remove(NOT_YET);
    }
    if said != BTreeSet::from([code.to_owned()]) {
        problems.push(format!("the first program gives {said:?}"));
    }
    let mut said = reported(folder.path(), &right.text, code)?;
    said.remove(NOT_YET);
    if !said.is_empty() {
        problems.push(format!("the second program gives {said:?}"));
    }
    if problems.is_empty() { Ok(()) } else { Err(failure(&format!("errors/{code}"), &problems)) }
}

/// The codes of all that the compiler says about a program, which is to show one of them; of remarks on request only that one.
fn reported(folder: &Path, program: &str, code: &str) -> Result<BTreeSet<String>, String> {
    std::fs::write(folder.join("kernel.pydd"), program).map_err(|e| e.to_string())?;
    let on_request = ON_REQUEST.contains(&code);
    let mut arguments = vec!["kernel.pydd", "--message-format=json"];
    if on_request {
        arguments.push("--report");
    }
    if !OF_BACKEND.contains(&code) {
        arguments.push("--emit=loops");
    }
    if matches!(code, "loop-in-order" | "loop-parallel") {
        arguments.push("--auto-parallel");
    }
    if matches!(code, "loop-not-on-device" | "loop-on-device") {
        arguments.push("--gpu");
    }
    let output = compiler::pyddc(folder, &arguments)?;
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("pyddc ended with {}", output.status));
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let parsed = stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut codes: BTreeSet<String> = parsed.filter_map(|d| d["code"].as_str().map(str::to_owned)).collect();
    codes.retain(|said| !on_request || said == code || !ON_REQUEST.contains(&said.as_str()));
    Ok(codes)
}
