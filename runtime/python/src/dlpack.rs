//! DLPack: how libraries of tensors hand each other memory, on GPUs too. Version 0.8 of its structures, which all of them know.
//!
//! Unsafe here: the structures in capsules, by the rules of the protocol: who takes one renames the capsule, and calls its deleter when done.

use pydd_abi::DTypeCode;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use std::ffi::{CStr, c_void};

/// kDLCUDA.
pub const CUDA: i32 = 2;

const FRESH: &CStr = c"dltensor";
const USED: &CStr = c"used_dltensor";

#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    /// In elements; null for row-major.
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// An array on a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Of the first element.
    pub address: u64,
    pub device: i32,
    pub dtype: DTypeCode,
    pub dims: Vec<i64>,
    /// In elements.
    pub strides: Vec<i64>,
}

/// What a capsule of ours keeps: lengths, strides, and whose memory it is.
struct Kept {
    dims: Vec<i64>,
    strides: Vec<i64>,
    owner: Py<PyAny>,
}

const fn code(dtype: DTypeCode) -> u8 {
    match dtype {
        DTypeCode::I8 | DTypeCode::I16 | DTypeCode::I32 | DTypeCode::I64 => 0,
        DTypeCode::U8 | DTypeCode::U16 | DTypeCode::U32 | DTypeCode::U64 => 1,
        DTypeCode::F32 | DTypeCode::F64 => 2,
        DTypeCode::C64 | DTypeCode::C128 => 5,
        DTypeCode::Bool => 6,
    }
}

/// A capsule of an array, which keeps its owner alive until the taker is done.
pub fn export(py: Python<'_>, shape: &Shape, owner: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let mut kept = Box::new(Kept { dims: shape.dims.clone(), strides: shape.strides.clone(), owner });
    let tensor = Tensor {
        data: shape.address as *mut c_void,
        device_type: CUDA,
        device_id: shape.device,
        ndim: i32::try_from(shape.dims.len()).unwrap_or(0),
        code: code(shape.dtype),
        bits: u8::try_from(8 * shape.dtype.size()).unwrap_or(0),
        lanes: 1,
        shape: kept.dims.as_mut_ptr(),
        strides: kept.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let managed = Managed { tensor, context: Box::into_raw(kept).cast(), deleter: Some(delete) };
    let managed = Box::into_raw(Box::new(managed));
    // SAFETY: a structure of the protocol's, whose deleter fits; under the GIL.
    unsafe {
        let capsule = ffi::PyCapsule_New(managed.cast(), FRESH.as_ptr(), Some(drop_capsule));
        if capsule.is_null() {
            delete(managed);
        }
        Ok(Bound::from_owned_ptr_or_err(py, capsule)?.unbind())
    }
}

/// Ours is taken back, on any thread.
unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: made in `export`, and given up now.
    let kept = unsafe {
        let managed = Box::from_raw(managed);
        Box::from_raw(managed.context.cast::<Kept>())
    };
    let kept = std::cell::Cell::new(Some(kept));
    let dropped = Python::try_attach(|py| kept.take().map(|kept| kept.owner.drop_ref(py)));
    // The interpreter is gone, and so is the owner.
    if dropped.is_none() {
        std::mem::forget(kept);
    }
}

unsafe extern "C" fn drop_capsule(capsule: *mut PyObject) {
    // SAFETY: a capsule of `export`; one that was taken has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, FRESH.as_ptr()) != 0 {
            delete(ffi::PyCapsule_GetPointer(capsule, FRESH.as_ptr()).cast());
        }
    }
}

/// What was taken from another library: its memory stays until this goes.
#[pyclass(frozen)]
pub struct Taken(usize);

impl Drop for Taken {
    fn drop(&mut self) {
        let managed = self.0 as *mut Managed;
        // SAFETY: taken in `import`, and given up now.
        unsafe {
            if let Some(deleter) = (*managed).deleter {
                deleter(managed);
            }
        }
    }
}

/// Takes an array on a GPU out of a capsule.
pub fn import(capsule: &Bound<'_, PyAny>) -> PyResult<(Shape, Taken)> {
    let object = capsule.as_ptr();
    // SAFETY: the name says what the pointer is to; the structure stays until its deleter is called.
    let (taken, tensor) = unsafe {
        if ffi::PyCapsule_IsValid(object, FRESH.as_ptr()) == 0 {
            return Err(PyBufferError::new_err("it gave no capsule of DLPack"));
        }
        let managed = ffi::PyCapsule_GetPointer(object, FRESH.as_ptr()).cast::<Managed>();
        ffi::PyCapsule_SetName(object, USED.as_ptr());
        (Taken(managed as usize), &(*managed).tensor)
    };
    let dtype = DTypeCode::ALL.into_iter().find(|&dtype| {
        code(dtype) == tensor.code && 8 * dtype.size() == usize::from(tensor.bits) && tensor.lanes == 1
    });
    let Some(dtype) = dtype else {
        return Err(PyBufferError::new_err("kernels have no arrays of its elements"));
    };
    if tensor.device_type != CUDA {
        return Err(PyBufferError::new_err("it is on no GPU of CUDA's"));
    }
    let ndim = usize::try_from(tensor.ndim).unwrap_or(0);
    let list = |pointer: *mut i64| {
        // SAFETY: as many as there are axes.
        (!pointer.is_null()).then(|| unsafe { std::slice::from_raw_parts(pointer, ndim) }.to_vec())
    };
    let dims = list(tensor.shape).unwrap_or_default();
    let row_major = || {
        let behind = |k: usize| dims[k + 1..].iter().product();
        (0..ndim).map(behind).collect()
    };
    let strides = list(tensor.strides).unwrap_or_else(row_major);
    let address = tensor.data as u64 + tensor.byte_offset;
    Ok((Shape { address, device: tensor.device_id, dtype, dims, strides }, taken))
}
