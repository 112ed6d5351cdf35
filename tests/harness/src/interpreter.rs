//! Run cases in the IR interpreter: as the frontend made the IR, after the array passes, and as loops.

use crate::compiler::{self, Stage};
use pydd_interp::{Array, Interp, Scalar, Stop, Val, literal};
use pydd_ir::{DType, Export, ExportType, FuncRef, Module, Type, either_tag};
use serde::Deserialize;
use std::path::Path;

/// Deep programs need a big stack.
const STACK: usize = 256 << 20;

/// A call and what CPython gave; values are literals.
#[derive(Deserialize, Clone, Debug)]
pub struct Call {
    /// The case's expression.
    #[serde(default)]
    pub text: String,
    function: String,
    arguments: Vec<String>,
    results: Vec<String>,
    /// Of arrays and lists: what they hold afterwards.
    after: Vec<Option<String>>,
    raises: Option<String>,
    line: Option<u32>,
    stdout: String,
    tolerance: Option<f64>,
}

/// All that is wrong with these calls at each stage.
#[must_use]
pub fn check(source: &Path, calls: Vec<Call>) -> Vec<String> {
    if calls.is_empty() {
        return vec![];
    }
    let source = source.to_owned();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || check_stages(&source, &calls));
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(wrong)) => wrong,
        Ok(Err(_)) => vec!["the interpreter panicked".to_owned()],
        Err(error) => vec![format!("cannot start a thread: {error}")],
    }
}

fn check_stages(source: &Path, calls: &[Call]) -> Vec<String> {
    let made = match compiler::array_ir(source) {
        Ok(made) => made,
        Err(why) => return vec![format!("no IR for the interpreter: {why}")],
    };
    let mut wrong = Vec::new();
    for stage in Stage::ALL {
        match compiler::bring_to(&made, stage) {
            Ok(module) => wrong.extend(calls.iter().flat_map(|call| check_call(&module, call, stage))),
            Err(why) => wrong.push(format!("{}: {why}", stage.name())),
        }
    }
    wrong
}

/// Runs a call in each version of its function.
fn check_call(module: &Module, call: &Call, stage: Stage) -> Vec<String> {
    if leaves_out_arguments(module, call) {
        return vec![];
    }
    let Some((export, types, given)) = resolve(module, call) else {
        // Refusing a value, or one too many, is the runtime's work.
        let is_value = |text: &String| text == NONE || text.starts_with(['\'', '"']);
        if call.arguments.iter().any(is_value) || call.raises.as_deref() == Some("TypeError") {
            return vec![];
        }
        return vec![format!("no export of {} takes ({})", call.function, call.arguments.join(", "))];
    };
    let mut wrong = Vec::new();
    let results = each_list(&call.results, std::slice::from_ref(&export.result));
    let call = &Call { results, arguments: given.texts, after: given.after, ..call.clone() };
    for func in export.funcs() {
        // Each version gets arguments of its own: it may write to them.
        let Ok(mut arguments) = parse(&call.arguments, &types) else { continue };
        let reversed = export.reversed(func);
        reversed.iter().for_each(|&place| arguments[place] = column_major(&arguments[place]));
        if let Err(why) = check_version(module, (func, &export.result), (arguments, &reversed), call) {
            let version = &module.funcs[func].name;
            wrong.push(format!("{} in the interpreter, {}, @{version}: {why}", call.text, stage.name()));
        }
    }
    wrong
}

/// Whether defaults are used: filling them in is the runtime's work.
fn leaves_out_arguments(module: &Module, call: &Call) -> bool {
    let fixed = |e: &Export| e.params.iter().filter(|param| fixed(&param.ty).is_some()).count();
    let exports = module.exports.iter().filter(|e| e.name == call.function);
    exports.map(|e| types_of(module, e).len() + fixed(e)).min().is_some_and(|n| call.arguments.len() < n)
}

/// As the worker writes it.
const NONE: &str = "None";

/// The text of the one value that a parameter has in a version.
fn fixed(ty: &ExportType) -> Option<String> {
    match ty {
        ExportType::None => Some(NONE.to_owned()),
        ExportType::Constant(value) => Some(value.python()),
        _ => None,
    }
}

/// What an export takes.
fn types_of(module: &Module, export: &Export) -> Vec<Type> {
    let func = &module.funcs[export.entries[0].func];
    func.params().iter().map(|&p| func.ty(p)).collect()
}

/// What a version is given.
struct Given {
    /// The literals of its values.
    texts: Vec<String>,
    /// As [`Call::after`].
    after: Vec<Option<String>>,
}

/// The first overload whose parameters can be these literals, the types of its values, and what it is given.
fn resolve<'m>(module: &'m Module, call: &Call) -> Option<(&'m Export, Vec<Type>, Given)> {
    module.exports.iter().filter(|e| e.name == call.function).find_map(|export| {
        let types = types_of(module, export);
        let given = given(export, call)?;
        parse(&given.texts, &types).ok()?;
        Some((export, types, given))
    })
}

/// Arguments without those that a version is for; `None` where one of these is another.
fn given(export: &Export, call: &Call) -> Option<Given> {
    let mut rest = call.arguments.as_slice();
    let mut after = call.after.iter();
    let mut given = Given { texts: Vec::new(), after: Vec::new() };
    for param in &export.params {
        let afterwards = after.next();
        let Some(fixed) = fixed(&param.ty) else {
            add_lists(&mut rest, &param.ty, &mut given.texts);
            given.after.extend(afterwards.cloned());
            continue;
        };
        let (first, behind) = rest.split_first()?;
        if *first != fixed {
            return None;
        }
        rest = behind;
    }
    given.texts.extend_from_slice(rest);
    Some(given)
}

/// Literals with an empty list of tuples, which the text does not tell from one of numbers, as several empty lists.
fn each_list(texts: &[String], types: &[ExportType]) -> Vec<String> {
    let mut rest = texts;
    let mut all = Vec::new();
    types.iter().for_each(|ty| add_lists(&mut rest, ty, &mut all));
    all.extend_from_slice(rest);
    all
}

fn add_lists(rest: &mut &[String], ty: &ExportType, out: &mut Vec<String>) {
    if let ExportType::Tuple(items) = ty {
        return items.iter().for_each(|item| add_lists(rest, item, out));
    }
    let mut values = Vec::new();
    ty.flatten(&mut values);
    match rest.split_first() {
        Some((first, behind)) if matches!(ty, ExportType::Tuples(_)) && first == "[]" => {
            out.extend(std::iter::repeat_n(first.clone(), values.len()));
            *rest = behind;
        }
        _ => {
            let (own, behind) = rest.split_at(values.len().min(rest.len()));
            out.extend_from_slice(own);
            *rest = behind;
        }
    }
}

fn parse(texts: &[String], types: &[Type]) -> Result<Vec<Val>, String> {
    if texts.len() != types.len() {
        return Err(format!("{} values for {} types", texts.len(), types.len()));
    }
    texts.iter().zip(types).map(|(text, &ty)| literal::parse(text, ty)).collect()
}

/// Without the tags of numbers of one of several types: what Python is given is compared by the worker.
fn without_tags(values: &mut std::vec::IntoIter<Val>, ty: &ExportType, out: &mut Vec<Val>) {
    if let ExportType::Tuple(items) = ty {
        return items.iter().for_each(|item| without_tags(values, item, out));
    }
    if let ExportType::Maybe(value) = ty {
        let is_some = matches!(values.next(), Some(Val::Scalar(Scalar::Bool(true))));
        let mut own = Vec::new();
        without_tags(values, value, &mut own);
        return out.extend(own.into_iter().filter(|_| is_some));
    }
    let mut words = Vec::new();
    ty.flatten(&mut words);
    let own = values.by_ref().take(words.len()).collect::<Vec<_>>();
    match (ty, own.as_slice()) {
        (ExportType::Either(..), [number, tag]) => out.push(tagged(number, tag)),
        _ => out.extend(own),
    }
}

/// A number of one of several types; of these only bools are written differently.
fn tagged(number: &Val, tag: &Val) -> Val {
    let is = |weak| matches!(tag, Val::Scalar(Scalar::Int(own, _)) if *own == i128::from(either_tag(DType::Bool, weak)));
    match number {
        Val::Scalar(Scalar::Int(value, _)) if is(true) || is(false) => Val::Scalar(Scalar::Bool(*value != 0)),
        Val::Scalar(Scalar::Float(value, _)) if is(true) || is(false) => {
            Val::Scalar(Scalar::Bool(*value != 0.0))
        }
        _ => number.clone(),
    }
}

fn check_version(
    module: &Module,
    (func, result): (FuncRef, &ExportType),
    (arguments, reversed): (Vec<Val>, &[usize]),
    call: &Call,
) -> Result<(), String> {
    let mut given = arguments.clone();
    for &place in reversed {
        reverse_axes(&mut given[place]);
    }
    let mut interp = Interp::new(module);
    let outcome = interp.call(func, given).map(|results| {
        let mut values = Vec::new();
        without_tags(&mut results.into_iter(), result, &mut values);
        values
    });
    match (&call.raises, outcome) {
        (None, Ok(results)) => {
            check_values("results", &call.results, &results, call.tolerance)?;
            for (expected, value) in call.after.iter().zip(&arguments) {
                let Some(expected) = expected else { continue };
                check_value("an argument afterwards", expected, value, call.tolerance)?;
            }
            check_printed(&call.stdout, &interp.printed)
        }
        (Some(expected), Err(Stop::Raise(raised))) if module.exception_name(raised.exc) == expected => {
            let line = raised.loc.line;
            match call.line {
                Some(wanted) if wanted != line => {
                    Err(format!("{expected}: expected at line {wanted}, got line {line}"))
                }
                _ => Ok(()),
            }
        }
        (None, outcome) => Err(format!("expected {}, got {outcome:?}", call.results.join(", "))),
        (Some(expected), outcome) => Err(format!("expected {expected}, got {outcome:?}")),
    }
}

/// A copy of an array that lies in columns.
fn column_major(value: &Val) -> Val {
    let Val::Array(array) = value else { unreachable!("only arrays lie in columns") };
    let mut view = value.clone();
    reverse_axes(&mut view);
    let Val::Array(view) = view else { unreachable!("as before") };
    let mut copy = Val::Array(Array::from_scalars(array.dtype, &view.dims, &view.scalars()));
    reverse_axes(&mut copy);
    copy
}

fn reverse_axes(value: &mut Val) {
    if let Val::Array(array) = value {
        array.dims.reverse();
        array.strides.reverse();
    }
}

/// Arrays print as NumPy lays them out, which the interpreter does not attempt.
fn check_printed(expected: &str, got: &str) -> Result<(), String> {
    if expected == got || expected.contains('[') {
        return Ok(());
    }
    Err(format!("expected to print {expected:?}, printed {got:?}"))
}

fn check_values(what: &str, expected: &[String], got: &[Val], tolerance: Option<f64>) -> Result<(), String> {
    if expected.len() != got.len() {
        return Err(format!("expected {} {what}, got {}", expected.len(), got.len()));
    }
    expected.iter().zip(got).try_for_each(|(e, g)| check_value(what, e, g, tolerance))
}

fn check_value(what: &str, expected: &str, got: &Val, tolerance: Option<f64>) -> Result<(), String> {
    let shown = literal::show(got);
    let wrong = || format!("{what}: expected {expected}, got {shown}");
    let parsed = literal::parse(expected, got.ty()).map_err(|_| wrong())?;
    let same = match tolerance {
        None => literal::show(&parsed) == shown,
        Some(tolerance) => close(&numbers(&parsed), &numbers(got), tolerance),
    };
    if same { Ok(()) } else { Err(wrong()) }
}

fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    let near = |(&x, &y): (&f64, &f64)| {
        x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= tolerance * (1.0 + x.abs())
    };
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// The numbers in a value, in order.
fn numbers(value: &Val) -> Vec<f64> {
    #[allow(clippy::cast_precision_loss, reason = "compared with a tolerance")]
    let parts = |s: Scalar| match s {
        Scalar::Bool(b) => vec![f64::from(u8::from(b))],
        Scalar::Int(v, _) => vec![v as f64],
        Scalar::Float(x, _) => vec![x],
        Scalar::Complex(re, im, _) => vec![re, im],
    };
    match value {
        Val::Scalar(s) => parts(*s),
        Val::Array(a) => a.scalars().into_iter().flat_map(parts).collect(),
        Val::List(_, items) => items.borrow().iter().flat_map(numbers).collect(),
        Val::Str(_) => vec![],
    }
}
