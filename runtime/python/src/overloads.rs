//! Choosing among the versions of a function by its arguments' types.
//!
//! Unsafe here: objects borrowed from the caller.

use crate::arrays::{is_array, type_name};
use crate::bind::{Given, bind};
use crate::frame::Failed;
use crate::numpy_api::dtype_name;
use crate::plan::{Callable, Function, holds_arrays, items};
use crate::{dicts, scalars, sparse};
use pydd_abi::{TypeKind, TypeSpec};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The first version whose arrays and lists fit and whose scalars are of their own kinds; without
/// one, the first whose arrays and lists fit.
pub fn choose<'a>(
    callable: &'a Callable,
    given: &Given,
) -> Result<(&'a Function, Vec<*mut PyObject>), Failed> {
    // SAFETY: calls come under the GIL.
    let py = unsafe { Python::assume_attached() };
    let mut error = None;
    let mut bound = Vec::new();
    for function in &callable.versions {
        match bind(function, given) {
            Ok(objects) => bound.push((function, objects)),
            // The first version, which has all defaults, says best what is missing.
            Err(Failed) => error = error.or(PyErr::take(py)),
        }
    }
    if let (true, Some(error)) = (bound.is_empty(), error) {
        return Err(error.into());
    }
    for strict in [true, false] {
        let fits = |(f, objects): &(&Function, Vec<_>)| {
            visible(f).zip(objects).all(|((_, ty), &object)| accepts(py, ty, object, strict))
        };
        if let Some(at) = bound.iter().position(fits) {
            return Ok(bound.swap_remove(at));
        }
    }
    // Versions that only differ in the type of indices are one to the caller: it hears what does not fit.
    let first = signature(&callable.versions[0]);
    if callable.versions.iter().all(|version| signature(version) == first)
        && let Some(version) = bound.pop()
    {
        return Ok(version);
    }
    Err(no_version(py, callable, given).into())
}

/// The parameters as Python sees them.
fn visible(function: &Function) -> Box<dyn Iterator<Item = (&'static str, &'static TypeSpec)> + '_> {
    match &function.sparse {
        Some(all) => Box::new(all.iter().map(|p| (p.name, &p.spec.ty))),
        None => Box::new(function.params.iter().map(|p| (p.name, &p.spec.ty))),
    }
}

fn accepts(py: Python<'_>, ty: &TypeSpec, object: *mut PyObject, strict: bool) -> bool {
    if object.is_null() {
        return true;
    }
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(py, object) };
    match ty.kind {
        TypeKind::None => value.is_none(),
        _ if value.is_none() => false,
        TypeKind::Sparse => sparse::accepts(&value, ty),
        TypeKind::Dict | TypeKind::Set => dicts::accepts(&value, ty),
        TypeKind::Array => is_array(&value) && has_type(&value, ty).unwrap_or(false),
        // SAFETY: a live object.
        TypeKind::List | TypeKind::Tuples | TypeKind::Lists => unsafe { ffi::PyList_Check(object) != 0 },
        TypeKind::Tuple if holds_arrays(ty) => {
            // SAFETY: specs are constants that live for ever.
            let types = unsafe { items(ty.items, ty.n_items) };
            value.cast::<PyTuple>().is_ok_and(|tuple| {
                let fits = |(item, ty): (pyo3::Borrowed<'_, '_, PyAny>, &TypeSpec)| {
                    accepts(py, ty, item.as_ptr(), strict)
                };
                tuple.len() == types.len() && tuple.iter_borrowed().zip(types).all(fits)
            })
        }
        TypeKind::Scalar if is_array(&value) => !strict,
        // SAFETY: a live object.
        TypeKind::Scalar if strict => unsafe { scalars::is_natural(object, ty.dtype) },
        _ => true,
    }
}

fn has_type(array: &Bound<'_, PyAny>, ty: &TypeSpec) -> PyResult<bool> {
    let rank: usize = array.getattr("ndim")?.extract()?;
    let name = array.getattr("dtype")?.getattr("name")?;
    Ok(rank == usize::from(ty.rank) && name.extract::<String>()? == dtype_name(ty.dtype))
}

fn no_version(py: Python<'_>, callable: &Callable, given: &Given) -> PyErr {
    let name = callable.name.to_string_lossy();
    let describe = |&object: &*mut PyObject| {
        // SAFETY: a live object, under the GIL.
        let value = unsafe { Bound::from_borrowed_ptr(py, object) };
        let attribute = |name| value.getattr(name).and_then(|a| a.str()).map(|s| s.to_string());
        match (is_array(&value), attribute("dtype"), attribute("ndim")) {
            (true, Ok(dtype), Ok(rank)) => format!("Array({dtype}, {rank})"),
            _ => type_name(&value),
        }
    };
    let got: Vec<String> = given.positional().iter().map(describe).collect();
    let versions: Vec<String> = callable.versions.iter().map(|f| format!("\n    {}", signature(f))).collect();
    PyTypeError::new_err(format!(
        "no version of {name}() takes ({}); there are{}",
        got.join(", "),
        versions.concat()
    ))
}

/// `f(x: Array(float64, 1), n: int64)`.
fn signature(function: &Function) -> String {
    let param = |(name, ty): (&str, &TypeSpec)| {
        let dtype = dtype_name(ty.dtype);
        let ty = match ty.kind {
            TypeKind::Sparse => sparse::describe(ty),
            TypeKind::Dict | TypeKind::Set => dicts::describe(ty).into(),
            TypeKind::Array => format!("Array({dtype}, {})", ty.rank),
            TypeKind::List => format!("List({dtype})"),
            TypeKind::Tuples => "List(Tuple)".into(),
            TypeKind::Lists => "List(List)".into(),
            TypeKind::Str => "str".into(),
            TypeKind::Tuple => "tuple".into(),
            TypeKind::None | TypeKind::Maybe => "None".into(),
            TypeKind::Scalar | TypeKind::Either => dtype.into(),
        };
        format!("{name}: {ty}")
    };
    let params: Vec<String> = visible(function).map(param).collect();
    format!("{}({})", function.name, params.join(", "))
}
