//! The Python side of the runtime: capsule, arguments, results, exceptions.
//!
//! The way of a call: [`call`] binds the arguments ([`bind`]), turns them into words ([`arrays`],
//! [`scalars`], [`lists`]), runs the kernel, and turns its words into objects ([`results`]) or an
//! exception ([`raise`]). [`module`] makes modules from the specs of kernel files.
//!
//! The way of every call is raw C API on borrowed pointers, for its cost; what only happens on
//! errors or at import uses PyO3's safe side. Unsafe code relies on three things: the GIL is held
//! wherever an object is touched, specs are constants that live for ever, and the stable ABI.

// For the linker: see its documentation.
use pydd_glibc as _;

mod arrays;
mod bind;
mod call;
mod classes;
mod columns;
mod constants;
mod device_arrays;
mod dicts;
mod dispatch;
mod dlpack;
mod exporters;
mod frame;
mod function;
mod host;
mod lists;
mod module;
mod native;
mod nested;
mod numpy_api;
mod objects;
mod overloads;
mod plan;
mod print;
mod raise;
mod results;
mod routes;
mod scalars;
mod signatures;
mod sparse;
mod table;
mod ufunc;

use pyo3::exceptions::{PyImportError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::c_void;

#[global_allocator]
static SCRATCH: pydd_core::scratch::Scratch = pydd_core::scratch::Scratch;

/// The native half of `pydd_runtime`.
/// The folders of `sys.path`, in which pip's packages of NVIDIA's libraries may lie.
fn folders_of_packages(py: Python<'_>) -> Vec<std::path::PathBuf> {
    let path = py.import("sys").and_then(|sys| sys.getattr("path"));
    let folders = path.and_then(|path| path.try_iter());
    folders.into_iter().flatten().filter_map(|folder| folder.ok()?.extract().ok()).collect()
}

#[pymodule]
fn _runtime(m: &Bound<'_, PyModule>) -> PyResult<()> {
    refuse_free_threading(m.py())?;
    numpy_api::init(m.py())?;
    raise::init(m.py())?;
    host::init();
    pydd_core::device::look_in(folders_of_packages(m.py()));
    m.add("_C_API", capsule(m.py())?)?;
    m.add("ABI_VERSION", pydd_abi::ABI_VERSION)?;
    m.add_class::<dispatch::Dispatcher>()?;
    m.add("function", function::type_object(m.py())?)?;
    m.add_class::<routes::_LeavingOut>()?;
    m.add_class::<routes::_Unless>()?;
    m.add_function(wrap_pyfunction!(classes::_use_exception, m)?)?;
    m.add_function(wrap_pyfunction!(exporters::_memory_of, m)?)?;
    m.add_function(wrap_pyfunction!(ufunc::_make_ufunc, m)?)?;
    m.add_function(wrap_pyfunction!(ufunc::_result_types, m)?)?;
    m.add_function(wrap_pyfunction!(native::_describe, m)?)?;
    m.add_function(wrap_pyfunction!(native::_address, m)?)?;
    m.add_function(wrap_pyfunction!(native::_low_level, m)?)?;
    m.add_function(wrap_pyfunction!(native::_words_entry, m)?)?;
    m.add_function(wrap_pyfunction!(set_num_threads, m)?)?;
    m.add_function(wrap_pyfunction!(get_num_threads, m)?)?;
    m.add_function(wrap_pyfunction!(_devices, m)?)?;
    m.add_function(wrap_pyfunction!(device_arrays::synchronize, m)?)?;
    m.add_class::<device_arrays::DeviceArray>()?;
    m.add_function(wrap_pyfunction!(device_arrays::device_array, m)?)?;
    m.add_function(wrap_pyfunction!(_use_array_fields, m)?)
}

/// A capsule of the table's own address.
fn capsule(py: Python<'_>) -> PyResult<Bound<'_, PyCapsule>> {
    let table = (&raw const table::TABLE).cast_mut().cast::<c_void>();
    // SAFETY: the table is a static, and consumers only read it.
    let object = unsafe {
        let raw = pyo3::ffi::PyCapsule_New(table, pydd_abi::CAPSULE.as_ptr(), None);
        Bound::from_owned_ptr_or_err(py, raw)?
    };
    Ok(object.cast_into()?)
}

fn refuse_free_threading(py: Python<'_>) -> PyResult<()> {
    let config = py.import("sysconfig")?.call_method1("get_config_var", ("Py_GIL_DISABLED",))?;
    if config.is_truthy()? {
        return Err(PyImportError::new_err(
            "pydd_runtime does not support free-threaded Python yet; use a build with the GIL",
        ));
    }
    Ok(())
}

/// Sets the number of threads that parallel loops use, the calling one included.
#[pyfunction]
fn set_num_threads(py: Python<'_>, n: usize) -> PyResult<()> {
    if n == 0 {
        return Err(PyValueError::new_err("the number of threads must be at least 1"));
    }
    py.detach(|| pydd_core::pool::set_num_threads(n));
    Ok(())
}

/// The number of threads that parallel loops use: PYDD_NUM_THREADS, or the CPUs available.
#[pyfunction]
fn get_num_threads() -> usize {
    pydd_core::pool::num_threads()
}

/// The version of CUDA's driver, as 10 * major + minor, and of each device its name, compute capability (alike) and memory in bytes.
#[pyfunction]
fn _devices(py: Python<'_>) -> (u32, Vec<(&'static str, u32, usize)>) {
    py.detach(pydd_core::device::found).map_or((0, Vec::new()), |found| {
        let devices = found.devices.iter().map(|d| (d.name.as_str(), d.level, d.memory)).collect();
        // 12090 is 12.9.
        (found.driver / 1000 * 10 + found.driver % 1000 / 10, devices)
    })
}

/// For tests: whether arrays are read by their fields (if those were found where they belong) or
/// through `__array_struct__`. Returns what holds now.
#[pyfunction]
fn _use_array_fields(on: bool) -> bool {
    numpy_api::use_fields(on)
}
