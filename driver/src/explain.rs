//! `pyddc explain`: diagnostics and library functions.

use crate::say;
use pydd_frontend::diagnostics::{code, did_you_mean, explain};
use pydd_ir::catalogue::reference;
use pydd_ir::catalogue::{Algebra, Default, Entry, Param};
use serde_json::{Value, json};
use std::process::ExitCode;

/// The name of the reference of all functions.
const LIBRARY: &str = "library";

/// Prints the page of a code, what is said of a library function, the whole library, or the list of all codes.
#[must_use]
pub fn run(name: Option<&str>, json: bool) -> ExitCode {
    let names = || code::all().map(code::Code::name);
    let Some(name) = name else { return print(&names().map(|name| format!("{name}\n")).collect::<String>()) };
    // As it stands in a diagnostic: error[undefined-name].
    let plain = name.rsplit('[').next().unwrap_or(name).trim_end_matches(']');
    if let Some(page) = explain(plain) {
        return print(page);
    }
    if name == LIBRARY {
        return print(&if json { library() } else { reference::page() });
    }
    if let Some(text) = reference::describe(name) {
        return print(&text);
    }
    say!("there is no diagnostic or library function `{name}`");
    let functions: Vec<String> = reference::all_names().collect();
    let near = did_you_mean(plain, names());
    match near.or_else(|| did_you_mean(plain, functions.iter().map(String::as_str))) {
        Some(near) => say!("did you mean `{near}`?"),
        None => say!("`pyddc explain` lists all"),
    }
    ExitCode::from(2)
}

/// The catalogue, an object a line: for tools that try or document each function.
fn library() -> String {
    let lines = reference::sections().flat_map(|(title, table)| {
        let public = table.iter().filter(|entry| reference::spellings(entry).next().is_some());
        public.map(move |entry| format!("{}\n", function(title, entry)))
    });
    lines.collect()
}

fn function(title: &str, entry: &Entry) -> Value {
    let names: Vec<Value> = reference::spellings(entry)
        .map(|(space, name)| {
            let spelled = space.spelled(name);
            json!({ "space": format!("{space:?}"), "name": name, "spelled": spelled })
        })
        .collect();
    let params: Vec<Value> = entry.params.iter().map(param).collect();
    let (kind, detail) = algebra(entry.algebra);
    json!({ "section": title, "names": names, "params": params, "kind": kind, "detail": detail, "doc": entry.doc })
}

fn param(param: &Param) -> Value {
    let default = match param.default {
        Default::Required => json!("required"),
        Default::Rest => json!("rest"),
        Default::None | Default::LeftOut => Value::Null,
        Default::Bool(value) => json!(value),
        Default::Int(value) => json!(value),
    };
    let takes = format!("{:?}", param.kind).to_lowercase();
    json!({ "name": param.name, "default": default, "takes": takes, "constant": param.constant })
}

/// What a function is to the compiler, and which one of its kind.
fn algebra(algebra: Algebra) -> (&'static str, String) {
    match algebra {
        Algebra::Elementwise { op, promote } => ("elementwise", format!("{op:?} {promote:?}")),
        Algebra::Reduction { op, .. } => ("reduction", format!("{op:?}")),
        Algebra::Creation(kind) => ("creation", format!("{kind:?}")),
        Algebra::Shape(kind) => ("shape", format!("{kind:?}")),
        Algebra::Contraction => ("contraction", String::new()),
        Algebra::Opaque(op) => ("opaque", format!("{op:?}")),
        Algebra::Convert { dtype, .. } => ("convert", format!("{dtype:?}")),
        Algebra::Constant(value) => ("constant", value.to_string()),
        Algebra::Builtin(kind) => ("builtin", format!("{kind:?}")),
        Algebra::Prelude { file, function } => ("prelude", format!("{file} {function}")),
    }
}

fn print(text: &str) -> ExitCode {
    match say::output(text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say!("pyddc: cannot write the output: {error}");
            ExitCode::from(2)
        }
    }
}
