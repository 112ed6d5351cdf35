//! What is linked against the C library of the machine that builds runs with that version and newer ones only: the linker binds each
//! function to its newest version. This crate binds the functions that have newer versions than glibc 2.28 to the older ones, and has
//! those that older libraries lack, so that wheels that were built on Debian 12 run wherever manylinux_2_28 wheels do.
//!
//! A build script asks for [`link_arguments`], by which the linker takes `__wrap_f` wherever `f` is called: in our code, in Rust's
//! standard library, in LLVM and in the C++ library alike. The crate defines the `__wrap_` functions; so it is a dependency as well as
//! a build dependency. On other processors than x86-64 and 64-bit ARM nothing is bound.

/// The version of functions that are as old as the processor's first glibc.
#[cfg(target_arch = "aarch64")]
macro_rules! version {
    ($($version:tt)*) => {
        "2.17"
    };
}
#[cfg(not(target_arch = "aarch64"))]
macro_rules! version {
    (FIRST) => {
        "2.2.5"
    };
    ($version:literal) => {
        $version
    };
}

/// A jump to another function, in the processor's words.
#[cfg(target_arch = "aarch64")]
macro_rules! jump {
    ($function:expr) => {
        concat!("b ", $function)
    };
}
#[cfg(not(target_arch = "aarch64"))]
macro_rules! jump {
    ($function:expr) => {
        concat!("jmp ", $function, "@PLT")
    };
}

/// `__wrap_f`, a jump to the version of `f` that is given.
macro_rules! versions {
    ($($function:ident $version:tt)*) => {
        const OLDER_VERSIONS: &[&str] = &[$(stringify!($function)),*];

        $(
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            std::arch::global_asm!(
                concat!(".symver older_", stringify!($function), ", ", stringify!($function), "@GLIBC_", version!($version)),
                concat!(".section .text.__wrap_", stringify!($function), ",\"ax\",@progbits"),
                concat!(".globl __wrap_", stringify!($function)),
                concat!(".hidden __wrap_", stringify!($function)),
                concat!(".type __wrap_", stringify!($function), ",@function"),
                concat!("__wrap_", stringify!($function), ":"),
                jump!(concat!("older_", stringify!($function))),
                concat!(".size __wrap_", stringify!($function), ", . - __wrap_", stringify!($function)),
                ".text",
            );
        )*
    };
}

versions! {
    dlclose FIRST
    dlerror FIRST
    dlopen FIRST
    dlsym FIRST
    exp FIRST
    exp2 FIRST
    hypot FIRST
    hypotf FIRST
    log FIRST
    log2 FIRST
    pow FIRST
    pthread_attr_getguardsize FIRST
    pthread_attr_getstack FIRST
    pthread_attr_setstacksize FIRST
    pthread_create FIRST
    pthread_detach FIRST
    pthread_getattr_np FIRST
    pthread_join FIRST
    pthread_key_create FIRST
    pthread_key_delete FIRST
    pthread_once FIRST
    pthread_rwlock_rdlock FIRST
    pthread_rwlock_unlock FIRST
    pthread_rwlock_wrlock FIRST
    pthread_setname_np "2.12"
    pthread_setspecific FIRST
    pthread_sigmask FIRST
}

/// Functions that [`absent`] has.
const ABSENT: &[&str] = &[
    "__libc_single_threaded",
    "__libc_start_main",
    "arc4random",
    "fstat",
    "fstat64",
    "gettid",
    "lstat",
    "lstat64",
    "mallinfo2",
    "mknod",
    "stat",
    "stat64",
];

/// Functions that Rust's standard library asks for by weak symbols and does without.
const DISPENSABLE: &[&str] = &["posix_spawn_file_actions_addchdir_np"];

/// Libraries that were apart from libc.so.6 in the older glibc; newer ones have empty files of these names.
const LIBRARIES: &[&str] = &["libpthread.so.0", "libdl.so.2"];

/// Arguments of the linker, for `cargo::rustc-link-arg`; none for targets of which nothing is bound.
pub fn link_arguments(target: &str) -> Vec<String> {
    if !["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"].contains(&target) {
        return Vec::new();
    }
    let wrapped = OLDER_VERSIONS.iter().chain(ABSENT).map(|function| format!("-Wl,--wrap={function}"));
    let dispensable = DISPENSABLE.iter().map(|function| format!("-Wl,--defsym={function}=0"));
    let libraries = LIBRARIES.iter().map(|library| format!("-l:{library}"));
    wrapped
        .chain(dispensable)
        .chain(["-Wl,--push-state,--no-as-needed".to_owned()])
        .chain(libraries)
        .chain(["-Wl,--pop-state".to_owned()])
        .collect()
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux", target_env = "gnu"))]
mod absent;
