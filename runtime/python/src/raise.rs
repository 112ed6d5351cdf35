//! Exceptions from kernels, with a traceback that ends in the `.pydd` file.
//!
//! The last frame comes from running a code object made for the place: the stable ABI has no other
//! way to a traceback. Code objects are made once for each site.
//!
//! Unsafe here: the spec's sites, and the context that the kernel leaves. All under the GIL.

use crate::frame::Failed;
use pydd_abi::{Ctx, ExcKind, ModuleSpec, OWN_EXCEPTIONS, SITE_KEY, Site};
use pydd_core::spec::{items, text};
use pydd_core::{Error, Raised, message};
use pyo3::exceptions as exc;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static SITE_CODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Code objects by module (its spec's address) and site, kept for ever.
static CODES: Mutex<BTreeMap<(usize, u32), usize>> = Mutex::new(BTreeMap::new());

pub fn init(py: Python<'_>) -> PyResult<()> {
    let source = std::ffi::CString::new(include_str!("helpers.py"))?;
    let helpers = PyModule::from_code(py, &source, c"helpers.py", c"pydd_runtime._helpers")?;
    let function = helpers.getattr("site_code")?.unbind();
    let _ = SITE_CODE.set(py, function);
    crate::sparse::init(&helpers);
    Ok(())
}

/// Sets the exception that `ctx` describes.
pub fn raise(py: Python<'_>, module: &'static ModuleSpec, ctx: &mut Ctx) {
    let mut raised = Raised::take(ctx);
    // SAFETY: a valid spec.
    let site = unsafe { items(module.sites, module.n_sites) }.get(raised.site as usize);
    let error = match exception(py, module, &mut raised, site) {
        Ok(exception) => {
            let (at, place) = place(module, &raised, site);
            with_traceback(py, module, at, place, exception)
        }
        Err(error) => error,
    };
    error.restore(py);
}

/// The site that says where: the failing one, or the call of the library function that failed.
fn place(
    module: &'static ModuleSpec,
    raised: &Raised,
    site: Option<&'static Site>,
) -> (u32, Option<&'static Site>) {
    if raised.caller == 0 || site.is_some_and(|site| site.line != 0) {
        return (raised.site, site);
    }
    let at = raised.caller - 1;
    // SAFETY: a valid spec.
    (at, unsafe { items(module.sites, module.n_sites) }.get(at as usize))
}

fn exception<'py>(
    py: Python<'py>,
    module: &'static ModuleSpec,
    raised: &mut Raised,
    site: Option<&Site>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(object) = raised.take_exception() {
        // SAFETY: the error owned a reference to the exception object.
        return Ok(unsafe { Bound::from_owned_ptr(py, object as *mut PyObject) });
    }
    let (kind, text, is_key) = match site {
        _ if raised.kind != 0 => (raised.kind, raised.message().filter(|m| !m.is_empty()), false),
        Some(site) => (site.kind, site_message(py, site, raised)?, site.flags & SITE_KEY != 0),
        None => (ExcKind::SystemError as u32, Some("a kernel failed without a reason".into()), false),
    };
    let ty = match kind.checked_sub(OWN_EXCEPTIONS) {
        Some(index) => crate::classes::class(py, module, index as usize)?,
        None => exception_type(py, kind)?,
    };
    match text {
        Some(key) if is_key => ty.call1((crate::sparse::helper(py, "literal")?.call1((key,))?,)),
        Some(text) => ty.call1((text,)),
        None => ty.call0(),
    }
}

fn site_message(py: Python<'_>, site: &Site, raised: &Raised) -> PyResult<Option<String>> {
    if site.message.is_null() {
        return Ok(None);
    }
    // SAFETY: a string of the spec.
    let template = unsafe { text(site.message) };
    let shown = |kind: char, format: &str, word: i64| -> PyResult<String> {
        let float = f64::from_bits(word.cast_unsigned());
        let object = match kind {
            'f' => float.into_pyobject(py)?.into_any(),
            'g' => py.import("numpy")?.getattr("float32")?.call1((float,))?,
            'b' => (word != 0).into_pyobject(py)?.to_owned().into_any(),
            'u' => word.cast_unsigned().into_pyobject(py)?.into_any(),
            _ => word.into_pyobject(py)?.into_any(),
        };
        object.call_method1("__format__", (format,))?.extract()
    };
    message::format_with(template, &raised.payload, shown).map(Some)
}

/// The exception with one more traceback entry: the site's.
fn with_traceback(
    py: Python<'_>,
    module: &'static ModuleSpec,
    index: u32,
    site: Option<&Site>,
    exception: Bound<'_, PyAny>,
) -> PyErr {
    let plain = |e: &Bound<'_, PyAny>| PyErr::from_value(e.clone());
    let Some(site) = site else { return plain(&exception) };
    let Ok(code) = code(py, module, index, site) else { return plain(&exception) };
    let run = || -> PyResult<()> {
        let globals = PyDict::new(py);
        // SAFETY: a string of the spec.
        globals.set_item("__name__", unsafe { text(module.name) })?;
        globals.set_item("_e", &exception)?;
        // SAFETY: a code object and a dict; the result is null, as the code only raises.
        let error = unsafe {
            let out = ffi::PyEval_EvalCode(code.as_ptr(), globals.as_ptr(), globals.as_ptr());
            Bound::from_owned_ptr_or_err(py, out).map(drop)
        };
        // The frame lives as long as the traceback: without this it would be part of a cycle.
        globals.del_item("_e")?;
        error
    };
    run().err().unwrap_or_else(|| plain(&exception))
}

fn code<'py>(
    py: Python<'py>,
    module: &'static ModuleSpec,
    index: u32,
    site: &Site,
) -> PyResult<Bound<'py, PyAny>> {
    let key = ((&raw const *module) as usize, index);
    let known = CODES.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
    if let Some(object) = known {
        // SAFETY: the map keeps a reference for ever.
        return Ok(unsafe { Bound::from_borrowed_ptr(py, object as *mut PyObject) });
    }
    let file = if site.file.is_null() { module.file } else { site.file };
    // SAFETY: strings of the spec.
    let (file, function) = unsafe { (text(file), text(site.function)) };
    let place = (file, site.line.max(1), site.column, site.end_column, function);
    let make = SITE_CODE.get(py).ok_or_else(|| exc::PySystemError::new_err("pydd_runtime is half set up"))?;
    let code = make.bind(py).call1(place)?;
    // Called without the lock, as Python code may switch threads: a second object is harmless.
    let kept = code.clone().into_ptr() as usize;
    CODES.lock().unwrap_or_else(PoisonError::into_inner).insert(key, kept);
    Ok(code)
}

pub fn exception_type(py: Python<'_>, kind: u32) -> PyResult<Bound<'_, PyType>> {
    if kind == ExcKind::LinAlgError as u32 {
        return Ok(py.import("numpy.linalg")?.getattr("LinAlgError")?.cast_into()?);
    }
    macro_rules! built_in {
        ($($name:ident => $ty:ident),* $(,)?) => {
            match kind {
                $(k if k == ExcKind::$name as u32 => py.get_type::<exc::$ty>(),)*
                _ => py.get_type::<exc::PySystemError>(),
            }
        };
    }
    Ok(built_in! {
        RuntimeError => PyRuntimeError,
        IndexError => PyIndexError,
        ValueError => PyValueError,
        TypeError => PyTypeError,
        ZeroDivisionError => PyZeroDivisionError,
        OverflowError => PyOverflowError,
        MemoryError => PyMemoryError,
        RecursionError => PyRecursionError,
        AssertionError => PyAssertionError,
        UnboundLocalError => PyUnboundLocalError,
        KeyError => PyKeyError,
        NotImplementedError => PyNotImplementedError,
        ArithmeticError => PyArithmeticError,
        FloatingPointError => PyFloatingPointError,
        LookupError => PyLookupError,
        StopIteration => PyStopIteration,
        KeyboardInterrupt => PyKeyboardInterrupt,
        Exception => PyException,
        ImportError => PyImportError,
        OSError => PyOSError,
    })
}

/// A Python exception for an error of the core.
#[cold]
pub fn error(error: &Error) -> Failed {
    // SAFETY: calls come under the GIL.
    let py = unsafe { Python::assume_attached() };
    match exception_type(py, error.kind as u32) {
        Ok(ty) => PyErr::from_type(ty, error.message.clone()).into(),
        Err(e) => e.into(),
    }
}
