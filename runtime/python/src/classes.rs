//! Exception classes that modules define.
//!
//! They are made when a module is first imported, and are the same for each name that its file is imported by.
//!
//! Unsafe here: the spec's table, under the GIL.

use crate::raise::exception_type;
use pydd_abi::{ExceptionSpec, ModuleSpec, OWN_EXCEPTIONS};
use pydd_core::spec::{items, text};
use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// By the spec's address, kept for ever.
static CLASSES: Mutex<BTreeMap<usize, Vec<Py<PyType>>>> = Mutex::new(BTreeMap::new());

/// Gives a module the classes of its spec.
pub fn add(module: &Bound<'_, PyAny>, spec: &'static ModuleSpec) -> PyResult<()> {
    // SAFETY: a valid spec.
    let specs = unsafe { items(spec.exceptions, spec.n_exceptions) };
    if specs.is_empty() {
        return Ok(());
    }
    let py = module.py();
    let classes = match known(py, spec) {
        Some(classes) => classes,
        None => {
            let name = module.getattr("__name__")?;
            let mut made: Vec<Py<PyType>> = Vec::new();
            for each in specs {
                made.push(make(py, each, &made, &name)?);
            }
            // Made without the lock, as Python code may switch threads: those of the first one stay.
            let key = std::ptr::from_ref(spec) as usize;
            CLASSES.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(made);
            known(py, spec).unwrap_or_default()
        }
    };
    for class in classes {
        module.setattr(class.bind(py).name()?, class)?;
    }
    Ok(())
}

/// The class of a number.
pub fn class<'py>(py: Python<'py>, spec: &'static ModuleSpec, index: usize) -> PyResult<Bound<'py, PyType>> {
    let class = known(py, spec).and_then(|classes| classes.into_iter().nth(index));
    let missing = || PySystemError::new_err("compiler bug: an exception without a class");
    Ok(class.ok_or_else(missing)?.into_bound(py))
}

/// From now on modules made of the same file as this one raise `class` in place of the class of that name, which others know by it.
#[pyfunction]
pub fn _use_exception(module: &Bound<'_, PyAny>, name: &str, class: &Bound<'_, PyType>) -> PyResult<()> {
    let own = module.getattr(name)?.cast_into::<PyType>()?;
    let mut all = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let places = all.values_mut().flatten().filter(|known| known.is(&own));
    let old: Vec<Py<PyType>> = places.map(|known| std::mem::replace(known, class.clone().unbind())).collect();
    drop(all);
    // What goes with them may run code of Python's.
    drop(old);
    module.setattr(name, class)
}

fn known(py: Python<'_>, spec: &'static ModuleSpec) -> Option<Vec<Py<PyType>>> {
    let all = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let classes = all.get(&(std::ptr::from_ref(spec) as usize))?;
    Some(classes.iter().map(|class| class.clone_ref(py)).collect())
}

fn make(
    py: Python<'_>,
    spec: &ExceptionSpec,
    before: &[Py<PyType>],
    module: &Bound<'_, PyAny>,
) -> PyResult<Py<PyType>> {
    let base = match spec.base.checked_sub(OWN_EXCEPTIONS).and_then(|index| before.get(index as usize)) {
        Some(class) => class.bind(py).clone(),
        None => exception_type(py, spec.base)?,
    };
    let dict = PyDict::new(py);
    dict.set_item("__module__", module)?;
    // SAFETY: strings of a valid spec.
    let name = unsafe { text(spec.name) };
    if !spec.doc.is_null() {
        // SAFETY: as above.
        dict.set_item("__doc__", unsafe { text(spec.doc) })?;
    }
    let class = py.get_type::<PyType>().call1((name, (base,), dict))?;
    Ok(class.cast_into::<PyType>()?.unbind())
}
