//! From the syntax tree to the typed program.
//!
//! [`session`] decides which functions are made for which types; [`infer`] walks one function and makes typed
//! statements ([`tree`]) as it goes, over versions of variables ([`env`]); [`library`] has the rules of the
//! catalogue's functions.

mod acts;
mod along_axis;
mod annotation;
mod applied;
mod assign;
mod bisect;
mod call;
mod compare;
mod comprehension;
mod constants;
mod convert;
mod dict_methods;
mod dict_ops;
mod dict_type;
mod dict_wholes;
mod dicts;
mod dump;
mod either;
mod env;
mod expr;
mod function;
mod gather;
mod heaps;
mod index;
mod infer;
mod inspect;
mod invoke;
mod iterate;
mod keys;
mod library;
mod list_items;
mod list_ops;
mod long_lists;
mod loops;
mod meet;
mod module_constant;
mod operators;
mod own_dict;
mod own_matrix;
mod pfor;
mod pfor_dicts;
mod piecewise;
mod power;
mod promote;
mod rank;
mod reduced;
mod renumber;
mod session;
mod signature;
mod slices;
mod sparse;
mod stacked;
mod static_param;
mod steps;
mod stmt;
pub mod tree;
mod tuples;
pub mod ty;
mod ufunc;
mod unit;
mod winner;

pub use dump::dump;

use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::syntax::ast::{FunctionDef, Module};
use session::{ArgKey, Key, Session};
use signature::Signature;
use std::collections::BTreeMap;
use tree::{Export, ExportParam, Fault, FuncId, Program};
use ty::Ty;
use unit::Unit;

/// Infers the types of a module. What is wrong goes to `sink`.
pub fn infer(name: &str, module: Module, sink: &mut Diagnostics) -> Program {
    let doc = module.docstring.clone();
    let mut session = Session::new(Unit::new(0, true, module, sink));
    let unit = std::rc::Rc::clone(&session.units[0]);
    let mut exports = Vec::new();
    for (at, stmt) in unit.module.body.iter().enumerate() {
        if let crate::syntax::ast::StmtKind::FunctionDef(def) = &stmt.kind {
            export(&mut session, &unit, at, def, &mut exports, sink);
        }
    }
    warn_unused_templates(&session, &unit, sink);
    let roots: Vec<FuncId> = exports.iter().map(|e: &Export| e.function).collect();
    let finished = session.finish(&roots, sink);
    for export in &mut exports {
        export.function = renumbered(&finished.renumbered, export.function);
    }
    let functions = finished.functions;
    let fault = finished.wrong.map(|(function, span)| Fault { function, span });
    let exceptions = unit.exceptions.clone();
    let mut program = Program { name: name.to_owned(), doc, functions, exports, exceptions, fault };
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

/// Makes the versions of a function that Python sees.
fn export(
    session: &mut Session,
    unit: &std::rc::Rc<Unit>,
    at: usize,
    def: &FunctionDef,
    exports: &mut Vec<Export>,
    sink: &mut Diagnostics,
) {
    let signature = match Signature::of(def, unit) {
        Ok(signature) => signature,
        Err(diagnostic) => return sink.push(diagnostic),
    };
    if Signature::is_template(def) || def.captures.is_some() {
        return;
    }
    let mut implied = |name: &str| rank::implied(def, name, unit);
    let overloads = match signature::overloads(def, &signature, unit, &mut implied) {
        Ok(overloads) => overloads,
        Err(diagnostic) => return sink.push(diagnostic),
    };
    for (param, types) in def.params.iter().zip(transposed(&overloads)) {
        check_default(param, &types, unit, sink);
    }
    let mut made: Vec<(Export, bool)> = Vec::new();
    for types in overloads {
        // A generator comes from this module alone.
        if types.iter().any(|ty| ty.is_silent() || *ty == Ty::Generator) {
            continue;
        }
        let args = types.iter().map(|ty| ArgKey { ty: ty.clone(), constant: from_python(ty) }).collect();
        let key = Key { unit: unit.index, function: at, args };
        // A parameter that is None is no variable of the version.
        let constants = types.iter().zip(&def.params);
        let constants =
            constants.map(|(ty, param)| (*ty == Ty::None).then(|| tree::Expr::none(param.span))).collect();
        let called = session.instance(key, constants, signature.result.clone(), None);
        let params = def
            .params
            .iter()
            .zip(types)
            .map(|(param, ty)| ExportParam {
                name: param.name.name.clone(),
                default: default_for(param, &ty, unit),
                keyword_only: param.keyword_only,
                positional_only: param.positional_only,
                ty,
            })
            .collect();
        let (name, doc) = (def.name.name.clone(), def.docstring.clone());
        made.push((Export { name, doc, function: called.id, params }, called.failed));
    }
    exports.extend(choose_versions(made, &signature));
}

fn from_python(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Dict(_) => Some(session::FROM_PYTHON.to_owned()),
        // As calls inside have it.
        Ty::None => Some(String::new()),
        _ => None,
    }
}

/// The types of each parameter in all versions.
fn transposed(overloads: &[Vec<Ty>]) -> Vec<Vec<Ty>> {
    let params = overloads.first().map_or(0, Vec::len);
    (0..params).map(|at| overloads.iter().map(|types| types[at].clone()).collect()).collect()
}

/// Where an array may have any rank, the versions that are right for theirs; where none is, the first one, for
/// what is to be said about it.
fn choose_versions(made: Vec<(Export, bool)>, signature: &Signature) -> Vec<Export> {
    let some_right = made.iter().any(|(_, failed)| !failed);
    let first = made.first().map(|(export, _)| export.function);
    let any_rank = signature.has_unranked() && made.len() > 1;
    let keep = |function: FuncId, failed: bool| match (any_rank, some_right) {
        (true, true) => !failed,
        (true, false) => Some(function) == first,
        (false, _) => true,
    };
    let kept = made.into_iter().filter(|(export, failed)| keep(export.function, *failed));
    kept.map(|(export, _)| export).collect()
}

/// A function without annotations that nothing calls is not compiled at all.
fn warn_unused_templates(session: &Session, unit: &Unit, sink: &mut Diagnostics) {
    for (at, stmt) in unit.module.body.iter().enumerate() {
        let crate::syntax::ast::StmtKind::FunctionDef(def) = &stmt.kind else { continue };
        if def.captures.is_some() || session.is_used(at) {
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

/// A parameter's default as Python's caller leaves it out: a number of the parameter's type, or None. A version that
/// takes another type has none.
fn default_for(param: &crate::syntax::ast::Param, ty: &Ty, unit: &Unit) -> Option<pydd_ir::Literal> {
    let default = signature::constant(param.default.as_ref()?, unit)?;
    signature::default_as(&default, ty)
}

/// A default must be of a type that the parameter has in some version.
fn check_default(param: &crate::syntax::ast::Param, types: &[Ty], unit: &Unit, sink: &mut Diagnostics) {
    let (Some(default), Some(ty)) = (&param.default, types.first()) else { return };
    if types.iter().any(|ty| default_for(param, ty, unit).is_some()) {
        return;
    }
    Diagnostic::error(
        code::DEFAULT_NOT_CONSTANT,
        format!("the default of `{}` is no constant of type {ty}", param.name.name),
    )
    .primary(default.span, format!("expected a constant of type {ty}"))
    .emit(sink);
}

/// Whether a parameter is no tuple, or one that Python can pass.
fn is_plain_tuple(ty: &Ty) -> bool {
    let is_plain = |item: &Ty| {
        matches!(item, Ty::Scalar(_) | Ty::Str | Ty::Array { .. })
            || matches!(item, Ty::Tuple(_)) && is_plain_tuple(item)
    };
    match ty {
        Ty::Tuple(items) => items.iter().all(is_plain),
        _ => true,
    }
}

/// Results that Python cannot be given.
fn check_results(program: &Program, sink: &mut Diagnostics) {
    for export in &program.exports {
        let Some(function) = program.functions.get(export.function.index()) else { continue };
        for param in export.params.iter().filter(|param| !is_plain_tuple(&param.ty)) {
            let headline = format!("`{}` cannot be passed from Python yet: {}", param.name, param.ty);
            Diagnostic::error(code::UNSUPPORTED_YET, headline)
                .primary(function.span, "tuples of arguments hold numbers, arrays and tuples of these")
                .help("give each item a parameter of its own; the caller writes `f(*t)`")
                .emit(sink);
        }
        let bad = std::iter::once(&function.result).chain(export.params.iter().map(|p| &p.ty));
        for ty in bad.filter(|ty| ty.export().is_none()) {
            let headline = format!("{ty} cannot be passed between Python and a compiled function");
            let convert =
                matches!(ty, ty::Ty::OtherForm(..)).then(|| "convert it first: `.tocsr()`".to_owned());
            Diagnostic::error(code::TYPE_MISMATCH, headline)
                .primary(function.span, "in this function")
                .maybe_help(convert)
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
