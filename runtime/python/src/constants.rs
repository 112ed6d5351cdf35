//! Parameters that have one value in a version of a function: `Literal["sum", "mean"]`, `Literal[1, 2]`.
//!
//! Unsafe here: the value is read from the spec, whose constants live for ever.

use crate::numpy_api::get;
use crate::scalars::is_a;
use pydd_abi::{DTypeCode, ParamSpec, TypeKind};
use pydd_core::spec::{items, text};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_char;

/// The value of such a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constant {
    Int(i64),
    Bool(bool),
    Text(&'static str),
}

impl Constant {
    /// The value of a parameter whose type is [`TypeKind::Constant`].
    pub fn of(spec: &ParamSpec) -> Self {
        // SAFETY: a spec that lives for ever, with one item; a text is a C string.
        unsafe {
            let ty = items(spec.ty.items, spec.ty.n_items).first();
            match ty.map(|ty| (ty.kind, ty.dtype)) {
                Some((TypeKind::Str, _)) => Self::Text(text(spec.default[0] as *const c_char)),
                Some((_, DTypeCode::Bool)) => Self::Bool(spec.default[0] & 0xFF != 0),
                _ => Self::Int(spec.default[0].cast_signed()),
            }
        }
    }

    /// Whether an argument is this value; `None` where it is of another kind. NumPy's integers, bools and texts count as Python's.
    pub fn is(self, value: &Bound<'_, PyAny>) -> Option<bool> {
        match self {
            Self::Text(own) if is_a(value, &raw mut ffi::PyUnicode_Type) => {
                Some(value.extract::<&str>().is_ok_and(|text| text == own))
            }
            Self::Bool(own) if is_bool(value) => Some(value.is_truthy().ok()? == own),
            // What no 64 bits hold is an integer as well.
            Self::Int(own) if is_int(value) => Some(value.extract::<i64>().is_ok_and(|value| value == own)),
            _ => None,
        }
    }

    /// As Python writes it.
    pub fn shown(self, py: Python<'_>) -> String {
        match self {
            Self::Int(value) => value.to_string(),
            Self::Bool(true) => "True".to_owned(),
            Self::Bool(false) => "False".to_owned(),
            Self::Text(text) => {
                let shown = pyo3::types::PyString::new(py, text).repr();
                shown.map_or_else(|_| "?".to_owned(), |shown| shown.to_string())
            }
        }
    }
}

fn is_bool(value: &Bound<'_, PyAny>) -> bool {
    is_a(value, &raw mut ffi::PyBool_Type) || is_a(value, get().bool_)
}

fn is_int(value: &Bound<'_, PyAny>) -> bool {
    !is_bool(value) && (is_a(value, &raw mut ffi::PyLong_Type) || is_a(value, get().integer))
}
