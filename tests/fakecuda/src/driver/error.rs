//! Error codes, as `cuda.h` numbers them.

use super::call;
use super::pointer::Out;
use crate::fault::{Code, Fault};
use std::ffi::{CStr, c_char};

#[derive(Debug, Clone)]
pub struct Error {
    pub code: u32,
    /// Said on stderr.
    pub text: Option<String>,
}

pub fn fail<T>(code: u32) -> Result<T, Error> {
    Err(Error { code, text: None })
}

pub fn fail_with<T>(code: u32, text: impl Into<String>) -> Result<T, Error> {
    Err(Error { code, text: Some(text.into()) })
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let code = match fault.code {
            Code::IllegalAddress => ILLEGAL_ADDRESS,
            Code::Misaligned => MISALIGNED_ADDRESS,
            Code::LaunchFailed => LAUNCH_FAILED,
            Code::Timeout => LAUNCH_TIMEOUT,
        };
        Error { code, text: Some(fault.text) }
    }
}

macro_rules! codes {
    ($($constant:ident $number:literal $name:literal $text:literal)*) => {
        $(#[allow(dead_code)] // some only have a name
        pub const $constant: u32 = $number;)*

        fn describe(code: u32) -> Option<(&'static CStr, &'static CStr)> {
            Some(match code {
                $($number => ($name, $text),)*
                _ => return None,
            })
        }
    };
}

codes! {
    SUCCESS 0 c"CUDA_SUCCESS" c"no error"
    INVALID_VALUE 1 c"CUDA_ERROR_INVALID_VALUE" c"invalid argument"
    OUT_OF_MEMORY 2 c"CUDA_ERROR_OUT_OF_MEMORY" c"out of memory"
    NOT_INITIALIZED 3 c"CUDA_ERROR_NOT_INITIALIZED" c"initialization error"
    DEINITIALIZED 4 c"CUDA_ERROR_DEINITIALIZED" c"driver shutting down"
    NO_DEVICE 100 c"CUDA_ERROR_NO_DEVICE" c"no CUDA-capable device is detected"
    INVALID_DEVICE 101 c"CUDA_ERROR_INVALID_DEVICE" c"invalid device ordinal"
    INVALID_IMAGE 200 c"CUDA_ERROR_INVALID_IMAGE" c"device kernel image is invalid"
    INVALID_CONTEXT 201 c"CUDA_ERROR_INVALID_CONTEXT" c"invalid device context"
    NO_BINARY_FOR_GPU 209 c"CUDA_ERROR_NO_BINARY_FOR_GPU" c"no kernel image is available for execution on the device"
    PEER_ACCESS_UNSUPPORTED 217 c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED" c"peer access is not supported between these two devices"
    INVALID_PTX 218 c"CUDA_ERROR_INVALID_PTX" c"a PTX JIT compilation failed"
    UNSUPPORTED_PTX_VERSION 222 c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION" c"the provided PTX was compiled with an unsupported toolchain."
    FILE_NOT_FOUND 301 c"CUDA_ERROR_FILE_NOT_FOUND" c"file not found"
    INVALID_HANDLE 400 c"CUDA_ERROR_INVALID_HANDLE" c"invalid resource handle"
    NOT_FOUND 500 c"CUDA_ERROR_NOT_FOUND" c"named symbol not found"
    NOT_READY 600 c"CUDA_ERROR_NOT_READY" c"device not ready"
    ILLEGAL_ADDRESS 700 c"CUDA_ERROR_ILLEGAL_ADDRESS" c"an illegal memory access was encountered"
    LAUNCH_OUT_OF_RESOURCES 701 c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES" c"too many resources requested for launch"
    LAUNCH_TIMEOUT 702 c"CUDA_ERROR_LAUNCH_TIMEOUT" c"the launch timed out and was terminated"
    PEER_ACCESS_ALREADY_ENABLED 704 c"CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED" c"peer access is already enabled"
    PEER_ACCESS_NOT_ENABLED 705 c"CUDA_ERROR_PEER_ACCESS_NOT_ENABLED" c"peer access has not been enabled"
    PRIMARY_CONTEXT_ACTIVE 708 c"CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE" c"cannot set while device is active in this process"
    HOST_MEMORY_ALREADY_REGISTERED 712 c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED" c"part or all of the requested memory range is already mapped"
    HOST_MEMORY_NOT_REGISTERED 713 c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED" c"pointer does not correspond to a registered memory region"
    MISALIGNED_ADDRESS 716 c"CUDA_ERROR_MISALIGNED_ADDRESS" c"misaligned address"
    LAUNCH_FAILED 719 c"CUDA_ERROR_LAUNCH_FAILED" c"unspecified launch failure"
    COOPERATIVE_LAUNCH_TOO_LARGE 720 c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE" c"too many blocks in cooperative launch"
    NOT_SUPPORTED 801 c"CUDA_ERROR_NOT_SUPPORTED" c"operation not supported"
    UNKNOWN 999 c"CUDA_ERROR_UNKNOWN" c"unknown error"
}

#[unsafe(no_mangle)]
#[allow(non_snake_case)] // CUDA's name
pub extern "C" fn cuGetErrorName(code: u32, name: Out<*const c_char>) -> u32 {
    call("cuGetErrorName", |_| match describe(code) {
        Some((text, _)) => name.set(text.as_ptr()),
        None => fail(INVALID_VALUE),
    })
}

#[unsafe(no_mangle)]
#[allow(non_snake_case)] // CUDA's name
pub extern "C" fn cuGetErrorString(code: u32, string: Out<*const c_char>) -> u32 {
    call("cuGetErrorString", |_| match describe(code) {
        Some((_, text)) => string.set(text.as_ptr()),
        None => fail(INVALID_VALUE),
    })
}
