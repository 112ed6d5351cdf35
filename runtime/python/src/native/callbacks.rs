//! SciPy's callbacks: functions in the signatures that `scipy.LowLevelCallable` knows.
//!
//! Each signature ends with a pointer to data of the user, which is a [`Callback`] here, so that one function for a signature serves all kernels. Its
//! parameters become the first ones of the kernel; further ones have values that are given once and kept in the `Callback`.
//!
//! Unsafe here: SciPy's calling conventions. Memory that it passes lives during the call, aligned and without gaps.

use super::numbers::{as_float64, real};
use super::run::{self, Exceptions};
use super::version;
use crate::frame::Room;
use crate::plan::{Convert, Function, Param};
use crate::{arrays, scalars};
use pydd_abi::{DTypeCode, TypeKind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, CString, c_int, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// A signature.
struct Form {
    text: &'static CStr,
    /// The address of its function.
    code: fn() -> *mut c_void,
    given: Given,
    /// Whether the kernel returns a number.
    returns: bool,
}

/// What a signature gives to the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Number,
    /// Numbers of float64 in memory, where SciPy keeps further ones of its own: an array to be read, or as many parameters.
    Numbers,
    /// An array of float64, which is a copy.
    Window,
    /// Two arrays, by their types, and whether they may be written.
    Arrays([(DTypeCode, bool); 2]),
}

/// In the order in which they are tried where nobody names one.
const FORMS: [Form; 5] = [
    Form {
        text: c"double (double, void *)",
        code: || number as *mut c_void,
        given: Given::Number,
        returns: true,
    },
    Form {
        text: c"int (double *, npy_intp, double *, void *)",
        code: || filter as *mut c_void,
        given: Given::Window,
        returns: true,
    },
    Form {
        text: c"double (int, double *, void *)",
        code: || numbers as *mut c_void,
        given: Given::Numbers,
        returns: true,
    },
    Form {
        text: c"int (double *, npy_intp, double *, npy_intp, void *)",
        code: || lines as *mut c_void,
        given: Given::Arrays([(DTypeCode::F64, true), (DTypeCode::F64, true)]),
        returns: false,
    },
    // The coordinates of the output are those by which SciPy counts.
    Form {
        text: c"int (npy_intp *, double *, int, int, void *)",
        code: || coordinates as *mut c_void,
        given: Given::Arrays([(DTypeCode::I64, false), (DTypeCode::F64, true)]),
        returns: false,
    },
];

/// Where the user's data of a callback are.
const DATA: &CStr = c"pydd_runtime callback";

/// A kernel for one signature.
struct Callback {
    function: &'static Function,
    /// All its words, with those of parameters whose values are fixed.
    words: Vec<u64>,
    /// Parameters that each call gives.
    open: usize,
    /// Whether the numbers of a call are one array.
    takes_array: bool,
    /// The type of the result.
    result: DTypeCode,
    /// What holds the memory of fixed arrays.
    _kept: Vec<Py<PyAny>>,
}

// SAFETY: what it points to are constants of a kernel module, which live for ever.
unsafe impl Send for Callback {}

unsafe extern "C" fn number(x: f64, data: *mut c_void) -> f64 {
    let fill = |words: *mut u64, _: &Callback| {
        // SAFETY: the first parameter is a float64.
        unsafe { *words = x.to_bits() };
        Ok(())
    };
    // SAFETY: SciPy's calling convention.
    unsafe { call(data, Exceptions::Untold, fill) }.unwrap_or(f64::NAN)
}

unsafe extern "C" fn numbers(count: c_int, x: *mut f64, data: *mut c_void) -> f64 {
    let fill = |words: *mut u64, callback: &Callback| callback.numbers(words, x, count as usize);
    // SAFETY: SciPy's calling convention.
    unsafe { call(data, Exceptions::Untold, fill) }.unwrap_or(f64::NAN)
}

unsafe extern "C" fn filter(x: *mut f64, count: isize, out: *mut f64, data: *mut c_void) -> c_int {
    let fill = |words: *mut u64, _: &Callback| {
        // SAFETY: the first parameter is an array of one axis.
        unsafe { array(words, x.cast(), count as usize) };
        Ok(())
    };
    // SAFETY: SciPy's calling convention.
    unsafe {
        let Some(value) = call(data, Exceptions::Told, fill) else { return 0 };
        *out = value;
        1
    }
}

unsafe extern "C" fn lines(
    x: *mut f64,
    count: isize,
    out: *mut f64,
    out_count: isize,
    data: *mut c_void,
) -> c_int {
    let fill = |words: *mut u64, _: &Callback| {
        // SAFETY: the first two parameters are arrays of one axis.
        unsafe {
            array(words, x.cast(), count as usize);
            array(words.add(4), out.cast(), out_count as usize);
        }
        Ok(())
    };
    // SAFETY: SciPy's calling convention.
    c_int::from(unsafe { call(data, Exceptions::Told, fill) }.is_some())
}

unsafe extern "C" fn coordinates(
    out: *mut isize,
    x: *mut f64,
    out_rank: c_int,
    rank: c_int,
    data: *mut c_void,
) -> c_int {
    let fill = |words: *mut u64, _: &Callback| {
        // SAFETY: the first two parameters are arrays of one axis.
        unsafe {
            array(words, out.cast(), out_rank as usize);
            array(words.add(4), x.cast(), rank as usize);
        }
        Ok(())
    };
    // SAFETY: SciPy's calling convention.
    c_int::from(unsafe { call(data, Exceptions::Told, fill) }.is_some())
}

/// The words of an array of one axis without gaps, whose elements have 8 bytes.
unsafe fn array(words: *mut u64, data: *mut u8, count: usize) {
    // SAFETY: room by the caller's promise.
    unsafe {
        *words = data as u64;
        *words.add(2) = count as u64;
        *words.add(3) = 8;
    }
}

impl Callback {
    /// The words of numbers in memory.
    #[inline(always)]
    fn numbers(&self, words: *mut u64, x: *mut f64, count: usize) -> Result<(), CString> {
        if self.takes_array {
            // SAFETY: the first parameter is an array of one axis.
            unsafe { array(words, x.cast(), count) };
            return Ok(());
        }
        if count != self.open {
            return Err(self.wrong_count(count));
        }
        // SAFETY: as many parameters, and as many numbers.
        unsafe { ptr::copy_nonoverlapping(x.cast::<u64>(), words, count) };
        Ok(())
    }

    #[cold]
    fn wrong_count(&self, count: usize) -> CString {
        let text =
            format!("{}() takes {} numbers of its caller, and gets {count}", self.function.name, self.open);
        CString::new(text).unwrap_or_default()
    }
}

/// One call: the result as float64 (0 of nothing), or None after an exception. `fill` writes the words of what the call gives.
#[inline(always)]
unsafe fn call(
    data: *mut c_void,
    exceptions: Exceptions,
    fill: impl FnOnce(*mut u64, &Callback) -> Result<(), CString>,
) -> Option<f64> {
    // SAFETY: the data that the callback was made with.
    let callback = unsafe { &*data.cast::<Callback>() };
    // SAFETY: as above.
    let run = || unsafe { run_on(callback, exceptions, fill) };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let text = c"pydd runtime bug: a panic";
        // SAFETY: one of CPython's classes.
        unsafe { run::fail_with(callback.function, &raw mut ffi::PyExc_SystemError, text, exceptions) };
        None
    })
}

#[inline(always)]
unsafe fn run_on(
    callback: &Callback,
    exceptions: Exceptions,
    fill: impl FnOnce(*mut u64, &Callback) -> Result<(), CString>,
) -> Option<f64> {
    if run::has_left_exception() {
        return None;
    }
    let function = callback.function;
    let mut room = MaybeUninit::<Room>::uninit();
    let places = Room::places(&mut room);
    // SAFETY: the function's words and results have room there.
    unsafe {
        ptr::copy_nonoverlapping(callback.words.as_ptr(), places.words, callback.words.len());
        if let Err(text) = fill(places.words, callback) {
            run::fail_with(function, &raw mut ffi::PyExc_ValueError, &text, exceptions);
            return None;
        }
        let code = run::prepare(function, &places);
        let mut ctx = run::context(function);
        if !run::enter(&mut ctx, code, places.words, places.results) {
            run::fail(function, &mut ctx, exceptions);
            return None;
        }
        Some(if function.spec.ret_words == 0 { 0.0 } else { as_float64(callback.result, *places.results) })
    }
}

/// A capsule of the function for a signature, and one of its data, by which it calls a version of a kernel; the values of its last parameters are
/// fixed. The signature is the first one that fits, where none is given.
#[pyfunction]
pub fn _low_level<'py>(
    function: &Bound<'py, PyAny>,
    index: usize,
    signature: Option<&str>,
    fixed: &Bound<'py, PyTuple>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let py = function.py();
    let function = version(function, index)?;
    let refuse = |text: &str| Err(PyTypeError::new_err(format!("{}() {text}", function.name)));
    if function.sparse.is_some() || !function.small {
        return refuse(
            "takes what a callback cannot give: sparse matrices, tuples of arrays, or very many parameters",
        );
    }
    let params: Vec<&'static Param> = function.params.iter().filter(|param| param.words > 0).collect();
    let Some(open) = params.len().checked_sub(fixed.len()).filter(|open| *open > 0) else {
        return refuse(&format!(
            "gets values for {} parameters, which leaves none of its {} for SciPy",
            fixed.len(),
            params.len()
        ));
    };
    let (given, last) = params.split_at(open);
    let form = match signature {
        None => {
            let Some(form) = FORMS.iter().find(|form| form.fit(function, given).is_ok()) else {
                return refuse(
                    "fits no signature of SciPy's: what it is given must be float64, or arrays of one axis of such (its coordinates int64)",
                );
            };
            form
        }
        Some(text) => {
            let form = known(text)?;
            if let Err(why) = form.fit(function, given) {
                return refuse(&format!("does not fit {}: {why}", form.shown()));
            }
            form
        }
    };
    let mut words = vec![0; function.spec.arg_words as usize];
    let mut kept = Vec::new();
    for (param, value) in last.iter().zip(fixed.iter()) {
        fix(function, param, &value, &mut words, &mut kept)?;
    }
    let takes_array = given[0].convert == Convert::Array;
    let result = real(&function.spec.result).unwrap_or(DTypeCode::F64);
    let callback = Callback { function, words, open, takes_array, result, _kept: kept };
    let data = PyCapsule::new_with_value(py, callback, DATA)?;
    // SAFETY: an address that is not null, and a name that lives for ever.
    let code = unsafe {
        let raw = ffi::PyCapsule_New((form.code)(), form.text.as_ptr(), None);
        Bound::from_owned_ptr_or_err(py, raw)?.cast_into()?
    };
    Ok((code, data))
}

/// The signature of a text, in any spacing.
fn known(text: &str) -> PyResult<&'static Form> {
    let plain = |text: &str| text.replace(char::is_whitespace, "");
    let found = FORMS.iter().find(|form| plain(&form.shown()) == plain(text));
    found.ok_or_else(|| {
        let all: Vec<String> = FORMS.iter().map(Form::shown).collect();
        PyValueError::new_err(format!("no known signature: {text:?}; there are {}", all.join(", ")))
    })
}

/// Writes the words of a value that all calls have.
fn fix(
    function: &Function,
    param: &Param,
    value: &Bound<'_, PyAny>,
    words: &mut [u64],
    kept: &mut Vec<Py<PyAny>>,
) -> PyResult<()> {
    let out = words[param.word..].as_mut_ptr();
    // SAFETY: room for the parameter's words, and a live object.
    let done = unsafe {
        match param.spec.ty.kind {
            TypeKind::Array => arrays::to_words(function, param, value.as_ptr(), out).map(|(_, made)| {
                kept.push(made.unwrap_or_else(|| value.clone().unbind()));
            }),
            TypeKind::Scalar => {
                let place = scalars::Place::of(function, param);
                scalars::to_words(value.as_ptr(), &param.spec.ty, out, &place)
            }
            _ => {
                let text = format!(
                    "argument '{}' of {}() cannot be fixed: it is no number and no array",
                    param.name, function.name
                );
                return Err(PyTypeError::new_err(text));
            }
        }
    };
    done.map_err(|_| PyErr::fetch(value.py()))
}

impl Form {
    fn shown(&self) -> String {
        self.text.to_string_lossy().into_owned()
    }

    /// Whether a kernel may be called so; else why not.
    fn fit(&self, function: &Function, given: &[&Param]) -> Result<(), String> {
        match self.given {
            Given::Number if given.len() != 1 => {
                return Err(format!("it gives one number, and {} parameters have no value", given.len()));
            }
            Given::Number => is_number(given[0])?,
            Given::Window if given.len() != 1 => {
                return Err(format!("it gives one array, and {} parameters have no value", given.len()));
            }
            Given::Window => is_array(given[0], DTypeCode::F64, true)?,
            Given::Numbers => match given {
                [one] if one.convert == Convert::Array => is_array(one, DTypeCode::F64, false)?,
                all => all.iter().try_for_each(|param| is_number(param))?,
            },
            Given::Arrays(_) if given.len() != 2 => {
                return Err(format!("it gives two arrays, and {} parameters have no value", given.len()));
            }
            Given::Arrays(types) => {
                for (param, (dtype, may_write)) in given.iter().zip(types) {
                    is_array(param, dtype, may_write)?;
                }
            }
        }
        let result = &function.spec.result;
        match (self.returns, real(result)) {
            (true, None) => Err("it must return a real number".to_owned()),
            (false, _) if result.kind != TypeKind::None => {
                Err("it must write to its second array, and return nothing".to_owned())
            }
            _ => Ok(()),
        }
    }
}

fn is_number(param: &Param) -> Result<(), String> {
    let is = param.spec.ty.kind == TypeKind::Scalar && param.dtype == DTypeCode::F64;
    if is { Ok(()) } else { Err(format!("`{}` must be a float64", param.name)) }
}

fn is_array(param: &Param, dtype: DTypeCode, may_write: bool) -> Result<(), String> {
    if param.convert != Convert::Array || param.rank != 1 || param.dtype != dtype {
        let name = crate::numpy_api::dtype_name(dtype);
        return Err(format!("`{}` must be an Array({name}, 1)", param.name));
    }
    if param.written && !may_write {
        return Err(format!("`{}` is SciPy's own, and must not be written to", param.name));
    }
    Ok(())
}
