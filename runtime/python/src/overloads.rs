//! Choosing among the versions of a function by its arguments' types.
//!
//! Unsafe here: objects borrowed from the caller.

use crate::arrays::{is_array, type_name};
use crate::bind::{Given, bind};
use crate::frame::Failed;
use crate::numpy_api::dtype_name;
use crate::plan::{Callable, Function};
use crate::{dicts, scalars, sparse};
use pydd_abi::{TypeKind, TypeSpec};
use pydd_core::spec::items;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Of the versions whose arrays and lists fit, the one whose numbers cost least to convert; the first of equal ones.
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
    let costs = bound.iter().map(|(function, objects)| {
        visible(function)
            .zip(objects)
            .try_fold(0, |sum: u32, ((_, ty), &object)| Some(sum.saturating_add(cost(py, ty, object)?)))
    });
    let least = costs.enumerate().filter_map(|(at, cost)| Some((cost?, at))).min();
    if let Some((_, at)) = least {
        return Ok(bound.swap_remove(at));
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

/// What it costs to pass an object as this type; `None` where it cannot be. See [`scalars::cost`].
fn cost(py: Python<'_>, ty: &TypeSpec, object: *mut PyObject) -> Option<u32> {
    if object.is_null() {
        return Some(0);
    }
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(py, object) };
    // SAFETY: specs are constants that live for ever.
    let types = unsafe { items(ty.items, ty.n_items) };
    let free = |fits: bool| fits.then_some(0);
    match ty.kind {
        TypeKind::None => free(value.is_none()),
        _ if value.is_none() => None,
        TypeKind::Sparse => free(sparse::accepts(&value, ty)),
        TypeKind::Array => free(is_array(&value) && has_type(&value, ty).unwrap_or(false)),
        TypeKind::Dict | TypeKind::Set if !dicts::accepts(&value, ty) => None,
        // Of containers the first item says what kind they are.
        TypeKind::Dict => match value.cast::<PyDict>().ok()?.iter().next() {
            Some((key, item)) => {
                cost(py, types.first()?, key.as_ptr())?.checked_add(cost(py, types.get(1)?, item.as_ptr())?)
            }
            None => Some(0),
        },
        TypeKind::Set => match value.try_iter().ok()?.next() {
            Some(item) => cost(py, types.first()?, item.ok()?.as_ptr()),
            None => Some(0),
        },
        TypeKind::List => match value.cast::<PyList>().ok()?.iter().next() {
            // SAFETY: a live object, under the GIL.
            Some(item) => unsafe { scalars::cost(item.as_ptr(), ty.dtype) },
            None => Some(0),
        },
        TypeKind::Tuples => match value.cast::<PyList>().ok()?.iter().next() {
            Some(item) => of_items(py, types, &item),
            None => Some(0),
        },
        TypeKind::Lists => match value.cast::<PyList>().ok()?.iter().next() {
            Some(item) => free(item.is_instance_of::<PyList>()),
            None => Some(0),
        },
        TypeKind::Tuple => of_items(py, types, &value),
        TypeKind::Scalar if is_array(&value) => Some(100_000),
        // SAFETY: a live object, under the GIL.
        TypeKind::Scalar => Some(unsafe { scalars::cost(object, ty.dtype) }.unwrap_or(100_000)),
        _ => Some(0),
    }
}

/// Of a tuple, what its items cost.
fn of_items(py: Python<'_>, types: &[TypeSpec], value: &Bound<'_, PyAny>) -> Option<u32> {
    let tuple = value.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == types.len())?;
    tuple
        .iter()
        .zip(types)
        .try_fold(0, |sum: u32, (item, ty)| Some(sum.saturating_add(cost(py, ty, item.as_ptr())?)))
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
    let param = |(name, ty): (&str, &TypeSpec)| format!("{name}: {}", describe(ty));
    let params: Vec<String> = visible(function).map(param).collect();
    format!("{}({})", function.name, params.join(", "))
}

/// `Array(float64, 1)`.
fn describe(ty: &TypeSpec) -> String {
    let dtype = dtype_name(ty.dtype);
    // SAFETY: specs are constants that live for ever.
    let items = || unsafe { items(ty.items, ty.n_items) }.iter().map(describe).collect::<Vec<_>>().join(", ");
    match ty.kind {
        TypeKind::Sparse => sparse::describe(ty),
        TypeKind::Dict | TypeKind::Set => format!("{}({})", dicts::describe(ty), items()),
        TypeKind::Array => format!("Array({dtype}, {})", ty.rank),
        TypeKind::List => format!("List({dtype})"),
        TypeKind::Tuples => format!("List(Tuple({}))", items()),
        TypeKind::Lists => "List(List)".into(),
        TypeKind::Str => "str".into(),
        TypeKind::Tuple => format!("Tuple({})", items()),
        TypeKind::None | TypeKind::Maybe => "None".into(),
        TypeKind::Scalar | TypeKind::Either => dtype.into(),
    }
}
