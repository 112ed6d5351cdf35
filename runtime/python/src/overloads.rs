//! Choosing among the versions of a function by its arguments' types.
//!
//! Unsafe here: objects borrowed from the caller.

use crate::arrays::{is_array, type_name};
use crate::bind::{Given, bind};
use crate::frame::Failed;
use crate::numpy_api::dtype_name;
use crate::plan::{Callable, Function, Param};
use crate::scalars;
use pydd_abi::TypeKind;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

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
            Err(Failed) => error = PyErr::take(py),
        }
    }
    if let (true, Some(error)) = (bound.is_empty(), error) {
        return Err(error.into());
    }
    for strict in [true, false] {
        let fits = |(f, objects): &(&Function, Vec<_>)| {
            f.params.iter().zip(objects).all(|(p, &object)| accepts(py, p, object, strict))
        };
        if let Some(at) = bound.iter().position(fits) {
            return Ok(bound.swap_remove(at));
        }
    }
    Err(no_version(py, callable, given).into())
}

fn accepts(py: Python<'_>, param: &Param, object: *mut PyObject, strict: bool) -> bool {
    if object.is_null() {
        return true;
    }
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(py, object) };
    match param.spec.ty.kind {
        TypeKind::Array => is_array(&value) && has_type(&value, param).unwrap_or(false),
        // SAFETY: a live object.
        TypeKind::List => unsafe { ffi::PyList_Check(object) != 0 },
        TypeKind::Scalar if is_array(&value) => !strict,
        // SAFETY: a live object.
        TypeKind::Scalar if strict => unsafe { scalars::is_natural(object, param.dtype) },
        _ => true,
    }
}

fn has_type(array: &Bound<'_, PyAny>, param: &Param) -> PyResult<bool> {
    let rank: usize = array.getattr("ndim")?.extract()?;
    let name = array.getattr("dtype")?.getattr("name")?;
    Ok(rank == usize::from(param.rank) && name.extract::<String>()? == dtype_name(param.dtype))
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
    let param = |p: &Param| {
        let dtype = dtype_name(p.dtype);
        let ty = match p.spec.ty.kind {
            TypeKind::Array => format!("Array({dtype}, {})", p.rank),
            TypeKind::List => format!("List({dtype})"),
            TypeKind::Str => "str".into(),
            TypeKind::Tuple => "tuple".into(),
            TypeKind::None => "None".into(),
            TypeKind::Scalar => dtype.into(),
        };
        format!("{}: {ty}", p.name)
    };
    let params: Vec<String> = function.params.iter().map(param).collect();
    format!("{}({})", function.name, params.join(", "))
}
