//! Kernels and modules that are wrong, and what is said about them.

use crate::support::*;
use cudarc::driver::{result, sys};
use pydd_test_support::scenario::Scenario;

pub fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario::new("past_the_end", past_the_end).saying("byte 12 of an allocation of 12 bytes"),
        Scenario::new("use_after_free", use_after_free).saying("memory that was freed"),
        Scenario::new("a_kernel_with_a_host_pointer", host_pointer).saying("a host address"),
        Scenario::new("misaligned", misaligned).saying("no multiple of 4"),
        Scenario::new("trap", trap).saying("a trap; thread [0, 0, 0] of block [0, 0, 0], `traps`, line 145"),
        Scenario::new("a_barrier_that_half_leave_out", half).saying("32 at the barrier in `half`"),
        Scenario::new("endless_loop", forever)
            .with(&[("FAKECUDA_STEPS", "1000000")])
            .saying("an endless loop?"),
        Scenario::new("unknown_instruction", unknown).saying("line 6: instruction `wmma.load` is not known"),
        Scenario::new("too_much_shared_memory", too_much_shared)
            .saying("uses 50000 bytes of shared variables"),
        Scenario::new("a_text_that_ends_early", truncated),
        Scenario::new("newer_target", newer_target)
            .with(&[("FAKECUDA_SM", "75")])
            .saying("higher than the device's (sm_75)"),
        Scenario::new("newer_ptx", newer_ptx)
            .with(&[("FAKECUDA_DRIVER", "12.0")])
            .saying("Unsupported .version 8.6; current version is '8.0'"),
        Scenario::new("launches_that_do_not_fit", launches).saying("at most 1024 are allowed"),
        Scenario::new("unsupported_function", unsupported).saying("cuMemAllocManaged is not supported"),
        Scenario::new("freed_twice", freed_twice).saying("freed before"),
        Scenario::new("names_of_errors", names),
    ]
}

/// Stores one number at an offset; gives the code of the launch.
fn store(memory: u64, offset: u64) -> sys::CUresult {
    let store = function(load(COOPERATION).unwrap(), "store");
    let value = 5u32;
    code(run(store, 1, 1, &mut [parameter(&memory), parameter(&offset), parameter(&value)]))
}

fn past_the_end() {
    context(0);
    let memory = upload(&[0u32; 3]);
    assert_eq!(store(memory, 8), Code::CUDA_SUCCESS);
    assert_eq!(store(memory, 12), Code::CUDA_ERROR_ILLEGAL_ADDRESS);
    // The error stays.
    assert_eq!(code(synchronize()), Code::CUDA_ERROR_ILLEGAL_ADDRESS);
    // SAFETY: fails before it allocates.
    assert_eq!(code(unsafe { result::malloc_sync(4) }), Code::CUDA_ERROR_ILLEGAL_ADDRESS);
    // SAFETY: retained once; the context's handle is not used again.
    unsafe { result::primary_ctx::release(result::device::get(0).unwrap()) }.unwrap();
    context(0);
    assert_eq!(store(upload(&[0u32; 3]), 0), Code::CUDA_SUCCESS);
}

fn use_after_free() {
    context(0);
    let memory = upload(&[0u32; 3]);
    free(memory);
    assert_eq!(store(memory, 0), Code::CUDA_ERROR_ILLEGAL_ADDRESS);
}

fn host_pointer() {
    context(0);
    let on_host = [0u32; 4];
    assert_eq!(store(on_host.as_ptr() as u64, 0), Code::CUDA_ERROR_ILLEGAL_ADDRESS);
}

fn misaligned() {
    context(0);
    assert_eq!(store(upload(&[0u32; 3]), 2), Code::CUDA_ERROR_MISALIGNED_ADDRESS);
}

fn trap() {
    context(0);
    let kernel = function(load(COOPERATION).unwrap(), "traps");
    assert_eq!(code(run(kernel, 1, 1, &mut [])), Code::CUDA_ERROR_LAUNCH_FAILED);
}

fn half() {
    context(0);
    let kernel = function(load(COOPERATION).unwrap(), "half");
    let out = upload(&[0u32]);
    assert_eq!(code(run(kernel, 1, 64, &mut [parameter(&out)])), Code::CUDA_ERROR_LAUNCH_FAILED);
}

fn forever() {
    context(0);
    let kernel = function(load(COOPERATION).unwrap(), "forever");
    assert_eq!(code(run(kernel, 1, 1, &mut [])), Code::CUDA_ERROR_LAUNCH_TIMEOUT);
}

fn unknown() {
    context(0);
    let text =
        ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\nwmma.load;\nret;\n}\n\0";
    let mut log = [0u8; 200];
    let mut options =
        [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values = [log.as_mut_ptr().cast(), log.len() as *mut std::ffi::c_void];
    let mut module = std::ptr::null_mut();
    // SAFETY: two options with their values; the buffer has as many bytes as it says.
    let result = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    assert_eq!(result, Code::CUDA_ERROR_INVALID_PTX);
    assert!(String::from_utf8_lossy(&log).contains("line 6: instruction `wmma.load`"));
}

fn too_much_shared() {
    context(0);
    let text = ".version 6.0\n.target sm_70\n.address_size 64\n.shared .b8 s[50000];\n\
                .visible .entry k()\n{\n.reg .b64 %a;\nmov.u64 %a, s;\nret;\n}\n";
    assert_eq!(code(load(text)), Code::CUDA_ERROR_INVALID_PTX);
}

/// Each beginning of a module is a module or an error, and nothing else.
fn truncated() {
    context(0);
    for end in (0..KERNELS.len()).step_by(37) {
        let result = code(load(&KERNELS[..end]));
        let expected = [Code::CUDA_SUCCESS, Code::CUDA_ERROR_INVALID_PTX, Code::CUDA_ERROR_NO_BINARY_FOR_GPU];
        assert!(expected.contains(&result), "{end}: {result:?}");
    }
}

fn newer_target() {
    context(0);
    assert_eq!(code(load(".version 7.0\n.target sm_80\n.address_size 64\n")), Code::CUDA_ERROR_INVALID_PTX);
}

fn newer_ptx() {
    context(0);
    let text = ".version 8.6\n.target sm_80\n.address_size 64\n";
    assert_eq!(code(load(text)), Code::CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
}

fn launches() {
    context(0);
    let kernel = function(load(COOPERATION).unwrap(), "traps");
    let stream = std::ptr::null_mut();
    assert_eq!(code(launch_on(stream, kernel, 1, 1025, 0, &mut [])), Code::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(code(launch_on(stream, kernel, 0, 1, 0, &mut [])), Code::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(code(launch_on(stream, kernel, 1, 1, 50_000, &mut [])), Code::CUDA_ERROR_INVALID_VALUE);
    // SAFETY: the function is loaded.
    unsafe {
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        result::function::set_function_attribute(kernel, attribute, 50_000).unwrap();
    }
    assert_eq!(code(launch_on(stream, kernel, 1, 1, 50_000, &mut [])), Code::CUDA_SUCCESS);
}

fn unsupported() {
    context(0);
    // SAFETY: fails.
    let result = unsafe { result::malloc_managed(4, sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL) };
    assert_eq!(code(result), Code::CUDA_ERROR_NOT_SUPPORTED);
}

fn freed_twice() {
    context(0);
    let memory = upload(&[0u32; 3]);
    free(memory);
    // SAFETY: the driver finds it.
    assert_eq!(code(unsafe { result::free_sync(memory) }), Code::CUDA_ERROR_INVALID_VALUE);
}

fn names() {
    let error = cudarc::driver::DriverError(Code::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!(error.error_name().unwrap().to_str(), Ok("CUDA_ERROR_ILLEGAL_ADDRESS"));
    assert!(error.error_string().unwrap().to_str().unwrap().contains("illegal memory access"));
}
