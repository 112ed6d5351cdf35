//! What editors ask of a program, which may be half written: what stands at a place, where a name is defined, what may
//! stand next.
//!
//! - [`mod@at`]: what stands at a place, and what it means;
//! - [`scope`]: where names are bound, and by which function;
//! - [`complete`]: the names that may stand at a place;
//! - [`members`]: what values and modules have behind a dot;
//! - [`hints`]: types that the text does not say;
//! - [`outline`]: functions, constants and exceptions of a file;
//! - [`words`]: the words of the language that are no names of the library;
//! - [`fix`]: what to write instead of what is wrong.

pub mod at;
pub mod complete;
pub mod fix;
pub mod hints;
pub mod members;
pub mod outline;
pub mod scope;
pub mod words;

use crate::compile::describe;
use crate::diagnostics::Diagnostics;
use crate::source::SourceFile;
use crate::stack::on_big_stack;
use crate::syntax;
use crate::typed::program::notes::Notes;
use crate::typed::program::tree::{Function, Program};
use crate::typed::program::unit::Unit;
use std::collections::BTreeMap;

/// What is known of a program.
#[derive(Debug)]
pub struct Analysis {
    /// The text that it is about.
    pub source: SourceFile,
    /// What is to be said about it by the frontend.
    pub diagnostics: Diagnostics,
    /// Array IR; `None` where there were errors.
    pub module: Option<pydd_ir::Module>,
    /// A bug of the compiler.
    pub bug: Option<String>,
    /// `None` where the file is no text.
    unit: Option<Unit>,
    types: Notes,
    /// The types of each function's versions, by its name.
    signatures: BTreeMap<String, Vec<String>>,
}

/// Looks at a program for an editor.
pub fn analyse(source: SourceFile, name: &str) -> Analysis {
    on_big_stack(|| {
        let mut diagnostics = Diagnostics::new();
        let Some(tree) = syntax::parse(&source, &mut diagnostics) else {
            return Analysis::of_no_text(source, diagnostics);
        };
        // What is wrong at module level is told by what follows.
        let unit = Unit::new(0, true, tree.clone(), &mut Diagnostics::new());
        let mut program = crate::typed::infer(name, tree, true, &mut diagnostics);
        let bug = program.fault.as_ref().map(|fault| describe(fault, &source));
        let whole = bug.is_none() && !diagnostics.has_errors();
        let module = whole.then(|| crate::emit::emit(&program, &source));
        let (types, signatures) = (std::mem::take(&mut program.notes), signatures(&program));
        Analysis { source, diagnostics, module, bug, unit: Some(unit), types, signatures }
    })
}

impl Analysis {
    fn of_no_text(source: SourceFile, diagnostics: Diagnostics) -> Self {
        let (types, signatures) = (Notes::default(), BTreeMap::new());
        Self { source, diagnostics, module: None, bug: None, unit: None, types, signatures }
    }
}

fn signatures(program: &Program) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for function in program.functions.iter().filter(|function| function.user) {
        let versions = all.entry(function.source_name.clone()).or_default();
        let signature = signature(function);
        if !versions.contains(&signature) {
            versions.push(signature);
        }
    }
    all
}

fn signature(function: &Function) -> String {
    let param = |id: &crate::typed::program::tree::LocalId| {
        let local = &function.locals[id.index()];
        format!("{}: {}", local.name, local.ty)
    };
    let params: Vec<String> = function.params.iter().map(param).collect();
    let name = scope::shown(&function.source_name);
    format!("def {name}({}) -> {}", params.join(", "), function.result)
}
