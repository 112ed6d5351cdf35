//! Sparse matrices of SciPy: taken apart into their arrays, and made of arrays again. No data is copied either way.
//!
//! What SciPy has to do with it is Python code, in `helpers.py`; SciPy is never imported but for a result.
//!
//! Unsafe here: objects borrowed from the caller.

use crate::frame::{Failed, with_python};
use crate::numpy_api::{self, dtype_name};
use crate::plan::{Function, Visible, holds_arrays};
use numpy::npyffi::PyArrayObject;
use pydd_abi::{DTypeCode, SPARSE_ARRAY, SPARSE_CSC, TypeSpec};
use pydd_core::spec::items;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use std::ffi::c_int;
use std::ptr;

static HELPERS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Of an array without gaps, each element at a multiple of its alignment.
const PLAIN: c_int = numpy_api::C_CONTIGUOUS | numpy_api::ALIGNED;

/// Keeps the module of Python helpers.
pub fn init(helpers: &Bound<'_, PyModule>) {
    let _ = HELPERS.set(helpers.py(), helpers.clone().unbind());
}

/// A function of `helpers.py`.
pub fn helper<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let module = HELPERS.get(py).ok_or_else(|| pyo3::exceptions::PySystemError::new_err("no helpers"))?;
    module.bind(py).getattr(name)
}

/// The type of a sparse matrix's indices.
fn index(ty: &TypeSpec) -> DTypeCode {
    // SAFETY: specs are constants that live for ever; the parts begin with `indptr`.
    unsafe { items(ty.items, ty.n_items) }.first().map_or(DTypeCode::I32, |part| part.dtype)
}

/// Arguments of a call, sparse matrices and tuples of arrays taken apart.
pub struct Parts {
    /// One for each parameter of the kernel; borrowed, null takes the default.
    pub objects: Vec<*mut PyObject>,
    /// Of each sparse argument, the place of its first part and the caller's object.
    pub callers: Vec<(usize, *mut PyObject)>,
    /// Keeps the parts alive.
    _held: Vec<Py<PyAny>>,
}

impl Parts {
    /// Takes apart what `objects`, one for each visible parameter, are.
    pub fn of(function: &Function, visible: &[Visible], objects: &[*mut PyObject]) -> Result<Self, Failed> {
        with_python(|py| Ok(Self::read(py, function, visible, objects)?))
    }

    fn read(
        py: Python<'_>,
        function: &Function,
        visible: &[Visible],
        given: &[*mut PyObject],
    ) -> PyResult<Self> {
        let (mut objects, mut callers, mut held) = (Vec::new(), Vec::new(), Vec::new());
        let take = helper(py, "sparse_parts")?;
        for (param, &object) in visible.iter().zip(given) {
            if holds_arrays(&param.spec.ty) {
                // SAFETY: the caller's object is alive during the call, and so are its items.
                let value = unsafe { Bound::from_borrowed_ptr(py, object) };
                items_of(&value, &param.spec.ty, &mut objects, &|text| {
                    let (name, function) = (param.name, function.name);
                    PyTypeError::new_err(format!("argument '{name}' of {function}() {text}"))
                })?;
                continue;
            }
            if !param.is_sparse() || object.is_null() {
                objects.push(object);
                continue;
            }
            // SAFETY: the caller's object is alive during the call.
            let matrix = unsafe { Bound::from_borrowed_ptr(py, object) };
            let ty = &param.spec.ty;
            if let Some(csr) = Csr::of(&matrix, ty) {
                callers.push((objects.len(), object));
                objects.extend(csr.parts());
                held.extend(csr.held.map(Bound::unbind));
                continue;
            }
            let written = param.spec.flags & pydd_abi::PARAM_WRITTEN != 0;
            let types = (dtype_name(ty.dtype), dtype_name(index(ty)));
            let parts = take.call1((matrix, types.0, types.1, written, param.name, function.name))?;
            let parts = parts.cast_into::<PyTuple>()?;
            callers.push((objects.len(), object));
            objects.extend(parts.iter_borrowed().map(|part| part.as_ptr()));
            held.push(parts.into_any().unbind());
        }
        Ok(Self { objects, callers, _held: held })
    }
}

/// The items of a tuple that holds arrays, those of such tuples in it as well; borrowed.
fn items_of(
    tuple: &Bound<'_, PyAny>,
    ty: &TypeSpec,
    out: &mut Vec<*mut PyObject>,
    refuse: &dyn Fn(String) -> PyErr,
) -> PyResult<()> {
    // SAFETY: specs are constants that live for ever.
    let types = unsafe { items(ty.items, ty.n_items) };
    let count = types.len();
    let Some(tuple) = tuple.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == count) else {
        let got = match tuple.cast::<PyTuple>() {
            Ok(other) => format!("one of {}", other.len()),
            Err(_) => crate::arrays::type_name(tuple),
        };
        return Err(refuse(format!("must be a tuple of {count} items, got {got}")));
    };
    for (item, ty) in tuple.iter_borrowed().zip(types) {
        if holds_arrays(ty) {
            items_of(&item, ty, out, refuse)?;
        } else {
            out.push(item.as_ptr());
        }
    }
    Ok(())
}

/// A `csr_matrix` or `csr_array` whose arrays are as a parameter takes them: most arguments are, and Python code
/// would take longer than many a kernel.
struct Csr<'py> {
    /// `indptr`, `indices`, `data` and the shape.
    held: [Bound<'py, PyAny>; 4],
}

impl<'py> Csr<'py> {
    /// None for all that asks for a closer look, what is wrong included.
    fn of(matrix: &Bound<'py, PyAny>, ty: &TypeSpec) -> Option<Self> {
        let py = matrix.py();
        if !numpy_api::fields() || !classes(py)?.iter().any(|class| matrix.get_type().is(class)) {
            return None;
        }
        let attribute = |name: &Bound<'py, PyString>| matrix.getattr(name).ok();
        let held = [
            attribute(intern!(py, "indptr"))?,
            attribute(intern!(py, "indices"))?,
            attribute(intern!(py, "data"))?,
            attribute(intern!(py, "shape"))?,
        ];
        let [indptr, indices, data, shape] = &held;
        let bounds = length(indptr, index(ty))?;
        length(indices, index(ty))?;
        length(data, ty.dtype)?;
        let shape = shape.cast_exact::<PyTuple>().ok().filter(|shape| shape.len() == 2)?;
        let rows: usize = shape.get_borrowed_item(0).ok()?.extract().ok()?;
        (rows.checked_add(1) == Some(bounds)).then_some(Self { held })
    }

    /// Borrowed.
    fn parts(&self) -> [*mut PyObject; 5] {
        let [indptr, indices, data, shape] = self.held.each_ref().map(Bound::as_ptr);
        // SAFETY: `of` saw a tuple of two items, which do not change.
        let [rows, columns] = [0, 1].map(|i| unsafe { ffi::PyTuple_GetItem(shape, i) });
        [indptr, indices, data, rows, columns]
    }
}

/// The length of a one-dimensional array of exactly this type, without gaps: kernels take matrices only so.
fn length(array: &Bound<'_, PyAny>, dtype: DTypeCode) -> Option<usize> {
    let numpy = numpy_api::get();
    // SAFETY: an ndarray's fields, which are where `numpy_api::fields` says they are.
    unsafe {
        if ffi::Py_TYPE(array.as_ptr()) != numpy.array_type {
            return None;
        }
        let fields = &(*array.as_ptr().cast::<PyArrayObject>()).fields;
        let is_plain = fields.flags & PLAIN == PLAIN;
        (is_plain && fields.nd == 1 && fields.descr == numpy.descr(dtype))
            .then(|| *fields.dimensions as usize)
    }
}

/// SciPy's classes of matrices in compressed rows, once it has been imported.
fn classes(py: Python<'_>) -> Option<&'static [Py<PyAny>; 2]> {
    static CLASSES: PyOnceLock<[Py<PyAny>; 2]> = PyOnceLock::new();
    if let Some(classes) = CLASSES.get(py) {
        return Some(classes);
    }
    let modules = py.import("sys").and_then(|sys| sys.getattr("modules")).ok()?;
    let sparse = modules.get_item("scipy.sparse").ok()?;
    let class = |name| sparse.getattr(name).ok().map(Bound::unbind);
    let _ = CLASSES.set(py, [class("csr_matrix")?, class("csr_array")?]);
    CLASSES.get(py)
}

/// Whether an argument can be this parameter.
pub fn accepts(object: &Bound<'_, PyAny>, ty: &TypeSpec) -> bool {
    if Csr::of(object, ty).is_some() {
        return true;
    }
    let types = (dtype_name(ty.dtype), dtype_name(index(ty)));
    let answer = helper(object.py(), "sparse_fits").and_then(|fits| fits.call1((object, types.0, types.1)));
    answer.and_then(|answer| answer.is_truthy()).unwrap_or(false)
}

/// `SparseMat(float64)`.
pub fn describe(ty: &TypeSpec) -> String {
    let dtype = dtype_name(ty.dtype);
    if ty.rank & SPARSE_ARRAY != 0 {
        format!("SparseArray({dtype}, 2)")
    } else {
        format!("SparseMat({dtype})")
    }
}

/// A matrix of SciPy's from its parts, whose references are taken over; null with an exception set on failure.
pub fn to_object(ty: &TypeSpec, parts: [*mut PyObject; 5]) -> *mut PyObject {
    let made = with_python(|py| {
        // SAFETY: owned references.
        let parts = parts.map(|part| unsafe { Bound::from_owned_ptr(py, part) });
        let class = match (ty.rank & SPARSE_CSC != 0, ty.rank & SPARSE_ARRAY != 0) {
            (false, false) => "csr_matrix",
            (false, true) => "csr_array",
            (true, false) => "csc_matrix",
            (true, true) => "csc_array",
        };
        let [indptr, indices, data, rows, columns] = parts;
        let made = helper(py, "sparse_result")?.call1((class, indptr, indices, data, rows, columns))?;
        Ok::<_, PyErr>(made.into_ptr())
    });
    made.unwrap_or_else(|error| {
        let Failed = Failed::from(error);
        ptr::null_mut()
    })
}
