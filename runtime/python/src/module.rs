//! Kernel modules: from a spec to a Python module.
//!
//! Initialisation is multi-phase, so one file can be imported under several names.
//!
//! Unsafe here: C API structures. Definitions are leaked, as CPython keeps pointers to them; there is
//! one for each spec, however often it is imported.

use crate::frame::{Failed, with_python};
use crate::plan::{self, Callable};
use crate::{function, signatures, ufunc};
use pydd_abi::{FN_UFUNC, ModuleSpec};
use pydd_core::spec::{admit, text};
use pyo3::exceptions::{PyImportError, PySystemError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// What CPython knows of a kernel module. The definition comes first: a pointer to one is a pointer
/// to the other.
#[repr(C)]
struct Definition {
    def: ffi::PyModuleDef,
    slots: [ffi::PyModuleDef_Slot; 2],
    functions: Vec<Callable>,
    spec: &'static ModuleSpec,
}

/// Definitions by their spec's address.
static DEFINITIONS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// The table's `module_init`.
///
/// # Safety
/// A spec of some version of this ABI, under the GIL.
pub unsafe extern "C" fn module_init(spec: *const ModuleSpec) -> *mut c_void {
    // SAFETY: by the caller's promise.
    let run = || unsafe { definition(spec) };
    guard(run).map_or(ptr::null_mut(), <*mut PyObject>::cast)
}

unsafe fn definition(spec: *const ModuleSpec) -> PyResult<*mut PyObject> {
    // SAFETY: by the caller's promise; a spec lives for ever.
    unsafe {
        let spec =
            admit(spec, "pydd-runtime", "pip install -U pydd-runtime").map_err(PyImportError::new_err)?;
        let key = ptr::from_ref(spec) as usize;
        let mut all = DEFINITIONS.lock().unwrap_or_else(PoisonError::into_inner);
        let def = match all.entry(key) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(Box::into_raw(new_definition(spec)?) as usize),
        };
        Ok(ffi::PyModuleDef_Init(def as *mut ffi::PyModuleDef))
    }
}

/// A module's `__pydd__`: how it was made.
fn about<'py>(py: Python<'py>, definition: &Definition) -> PyResult<Bound<'py, PyDict>> {
    let (about, spec) = (PyDict::new(py), definition.spec);
    // SAFETY: strings of a valid spec.
    unsafe {
        about.set_item("file", text(spec.file))?;
        about.set_item("source_sha256", text(spec.source_sha256))?;
        about.set_item("compiler", text(spec.made_by))?;
        about.set_item("cpu", text(spec.cpu))?;
        about.set_item("cpu_features", text(spec.cpu_features))?;
    }
    about.set_item("abi", spec.abi_version)?;
    let functions = PyDict::new(py);
    for callable in &definition.functions {
        // Ufuncs have their types themselves.
        if callable.versions[0].spec.flags & FN_UFUNC == 0 {
            let name = callable.name.to_string_lossy();
            functions.set_item(name.as_ref(), signatures::full_signatures(py, callable))?;
        }
    }
    about.set_item("functions", functions)?;
    Ok(about)
}

unsafe fn new_definition(spec: &'static ModuleSpec) -> PyResult<Box<Definition>> {
    // SAFETY: a valid spec.
    let callables = unsafe { plan::callables(spec) };
    let functions = callables.map_err(|e| PyImportError::new_err(format!("compiler bug: {e}")))?;
    let exec = ffi::PyModuleDef_Slot { slot: ffi::Py_mod_exec, value: exec as *mut c_void };
    let mut definition = Box::new(Definition {
        def: module_def(spec.name),
        slots: [exec, ffi::PyModuleDef_Slot::default()],
        functions,
        spec,
    });
    definition.def.m_doc = spec.doc;
    definition.def.m_slots = definition.slots.as_mut_ptr();
    Ok(definition)
}

fn module_def(name: *const std::ffi::c_char) -> ffi::PyModuleDef {
    ffi::PyModuleDef {
        m_base: ffi::PyModuleDef_HEAD_INIT,
        m_name: name,
        m_doc: ptr::null(),
        m_size: 0,
        m_methods: ptr::null_mut(),
        m_slots: ptr::null_mut(),
        m_traverse: None,
        m_clear: None,
        m_free: None,
    }
}

/// Fills a module that CPython made from a definition of ours.
unsafe extern "C" fn exec(module: *mut PyObject) -> c_int {
    let run = || {
        // SAFETY: under the GIL; the definition is one of ours, and lives for ever.
        let (module, definition) = unsafe {
            let definition = ffi::PyModule_GetDef(module).cast::<Definition>();
            (Bound::from_borrowed_ptr(Python::assume_attached(), module), &*definition)
        };
        let name = module.getattr("__name__")?;
        for callable in &definition.functions {
            if let Some(ufunc) = ufunc::of_callable(module.py(), callable)? {
                add_ufunc(&module, &name, callable.versions[0].name, &ufunc)?;
                continue;
            }
            let function = function::new(&module, callable)?;
            // SAFETY: a string of a valid spec.
            module.setattr(unsafe { text(callable.name.as_ptr()) }, function)?;
        }
        module.setattr("__pydd__", about(module.py(), definition)?)?;
        crate::classes::add(&module, definition.spec)
    };
    if guard(run).is_ok() { 0 } else { -1 }
}

/// Errors and panics become the exception that is set.
fn guard<T>(run: impl FnOnce() -> PyResult<T>) -> Result<T, Failed> {
    with_python(|_| {
        let panicked = |_| Err(PySystemError::new_err("pydd runtime bug: a panic at import"));
        Ok(catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(panicked)?)
    })
}

/// Ufuncs of older NumPys have no attributes: pickle then finds their module by looking at all.
fn add_ufunc(
    module: &Bound<'_, PyAny>,
    module_name: &Bound<'_, PyAny>,
    name: &str,
    ufunc: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let _ = ufunc.setattr("__module__", module_name);
    module.setattr(name, ufunc)
}
