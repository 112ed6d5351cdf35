//! Functions that glibc 2.28 lacks, or has under other names.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

/// glibc's numbers for the layout of `struct stat` and of device numbers, and Linux' for a call.
const STAT_VERSION: c_int = if cfg!(target_arch = "aarch64") { 0 } else { 1 };
const MKNOD_VERSION: c_int = 0;
const SYS_GETTID: c_long = if cfg!(target_arch = "aarch64") { 178 } else { 186 };

unsafe extern "C" {
    fn __xstat(version: c_int, path: *const c_char, status: *mut c_void) -> c_int;
    fn __lxstat(version: c_int, path: *const c_char, status: *mut c_void) -> c_int;
    fn __fxstat(version: c_int, file: c_int, status: *mut c_void) -> c_int;
    fn __xmknod(version: c_int, path: *const c_char, mode: c_uint, device: *mut u64) -> c_int;
    fn getrandom(buffer: *mut c_void, length: usize, flags: c_uint) -> isize;
    fn syscall(number: c_long, ...) -> c_long;
}

/// `stat` and `stat64`: `struct stat` and `struct stat64` are one where long has 64 bits.
macro_rules! status_by_path {
    ($($name:ident = $implementation:ident)*) => { $(
        /// # Safety
        /// As for the function of C.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(path: *const c_char, status: *mut c_void) -> c_int {
            // SAFETY: the caller's.
            unsafe { $implementation(STAT_VERSION, path, status) }
        }
    )* };
}

macro_rules! status_of_file {
    ($($name:ident)*) => { $(
        /// # Safety
        /// As for the function of C.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(file: c_int, status: *mut c_void) -> c_int {
            // SAFETY: the caller's.
            unsafe { __fxstat(STAT_VERSION, file, status) }
        }
    )* };
}

status_by_path! {
    __wrap_stat = __xstat
    __wrap_stat64 = __xstat
    __wrap_lstat = __lxstat
    __wrap_lstat64 = __lxstat
}
status_of_file! { __wrap_fstat __wrap_fstat64 }

/// # Safety
/// As for the function of C.
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_mknod(path: *const c_char, mode: c_uint, device: u64) -> c_int {
    let mut device = device;
    // SAFETY: the caller's.
    unsafe { __xmknod(MKNOD_VERSION, path, mode, &mut device) }
}

#[unsafe(no_mangle)]
extern "C" fn __wrap_gettid() -> c_int {
    // SAFETY: takes nothing and cannot fail.
    unsafe { syscall(SYS_GETTID) as c_int }
}

#[unsafe(no_mangle)]
extern "C" fn __wrap_arc4random() -> u32 {
    let mut number = 0u32;
    // SAFETY: so few bytes come whole, or the call was interrupted before the kernel had any.
    while unsafe { getrandom((&raw mut number).cast(), size_of::<u32>(), 0) } != size_of::<u32>() as isize {}
    number
}

/// C's `struct mallinfo2`.
#[repr(C)]
struct Usage([usize; 10]);

/// Our allocator is not glibc's: of that nothing is in use.
#[unsafe(no_mangle)]
extern "C" fn __wrap_mallinfo2() -> Usage {
    Usage([0; 10])
}

/// Whether the process has one thread only; the C++ library counts without atomics then.
#[unsafe(no_mangle)]
static __wrap___libc_single_threaded: c_char = 0;

// A program's start since glibc 2.34 leaves its constructors (LLVM's options are such) to the library; before, the program gave a
// function that runs them, and newer libraries still call it where there is one. That is the fourth argument.
std::arch::global_asm!(
    concat!(".symver older_libc_start_main, __libc_start_main@GLIBC_", version!(FIRST)),
    ".section .text.__wrap___libc_start_main,\"ax\",@progbits",
    ".globl __wrap___libc_start_main",
    ".hidden __wrap___libc_start_main",
    ".type __wrap___libc_start_main,@function",
    "__wrap___libc_start_main:",
    #[cfg(target_arch = "x86_64")]
    "lea rcx, [rip + {run_constructors}]",
    #[cfg(target_arch = "x86_64")]
    "jmp older_libc_start_main@PLT",
    #[cfg(target_arch = "aarch64")]
    "adrp x3, {run_constructors}",
    #[cfg(target_arch = "aarch64")]
    "add x3, x3, :lo12:{run_constructors}",
    #[cfg(target_arch = "aarch64")]
    "b older_libc_start_main",
    ".size __wrap___libc_start_main, . - __wrap___libc_start_main",
    ".text",
    run_constructors = sym run_constructors,
);

type Constructor = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char);

unsafe extern "C" {
    // The linker's.
    static __init_array_start: [Constructor; 0];
    static __init_array_end: [Constructor; 0];
}

/// # Safety
/// Called once, before `main`.
unsafe extern "C" fn run_constructors(
    count: c_int,
    arguments: *mut *mut c_char,
    environment: *mut *mut c_char,
) {
    let (mut next, end) = (
        (&raw const __init_array_start).cast::<Constructor>(),
        (&raw const __init_array_end).cast::<Constructor>(),
    );
    while next < end {
        // SAFETY: between the linker's symbols lie functions of this type.
        unsafe {
            (*next)(count, arguments, environment);
            next = next.add(1);
        }
    }
}
