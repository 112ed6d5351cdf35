//! What functions take and give, as text: in errors, in what `help` shows, and in `__pydd__`.
//!
//! Unsafe here: specs are read through their pointers. They are constants that live for ever.

use crate::constants::Constant;
use crate::numpy_api::dtype_name;
use crate::plan::{Callable, Function};
use crate::{dicts, sparse};
use pydd_abi::{DTypeCode, ParamSpec, TypeKind, TypeSpec};
use pydd_core::spec::{items, text};
use pyo3::prelude::*;

/// How numbers that are Python's own are called: by what they are in the machine, or as they were written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Machine,
    Written,
}

/// `f(x: Array(float64, 1), n: int64)`, for errors.
pub fn signature(py: Python<'_>, function: &Function) -> String {
    let param = |spec: &ParamSpec| {
        // SAFETY: a spec that lives for ever.
        let name = unsafe { text(spec.name) };
        format!("{name}: {}", describe_parameter(py, spec))
    };
    let params: Vec<String> = specs(function).iter().map(param).collect();
    format!("{}({})", function.name, params.join(", "))
}

/// `f(x: Array(float64, 1), n: int = 3) -> float`, of each version once.
pub fn full_signatures(py: Python<'_>, callable: &Callable) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for function in &callable.versions {
        let signature = full_signature(py, function, true);
        if !all.contains(&signature) {
            all.push(signature);
        }
    }
    all
}

/// As [`full_signatures`], for Python's parser: behind the first version without defaults, which may not stand before parameters without.
pub fn parsable_signatures(py: Python<'_>, callable: &Callable) -> Vec<String> {
    let versions = callable.versions.iter().enumerate();
    versions.map(|(at, function)| full_signature(py, function, at == 0)).collect()
}

fn full_signature(py: Python<'_>, function: &Function, defaults: bool) -> String {
    // SAFETY: a spec that lives for ever.
    let written = unsafe { text(function.spec.signature) };
    let mut specs = specs(function).iter();
    let mut typed = |part: &str| {
        let (name, default) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
        // `*` and `/` are no parameters.
        let Some(spec) = Some(name).filter(|name| !matches!(*name, "*" | "/")).and_then(|_| specs.next())
        else {
            return part.to_owned();
        };
        let ty = match spec.ty.kind {
            TypeKind::Constant => format!("Literal[{}]", Constant::of(spec).shown(py)),
            _ => describe(&spec.ty, Numbers::Written),
        };
        default
            .filter(|_| defaults)
            .map_or_else(|| format!("{name}: {ty}"), |default| format!("{name}: {ty} = {default}"))
    };
    let result = describe(&function.spec.result, Numbers::Written);
    if written.is_empty() {
        return format!("{} -> {result}", signature(py, function));
    }
    let inner = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
    let params: Vec<String> = parts(inner).into_iter().map(&mut typed).collect();
    format!("{}({}) -> {result}", function.name, params.join(", "))
}

/// What stands between commas that are in no text.
fn parts(list: &str) -> Vec<&str> {
    let (mut found, mut start, mut quote, mut escaped) = (Vec::new(), 0, None, false);
    for (at, c) in list.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ',') => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = list[start..].trim();
    found.extend((!last.is_empty()).then_some(last));
    found
}

/// The parameters as Python sees them.
pub fn specs(function: &Function) -> &'static [ParamSpec] {
    // SAFETY: specs are constants that live for ever.
    unsafe { items(function.spec.params, function.spec.n_params) }
}

/// `Array(float64, 1)`, `'sum'`.
pub fn describe_parameter(py: Python<'_>, spec: &ParamSpec) -> String {
    match spec.ty.kind {
        TypeKind::Constant => Constant::of(spec).shown(py),
        _ => describe(&spec.ty, Numbers::Machine),
    }
}

/// `Array(float64, 1)`.
fn describe(ty: &TypeSpec, numbers: Numbers) -> String {
    let dtype = dtype_name(ty.dtype);
    // SAFETY: specs are constants that live for ever.
    let each = || unsafe { items(ty.items, ty.n_items) }.iter().map(|item| describe(item, numbers));
    let all = |between: &str| each().collect::<Vec<_>>().join(between);
    match ty.kind {
        TypeKind::Sparse => sparse::describe(ty),
        TypeKind::Dict | TypeKind::Set => format!("{}({})", dicts::describe(ty), all(", ")),
        TypeKind::Array => format!("Array({dtype}, {})", ty.rank),
        TypeKind::List => format!("List({dtype})"),
        TypeKind::Tuples => format!("List(Tuple({}))", all(", ")),
        TypeKind::Lists if numbers == Numbers::Written => format!("List({})", all(", ")),
        TypeKind::Lists if all("").starts_with("List") => "List(List)".into(),
        TypeKind::Lists => format!("List({})", all(", ")),
        TypeKind::Str => "str".into(),
        TypeKind::Tuple => format!("Tuple({})", all(", ")),
        TypeKind::Maybe if numbers == Numbers::Written => format!("{} | None", all(", ")),
        TypeKind::None | TypeKind::Maybe | TypeKind::Constant => "None".into(),
        TypeKind::Either if numbers == Numbers::Written => all(" | "),
        TypeKind::Scalar if numbers == Numbers::Written && ty.weak != 0 => match ty.dtype {
            DTypeCode::I64 => "int".into(),
            DTypeCode::F64 => "float".into(),
            DTypeCode::C128 => "complex".into(),
            _ => dtype.into(),
        },
        TypeKind::Scalar | TypeKind::Either => dtype.into(),
    }
}
