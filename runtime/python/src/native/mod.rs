//! Kernels for native callers within Python: code of NumPy, SciPy, Numba and ctypes that calls functions of C.
//!
//! [`run`] is what all of them have in common: the context, the GIL, and what becomes of exceptions. [`trampolines`] gives functions of numbers an
//! address of their own, [`callbacks`] fits functions into the signatures of SciPy's callbacks, and [`words`] is for code that fills in words itself.
//! Which version of a function is meant, and what its types are called elsewhere, is for Python to say (`pydd_runtime/native.py`), which asks
//! [`describe`].

mod callbacks;
mod describe;
mod numbers;
pub mod run;
mod trampolines;
mod words;

pub use callbacks::_low_level;
pub use describe::_describe;
pub use trampolines::_address;
pub use words::_words_entry;

use crate::function::callable_of;
use crate::plan::Function;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A version of a function of a kernel module.
fn version(function: &Bound<'_, PyAny>, index: usize) -> PyResult<&'static Function> {
    callable_of(function)
        .and_then(|callable| callable.versions.get(index))
        .ok_or_else(|| PyTypeError::new_err("not a function of a kernel module"))
}
