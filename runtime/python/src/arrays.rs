//! Array arguments that the fast way does not know: other dtype objects, subclasses, refusals.
//!
//! Unsafe here: objects borrowed from the caller, and words written where the frame has room.

use crate::device_arrays;
use crate::exporters::{self, NoArray};
use crate::frame::Failed;
use crate::numpy_api::{Interface, NOT_SWAPPED, WRITEABLE, dtype_name, get};
use crate::plan::{Function, Param};
use crate::scalars::{self, Part, Place};
use numpy::npyffi::PyArrayObject;
use pydd_abi::{DTypeCode, TypeSpec};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::ffi::c_int;

/// Writes data, dimensions and strides (not the owner); returns the array's flags, and the array that was made of the argument, where it
/// is none that the kernel can take as it is.
///
/// # Safety
/// `object` is alive or null, and `out` has room for the words of the parameter.
pub unsafe fn to_words(
    function: &Function,
    param: &Param,
    object: *mut PyObject,
    out: *mut u64,
) -> Result<(c_int, Option<Py<PyAny>>), Failed> {
    // SAFETY: called under the GIL; a null (an array has no default) becomes None.
    let object = unsafe {
        let py = Python::assume_attached();
        if object.is_null() { py.None().into_bound(py) } else { Bound::from_borrowed_ptr(py, object) }
    };
    let (array, made) = read(function, param, &object, &[])?;
    let rank = array.dims.len();
    // SAFETY: the rank is the parameter's.
    unsafe {
        *out = array.data as u64;
        for k in 0..rank {
            *out.add(2 + k) = array.dims[k] as u64;
            *out.add(2 + rank + k) = array.strides[k] as u64;
        }
    }
    Ok((array.flags, made.map(Bound::unbind)))
}

/// What an argument, or an item of one, must be.
struct Wanted<'a> {
    function: &'a str,
    name: &'a str,
    dtype: DTypeCode,
    rank: u8,
    written: bool,
}

impl<'a> Wanted<'a> {
    const fn of(function: &'a Function, param: &'a Param) -> Self {
        let Param { name, dtype, rank, written, .. } = *param;
        Self { function: function.name, name, dtype, rank, written }
    }
}

/// The fields of an array that is an item of an argument.
pub fn item(object: &Bound<'_, PyAny>, ty: &TypeSpec, written: bool, place: &Place) -> PyResult<Interface> {
    let name = match place.part {
        Part::Item(i) => format!("{}[{i}]", place.param),
        Part::ValueOf(key) => format!("{}[{}]", place.param, scalars::repr(key)),
        _ => place.param.to_owned(),
    };
    let wanted = Wanted { function: place.function, name: &name, dtype: ty.dtype, rank: ty.rank, written };
    check(&wanted, object, &[], false)
}

/// An array and, where it was made of the argument, its object.
type Read<'py> = (Interface, Option<Bound<'py, PyAny>>);

/// The array that an argument is, that lies where its numbers do, or that `cast=True` converts it to.
fn read<'py>(
    function: &Function,
    param: &Param,
    object: &Bound<'py, PyAny>,
    allowed: &[&str],
) -> PyResult<Read<'py>> {
    let may_convert = param.cast && !param.written;
    let made = match exported(function, param, object) {
        Err(NoArray::WouldCopy(_)) if may_convert => None,
        Err(NoArray::WouldCopy(error) | NoArray::Failed(error)) => return Err(error),
        Ok(made) => made,
    };
    let array = made.as_ref().unwrap_or(object);
    let wanted = Wanted::of(function, param);
    let error = match check(&wanted, array, allowed, made.is_some()) {
        Ok(array) => return Ok((array, made)),
        Err(error) => error,
    };
    // What a mask or a class means is lost in any array.
    if !may_convert || is_array(array) && refused_subclass(array, param.name)?.is_some() {
        return Err(error);
    }
    let Some(converted) = exporters::converted(function, param, object)? else { return Err(error) };
    let array = check(&wanted, &converted, allowed, true)?;
    Ok((array, Some(converted)))
}

/// An array over the memory of what is no array itself.
fn exported<'py>(
    function: &Function,
    param: &Param,
    object: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyAny>>, NoArray> {
    // Calls of Python know these themselves; whoever else asks gets a copy.
    if let Some(array) = device_arrays::of(object).map_err(NoArray::Failed)? {
        if param.written {
            let text =
                format!("argument '{}' of {}() is on a GPU, and is written", param.name, function.name);
            return Err(NoArray::Failed(PyTypeError::new_err(text)));
        }
        return array.get().copy_to_host(object.py()).map(Some).map_err(NoArray::Failed);
    }
    let is_bytes = object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>();
    // Bytes are numbers of one byte each to the buffer protocol, which is rarely meant.
    if is_array(object) || object.is_none() || is_bytes && param.dtype != DTypeCode::U8 {
        return Ok(None);
    }
    exporters::as_array(function, param, object)
}

/// As [`exported`], for choosing among versions: what would be copied is left to the version that is chosen.
pub fn exported_for_choice<'py>(
    function: &Function,
    param: &Param,
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match exported(function, param, object) {
        Ok(made) => Ok(made),
        Err(NoArray::WouldCopy(_)) if param.cast => Ok(None),
        Err(NoArray::WouldCopy(error) | NoArray::Failed(error)) => Err(error),
    }
}

/// Why an argument is refused that is neither an array of the type nor one of what else is allowed.
///
/// # Safety
/// A live object, under the GIL.
pub unsafe fn refusal(function: &Function, param: &Param, object: *mut PyObject, allowed: &[&str]) -> PyErr {
    // SAFETY: by the caller's promise.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    match read(function, param, &object, allowed) {
        Err(error) => error,
        Ok(_) => PyTypeError::new_err(format!("argument '{}' of {}() is refused", param.name, function.name)),
    }
}

/// Whether an argument is an array of a type.
pub fn has_type(object: &Bound<'_, PyAny>, ty: &TypeSpec) -> bool {
    let known = crate::numpy_api::fields() && object.get_type().as_type_ptr() == get().array_type;
    if known {
        // SAFETY: an exact ndarray, whose fields are where the self-test found them.
        let fields = unsafe { &(*object.as_ptr().cast::<PyArrayObject>()).fields };
        if let Some(dtype) = get().dtype(fields.descr) {
            return dtype == ty.dtype && fields.nd == c_int::from(ty.rank);
        }
    }
    let is = || -> PyResult<bool> {
        let rank: usize = object.getattr("ndim")?.extract()?;
        let name: String = object.getattr("dtype")?.getattr("name")?.extract()?;
        Ok(rank == usize::from(ty.rank) && name == dtype_name(ty.dtype))
    };
    is_array(object) && is().unwrap_or(false)
}

/// The array if the kernel can take it; otherwise a TypeError that says what to do. `allowed`: what else the argument may be; `made`: the
/// array was made of the argument, which has no methods of arrays.
fn check(
    wanted: &Wanted<'_>,
    object: &Bound<'_, PyAny>,
    allowed: &[&str],
    made: bool,
) -> PyResult<Interface> {
    let must =
        if allowed.is_empty() { "must be".to_owned() } else { format!("must be {} or", allowed.join(", ")) };
    let refuse = |text: String| {
        let text = format!("argument '{}' of {}() {text}", wanted.name, wanted.function);
        Err(PyTypeError::new_err(text))
    };
    let (name, dtype) = (wanted.name, dtype_name(wanted.dtype));
    if !is_array(object) {
        let got = type_name(object);
        let hint = match got.as_str() {
            // What `np.asarray` makes nothing of.
            "NoneType" | "str" | "dict" => String::new(),
            // Of these it makes an array without axes, and of records nothing.
            "bool" | "int" | "float" | "complex" | "void" => String::new(),
            // Bytes that are no whole number of elements.
            "bytes" | "bytearray" if object.len()? % wanted.dtype.size() != 0 => String::new(),
            "set" | "frozenset" => format!("; use np.fromiter({name}, dtype=np.{dtype})"),
            "bytes" if wanted.written => format!("; use np.frombuffer({name}, dtype=np.{dtype}).copy()"),
            "bytes" | "bytearray" => format!("; use np.frombuffer({name}, dtype=np.{dtype})"),
            "csr_matrix" | "csr_array" | "csc_matrix" | "csc_array" | "coo_matrix" | "coo_array" => {
                format!("; use {name}.toarray()")
            }
            _ => format!("; use np.asarray({name}, dtype=np.{dtype})"),
        };
        return refuse(format!("{must} {} array, got {got}{hint}", article(dtype)));
    }
    if let Some(text) = refused_subclass(object, name)? {
        return refuse(text);
    }
    let array = Interface::of(object)?;
    let got = || object.getattr("dtype")?.str().map(|s| s.to_string());
    let cast = if made {
        format!("use np.asarray({name}, dtype=np.{dtype})")
    } else {
        format!("use {name}.astype(np.{dtype})")
    };
    if array.dtype != Some(wanted.dtype) {
        // Texts and records have no numbers to cast, and a cast to real numbers would drop imaginary parts.
        let kind: String = object.getattr("dtype")?.getattr("kind")?.extract()?;
        let hint = match kind.as_str() {
            "V" => {
                return refuse(format!(
                    "{must} {} array, got a structured one; pass one of its fields, {name}['…']",
                    article(dtype)
                ));
            }
            "S" | "U" => String::new(),
            "c" if !dtype.starts_with("complex") && made => {
                format!("; use np.real({name}).astype(np.{dtype})")
            }
            "c" if !dtype.starts_with("complex") => format!("; use {name}.real.astype(np.{dtype})"),
            _ => format!("; {cast}"),
        };
        return refuse(format!("{must} {} array, got {}{hint}", article(dtype), got()?));
    }
    if array.flags & NOT_SWAPPED == 0 {
        return refuse(format!("has the foreign byte order '{}'; {cast}", got()?));
    }
    if array.dims.len() != usize::from(wanted.rank) {
        let (need, have) = (wanted.rank, array.dims.len());
        return refuse(format!("{must} a {need}-dimensional {dtype} array, got {have} dimensions"));
    }
    if wanted.written && array.flags & WRITEABLE == 0 {
        let instead = if made {
            format!("pass np.asarray({name}).copy(), which then holds what is written")
        } else {
            format!("pass {name}.copy() or set {name}.flags.writeable")
        };
        return refuse(format!("is read-only, and {}() writes to it; {instead}", wanted.function));
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
