//! Array arguments that the fast way does not know: other dtype objects, subclasses, refusals.
//!
//! Unsafe here: objects borrowed from the caller, and words written where the frame has room.

use crate::frame::Failed;
use crate::numpy_api::{Interface, NOT_SWAPPED, WRITEABLE, dtype_name, get};
use crate::plan::{Function, Param};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::ffi::c_int;

/// Writes data, dimensions and strides (not the owner); returns the array's flags.
///
/// # Safety
/// `object` is alive or null, and `out` has room for the words of the parameter.
pub unsafe fn to_words(
    function: &Function,
    param: &Param,
    object: *mut PyObject,
    out: *mut u64,
) -> Result<c_int, Failed> {
    // SAFETY: called under the GIL; a null (an array has no default) becomes None.
    let object = unsafe {
        let py = Python::assume_attached();
        if object.is_null() { py.None().into_bound(py) } else { Bound::from_borrowed_ptr(py, object) }
    };
    let array = check(function, param, &object)?;
    let rank = array.dims.len();
    // SAFETY: the rank is the parameter's.
    unsafe {
        *out = array.data as u64;
        for k in 0..rank {
            *out.add(2 + k) = array.dims[k] as u64;
            *out.add(2 + rank + k) = array.strides[k] as u64;
        }
    }
    Ok(array.flags)
}

/// The array if the kernel can take it; otherwise a TypeError that says what to do.
fn check(function: &Function, param: &Param, object: &Bound<'_, PyAny>) -> PyResult<Interface> {
    let refuse = |text: String| {
        let text = format!("argument '{}' of {}() {text}", param.name, function.name);
        Err(PyTypeError::new_err(text))
    };
    let (name, dtype) = (param.name, dtype_name(param.dtype));
    if !is_array(object) {
        let got = type_name(object);
        let hint = match got.as_str() {
            // What `np.asarray` makes nothing of.
            "NoneType" | "str" | "dict" => String::new(),
            "set" | "frozenset" => format!("; use np.fromiter({name}, dtype=np.{dtype})"),
            "bytes" if param.written => format!("; use np.frombuffer({name}, dtype=np.{dtype}).copy()"),
            "bytes" | "bytearray" => format!("; use np.frombuffer({name}, dtype=np.{dtype})"),
            "csr_matrix" | "csr_array" | "csc_matrix" | "csc_array" | "coo_matrix" | "coo_array" => {
                format!("; use {name}.toarray()")
            }
            _ => format!("; use np.asarray({name}, dtype=np.{dtype})"),
        };
        return refuse(format!("must be {} array, got {got}{hint}", article(dtype)));
    }
    if let Some(text) = refused_subclass(object, name)? {
        return refuse(text);
    }
    let array = Interface::of(object)?;
    let got = || object.getattr("dtype")?.str().map(|s| s.to_string());
    let cast = format_args!("use {name}.astype(np.{dtype})");
    if array.dtype != Some(param.dtype) {
        // Texts and records have no numbers to cast, and a cast to real numbers would drop imaginary parts.
        let kind: String = object.getattr("dtype")?.getattr("kind")?.extract()?;
        let hint = match kind.as_str() {
            "V" => {
                return refuse(format!(
                    "must be {} array, got a structured one; pass one of its fields, {name}['…']",
                    article(dtype)
                ));
            }
            "S" | "U" => String::new(),
            "c" if !dtype.starts_with("complex") => format!("; use {name}.real.astype(np.{dtype})"),
            _ => format!("; {cast}"),
        };
        return refuse(format!("must be {} array, got {}{hint}", article(dtype), got()?));
    }
    if array.flags & NOT_SWAPPED == 0 {
        return refuse(format!("has the foreign byte order '{}'; {cast}", got()?));
    }
    if array.dims.len() != usize::from(param.rank) {
        let (need, have) = (param.rank, array.dims.len());
        return refuse(format!("must be a {need}-dimensional {dtype} array, got {have} dimensions"));
    }
    if param.written && array.flags & WRITEABLE == 0 {
        return refuse(format!(
            "is read-only, and {}() writes to it; pass {name}.copy() or set {name}.flags.writeable",
            function.name
        ));
    }
    Ok(array)
}

/// `a float64`, `an int32`.
pub fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string())
}

/// Whether the object is an ndarray or of a subclass.
pub fn is_array(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: two live objects.
    unsafe { ffi::PyObject_TypeCheck(object.as_ptr(), get().array_type) != 0 }
}

/// Why an instance of a subclass that gives operators another meaning is refused.
fn refused_subclass(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<String>> {
    let py = object.py();
    if object.get_type().as_type_ptr() == get().array_type {
        return Ok(None);
    }
    let modules = py.import("sys")?.getattr("modules")?;
    let is = |module: &str, class: &str| -> PyResult<bool> {
        match modules.get_item(module) {
            Ok(module) => object.is_instance(&module.getattr(class)?),
            Err(_) => Ok(false),
        }
    };
    if is("numpy.ma", "MaskedArray")? {
        return Ok(Some(format!(
            "is a MaskedArray, whose mask would be ignored; use {name}.filled() or {name}.data"
        )));
    }
    if is("numpy", "matrix")? {
        return Ok(Some(format!(
            "is an np.matrix, whose operators mean something else; use np.asarray({name})"
        )));
    }
    Ok(None)
}
