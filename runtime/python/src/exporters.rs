//! Arguments that hold numbers and are no arrays of NumPy: those of pandas, polars, Arrow, xarray, PyTorch, and of the buffer protocol.
//!
//! What is known of them is Python code, in `exporters.py`, since a call with one asks its library anyway.

use crate::device_arrays;
use crate::numpy_api::dtype_name;
use crate::plan::{Function, Param};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ffi::CString;

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    let make = || -> PyResult<Py<PyModule>> {
        let source = CString::new(include_str!("exporters.py"))?;
        Ok(PyModule::from_code(py, &source, c"exporters.py", c"pydd_runtime._exporters")?.unbind())
    };
    MODULE.get_or_try_init(py, make).map(|module| module.bind(py))
}

/// Why there is no array for an argument.
pub enum NoArray {
    /// Its numbers do not lie in memory as they are, so that only `cast=True` takes it.
    WouldCopy(PyErr),
    Failed(PyErr),
}

/// An ndarray over the memory of an argument, which it keeps alive; `None` for what holds no numbers.
pub fn as_array<'py>(
    function: &Function,
    param: &Param,
    object: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyAny>>, NoArray> {
    call(function, param, object, "as_array")
}

/// For the package: the memory of a value that is no array itself, as an array; None where there is none to share.
#[pyfunction]
pub fn _memory_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match device_arrays::host_of(value) {
        Ok(Some(host)) => Ok(host),
        // A call says why.
        Ok(None) | Err(_) => module(value.py())?.call_method1("memory_of", (value,)),
    }
}

/// What `np.asarray(object, dtype)` gives; `None` for what is neither an array nor a list nor a number.
pub fn converted<'py>(
    function: &Function,
    param: &Param,
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    call(function, param, object, "converted").map_err(|why| match why {
        NoArray::WouldCopy(error) | NoArray::Failed(error) => error,
    })
}

fn call<'py>(
    function: &Function,
    param: &Param,
    object: &Bound<'py, PyAny>,
    name: &str,
) -> Result<Option<Bound<'py, PyAny>>, NoArray> {
    let py = object.py();
    let module = module(py).map_err(NoArray::Failed)?;
    let array = module.call_method1(name, (object, param.name, dtype_name(param.dtype)));
    let error = match array {
        Ok(array) => return Ok(Some(array).filter(|array| !array.is_none())),
        Err(error) => error,
    };
    let is = |class: &Bound<'py, pyo3::types::PyString>| {
        module.getattr(class).is_ok_and(|class| error.matches(py, class).unwrap_or(false))
    };
    if !is(intern!(py, "Refused")) {
        return Err(NoArray::Failed(error));
    }
    let text = format!("argument '{}' of {}() {}", param.name, function.name, error.value(py));
    let refused = PyTypeError::new_err(text);
    Err(if is(intern!(py, "WouldCopy")) { NoArray::WouldCopy(refused) } else { NoArray::Failed(refused) })
}
