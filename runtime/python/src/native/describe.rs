//! What versions of a function take and give, for Python.
//!
//! Unsafe here: specs, which are constants that live for ever.

use crate::function::callable_of;
use crate::numpy_api::dtype_name;
use crate::plan::Function;
use pydd_abi::{PARAM_WRITTEN, ParamSpec, TypeKind, TypeSpec};
use pydd_core::spec::items;
use pyo3::prelude::*;

/// What kind of value, its element type, its number of axes, and its items.
#[derive(IntoPyObject)]
pub struct Described(&'static str, &'static str, u8, Vec<Self>);

/// A parameter's name, its type, and whether its elements are written.
type Parameter = (&'static str, Described, bool);

/// Each version of a function of a kernel module: its parameters, and its result; None for another object.
///
/// Parameters that a version has a value for (None, a constant) have no place in a native call, and are left out.
#[pyfunction]
pub fn _describe(function: &Bound<'_, PyAny>) -> Option<Vec<(Vec<Parameter>, Described)>> {
    let versions = &callable_of(function)?.versions;
    Some(versions.iter().map(|version| (params(version), describe(&version.spec.result))).collect())
}

fn params(version: &'static Function) -> Vec<Parameter> {
    let described =
        |name, spec: &'static ParamSpec| (name, describe(&spec.ty), spec.flags & PARAM_WRITTEN != 0);
    match &version.sparse {
        Some(visible) => visible.iter().map(|param| described(param.name, param.spec)).collect(),
        None => {
            let passed = version.params.iter().filter(|param| param.words > 0);
            passed.map(|param| described(param.name, param.spec)).collect()
        }
    }
}

fn describe(ty: &'static TypeSpec) -> Described {
    let kind = match ty.kind {
        TypeKind::None => "nothing",
        TypeKind::Scalar => "number",
        TypeKind::Either => "number of one of several types",
        TypeKind::Array => "array",
        TypeKind::List | TypeKind::Tuples | TypeKind::Lists => "list",
        TypeKind::Tuple => "tuple",
        TypeKind::Str => "text",
        TypeKind::Sparse => "sparse matrix",
        TypeKind::Dict => "dict",
        TypeKind::Set => "set",
        TypeKind::Maybe => "value or None",
        TypeKind::Constant => "constant",
    };
    // SAFETY: specs live for ever.
    let all = if ty.kind == TypeKind::Tuple { unsafe { items(ty.items, ty.n_items) } } else { &[] };
    let rank = if ty.kind == TypeKind::Array { ty.rank } else { 0 };
    Described(kind, dtype_name(ty.dtype), rank, all.iter().map(describe).collect())
}
