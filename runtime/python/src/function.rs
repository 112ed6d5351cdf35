//! The type of a kernel module's functions, `pydd_runtime.function`.
//!
//! Built-in functions of CPython are pickled by name, and have no attributes of their own; these have a
//! dict, where their name, documentation and signature are, and `pydd_runtime._pickle` says how they are
//! sent to other processes. To `inspect` they are routines: they have `__get__`, which does not bind.
//!
//! Unsafe here: a heap type made through the stable ABI. Objects begin with [`Object`], and are made by
//! [`new`] alone. The flag of vectorcalls is older than the stable ABI has it: the interpreter reads the
//! same member from 3.9 on.

use crate::frame::{Failed, with_python};
use crate::plan::Callable;
use crate::{call, signatures};
use pydd_core::spec::text;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::mem::offset_of;
use std::ptr;

#[repr(C)]
struct Object {
    head: PyObject,
    vectorcall: ffi::vectorcallfunc,
    /// Part of a leaked definition.
    callable: &'static Callable,
    /// The kernel module, without which no other process can find the function.
    module: *mut PyObject,
    dict: *mut PyObject,
    weakrefs: *mut PyObject,
}

const TPFLAGS_HAVE_VECTORCALL: c_uint = 1 << 11;
const TPFLAGS_IMMUTABLETYPE: c_uint = 1 << 8;

/// A function of a module that has its name already. Attributes: `__name__`, `__qualname__`, `__module__`,
/// `__doc__`, `__text_signature__`, and, with types, `__signature__` and `__annotations__`.
pub fn new<'py>(module: &Bound<'py, PyAny>, callable: &'static Callable) -> PyResult<Bound<'py, PyAny>> {
    let py = module.py();
    let ty = type_object(py)?.as_ptr().cast::<ffi::PyTypeObject>();
    let dict = PyDict::new(py);
    let spec = callable.versions[0].spec;
    // SAFETY: strings of a valid spec; the allocated object is zeroed, and its fields are its own until it is returned.
    unsafe {
        let name = text(callable.name.as_ptr());
        dict.set_item("__name__", name)?;
        dict.set_item("__qualname__", name)?;
        dict.set_item("__module__", module.getattr("__name__")?)?;
        dict.set_item("__doc__", none_if_empty(text(spec.doc)))?;
        dict.set_item("__text_signature__", none_if_empty(text(spec.signature)))?;
        let object = ffi::PyType_GenericAlloc(ty, 0);
        let bound = Bound::from_owned_ptr_or_err(py, object)?;
        let object = &mut *object.cast::<Object>();
        object.vectorcall = call::entry;
        object.callable = callable;
        object.module = module.clone().into_ptr();
        object.dict = dict.into_ptr();
        Ok(bound)
    }
}

fn none_if_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// What a function of a kernel module calls; None for any other object.
pub fn callable_of(object: &Bound<'_, PyAny>) -> Option<&'static Callable> {
    let ty = TYPE.get(object.py())?;
    if !object.get_type().is(ty) {
        return None;
    }
    // SAFETY: an object of the type, which has no subclasses.
    Some(unsafe { callable(object.as_ptr()) })
}

/// # Safety
/// A function of ours.
#[inline(always)]
pub unsafe fn callable(function: *mut PyObject) -> &'static Callable {
    // SAFETY: by the caller's promise.
    unsafe { (*function.cast::<Object>()).callable }
}

static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

pub fn type_object(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    TYPE.get_or_try_init(py, || make_type(py)).map(|ty| ty.bind(py))
}

fn make_type(py: Python<'_>) -> PyResult<Py<PyType>> {
    let offset = |name: &'static CStr, offset: usize| ffi::PyMemberDef {
        name: name.as_ptr(),
        type_code: ffi::Py_T_PYSSIZET,
        offset: offset as ffi::Py_ssize_t,
        flags: ffi::Py_READONLY,
        doc: ptr::null(),
    };
    // SAFETY: the end of such a table is a zeroed entry.
    let end = unsafe { std::mem::zeroed::<ffi::PyMemberDef>() };
    let members = leaked([
        offset(c"__vectorcalloffset__", offset_of!(Object, vectorcall)),
        offset(c"__dictoffset__", offset_of!(Object, dict)),
        offset(c"__weaklistoffset__", offset_of!(Object, weakrefs)),
        end,
    ]);
    let computed = |name: &'static CStr, get| ffi::PyGetSetDef {
        name: name.as_ptr(),
        get: Some(get),
        set: None,
        doc: ptr::null(),
        closure: ptr::null_mut(),
    };
    let getset = leaked([
        ffi::PyGetSetDef {
            name: c"__dict__".as_ptr(),
            get: Some(ffi::PyObject_GenericGetDict),
            set: Some(ffi::PyObject_GenericSetDict),
            doc: ptr::null(),
            closure: ptr::null_mut(),
        },
        computed(c"__annotations__", annotations),
        computed(c"__signature__", signature),
        computed(c"address", address),
        ffi::PyGetSetDef::default(),
    ]);
    let method = |name: &'static CStr, function: ffi::PyCFunction, flags| ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: function },
        ml_flags: flags,
        ml_doc: ptr::null(),
    };
    let methods = leaked([
        method(c"__reduce__", reduce, ffi::METH_NOARGS),
        method(c"__copy__", itself, ffi::METH_NOARGS),
        method(c"__deepcopy__", itself, ffi::METH_O),
        ffi::PyMethodDef::zeroed(),
    ]);
    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_dealloc, dealloc as *mut c_void),
        slot(ffi::Py_tp_traverse, traverse as *mut c_void),
        slot(ffi::Py_tp_clear, clear as *mut c_void),
        slot(ffi::Py_tp_repr, repr as *mut c_void),
        slot(ffi::Py_tp_call, call_with_tuple as *mut c_void),
        slot(ffi::Py_tp_descr_get, get as *mut c_void),
        slot(ffi::Py_tp_members, members.cast()),
        slot(ffi::Py_tp_getset, getset.cast()),
        slot(ffi::Py_tp_methods, methods.cast()),
        slot(0, ptr::null_mut()),
    ];
    let flags = ffi::Py_TPFLAGS_DEFAULT as c_uint
        | ffi::Py_TPFLAGS_HAVE_GC as c_uint
        | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION as c_uint
        | TPFLAGS_HAVE_VECTORCALL
        | TPFLAGS_IMMUTABLETYPE;
    let mut spec = ffi::PyType_Spec {
        name: c"pydd_runtime.function".as_ptr(),
        basicsize: size_of::<Object>() as c_int,
        itemsize: 0,
        flags,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: a complete spec, of which CPython keeps the leaked tables alone.
    unsafe {
        let ty = Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec))?;
        Ok(ty.cast_into::<PyType>()?.unbind())
    }
}

fn leaked<T, const N: usize>(table: [T; N]) -> *mut T {
    Box::leak(Box::new(table)).as_mut_ptr()
}

/// What CPython calls with an object of ours, under the GIL.
unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: the last reference is gone; fields are null or owned.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        if !(*object.cast::<Object>()).weakrefs.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        clear(object);
        let ty = ffi::Py_TYPE(object);
        ffi::PyObject_GC_Del(object.cast());
        ffi::Py_DECREF(ty.cast());
    }
}

unsafe extern "C" fn traverse(object: *mut PyObject, visit: ffi::visitproc, arg: *mut c_void) -> c_int {
    // SAFETY: visiting borrows.
    unsafe {
        let this = &*object.cast::<Object>();
        for each in [ffi::Py_TYPE(object).cast(), this.module, this.dict] {
            if !each.is_null() {
                let stop = visit(each, arg);
                if stop != 0 {
                    return stop;
                }
            }
        }
    }
    0
}

unsafe extern "C" fn clear(object: *mut PyObject) -> c_int {
    // SAFETY: owned references, which are taken out before they are given back.
    unsafe {
        let this = object.cast::<Object>();
        let module = ptr::replace(&raw mut (*this).module, ptr::null_mut());
        let dict = ptr::replace(&raw mut (*this).dict, ptr::null_mut());
        ffi::Py_XDECREF(module);
        ffi::Py_XDECREF(dict);
    }
    0
}

unsafe extern "C" fn get(
    object: *mut PyObject,
    _instance: *mut PyObject,
    _owner: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: a new reference to what the caller holds.
    unsafe { ffi::Py_NewRef(object) }
}

unsafe extern "C" fn itself(object: *mut PyObject, _memo: *mut PyObject) -> *mut PyObject {
    // SAFETY: as above.
    unsafe { ffi::Py_NewRef(object) }
}

unsafe extern "C" fn repr(object: *mut PyObject) -> *mut PyObject {
    with(object, |function, _| {
        let name: Bound<'_, PyAny> = function.getattr("__qualname__")?;
        Ok(PyString::new(function.py(), &format!("<pydd kernel {}>", name.str()?)).into_any())
    })
}

/// `inspect.signature` and `typing.get_type_hints` ask for these; they are made when they are asked for, since most never are.
unsafe extern "C" fn annotations(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    with(object, |function, this| of_signatures(function, this, "annotations"))
}

unsafe extern "C" fn signature(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    with(object, |function, this| of_signatures(function, this, "signature"))
}

fn of_signatures<'py>(
    function: &Bound<'py, PyAny>,
    this: &Object,
    what: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let versions = signatures::parsable_signatures(py, this.callable);
    py.import("pydd_runtime._signatures")?.call_method1(what, (versions,))
}

unsafe extern "C" fn address(object: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    with(object, |function, _| {
        function.py().import("pydd_runtime._native")?.call_method1("address", (function,))
    })
}

unsafe extern "C" fn reduce(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    with(object, |function, this| {
        let py = function.py();
        let pickle = py.import("pydd_runtime._pickle")?;
        // SAFETY: null after a collection of garbage alone.
        let module = unsafe { Bound::from_borrowed_ptr_or_opt(py, this.module) };
        pickle.call_method1("reduce_function", (function, module))
    })
}

/// A call through `type(f).__call__`; others come by vectorcall.
unsafe extern "C" fn call_with_tuple(
    object: *mut PyObject,
    args: *mut PyObject,
    kwargs: *mut PyObject,
) -> *mut PyObject {
    let words = || -> PyResult<(Vec<Py<PyAny>>, Option<Py<PyTuple>>)> {
        with_python(|py| {
            // SAFETY: CPython gives a tuple, and a dict or null.
            let (args, kwargs) =
                unsafe { (Bound::from_borrowed_ptr(py, args), Bound::from_borrowed_ptr_or_opt(py, kwargs)) };
            let mut all: Vec<_> = args.cast::<PyTuple>()?.iter().map(Bound::unbind).collect();
            let Some(kwargs) = kwargs else { return Ok((all, None)) };
            let (names, values): (Vec<_>, Vec<_>) = kwargs.cast::<PyDict>()?.iter().unzip();
            if names.is_empty() {
                return Ok((all, None));
            }
            all.extend(values.into_iter().map(Bound::unbind));
            Ok((all, Some(PyTuple::new(py, names)?.unbind())))
        })
    };
    match words() {
        Ok((all, names)) => {
            let pointers: Vec<_> = all.iter().map(Py::as_ptr).collect();
            let names = names.as_ref().map_or(ptr::null_mut(), Py::as_ptr);
            // SAFETY: a vector of arguments that lives during the call; those with names come last.
            unsafe {
                let named = if names.is_null() { 0 } else { ffi::PyTuple_Size(names) as usize };
                let object = call::entry(object, pointers.as_ptr(), pointers.len() - named, names);
                with_python(|_| drop(all));
                object
            }
        }
        Err(error) => {
            let Failed = error.into();
            ptr::null_mut()
        }
    }
}

/// A method of ours in PyO3's terms; errors become the exception that is set.
fn with(
    object: *mut PyObject,
    run: impl for<'py> FnOnce(&Bound<'py, PyAny>, &Object) -> PyResult<Bound<'py, PyAny>>,
) -> *mut PyObject {
    let run = |py: Python<'_>| -> Result<*mut PyObject, Failed> {
        // SAFETY: an object of ours, which its caller holds, under the GIL.
        let (function, this) = unsafe { (Bound::from_borrowed_ptr(py, object), &*object.cast::<Object>()) };
        Ok(run(&function, this)?.into_ptr())
    };
    with_python(run).unwrap_or(ptr::null_mut())
}
