//! Scalars, strings and tuples of them, both ways.
//!
//! Unsafe here: objects borrowed from the caller, and words written and read where the frame has
//! them.

use crate::arrays::{article, is_array, type_name};
use crate::frame::{Failed, exact};
use crate::numpy_api::{dtype_name, get};
use crate::plan::{Function, Param};
use numpy::npyffi::PY_ARRAY_API;
use pydd_abi::{DTypeCode, TypeKind, TypeSpec, words};
use pydd_core::spec::items;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ffi::{CStr, c_char};
use std::ptr;

/// Where a value stands, for messages.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub function: &'a str,
    pub param: &'a str,
    pub part: Part,
}

/// A part of an argument.
#[derive(Clone, Copy)]
pub enum Part {
    Whole,
    Item(usize),
    /// A key of a dict, an item of a set; alive.
    Key(*mut PyObject),
    /// The value of a key; alive.
    ValueOf(*mut PyObject),
}

impl<'a> Place<'a> {
    pub fn of(function: &'a Function, param: &'a Param) -> Self {
        Self { function: function.name, param: param.name, part: Part::Whole }
    }

    /// An item; of a key or value nothing more is said.
    pub fn item(self, i: usize) -> Self {
        match self.part {
            Part::Whole | Part::Item(_) => Self { part: Part::Item(i), ..self },
            Part::Key(_) | Part::ValueOf(_) => self,
        }
    }

    pub fn key(self, key: *mut PyObject) -> Self {
        Self { part: Part::Key(key), ..self }
    }

    pub fn value_of(self, key: *mut PyObject) -> Self {
        Self { part: Part::ValueOf(key), ..self }
    }

    #[cold]
    pub fn error(&self, text: &str) -> PyErr {
        let Self { function, param, part } = self;
        let part = match *part {
            Part::Whole => String::new(),
            Part::Item(i) => format!("item {i} of "),
            Part::Key(key) => format!("key {} of ", repr(key)),
            Part::ValueOf(key) => format!("the value of key {} of ", repr(key)),
        };
        PyTypeError::new_err(format!("{part}argument '{param}' of {function}() {text}"))
    }
}

/// How Python shows a key that a [`Part`] names.
pub fn repr(key: *mut PyObject) -> String {
    // SAFETY: alive, as the part says, and under the GIL.
    let key = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), key) };
    key.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string())
}

/// Writes the words of a value of the given type.
///
/// # Safety
/// `object` is alive, and `out` has room for the type's words.
pub unsafe fn to_words(
    object: *mut PyObject,
    ty: &TypeSpec,
    out: *mut u64,
    place: &Place,
) -> Result<(), Failed> {
    // SAFETY: under the GIL, on a live object.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    // SAFETY: (all writes) room by the caller's promise.
    unsafe {
        match ty.kind {
            TypeKind::Scalar => scalar(&value, ty, out, place)?,
            TypeKind::Str => *out = string(&value, place)? as u64,
            TypeKind::Tuple => tuple(&value, ty, out, place)?,
            TypeKind::None if value.is_none() => {}
            TypeKind::None => return Err(place.error("must be None").into()),
            TypeKind::Array
            | TypeKind::List
            | TypeKind::Constant
            | TypeKind::Either
            | TypeKind::Maybe
            | TypeKind::Sparse
            | TypeKind::Dict
            | TypeKind::Set
            | TypeKind::Tuples
            | TypeKind::Lists => {
                return Err(place.error("is of a type that tuples of arguments cannot hold yet").into());
            }
        }
    }
    Ok(())
}

unsafe fn scalar(value: &Bound<'_, PyAny>, ty: &TypeSpec, out: *mut u64, place: &Place) -> PyResult<()> {
    let word = match ty.dtype {
        DTypeCode::Bool => u64::from(boolean(value, place)?),
        DTypeCode::F32 => u64::from((float(value, ty, place)? as f32).to_bits()),
        DTypeCode::F64 => float(value, ty, place)?.to_bits(),
        DTypeCode::C64 | DTypeCode::C128 => {
            let (re, im) = complex(value, ty, place)?;
            let bits = |x: f64| match ty.dtype {
                DTypeCode::C64 => u64::from((x as f32).to_bits()),
                _ => x.to_bits(),
            };
            // SAFETY: two words, by the caller's promise.
            unsafe { *out.add(1) = bits(im) };
            bits(re)
        }
        dtype => integer(value, dtype, place)?,
    };
    // SAFETY: room by the caller's promise.
    unsafe { *out = word };
    Ok(())
}

pub fn is_a(value: &Bound<'_, PyAny>, ty: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: two live objects.
    unsafe { ffi::PyObject_TypeCheck(value.as_ptr(), ty) != 0 }
}

/// `dtype.kind` of NumPy scalars and of arrays without dimensions; `?` for arrays with some.
fn numpy_kind(value: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
    let array = is_array(value);
    if !array && !is_a(value, get().generic) {
        return Ok(None);
    }
    if array && value.getattr("ndim")?.extract::<usize>()? > 0 {
        return Ok(Some('?'));
    }
    value.getattr("dtype")?.getattr("kind")?.extract().map(Some)
}

fn got(value: &Bound<'_, PyAny>) -> String {
    match numpy_kind(value) {
        Ok(Some('?')) => "an array".into(),
        _ => type_name(value),
    }
}

fn boolean(value: &Bound<'_, PyAny>, place: &Place) -> PyResult<bool> {
    let known = is_a(value, &raw mut ffi::PyBool_Type) || numpy_kind(value)? == Some('b');
    if !known {
        let text = format!("must be a bool, got {}; use bool({})", got(value), place.param);
        return Err(place.error(&text));
    }
    value.is_truthy()
}

fn integer(value: &Bound<'_, PyAny>, dtype: DTypeCode, place: &Place) -> PyResult<u64> {
    let py = value.py();
    let name = dtype_name(dtype);
    let refused = || {
        let hint = if is_a(value, &raw mut ffi::PyFloat_Type) || matches!(numpy_kind(value), Ok(Some('f'))) {
            format!("; use int({})", place.param)
        } else {
            String::new()
        };
        place.error(&format!("must be {}, got {}{hint}", article(name), got(value)))
    };
    if is_a(value, get().bool_) {
        return value.is_truthy().map(u64::from);
    }
    // SAFETY: a live object; the result is a new reference.
    let index = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyNumber_Index(value.as_ptr())) };
    let index = index.map_err(|e| if e.is_instance_of::<PyTypeError>(py) { refused() } else { e })?;
    in_range(&index, dtype)
        .ok_or_else(|| PyOverflowError::new_err(format!("Python integer {index} out of bounds for {name}")))
}

/// The word of an int, if the type holds it.
fn in_range(index: &Bound<'_, PyAny>, dtype: DTypeCode) -> Option<u64> {
    let value: i128 = match index.extract::<i64>() {
        Ok(value) => value.into(),
        Err(_) => index.extract::<u64>().ok()?.into(),
    };
    let bits = dtype.size() * 8;
    let unsigned = matches!(dtype, DTypeCode::U8 | DTypeCode::U16 | DTypeCode::U32 | DTypeCode::U64);
    let range = if unsigned { 0..1i128 << bits } else { -(1i128 << (bits - 1))..1i128 << (bits - 1) };
    range.contains(&value).then_some(value as u64)
}

fn type_word(ty: &TypeSpec) -> &'static str {
    match (ty.weak, ty.dtype) {
        (1, DTypeCode::F64) => "float",
        (1, DTypeCode::C128) => "complex",
        _ => dtype_name(ty.dtype),
    }
}

fn float(value: &Bound<'_, PyAny>, ty: &TypeSpec, place: &Place) -> PyResult<f64> {
    let py = value.py();
    let refused = || place.error(&format!("must be {}, got {}", article(type_word(ty)), got(value)));
    let is_complex = is_a(value, &raw mut ffi::PyComplex_Type);
    if is_complex || !matches!(numpy_kind(value)?, None | Some('b' | 'i' | 'u' | 'f')) {
        return Err(refused());
    }
    // SAFETY: a live object.
    let x = unsafe { ffi::PyFloat_AsDouble(value.as_ptr()) };
    match PyErr::take(py) {
        None => Ok(x),
        Some(e) if e.is_instance_of::<PyTypeError>(py) => Err(refused()),
        Some(e) => Err(e),
    }
}

fn complex(value: &Bound<'_, PyAny>, ty: &TypeSpec, place: &Place) -> PyResult<(f64, f64)> {
    let number = match numpy_kind(value)? {
        Some('b' | 'i' | 'u' | 'f' | 'c') => {
            value.py().get_type::<pyo3::types::PyComplex>().call1((value,))?
        }
        None if is_a(value, &raw mut ffi::PyComplex_Type) => value.clone(),
        None if value.hasattr("__complex__")? => value.call_method0("__complex__")?,
        None => return float(value, ty, place).map(|x| (x, 0.0)),
        Some(_) => {
            let text = format!("must be {}, got {}", article(type_word(ty)), got(value));
            return Err(place.error(&text));
        }
    };
    // SAFETY: a live complex object; the functions fail for others.
    let parts = unsafe {
        (ffi::PyComplex_RealAsDouble(number.as_ptr()), ffi::PyComplex_ImagAsDouble(number.as_ptr()))
    };
    PyErr::take(value.py()).map_or(Ok(parts), Err)
}

/// UTF-8 that lives as long as the string object, which the caller holds during the call.
fn string(value: &Bound<'_, PyAny>, place: &Place) -> PyResult<*const c_char> {
    if !is_a(value, &raw mut ffi::PyUnicode_Type) {
        return Err(place.error(&format!("must be a str, got {}", got(value))));
    }
    let mut size = 0;
    // SAFETY: a live str; the text is NUL-terminated and `size` bytes long.
    unsafe {
        let text = ffi::PyUnicode_AsUTF8AndSize(value.as_ptr(), &raw mut size);
        if text.is_null() {
            return Err(PyErr::fetch(value.py()));
        }
        if CStr::from_ptr(text).to_bytes().len() != size as usize {
            return Err(PyValueError::new_err("embedded null character"));
        }
        Ok(text)
    }
}

/// An object as a tuple of so many items.
///
/// # Safety
/// It is alive, under the GIL.
pub unsafe fn tuple_of<'py>(object: *mut PyObject, n: usize, place: &Place) -> PyResult<Bound<'py, PyTuple>> {
    // SAFETY: by the caller's promise.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let of_length = value.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == n).cloned();
    of_length.ok_or_else(|| place.error(&format!("must be a tuple of {n} items, got {}", got(&value))))
}

unsafe fn tuple(value: &Bound<'_, PyAny>, ty: &TypeSpec, out: *mut u64, place: &Place) -> Result<(), Failed> {
    // SAFETY: a spec that lives for ever, and a live object.
    let types = unsafe { items(ty.items, ty.n_items) };
    // SAFETY: as above.
    let tuple = unsafe { tuple_of(value.as_ptr(), types.len(), place)? };
    let mut word = 0;
    for (i, ty) in types.iter().enumerate() {
        let item = tuple.get_item(i)?;
        // SAFETY: room for the words of all items, by the caller's promise.
        unsafe {
            to_words(item.as_ptr(), ty, out.add(word), &place.item(i))?;
            word += words::of(ty);
        }
    }
    Ok(())
}

/// A scalar as an object: Python's own for the weak family and for bool, int64, float64 and
/// complex128; NumPy's for the rest. Null with an exception set on failure.
///
/// # Safety
/// Under the GIL; `word` points to the scalar's words.
#[inline(always)]
pub unsafe fn to_object(dtype: DTypeCode, weak: bool, word: *const u64) -> *mut PyObject {
    // SAFETY: by the caller's promise.
    unsafe {
        match dtype {
            DTypeCode::F64 => ffi::PyFloat_FromDouble(f64::from_bits(*word)),
            DTypeCode::I64 => ffi::PyLong_FromLongLong(*word as i64),
            DTypeCode::Bool => ffi::PyBool_FromLong((*word & 0xFF).into_c()),
            DTypeCode::C128 => {
                ffi::PyComplex_FromDoubles(f64::from_bits(*word), f64::from_bits(*word.add(1)))
            }
            _ if weak => weak_object(dtype, word),
            _ => numpy_scalar(dtype, word),
        }
    }
}

/// A number of one of several types as an object of its own type.
///
/// # Safety
/// As for [`to_object`]; `ty` is such a type, and `word` points to its words.
pub unsafe fn either_to_object(ty: &TypeSpec, word: *const u64) -> *mut PyObject {
    // SAFETY: by the caller's promise.
    unsafe {
        let tag = *word.add(words::scalar(ty.dtype));
        let is_own = |own: &&TypeSpec| 2 * own.dtype as u64 + u64::from(own.weak) == tag;
        let own = items(ty.items, ty.n_items).iter().find(is_own).unwrap_or(ty);
        let [low, high] = narrowed(ty.dtype, own.dtype, word);
        to_object(own.dtype, own.weak != 0, [low, high].as_ptr())
    }
}

/// The words of a number in a type that holds its value.
unsafe fn narrowed(from: DTypeCode, to: DTypeCode, word: *const u64) -> [u64; 2] {
    // SAFETY: the words of a scalar of type `from`.
    let (low, high) = unsafe { (*word, if words::scalar(from) == 2 { *word.add(1) } else { 0 }) };
    let is_float = matches!(from, DTypeCode::F64 | DTypeCode::C128);
    let float = |bits: u64| u64::from((f64::from_bits(bits) as f32).to_bits());
    match to {
        DTypeCode::F32 => [float(low), 0],
        DTypeCode::C64 => [float(low), float(high)],
        DTypeCode::F64 | DTypeCode::C128 => [low, high],
        DTypeCode::Bool => [u64::from(if is_float { f64::from_bits(low) != 0.0 } else { low != 0 }), 0],
        _ if is_float => [f64::from_bits(low) as i64 as u64, 0],
        _ => [low, high],
    }
}

trait IntoC {
    fn into_c(self) -> std::ffi::c_long;
}

impl IntoC for u64 {
    fn into_c(self) -> std::ffi::c_long {
        std::ffi::c_long::from(self != 0)
    }
}

unsafe fn weak_object(dtype: DTypeCode, word: *const u64) -> *mut PyObject {
    // SAFETY: as in `to_object`.
    unsafe {
        let float = |w: u64| f64::from(f32::from_bits(w as u32));
        match dtype {
            DTypeCode::F32 => ffi::PyFloat_FromDouble(float(*word)),
            DTypeCode::C64 => ffi::PyComplex_FromDoubles(float(*word), float(*word.add(1))),
            DTypeCode::U64 => ffi::PyLong_FromUnsignedLongLong(*word),
            _ => ffi::PyLong_FromLongLong(*word as i64),
        }
    }
}

unsafe fn numpy_scalar(dtype: DTypeCode, word: *const u64) -> *mut PyObject {
    let mut item = [0u64; 2];
    // SAFETY: as in `to_object`; `item` holds any element type.
    unsafe {
        let place = item.as_mut_ptr().cast::<u8>();
        store(dtype, word, place);
        let descr = get().descr(dtype);
        PY_ARRAY_API.PyArray_Scalar(Python::assume_attached(), place.cast(), descr, ptr::null_mut())
    }
}

/// Writes a scalar's words as an element.
///
/// # Safety
/// `word` points to the scalar's words, `to` to room for an element.
pub unsafe fn store(dtype: DTypeCode, word: *const u64, to: *mut u8) {
    // SAFETY: by the caller's promise.
    unsafe {
        match dtype.size() {
            1 => *to = *word as u8,
            2 => to.cast::<u16>().write_unaligned(*word as u16),
            4 => to.cast::<u32>().write_unaligned(*word as u32),
            8 if dtype == DTypeCode::C64 => {
                to.cast::<[u32; 2]>().write_unaligned([*word as u32, *word.add(1) as u32]);
            }
            8 => to.cast::<u64>().write_unaligned(*word),
            _ => to.cast::<[u64; 2]>().write_unaligned([*word, *word.add(1)]),
        }
    }
}

/// What it costs a number to become one of this type, for choosing among versions of a function: nothing for one of the type itself, little
/// within its kind (the widest is the best), more for a kind that holds its own, most for one that does not, which a call then refuses. `None` for
/// what is no number.
///
/// # Safety
/// A live object, under the GIL.
pub unsafe fn cost(object: *mut PyObject, dtype: DTypeCode) -> Option<u32> {
    // SAFETY: by the caller's promise.
    let value = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let own = number_kind(&value)?;
    let narrower = 16 - u32::try_from(dtype.size()).unwrap_or(0).min(16);
    if is_a(&value, get().generic) {
        let name = value.getattr("dtype").and_then(|d| d.str()).map(|s| s.to_string());
        if name.is_ok_and(|name| name == dtype_name(dtype)) {
            return Some(0);
        }
    }
    Some(match kind_of(dtype).checked_sub(own) {
        Some(0) => narrower,
        Some(farther) => 100 * farther + narrower,
        None => 10_000,
    })
}

/// Bools, integers, floats, complex numbers: each holds those before.
const fn kind_of(dtype: DTypeCode) -> u32 {
    match dtype {
        DTypeCode::Bool => 0,
        DTypeCode::F32 | DTypeCode::F64 => 2,
        DTypeCode::C64 | DTypeCode::C128 => 3,
        _ => 1,
    }
}

/// As [`kind_of`], of Python's and NumPy's numbers.
fn number_kind(value: &Bound<'_, PyAny>) -> Option<u32> {
    let object = value.as_ptr();
    // SAFETY: a live object, under the GIL.
    unsafe {
        if is_a(value, get().generic) {
            let kind: String = value.getattr("dtype").ok()?.getattr("kind").ok()?.extract().ok()?;
            return match kind.as_str() {
                "b" => Some(0),
                "i" | "u" => Some(1),
                "f" => Some(2),
                "c" => Some(3),
                _ => None,
            };
        }
        if exact(object, &raw mut ffi::PyBool_Type) {
            return Some(0);
        }
        let types = [&raw mut ffi::PyLong_Type, &raw mut ffi::PyFloat_Type, &raw mut ffi::PyComplex_Type];
        types.into_iter().position(|ty| is_a(value, ty)).and_then(|at| u32::try_from(at + 1).ok())
    }
}
