//! Functions of plain Python that are compiled when they are called: which version a call takes.
//!
//! The package `pydd` makes versions and puts them here, so that a call of one costs little and leaves no frame of its own in
//! tracebacks. A version is for arguments of certain types, as long as the names that it was made from stand for what they stood for.
//!
//! Unsafe here: types of objects and fields of arrays are read as everywhere in this crate.

use crate::device_arrays::DeviceArray;
use crate::numpy_api::{self, C_CONTIGUOUS, F_CONTIGUOUS};
use numpy::npyffi::PyArrayObject;
use pydd_abi::DTypeCode;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::slice::Iter;
use std::sync::{Arc, Mutex, PoisonError};

/// What of an argument decides about versions: a type, or an element type, a number of axes and whether these lie in Fortran's order. `None` where that takes a longer look.
type Key = (usize, usize);

fn key(object: &Bound<'_, PyAny>, types: &Types) -> Option<Key> {
    // SAFETY: a live object.
    let ty = unsafe { ffi::Py_TYPE(object.as_ptr()) };
    if ty != numpy_api::get().array_type {
        if let Ok(array) = object.cast::<DeviceArray>() {
            return key(array.get().host_array(object.py()), types);
        }
        if types.alone.contains(&(ty as usize)) {
            return Some((object.as_ptr() as usize, usize::MAX));
        }
        return Some((ty as usize, 0)).filter(|(ty, _)| types.simple.contains(ty));
    }
    if !numpy_api::fields() {
        return None;
    }
    // SAFETY: an exact ndarray, whose fields were found where they should be; its descriptor lives as long as it.
    unsafe {
        let array = &(*object.as_ptr().cast::<PyArrayObject>()).fields;
        let dtype = &(*array.descr).fields;
        let known = DTypeCode::ALL.into_iter().find(|code| code.numpy_type_num() == dtype.type_num);
        let native =
            matches!(dtype.byteorder.to_ne_bytes()[0], b'=' | b'|' | b'<') && cfg!(target_endian = "little");
        let is_column_major = array.flags & (C_CONTIGUOUS | F_CONTIGUOUS) == F_CONTIGUOUS;
        let axes = array.nd as usize + 1;
        known.filter(|_| native).map(|code| (code as usize, axes << 1 | usize::from(is_column_major)))
    }
}

/// Types by their addresses, which live as long as the process.
struct Types {
    /// Those whose instances are all alike: numbers and None.
    simple: Vec<usize>,
    /// Those of which each instance has versions of its own, which keep it: functions.
    alone: Vec<usize>,
}

/// Tuples that hold tuples take a longer look from so many on.
const MOST_NESTED: usize = 8;

/// The keys of an argument: of a tuple its length, and then those of its items.
fn keys_of(object: &Bound<'_, PyAny>, types: &Types, nested: usize, found: &mut Vec<Key>) -> Option<()> {
    match object.cast_exact::<PyTuple>() {
        Ok(items) if nested < MOST_NESTED => {
            found.push((items.get_type_ptr() as usize, items.len()));
            items.iter_borrowed().try_for_each(|item| keys_of(&item, types, nested + 1, found))
        }
        Ok(_) => None,
        Err(_) => key(object, types).map(|key| found.push(key)),
    }
}

/// Whether an argument has the keys that come next, without writing down its own.
fn has_keys(object: &Bound<'_, PyAny>, types: &Types, nested: usize, known: &mut Iter<'_, Key>) -> bool {
    match object.cast_exact::<PyTuple>() {
        Ok(items) => {
            let own = (items.get_type_ptr() as usize, items.len());
            nested < MOST_NESTED
                && known.next() == Some(&own)
                && items.iter_borrowed().all(|item| has_keys(&item, types, nested + 1, known))
        }
        Err(_) => key(object, types).is_some_and(|key| known.next() == Some(&key)),
    }
}

/// A name that a version was made from.
struct Watched {
    space: Py<PyDict>,
    name: Py<PyString>,
    /// `None`: the name is not there, and stands for what is built in.
    value: Option<Py<PyAny>>,
}

impl Watched {
    fn holds(&self, py: Python<'_>) -> bool {
        // SAFETY: a borrowed reference, which is only compared.
        let now = unsafe { ffi::PyDict_GetItemWithError(self.space.as_ptr(), self.name.as_ptr()) };
        // A name that can't be looked up is not what it was.
        if now.is_null() && PyErr::take(py).is_some() {
            return false;
        }
        now == self.value.as_ref().map_or(std::ptr::null_mut(), Py::as_ptr)
    }
}

struct Version {
    keys: Vec<Key>,
    watched: Vec<Watched>,
    /// Asked as well: functions that give True.
    checks: Vec<Py<PyAny>>,
    call: Py<PyAny>,
}

impl Version {
    fn is_current(&self, py: Python<'_>) -> PyResult<bool> {
        if !self.watched.iter().all(|watched| watched.holds(py)) {
            return Ok(false);
        }
        for check in &self.checks {
            if !check.call0(py)?.is_truthy(py)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The base of `pydd`'s kernels: finds the version for a call, or asks the method `_prepare` for one.
#[pyclass(subclass, frozen, module = "pydd_runtime._runtime")]
pub struct Dispatcher {
    /// All parameters of a plain function, by name; `None` where some can't be given both ways.
    names: Option<Vec<Py<PyString>>>,
    defaults: Vec<Option<Py<PyAny>>>,
    types: Types,
    /// Whether the types of arguments decide, and not those of annotations.
    by_types: bool,
    versions: Mutex<Vec<Arc<Version>>>,
}

#[pymethods]
impl Dispatcher {
    /// `names`: the parameters of a plain function, or None; `defaults`: a tuple for the last of them; `simple`: types of which
    /// all instances are alike; `alone`: those of which each has versions of its own.
    #[new]
    fn new(
        names: Option<Vec<Py<PyString>>>,
        defaults: &Bound<'_, PyTuple>,
        simple: &Bound<'_, PyTuple>,
        by_types: bool,
        alone: &Bound<'_, PyTuple>,
    ) -> Self {
        let count = names.as_ref().map_or(0, Vec::len);
        let missing = count.saturating_sub(defaults.len());
        let given = defaults.iter().map(|value| Some(value.unbind()));
        let defaults = (0..missing).map(|_| None).chain(given).collect();
        let addresses = |types: &Bound<'_, PyTuple>| types.iter().map(|ty| ty.as_ptr() as usize).collect();
        let types = Types { simple: addresses(simple), alone: addresses(alone) };
        Self { names, defaults, types, by_types, versions: Mutex::default() }
    }

    /// Adds a version for arguments such as `args`, where a short look tells them from others, and takes away the one before it.
    ///
    /// `watched`: tuples of a dict, a name in it and its value, or of a dict and a name that is not in it; `checks`: functions
    /// that give whether the version is still right.
    fn _add_version(
        &self,
        args: &Bound<'_, PyTuple>,
        watched: Vec<Bound<'_, PyTuple>>,
        checks: Vec<Py<PyAny>>,
        call: Py<PyAny>,
    ) -> PyResult<()> {
        let Some(keys) = self.keys(args) else { return Ok(()) };
        let watched = watched
            .iter()
            .map(|item| {
                let value = if item.len() > 2 { Some(item.get_item(2)?.unbind()) } else { None };
                let (space, name) = (item.get_item(0)?.cast_into()?, item.get_item(1)?.cast_into()?);
                Ok(Watched { space: space.unbind(), name: name.unbind(), value })
            })
            .collect::<PyResult<Vec<_>>>()?;
        let version = Arc::new(Version { keys, watched, checks, call });
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept: Vec<_> = versions.iter().filter(|old| old.keys != version.keys).cloned().collect();
        kept.push(version);
        let old = std::mem::replace(&mut *versions, kept);
        drop(versions);
        // What goes with them may run code of Python's, which must not find the lock taken.
        drop(old);
        Ok(())
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if let Some(args) = this.bound(args, kwargs)?
            && let Some(version) = this.version(&args)
            && version.is_current(py)?
        {
            return version.call.bind(py).call1(args);
        }
        let named = kwargs.map_or_else(|| PyDict::new(py), Clone::clone);
        let (call, args): (Bound<'py, PyAny>, Bound<'py, PyTuple>) =
            slf.call_method1(pyo3::intern!(py, "_prepare"), (args, named))?.extract()?;
        call.call1(args)
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        // No call that may collect garbage is made under the lock; if it is held all the same, visiting too little is safe.
        let Ok(versions) = self.versions.try_lock() else { return Ok(()) };
        self.defaults.iter().flatten().try_for_each(|value| visit.call(value))?;
        // What a call in progress holds stays alive.
        for version in versions.iter().filter(|version| Arc::strong_count(version) == 1) {
            version.checks.iter().try_for_each(|check| visit.call(check))?;
            visit.call(&version.call)?;
            for watched in &version.watched {
                visit.call(&watched.space)?;
                watched.value.iter().try_for_each(|value| visit.call(value))?;
            }
        }
        Ok(())
    }

    fn __clear__(&self) {
        let old = self.versions.try_lock().map(|mut versions| std::mem::take(&mut *versions));
        drop(old);
    }
}

impl Dispatcher {
    /// The arguments of a call by position, defaults included; `None` where that takes a longer look, as it does where some are missing.
    fn bound<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let py = args.py();
        let Some(names) = &self.names else { return Ok(None) };
        let named = kwargs.map_or(0, PyDictMethods::len);
        if args.len() == names.len() && named == 0 {
            return Ok(Some(args.clone()));
        }
        if args.len() > names.len() {
            return Ok(None);
        }
        let mut all: Vec<Bound<'py, PyAny>> = args.iter().collect();
        let mut taken = 0;
        for (name, default) in names.iter().zip(&self.defaults).skip(args.len()) {
            let given = match kwargs {
                Some(kwargs) if named > 0 => kwargs.get_item(name)?,
                _ => None,
            };
            taken += usize::from(given.is_some());
            match given.or_else(|| default.as_ref().map(|value| value.bind(py).clone())) {
                Some(value) => all.push(value),
                None => return Ok(None),
            }
        }
        if taken == named { PyTuple::new(py, all).map(Some) } else { Ok(None) }
    }

    fn keys(&self, args: &Bound<'_, PyTuple>) -> Option<Vec<Key>> {
        let mut found = Vec::new();
        if self.by_types {
            found.reserve(args.len());
            args.iter_borrowed().try_for_each(|arg| keys_of(&arg, &self.types, 0, &mut found))?;
        }
        Some(found)
    }

    /// The version for these arguments.
    fn version(&self, args: &Bound<'_, PyTuple>) -> Option<Arc<Version>> {
        let versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.by_types {
            return versions.first().cloned();
        }
        let fits = |version: &&Arc<Version>| {
            let mut known = version.keys.iter();
            args.iter_borrowed().all(|arg| has_keys(&arg, &self.types, 0, &mut known))
        };
        versions.iter().find(fits).cloned()
    }
}
