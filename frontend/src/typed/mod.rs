//! From the syntax tree to the typed program.
//!
//! [`program`] decides which functions are made for which types. Each is walked once, in the order of execution, and
//! becomes typed statements ([`program::tree`]) as it goes: by its statements and loops, over versions of variables
//! ([`flow`]), by its [`expressions`], by what [`containers`] hold and by the rules of the catalogue's functions
//! ([`library`]). [`types`] says what follows from types alone.

mod containers;
mod expressions;
mod flow;
mod library;
pub mod program;
pub mod types;

use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::syntax::ast::{Module, StmtKind};
use program::exports::{check_results, export};
use program::inspect;
use program::module_constant;
use program::session::Session;
use program::signature::Signature;
use program::tree::{Export, Fault, FuncId, Program};
use program::unit::Unit;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Infers the types of a module. What is wrong goes to `sink`. With `takes_notes` the program says what the types of
/// expressions are, by their places.
pub fn infer(name: &str, module: Module, takes_notes: bool, sink: &mut Diagnostics) -> Program {
    let doc = module.docstring.clone();
    let mut session = Session::new(Unit::new(0, true, module, sink));
    session.takes_notes = takes_notes;
    let unit = Rc::clone(&session.units[0]);
    let mut exports = Vec::new();
    for (at, stmt) in unit.module.body.iter().enumerate() {
        if let StmtKind::FunctionDef(def) = &stmt.kind {
            export(&mut session, &unit, at, def, &mut exports, sink);
        }
    }
    module_constant::look_at_unread(&mut session, &unit);
    warn_unused_templates(&session, &unit, sink);
    let roots: Vec<FuncId> = exports.iter().map(|e: &Export| e.function).collect();
    let finished = session.finish(&roots, sink);
    for export in &mut exports {
        export.function = renumbered(&finished.renumbered, export.function);
    }
    let (functions, notes) = (finished.functions, finished.notes);
    let fault = finished.wrong.map(|(function, span)| Fault { function, span });
    let exceptions = unit.exceptions.clone();
    let mut program = Program { name: name.to_owned(), doc, functions, exports, exceptions, notes, fault };
    if sink.has_errors() {
        program.fault = None;
    } else if program.fault.is_none() {
        check_results(&program, sink);
        check_types(&program, sink);
    }
    program
}

fn renumbered(map: &BTreeMap<FuncId, FuncId>, id: FuncId) -> FuncId {
    map.get(&id).copied().unwrap_or(id)
}

/// A function without annotations that nothing calls is not compiled at all.
fn warn_unused_templates(session: &Session, unit: &Unit, sink: &mut Diagnostics) {
    for (at, stmt) in unit.module.body.iter().enumerate() {
        let StmtKind::FunctionDef(def) = &stmt.kind else { continue };
        // A function that came along from a Python file is nobody's to annotate.
        if def.captures.is_some() || def.is_python || def.ufunc.is_some() || session.is_used(at) {
            continue;
        }
        if Signature::of(def, unit).is_ok_and(|signature| signature.takes_generator()) {
            let headline = format!("function `{}` is not compiled", def.name.name);
            Diagnostic::warning(code::UNANNOTATED_FUNCTION, headline)
                .primary(
                    def.name.span,
                    "it takes a generator, which Python cannot pass, and nothing calls it",
                )
                .help("make the generator inside: `rng = np.random.default_rng(seed)`")
                .emit(sink);
        }
        if Signature::is_template(def) {
            let headline = format!("function `{}` is not compiled", def.name.name);
            Diagnostic::warning(code::UNANNOTATED_FUNCTION, headline)
                .primary(def.name.span, "no parameter has a type, and nothing calls it")
                .help("annotate its parameters to export it")
                .emit(sink);
        }
    }
}

/// What only comes from itself has no type.
fn check_types(program: &Program, sink: &mut Diagnostics) {
    for function in program.functions.iter().filter(|function| function.user) {
        if let Some(at) = inspect::inspect(function).untyped {
            Diagnostic::error(code::CANNOT_INFER_TYPE, "the type of this depends on itself")
                .primary(at, "a variable in it is assigned only what comes from itself")
                .help("give the variable a value first")
                .emit(sink);
        }
    }
}
