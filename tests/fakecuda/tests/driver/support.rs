//! What scenarios have in common.

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUcontext, CUdeviceptr, CUfunction, CUmodule, CUstream};
use std::ffi::{CString, c_void};

pub use cudarc::driver::sys::CUresult as Code;

pub const KERNELS: &str = include_str!("../ptx/kernels.ptx");
pub const COOPERATION: &str = include_str!("../ptx/cooperation.ptx");

/// The primary context of a device, made current.
pub fn context(device: i32) -> CUcontext {
    result::init().unwrap();
    let device = result::device::get(device).unwrap();
    // SAFETY: the device exists; the context is not released before the process ends.
    unsafe {
        let context = result::primary_ctx::retain(device).unwrap();
        result::ctx::set_current(context).unwrap();
        context
    }
}

pub fn load(text: &str) -> Result<CUmodule, DriverError> {
    let text = CString::new(text).unwrap();
    // SAFETY: a string that ends.
    unsafe { result::module::load_data(text.as_ptr().cast()) }
}

pub fn function(module: CUmodule, name: &str) -> CUfunction {
    // SAFETY: the module is loaded.
    unsafe { result::module::get_function(module, CString::new(name).unwrap()) }.unwrap()
}

/// Device memory with the values of `data`.
pub fn upload<T>(data: &[T]) -> CUdeviceptr {
    // SAFETY: as many bytes are allocated as are copied.
    unsafe {
        let memory = result::malloc_sync(size_of_val(data)).unwrap();
        result::memcpy_htod_sync(memory, data).unwrap();
        memory
    }
}

pub fn download<T: Copy + Default>(from: CUdeviceptr, count: usize) -> Result<Vec<T>, DriverError> {
    let mut data = vec![T::default(); count];
    // SAFETY: the vector has as many elements; any bits are a value of the types that tests use.
    unsafe { result::memcpy_dtoh_sync(&mut data, from) }?;
    Ok(data)
}

pub fn free(memory: CUdeviceptr) {
    // SAFETY: tests free once what they allocated.
    unsafe { result::free_sync(memory) }.unwrap();
}

/// A value as a kernel's parameter.
pub fn parameter<T>(value: &T) -> *mut c_void {
    (value as *const T).cast_mut().cast()
}

pub fn launch_on(
    stream: CUstream,
    function: CUfunction,
    grid: u32,
    block: u32,
    shared: u32,
    parameters: &mut [*mut c_void],
) -> Result<(), DriverError> {
    // SAFETY: parameters are those of the kernel; the driver checks what the kernel does.
    unsafe { result::launch_kernel(function, (grid, 1, 1), (block, 1, 1), shared, stream, parameters) }
}

/// Launches on the default stream, and waits.
pub fn run(
    function: CUfunction,
    grid: u32,
    block: u32,
    parameters: &mut [*mut c_void],
) -> Result<(), DriverError> {
    launch_on(std::ptr::null_mut(), function, grid, block, 0, parameters)?;
    synchronize()
}

pub fn synchronize() -> Result<(), DriverError> {
    result::ctx::synchronize()
}

pub fn code<T>(result: Result<T, DriverError>) -> sys::CUresult {
    match result {
        Ok(_) => Code::CUDA_SUCCESS,
        Err(DriverError(code)) => code,
    }
}
