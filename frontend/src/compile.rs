//! The whole way from source to array IR.

use crate::diagnostics::Diagnostics;
use crate::source::SourceFile;
use crate::stack::on_big_stack;
use crate::typed::program::tree::{Fault, Program};
use crate::typed::program::ufunc::check_inputs;
use crate::{emit, syntax, typed};
use pydd_ir::Module;

/// What a compilation gives.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What is to be said about the program.
    pub diagnostics: Diagnostics,
    /// The typed program, also where it has errors; `None` where the file is no text.
    pub typed: Option<Program>,
    /// Array IR; `None` where there were errors.
    pub module: Option<Module>,
    /// A bug of the compiler: something is wrong with the program, and no error says what.
    pub bug: Option<String>,
}

impl Outcome {
    /// The typed program as text.
    pub fn typed_dump(&self) -> String {
        self.typed
            .as_ref()
            .map(|program| on_big_stack(|| typed::program::dump::dump(program)))
            .unwrap_or_default()
    }
}

/// Compiles a source file to array IR. `name` is the one by which Python imports the module.
pub fn compile(source: &SourceFile, name: &str) -> Outcome {
    on_big_stack(|| {
        let mut outcome = Outcome::default();
        let Some(tree) = syntax::parse(source, &mut outcome.diagnostics) else { return outcome };
        let program = typed::infer(name, tree, false, &mut outcome.diagnostics);
        outcome.bug = program.fault.as_ref().map(|fault| describe(fault, source));
        if outcome.bug.is_none() && !outcome.diagnostics.has_errors() {
            let module = emit::emit(&program, source);
            check_inputs(&program, &module, &mut outcome.diagnostics);
            outcome.module = Some(module).filter(|_| !outcome.diagnostics.has_errors());
        }
        outcome.typed = Some(program);
        outcome
    })
}

pub(crate) fn describe(fault: &Fault, source: &SourceFile) -> String {
    let line = fault.span.map(|span| format!(", line {}", source.place(span.start).line)).unwrap_or_default();
    format!("no type was found in `{}`{line}, and no error was reported", fault.function)
}
