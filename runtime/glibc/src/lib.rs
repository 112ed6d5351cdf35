//! What is linked against the C library of the machine that builds runs with that version and newer ones only: the linker binds each
//! function to its newest version. This crate binds the functions that have newer versions than glibc 2.28 to the older ones, and has
//! those that older libraries lack, so that wheels that were built on Debian 12 run wherever manylinux_2_28 wheels do.
//!
//! A build script asks for [`link_arguments`], by which the linker takes `__wrap_f` wherever `f` is called: in our code, in Rust's
//! standard library, in LLVM and in the C++ library alike. The crate defines the `__wrap_` functions; so it is a dependency as well as
//! a build dependency. On other processors than x86-64 nothing is bound.

/// The oldest glibc that what is linked so runs with.
pub const FLOOR: &str = "2.28";

/// `__wrap_f`, a jump to the version of `f` that is given.
macro_rules! versions {
    ($($function:ident $version:literal)*) => {
        const OLDER_VERSIONS: &[&str] = &[$(stringify!($function)),*];

        $(
            #[cfg(target_arch = "x86_64")]
            std::arch::global_asm!(
                concat!(".symver older_", stringify!($function), ", ", stringify!($function), "@GLIBC_", $version),
                concat!(".section .text.__wrap_", stringify!($function), ",\"ax\",@progbits"),
                concat!(".globl __wrap_", stringify!($function)),
                concat!(".hidden __wrap_", stringify!($function)),
                concat!(".type __wrap_", stringify!($function), ",@function"),
                concat!("__wrap_", stringify!($function), ":"),
                concat!("jmp older_", stringify!($function), "@PLT"),
                concat!(".size __wrap_", stringify!($function), ", . - __wrap_", stringify!($function)),
                ".text",
            );
        )*
    };
}

versions! {
    dlclose "2.2.5"
    dlerror "2.2.5"
    dlopen "2.2.5"
    dlsym "2.2.5"
    exp "2.2.5"
    exp2 "2.2.5"
    hypot "2.2.5"
    hypotf "2.2.5"
    log "2.2.5"
    log2 "2.2.5"
    pow "2.2.5"
    pthread_attr_getguardsize "2.2.5"
    pthread_attr_getstack "2.2.5"
    pthread_attr_setstacksize "2.2.5"
    pthread_create "2.2.5"
    pthread_detach "2.2.5"
    pthread_getattr_np "2.2.5"
    pthread_join "2.2.5"
    pthread_key_create "2.2.5"
    pthread_key_delete "2.2.5"
    pthread_once "2.2.5"
    pthread_rwlock_rdlock "2.2.5"
    pthread_rwlock_unlock "2.2.5"
    pthread_rwlock_wrlock "2.2.5"
    pthread_setname_np "2.12"
    pthread_setspecific "2.2.5"
    pthread_sigmask "2.2.5"
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

/// Arguments of the linker, for `cargo::rustc-link-arg`; none for other targets than x86-64 Linux with glibc.
pub fn link_arguments(target: &str) -> Vec<String> {
    if target != "x86_64-unknown-linux-gnu" {
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

#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod absent;
