//! Ways to kernels for what decorators make: without frames of ours in the user's tracebacks.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

/// Calls a kernel, some of whose parameters are constants: with the other arguments.
#[pyclass(frozen, module = "pydd_runtime._runtime")]
pub struct _LeavingOut {
    call: Py<PyAny>,
    /// For each argument, whether the kernel has it.
    given: Vec<bool>,
}

#[pymethods]
impl _LeavingOut {
    #[new]
    fn new(call: Py<PyAny>, given: Vec<bool>) -> Self {
        Self { call, given }
    }

    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let kept = args.iter().zip(&self.given).filter(|(_, given)| **given).map(|(arg, _)| arg);
        self.call.bind(args.py()).call1(PyTuple::new(args.py(), kept.collect::<Vec<_>>())?)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.call)
    }
}

/// Calls a kernel, or something else for arguments of which a function says so.
#[pyclass(frozen, module = "pydd_runtime._runtime")]
pub struct _Unless {
    call: Py<PyAny>,
    /// Is given the arguments as a tuple.
    says: Py<PyAny>,
    other: Py<PyAny>,
}

#[pymethods]
impl _Unless {
    #[new]
    fn new(call: Py<PyAny>, says: Py<PyAny>, other: Py<PyAny>) -> Self {
        Self { call, says, other }
    }

    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let is_other = self.says.bind(py).call1((args,))?.is_truthy()?;
        let call = if is_other { &self.other } else { &self.call };
        call.bind(py).call1(args)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        [&self.call, &self.says, &self.other].into_iter().try_for_each(|object| visit.call(object))
    }
}
