//! A kernel module written by hand: what generated code does, in Rust, for the tests of the runtime.
//!
//! The file can be imported as `kernels`; as `future`, `past`, `larger` and `foreign` (copies under these
//! names) it is a module for a later or an earlier ABI, one that needs more functions, and one for another
//! processor.
//!
//! Unsafe here: all of it stands for generated code, which trusts its words.

mod functions;
mod spec;

use pydd_abi::{CAPSULE, FN_OVERLOADED, FN_RELEASES_GIL, GUARD_APART, GUARD_CONTIGUOUS, ModuleSpec, Table};
use spec::{Module, array, list, none, scalar, strong, text, tuple};
use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;

use functions as f;
use pydd_abi::DTypeCode::{self, Bool, C128, F32, F64, I64};

fn module() -> Module {
    let mut m = Module::new("kernels", "/nowhere/kernels.pydd");
    m.site(
        pydd_abi::ExcKind::IndexError,
        3,
        (5, 9),
        "fail",
        Some("index {0} is out of bounds for axis {1} with size {2}"),
    );
    m.site(pydd_abi::ExcKind::AssertionError, 7, (0, 0), "check", None);
    m.site(pydd_abi::ExcKind::RecursionError, 9, (0, 0), "dive", Some("maximum recursion depth exceeded"));
    m.site(pydd_abi::ExcKind::LinAlgError, 11, (0, 0), "solve", Some("Singular matrix"));
    m.site(pydd_abi::ExcKind::RuntimeError, 13, (0, 0), "call", Some("a runtime function failed"));
    let vector = || array(F64, 1);

    m.function("twice", "(x)", &[("x", strong(F64), 0)], strong(F64), f::twice)
        .doc("Twice x.\n\nParameters\n----------\nx : float64");
    m.function("total", "(a)", &[("a", vector(), 0)], strong(F64), f::total)
        .entries(&[(GUARD_CONTIGUOUS, f::total_fast), (0, f::total)]);
    m.function("total_free", "(a)", &[("a", vector(), 0)], strong(F64), f::total)
        .entries(&[(GUARD_CONTIGUOUS, f::total_fast), (0, f::total)])
        .flags(FN_RELEASES_GIL);
    m.function("sum2", "(a)", &[("a", array(F64, 2), 0)], strong(F64), f::sum2);
    let both = GUARD_CONTIGUOUS | GUARD_APART;
    m.function("is_fast", "(a)", &[("a", vector(), 0)], scalar(Bool), f::no)
        .entries(&[(GUARD_CONTIGUOUS, f::yes), (0, f::no)]);
    m.function("is_fast2", "(a, b)", &[("a", vector(), 1), ("b", vector(), 0)], scalar(Bool), f::no)
        .entries(&[(both, f::yes), (0, f::no)]);
    m.function("is_fast3", "(a, b)", &[("a", vector(), 0), ("b", vector(), 0)], scalar(Bool), f::no)
        .entries(&[(both, f::yes), (0, f::no)]);
    // A guard that no runtime knows comes first.
    m.function("entry", "(a, b)", &[("a", vector(), 1), ("b", vector(), 0)], scalar(I64), f::third_entry)
        .entries(&[
            (1 << 31, f::third_entry),
            (both, f::first_entry),
            (GUARD_APART, f::second_entry),
            (0, f::third_entry),
        ]);
    m.function("scale", "(a, s=2.0)", &[("a", vector(), 1), ("s", strong(F64), 2)], none(), f::scale)
        .default(1, 2f64.to_bits());
    m.function("tail", "(a)", &[("a", vector(), 0)], vector(), f::tail);
    m.function("whole", "(a)", &[("a", vector(), 0)], vector(), f::whole);
    m.function("zeros", "(n)", &[("n", scalar(I64), 0)], vector(), f::zeros);
    m.function(
        "pair",
        "(a)",
        &[("a", vector(), 0)],
        tuple(&[vector(), vector(), scalar(F32), strong(F32)]),
        f::pair,
    );
    m.function("fail", "(site, i)", &[("site", scalar(I64), 0), ("i", scalar(I64), 0)], none(), f::fail);
    m.function("say", "(a, s)", &[("a", vector(), 0), ("s", text(), 0)], none(), f::say)
        .flags(FN_RELEASES_GIL);
    m.function("harmonic", "(n)", &[("n", scalar(I64), 0)], scalar(F64), f::harmonic).flags(FN_RELEASES_GIL);
    m.function("say_in_parallel", "(n)", &[("n", scalar(I64), 0)], none(), f::say_in_parallel);
    m.function("spin", "(seconds)", &[("seconds", scalar(F64), 0)], none(), f::spin).flags(FN_RELEASES_GIL);
    m.function("spin_in_parallel", "(n)", &[("n", scalar(I64), 0)], none(), f::spin_in_parallel)
        .flags(FN_RELEASES_GIL);
    let params = [("a", vector(), 0), ("seconds", scalar(F64), 0)];
    m.function("spin_small", "(a, seconds)", &params, none(), f::spin_small).flags(FN_RELEASES_GIL);
    let params: Vec<_> =
        "abcdefghijkl".split("").filter(|n| !n.is_empty()).map(|n| (n, vector(), 0)).collect();
    let signature = "(a, b, c, d, e, f, g, h, i, j, k, l)";
    m.function("total12", signature, &params, strong(F64), f::total12);
    m.function("extend", "(x, y)", &[("x", list(I64), 1), ("y", list(I64), 0)], list(I64), f::extend);
    m.function("squares", "(n)", &[("n", scalar(I64), 0)], list(I64), f::squares);
    m.function("dive", "(n)", &[("n", scalar(I64), 0)], scalar(I64), f::dive).flags(FN_RELEASES_GIL);
    m.function("dot", "(a, b)", &[("a", array(F64, 2), 0), ("b", array(F64, 2), 0)], array(F64, 2), f::dot);
    m.function("second", "(t)", &[("t", tuple(&[scalar(I64), strong(F64)]), 0)], strong(F64), f::second);
    for dtype in DTypeCode::ALL {
        let name = format!("echo_{dtype:?}").to_lowercase();
        let echo = if pydd_abi::words::scalar(dtype) == 2 { f::echo2 } else { f::echo };
        m.function(&name, "(x)", &[("x", strong(dtype), 0)], strong(dtype), echo);
        let name = format!("same_{dtype:?}").to_lowercase();
        m.function(&name, "(a)", &[("a", array(dtype, 0), 0)], array(dtype, 0), f::same0);
    }
    m.function("weak", "(x)", &[("x", scalar(C128), 0)], scalar(C128), f::echo2);
    for dtype in [F32, F64] {
        let flags = if dtype == F32 { FN_OVERLOADED } else { 0 };
        m.function(
            "either",
            "(a, s)",
            &[("a", array(dtype, 1), 0), ("s", strong(dtype), 0)],
            strong(dtype),
            f::second_word,
        )
        .flags(flags);
    }
    m
}

unsafe extern "C" {
    fn PyCapsule_Import(name: *const c_char, no_block: c_int) -> *const c_void;
}

unsafe fn init(spec: *const ModuleSpec) -> *mut c_void {
    // SAFETY: what a kernel module's PyInit does.
    unsafe {
        let table = PyCapsule_Import(CAPSULE.as_ptr(), 0).cast::<Table>();
        if table.is_null() { table.cast_mut().cast() } else { ((*table).module_init)(spec) }
    }
}

struct Spec(&'static ModuleSpec);
// SAFETY: constants.
unsafe impl Send for Spec {}
// SAFETY: constants.
unsafe impl Sync for Spec {}

/// # Safety
/// Called by CPython.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit_kernels() -> *mut c_void {
    static SPEC: OnceLock<Spec> = OnceLock::new();
    // SAFETY: a spec that lives for ever.
    unsafe { init(SPEC.get_or_init(|| Spec(module().leak())).0) }
}

/// # Safety
/// Called by CPython.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit_future() -> *mut c_void {
    let mut m = Module::new("future", "/nowhere/future.pydd");
    m.abi_version = 99;
    // SAFETY: a spec that lives for ever.
    unsafe { init(m.leak()) }
}

/// # Safety
/// Called by CPython.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit_past() -> *mut c_void {
    let mut m = Module::new("past", "/nowhere/past.pydd");
    m.abi_version = 1;
    // SAFETY: a spec that lives for ever.
    unsafe { init(m.leak()) }
}

/// # Safety
/// Called by CPython.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit_larger() -> *mut c_void {
    let mut m = Module::new("larger", "/nowhere/larger.pydd");
    m.table_size += 8;
    // SAFETY: a spec that lives for ever.
    unsafe { init(m.leak()) }
}

/// # Safety
/// Called by CPython.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit_foreign() -> *mut c_void {
    let mut m = Module::new("foreign", "/nowhere/foreign.pydd");
    m.cpu_features = "sse2,quantum,avx99";
    // SAFETY: a spec that lives for ever.
    unsafe { init(m.leak()) }
}
