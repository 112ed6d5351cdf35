//! The functions that Python sees: in which versions, with which defaults, and what cannot be passed.

use super::module_constant;
use super::session::{ArgKey, Key, Known, Session};
use super::signature::{self, Choice, Signature};
use super::tree::{Export, ExportParam, Expr, FuncId, Program};
use super::ufunc;
use super::unit::Unit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::syntax::ast::{FunctionDef, Param};
use crate::syntax::sizes::text_of;
use crate::typed::expressions::invoke::constant_key;
use crate::typed::types::ty::Ty;
use crate::typed::types::{annotation, rank};
use pydd_ir::Literal;
use std::rc::Rc;

/// Makes the versions of a function that Python sees.
pub(in crate::typed) fn export(
    session: &mut Session,
    unit: &Rc<Unit>,
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
        if let Some(ufunc) = def.ufunc.as_ref().filter(|ufunc| ufunc.loops.is_none()) {
            Diagnostic::error(code::UFUNC, format!("the operands of `{}` have no types", def.name.name))
                .primary(ufunc.span, "makes a ufunc now, for the types of the annotations")
                .help("annotate the parameters: `x: float64`")
                .emit(sink);
        }
        return;
    }
    let mut implied = |name: &str| rank::implied(def, name, unit);
    let overloads = match signature::overloads(def, &signature, unit, &mut implied) {
        Ok(overloads) => overloads,
        Err(diagnostic) => return sink.push(diagnostic),
    };
    if overloads.is_empty() {
        Diagnostic::error(
            code::ANNOTATION_ARGUMENTS,
            "indices of all sparse matrices of a function are of one type",
        )
        .primary(def.name.span, "takes matrices with int32 and with int64")
        .help("write int64 for all of them: narrower ones are widened")
        .emit(sink);
        return;
    }
    if let Some(each) = &def.ufunc {
        return ufunc::export(
            session,
            unit,
            at,
            def,
            each,
            overloads,
            signature.result.as_ref(),
            exports,
            sink,
        );
    }
    for (param, choices) in def.params.iter().zip(transposed(&overloads)) {
        check_default(param, &choices, session, unit, sink);
    }
    let mut made: Vec<(Export, bool)> = Vec::new();
    for choices in overloads {
        // A generator comes from this module alone.
        if choices.iter().any(|choice| choice.ty.is_silent() || choice.ty == Ty::Generator) {
            continue;
        }
        // A parameter that is None, or has one value, is no variable of the version.
        let pairs = choices.iter().zip(&def.params);
        let constants: Vec<Option<Expr>> = pairs.map(|(choice, param)| choice.constant(param.span)).collect();
        let pairs = choices.iter().zip(&constants);
        let args = pairs
            .map(|(choice, value)| ArgKey { ty: choice.ty.clone(), known: from_python(&choice.ty, value) })
            .collect();
        let key = Key { unit: unit.index, function: at, args };
        let called = session.instance(key, constants, signature.result.clone(), None);
        let params = def
            .params
            .iter()
            .enumerate()
            .zip(choices)
            .zip(&signature.passing)
            .map(|(((index, param), choice), how)| ExportParam {
                sizes: sizes_of(def, index, &choice.ty, unit),
                name: param.name.name.clone(),
                default: default_for(param, &choice, unit),
                keyword_only: param.keyword_only,
                positional_only: param.positional_only,
                cast: how.cast && matches!(choice.ty, Ty::Array { .. }),
                column_major: how.column_major && matches!(choice.ty, Ty::Array { rank: 2.., .. }),
                ty: choice.ty,
                value: choice.value,
            })
            .collect();
        let (name, doc) = (def.name.name.clone(), def.docstring.clone());
        made.push((Export { name, doc, function: called.id, params, ufunc: None }, called.failed));
    }
    exports.extend(choose_versions(made, &signature));
}

/// The lengths that a parameter's annotation names.
fn sizes_of(def: &FunctionDef, index: usize, ty: &Ty, unit: &Unit) -> String {
    let written = signature::written(def, index);
    written.map(|written| text_of(annotation::sizes_for(written, ty, unit))).unwrap_or_default()
}

/// What is known of an argument that Python passes.
fn from_python(ty: &Ty, constant: &Option<Expr>) -> Known {
    match (ty, constant) {
        (ty, _) if ty.is_dict() || ty.holds_dicts() => Known::FromPython,
        (_, Some(value)) => Known::Constant(constant_key(value)),
        _ => Known::Nothing,
    }
}

/// What each parameter is in all versions.
fn transposed(overloads: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    let params = overloads.first().map_or(0, Vec::len);
    (0..params).map(|at| overloads.iter().map(|choices| choices[at].clone()).collect()).collect()
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

/// A parameter's default as Python's caller leaves it out: a number of the parameter's type, or None. A version that
/// takes another type has none.
fn default_for(param: &Param, choice: &Choice, unit: &Unit) -> Option<Literal> {
    let default = signature::constant(param.default.as_ref()?, unit)?;
    signature::default_as(&default, choice)
}

/// A default must be of a type, or the value, that the parameter has in some version.
fn check_default(
    param: &Param,
    choices: &[Choice],
    session: &mut Session,
    unit: &Unit,
    sink: &mut Diagnostics,
) {
    let (Some(default), Some(first)) = (&param.default, choices.first()) else { return };
    if choices.iter().any(|choice| default_for(param, choice, unit).is_some()) {
        return;
    }
    // What is wrong in it says more than that it is no constant.
    if let Some(wrong) = module_constant::wrong_in(default, session, unit) {
        return sink.extend(wrong);
    }
    if first.value.is_some() {
        let mut listed: Vec<String> = Vec::new();
        for choice in choices.iter().map(Choice::to_string) {
            if !listed.contains(&choice) {
                listed.push(choice);
            }
        }
        Diagnostic::error(
            code::DEFAULT_NOT_CONSTANT,
            format!("the default of `{}` is none of its values", param.name.name),
        )
        .primary(default.span, format!("expected one of {}", listed.join(", ")))
        .emit(sink);
        return;
    }
    let ty = &first.ty;
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
pub(in crate::typed) fn check_results(program: &Program, sink: &mut Diagnostics) {
    for export in &program.exports {
        let Some(function) = program.functions.get(export.function.index()) else { continue };
        for param in export.params.iter().filter(|param| !is_plain_tuple(&param.ty)) {
            let headline = format!("`{}` cannot be passed from Python yet: {}", param.name, param.ty);
            Diagnostic::error(code::UNSUPPORTED_YET, headline)
                .primary(function.span, "tuples of arguments hold numbers, arrays and tuples of these")
                .help("give each item a parameter of its own; the caller writes `f(*t)`")
                .emit(sink);
        }
        let variables = export.params.iter().filter(|p| p.value.is_none());
        let bad = std::iter::once(&function.result).chain(variables.map(|p| &p.ty));
        for ty in bad.filter(|ty| ty.export().is_none()) {
            let headline = format!("{ty} cannot be passed between Python and a compiled function");
            let convert = matches!(ty, Ty::OtherForm(..)).then(|| "convert it first: `.tocsr()`".to_owned());
            Diagnostic::error(code::TYPE_MISMATCH, headline)
                .primary(function.span, "in this function")
                .maybe_help(convert)
                .emit(sink);
        }
    }
}
