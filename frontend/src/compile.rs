//! The whole way from source to array IR.

use crate::diagnostics::Diagnostics;
use crate::source::SourceFile;
use crate::stack::on_big_stack;
use crate::typed::tree::Program;
use crate::{emit, syntax, typed};
use pydd_ir::Module;

/// What a compilation must be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name by which Python imports the module.
    pub module_name: String,
    /// Keep the typed program as text.
    pub dump_types: bool,
}

/// What a compilation gives.
#[derive(Debug, Default)]
pub struct Outcome {
    pub diagnostics: Diagnostics,
    /// The typed program as text, if asked for, also of a program with errors.
    pub types: Option<String>,
    /// Array IR; `None` where there were errors.
    pub module: Option<Module>,
}

/// Compiles a source file to array IR.
pub fn compile(source: &SourceFile, options: &Options) -> Outcome {
    on_big_stack(|| {
        let mut outcome = Outcome::default();
        let Some(tree) = syntax::parse(source, &mut outcome.diagnostics) else { return outcome };
        let program: Program = typed::infer(&options.module_name, tree, &mut outcome.diagnostics);
        if options.dump_types {
            outcome.types = Some(typed::dump(&program));
        }
        if !outcome.diagnostics.has_errors() {
            outcome.module = Some(emit::emit(&program, source));
        }
        outcome
    })
}
