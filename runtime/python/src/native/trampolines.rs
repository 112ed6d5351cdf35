//! Addresses of functions of numbers: `double f(double, int64_t)`.
//!
//! The C calling convention has no place for which kernel is meant, so each needs code of its own. It is part of this library: [`trampolines`] are
//! some thousand pieces of code of 16 bytes that tell nothing but where they are. So there is no code made at run time, which some systems
//! forbid, and none in kernel modules. What is in registers goes to [`dispatch`], which makes words of it by the types of the function.
//!
//! Unsafe here: assembly, and registers and stack as the calling conventions of System V (x86-64) and AAPCS64 (aarch64) lay them out.

use super::numbers::{is_float, nothing, real, word_of};
use super::run::{self, Exceptions};
use super::version;
use crate::frame::Room;
use crate::plan::Function;
use pydd_abi::{DTypeCode, TypeKind};
use pyo3::exceptions::{PyRuntimeError, PySystemError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use std::arch::naked_asm;
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many functions of a process can have an address.
const COUNT: usize = 2048;
/// Bytes of a trampoline.
const SIZE: usize = 16;

/// Registers for integers and pointers.
#[cfg(target_arch = "x86_64")]
const INTS: usize = 6;
#[cfg(target_arch = "aarch64")]
const INTS: usize = 8;
/// Registers for floats.
const FLOATS: usize = 8;

/// The registers of arguments; the first word is then the result's.
#[repr(C)]
struct Registers {
    ints: [u64; INTS],
    floats: [u64; FLOATS],
}

/// The address of each piece, which it puts into a register, tells it from others.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn trampolines() {
    naked_asm!(
        ".rept {count}",
        ".p2align 4",
        "endbr64",
        "lea rax, [rip]",
        "jmp {common}",
        ".endr",
        count = const COUNT,
        common = sym common,
    )
}

#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn common() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, 112",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "movsd qword ptr [rsp + 48], xmm0",
        "movsd qword ptr [rsp + 56], xmm1",
        "movsd qword ptr [rsp + 64], xmm2",
        "movsd qword ptr [rsp + 72], xmm3",
        "movsd qword ptr [rsp + 80], xmm4",
        "movsd qword ptr [rsp + 88], xmm5",
        "movsd qword ptr [rsp + 96], xmm6",
        "movsd qword ptr [rsp + 104], xmm7",
        "mov rdi, rax",
        "mov rsi, rsp",
        "lea rdx, [rbp + 16]",
        "call {dispatch}",
        "mov rax, [rsp]",
        "movsd xmm0, qword ptr [rsp]",
        "leave",
        "ret",
        dispatch = sym dispatch,
    )
}

#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn trampolines() {
    naked_asm!(
        ".rept {count}",
        ".p2align 4",
        "bti c",
        "adr x16, .",
        "b {common}",
        ".endr",
        count = const COUNT,
        common = sym common,
    )
}

#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn common() {
    naked_asm!(
        "stp x29, x30, [sp, #-144]!",
        "mov x29, sp",
        "stp x0, x1, [sp, #16]",
        "stp x2, x3, [sp, #32]",
        "stp x4, x5, [sp, #48]",
        "stp x6, x7, [sp, #64]",
        "stp d0, d1, [sp, #80]",
        "stp d2, d3, [sp, #96]",
        "stp d4, d5, [sp, #112]",
        "stp d6, d7, [sp, #128]",
        "mov x0, x16",
        "add x1, sp, #16",
        "add x2, sp, #144",
        "bl {dispatch}",
        "ldr x0, [sp, #16]",
        "ldr d0, [sp, #16]",
        "ldp x29, x30, [sp], #144",
        "ret",
        dispatch = sym dispatch,
    )
}

/// What a trampoline calls.
struct Target {
    function: &'static Function,
    /// The types of parameters, each of one word.
    params: Vec<DTypeCode>,
    /// None: nothing.
    result: Option<DTypeCode>,
}

static TARGETS: [AtomicPtr<Target>; COUNT] = [const { AtomicPtr::new(std::ptr::null_mut()) }; COUNT];
/// The places of functions that have one. Kernel modules are never unloaded, so they keep it.
static PLACES: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

unsafe extern "C" fn dispatch(within: usize, registers: *mut Registers, stack: *const u64) {
    let place = (within - trampolines as *const () as usize) / SIZE;
    // SAFETY: nobody has the address of a trampoline before its target is there, for ever.
    let target = unsafe { &*TARGETS[place].load(Ordering::Acquire) };
    // SAFETY: what `common` saved, and what its caller left on the stack.
    let run = || unsafe { call(target, &*registers, stack) };
    let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let text = c"pydd runtime bug: a panic";
        // SAFETY: one of CPython's classes.
        unsafe {
            run::fail_with(target.function, &raw mut ffi::PyExc_SystemError, text, Exceptions::Untold);
        }
        target.nothing()
    });
    // SAFETY: as above.
    unsafe { (*registers).ints[0] = result };
}

impl Target {
    fn nothing(&self) -> u64 {
        self.result.map_or(0, nothing)
    }
}

#[inline(always)]
unsafe fn call(target: &Target, registers: &Registers, stack: *const u64) -> u64 {
    if run::has_left_exception() {
        return target.nothing();
    }
    let function = target.function;
    let mut room = MaybeUninit::<Room>::uninit();
    let places = Room::places(&mut room);
    let (mut ints, mut floats, mut on_stack) = (registers.ints.iter(), registers.floats.iter(), 0);
    for (i, &dtype) in target.params.iter().enumerate() {
        let register = if is_float(dtype) { floats.next() } else { ints.next() };
        // SAFETY: what finds no register is on the stack, 8 bytes each; the function's words fit.
        unsafe {
            let bits = register.copied().unwrap_or_else(|| {
                on_stack += 1;
                *stack.add(on_stack - 1)
            });
            *places.words.add(i) = word_of(dtype, bits);
        }
    }
    let mut ctx = run::context(function);
    // SAFETY: the words are those of the function, which has no arrays.
    if !unsafe { run::enter(&mut ctx, function.first.code, places.words, places.results) } {
        run::fail(function, &mut ctx, Exceptions::Untold);
        return target.nothing();
    }
    // SAFETY: the function has written its result.
    target.result.map_or(0, |dtype| word_of(dtype, unsafe { *places.results }))
}

/// The address of a version of a function of real numbers, for as long as the process lives.
#[pyfunction]
pub fn _address(function: &Bound<'_, PyAny>, index: usize) -> PyResult<usize> {
    let function = version(function, index)?;
    let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    let (key, count) = (std::ptr::from_ref(function) as usize, places.len());
    let place = match places.get(&key) {
        Some(&place) => place,
        None if count == COUNT => {
            let text = format!("{COUNT} functions of this process have an address, and no more can");
            return Err(PyRuntimeError::new_err(text));
        }
        None => {
            TARGETS[count].store(Box::into_raw(Box::new(target(function)?)), Ordering::Release);
            places.insert(key, count);
            count
        }
    };
    Ok(trampolines as *const () as usize + place * SIZE)
}

fn target(function: &'static Function) -> PyResult<Target> {
    let params = function.params.iter().filter(|param| param.words > 0);
    let params: Option<Vec<DTypeCode>> = params.map(|param| real(&param.spec.ty)).collect();
    let result = &function.spec.result;
    match (params, real(result)) {
        (Some(params), result_type)
            if function.small && (result_type.is_some() || result.kind == TypeKind::None) =>
        {
            if params.len() != function.spec.arg_words as usize {
                return Err(PySystemError::new_err("pydd runtime bug: parameters of several words"));
            }
            Ok(Target { function, params, result: result_type })
        }
        _ => {
            let text =
                format!("{}() has no address: its parameters and result must be real numbers", function.name);
            Err(PyTypeError::new_err(text))
        }
    }
}
