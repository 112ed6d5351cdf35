//! Functions that Python sees as NumPy ufuncs: which loops they have. The loops themselves are made of the text ([`crate::syntax::ufunc`]); here
//! they get the types of operands: those of the function's parameters, and those of its results.

use super::session::{ArgKey, Called, Key, Known, Session};
use super::signature::Choice;
use super::tree::{Export, ExportParam, Program};
use super::unit::Unit;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use crate::syntax::ast::FunctionDef;
use crate::syntax::ufunc::{Core, MOST_RESULTS, Ufunc};
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::{DType, Module};
use std::rc::Rc;

/// Makes the loops of a ufunc, one for each list of parameter types. `at` is the function's place in the unit, behind which its loops stand.
pub fn export(
    session: &mut Session,
    unit: &Rc<Unit>,
    at: usize,
    def: &FunctionDef,
    ufunc: &Ufunc,
    overloads: Vec<Vec<Choice>>,
    declared: Option<&Ty>,
    exports: &mut Vec<Export>,
    sink: &mut Diagnostics,
) {
    if let Err(diagnostic) = check(def, ufunc) {
        return sink.push(diagnostic);
    }
    for choices in overloads {
        if let Some((_, param)) = choices.iter().zip(&def.params).find(|(choice, _)| choice.value.is_some()) {
            let headline =
                format!("`{}` is a constant, and operands of a ufunc are numbers", param.name.name);
            return Diagnostic::error(code::UFUNC, headline).primary(param.span, "").emit(sink);
        }
        let types: Vec<Ty> = choices.into_iter().map(|choice| choice.ty).collect();
        let operands: Result<Vec<Ty>, Diagnostic> =
            types.iter().enumerate().map(|(i, ty)| operand(def, ufunc, i, ty)).collect();
        let mut operands = match operands {
            Ok(operands) => operands,
            Err(diagnostic) => return sink.push(diagnostic),
        };
        let called = instance(session, unit, at, types, declared.cloned());
        let mut made = called.id;
        let mut names: Vec<String> = def.params.iter().map(|param| param.name.name.clone()).collect();
        // The function is made for what is to be said about it.
        if !called.failed {
            let results = match &ufunc.core {
                Some(_) => Vec::new(),
                None => match results(def, &called.result) {
                    Ok(results) => results,
                    Err(diagnostic) => return sink.push(diagnostic),
                },
            };
            operands.extend(results.iter().map(|&dtype| Ty::Array { dtype, rank: 1 }));
            names.extend((0..results.len()).map(|k| format!("out{k}")));
            made = instance(session, unit, at + results.len().max(1), operands.clone(), None).id;
        }
        let pairs = names.into_iter().zip(operands);
        let params = pairs
            .map(|(name, ty)| ExportParam {
                name,
                ty,
                value: None,
                default: None,
                keyword_only: false,
                positional_only: false,
                cast: false,
                column_major: false,
                sizes: String::new(),
            })
            .collect();
        let (name, doc) = (def.name.name.clone(), def.docstring.clone());
        let ufunc = Some(description(ufunc, def.params.len(), called.result.clone()));
        exports.push(Export { name, doc, function: made, params, ufunc });
    }
}

fn instance(
    session: &mut Session,
    unit: &Unit,
    function: usize,
    types: Vec<Ty>,
    declared: Option<Ty>,
) -> Called {
    let constants = types.iter().map(|_| None).collect();
    let args = types.into_iter().map(|ty| ArgKey { ty, known: Known::Nothing }).collect();
    session.instance(Key { unit: unit.index, function, args }, constants, declared, None)
}

fn description(ufunc: &Ufunc, inputs: usize, result: Ty) -> pydd_ir::Ufunc {
    let core = ufunc.core.as_ref().map_or_else(
        || {
            let outputs = if let Ty::Tuple(items) = &result { items.iter().count() } else { 1 };
            format!("{}->{}", vec!["()"; inputs].join(","), vec!["()"; outputs].join(","))
        },
        |core| core.text.clone(),
    );
    pydd_ir::Ufunc { core, is_generalized: ufunc.core.is_some(), identity: ufunc.identity }
}

/// What is wrong whatever the types are.
fn check(def: &FunctionDef, ufunc: &Ufunc) -> Result<(), Diagnostic> {
    for param in &def.params {
        if let Some(default) = &param.default {
            let headline = format!("`{}` has a default, and operands of a ufunc have none", param.name.name);
            return Err(Diagnostic::error(code::UFUNC, headline).primary(default.span, ""));
        }
        if param.keyword_only {
            let headline = format!(
                "`{}` is only given by its name, and operands of a ufunc by position",
                param.name.name
            );
            return Err(Diagnostic::error(code::UFUNC, headline).primary(param.span, ""));
        }
    }
    if def.params.is_empty() {
        let headline = format!("`{}` has no parameters, and a ufunc has an operand at least", def.name.name);
        return Err(Diagnostic::error(code::UFUNC, headline).primary(def.name.span, ""));
    }
    let Some(Core { text, inputs, outputs }) = &ufunc.core else { return Ok(()) };
    let (wanted, given) = (inputs.len() + outputs.len(), def.params.len());
    if wanted != given {
        let headline = format!("{text} has {wanted} operands, and `{}` {given} parameters", def.name.name);
        return Err(Diagnostic::error(code::UFUNC, headline)
            .primary(def.name.span, "takes each operand, inputs first, and writes to the last ones")
            .secondary(ufunc.span, "has the operands"));
    }
    Ok(())
}

/// The array that a loop takes for a parameter.
fn operand(def: &FunctionDef, ufunc: &Ufunc, i: usize, ty: &Ty) -> Result<Ty, Diagnostic> {
    let param = &def.params[i];
    let refuse = |wanted: &str| {
        let headline = format!("the operand `{}` of a ufunc is {ty}", param.name.name);
        Err(Diagnostic::error(code::UFUNC, headline).primary(param.span, format!("must be {wanted}")))
    };
    let dims = ufunc.core.as_ref().map(|core| core.dims(i).unwrap_or_default().len());
    let is_input = ufunc.core.as_ref().is_none_or(|core| i < core.inputs.len());
    match (ty, dims) {
        (Ty::Scalar(num), None) => Ok(Ty::Array { dtype: num.dtype, rank: 1 }),
        (Ty::Scalar(num), Some(0)) if is_input => Ok(Ty::Array { dtype: num.dtype, rank: 1 }),
        (Ty::Array { dtype, rank }, Some(dims)) if usize::from(*rank) == dims.max(1) => {
            Ok(Ty::Array { dtype: *dtype, rank: rank + 1 })
        }
        (_, None) => refuse("a number"),
        (_, Some(0)) if is_input => refuse("a number, or an array of one axis"),
        (_, Some(dims)) => refuse(&format!(
            "an array of {}",
            if dims < 2 { "one axis".to_owned() } else { format!("{dims} axes") }
        )),
    }
}

/// The element types of a plain ufunc's outputs.
pub(in crate::typed) fn results(def: &FunctionDef, result: &Ty) -> Result<Vec<DType>, Diagnostic> {
    let items = match result {
        Ty::Tuple(items) => items.iter().map(number).collect(),
        single => number(single).map(|dtype| vec![dtype]),
    };
    let found: Option<Vec<DType>> = items;
    match found {
        Some(found) if (1..=MOST_RESULTS).contains(&found.len()) => Ok(found),
        _ => {
            let headline = format!("`{}` returns {result}", def.name.name);
            let label = format!("a ufunc returns a number, or a tuple of at most {MOST_RESULTS}");
            Err(Diagnostic::error(code::UFUNC, headline).primary(def.name.span, label))
        }
    }
}

/// Loops that write to inputs, which NumPy may share or copy.
pub fn check_inputs(program: &Program, module: &Module, sink: &mut Diagnostics) {
    for (export, made) in program.exports.iter().zip(&module.exports) {
        let Some(ufunc) = &made.ufunc else { continue };
        let Some(param) = made.params.iter().take(ufunc.inputs()).find(|param| param.written) else {
            continue;
        };
        let span =
            program.functions.get(export.function.index()).map_or(Span::at(0), |function| function.span);
        let headline = format!("`{}` is an input of the ufunc `{}`, and written to", param.name, made.name);
        Diagnostic::error(code::UFUNC, headline)
            .primary(span, "writes to an input")
            .help(format!("copy it first: `{0} = {0}.copy()`", param.name))
            .emit(sink);
    }
}

/// The type that holds a result: among several, Python's numbers take the type of the others.
pub(in crate::typed) fn number(ty: &Ty) -> Option<DType> {
    match ty {
        Ty::Scalar(num) => Some(num.dtype),
        Ty::Either(nums) => {
            // Bools of Python's are no weaker than others.
            let strong = |num: Num| if num.dtype == DType::Bool { Num::strong(DType::Bool) } else { num };
            nums.iter().map(|&num| strong(num)).reduce(promote).map(|num| num.dtype)
        }
        _ => None,
    }
}
