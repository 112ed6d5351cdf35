//! The loops of the kernels in `kernels.ptx`, as modules describe and run them.

use pydd_abi::device::{DECLINED, DeviceCapture, DeviceCode, DeviceLoop};
use pydd_abi::{Ctx, DTypeCode, Status};
use pydd_core::device::device_for;
use pydd_core::parallel::par_for;
use std::ffi::CStr;
use std::ptr;

const PTX: &str = concat!(include_str!("kernels.ptx"), "\0");
/// As code of a compiler that is newer than the driver.
const NEWER: &str =
    concat!(".version 9.9\n.target sm_70\n.address_size 64\n.visible .entry update() { ret; }\n", "\0");

const fn array(written: u8) -> DeviceCapture {
    DeviceCapture { words: 4, is_array: 1, dtype: DTypeCode::F64, rank: 1, written }
}

const CAPTURES: [DeviceCapture; 2] = [array(0), array(1)];

/// A description that lives for ever.
fn describe(
    kernel: &'static CStr,
    codes: &[(&'static str, u32)],
    captures: usize,
    acc_words: u32,
) -> &'static DeviceLoop {
    let codes: Vec<DeviceCode> = codes
        .iter()
        .map(|(text, level)| DeviceCode { ptx: text.as_ptr().cast(), level: *level, _pad: 0 })
        .collect();
    Box::leak(Box::new(DeviceLoop {
        kernel: kernel.as_ptr(),
        n_codes: u32::try_from(codes.len()).unwrap(),
        codes: Vec::leak(codes).as_ptr(),
        captures: CAPTURES.as_ptr(),
        n_captures: u32::try_from(captures).unwrap(),
        acc_words,
        _pad: 0,
    }))
}

fn once(cell: &std::sync::OnceLock<usize>, make: impl FnOnce() -> &'static DeviceLoop) -> &DeviceLoop {
    // SAFETY: a leaked description.
    unsafe { &*(*cell.get_or_init(|| ptr::from_ref(make()) as usize) as *const DeviceLoop) }
}

/// Code for later devices comes first, and is not for those that tests have.
pub fn update() -> &'static DeviceLoop {
    static CELL: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    once(&CELL, || describe(c"update", &[(NEWER, 120), (PTX, 70)], 2, 0))
}

pub fn sum() -> &'static DeviceLoop {
    static CELL: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    once(&CELL, || describe(c"sum", &[(PTX, 70)], 1, 2))
}

/// A loop whose code no driver takes.
pub fn too_new() -> &'static DeviceLoop {
    describe(c"update", &[(NEWER, 70)], 2, 0)
}

/// A vector somewhere in memory.
#[derive(Clone, Copy)]
pub struct View {
    pub data: *mut f64,
    pub len: usize,
    /// In elements.
    pub stride: isize,
}

impl View {
    fn words(self) -> [u64; 4] {
        [self.data as u64, 99, self.len as u64, (8 * self.stride as i64).cast_unsigned()]
    }

    fn at(self, i: i64) -> *mut f64 {
        self.data.wrapping_offset(i as isize * self.stride)
    }
}

fn ctx() -> Ctx {
    Ctx::new(ptr::null(), ptr::null(), 0)
}

/// The body of `update`, on threads.
unsafe extern "C" fn update_body(
    ctx: *mut Ctx,
    env: *const u64,
    begin: i64,
    end: i64,
    _: *mut u64,
) -> Status {
    // SAFETY: the environment of the tests.
    unsafe {
        let word = |i: usize| *env.add(i);
        let view = |i: usize| View {
            data: word(i) as *mut f64,
            len: word(i + 2) as usize,
            stride: word(i + 3).cast_signed() as isize / 8,
        };
        let (start, step, x, y) = (word(0).cast_signed(), word(1).cast_signed(), view(2), view(6));
        for i in begin..end {
            let at = start + step * i;
            let value = *x.at(at);
            if value < 0.0 {
                (*ctx).site = 7;
                (*ctx).caller = 3;
                (*ctx).payload[0] = i;
                (*ctx).payload[1] = value.to_bits().cast_signed();
                return 1;
            }
            *y.at(at) = value.mul_add(2.0, *y.at(at));
        }
    }
    0
}

unsafe extern "C" fn sum_body(_: *mut Ctx, env: *const u64, begin: i64, end: i64, acc: *mut u64) -> Status {
    // SAFETY: the environment of the tests.
    unsafe {
        let x =
            View { data: *env.add(2) as *mut f64, len: 0, stride: (*env.add(5)).cast_signed() as isize / 8 };
        for i in begin..end {
            *acc = (f64::from_bits(*acc) + *x.at(i)).to_bits();
            *acc.add(1) += 1;
        }
    }
    0
}

unsafe extern "C" fn add(acc: *mut u64, part: *const u64) {
    // SAFETY: two words each.
    unsafe {
        *acc = (f64::from_bits(*acc) + f64::from_bits(*part)).to_bits();
        *acc.add(1) += *part.add(1);
    }
}

/// How a loop ended: its status, and what the context says of a failure.
pub type End = (Status, Option<(u32, u32, i64, i64)>);

fn end(status: Status, ctx: &Ctx) -> End {
    (status, (status == 1).then_some((ctx.site, ctx.caller, ctx.payload[0], ctx.payload[1])))
}

fn update_env(x: View, y: View) -> Vec<u64> {
    [&[0, 1][..], &x.words(), &y.words()].concat()
}

/// On the device alone.
pub fn update_there(of: &DeviceLoop, x: View, y: View, cost: i64) -> End {
    let (mut ctx, env) = (ctx(), update_env(x, y));
    // SAFETY: the description fits; views are of live memory.
    let status = unsafe {
        device_for(&raw mut ctx, of, x.len as i64, cost, env.as_ptr(), ptr::null_mut(), ptr::null(), None)
    };
    end(status, &ctx)
}

/// On threads alone, one after the other.
pub fn update_here(x: View, y: View) -> End {
    let (mut ctx, env) = (ctx(), update_env(x, y));
    // SAFETY: as above.
    let status = unsafe { update_body(&raw mut ctx, env.as_ptr(), 0, x.len as i64, ptr::null_mut()) };
    end(status, &ctx)
}

const IDENTITY: [u64; 2] = [(-0.0f64).to_bits(), 0];

/// The sum and the number of elements, and whether the device gave it.
pub fn sum_anywhere(x: View, cost: i64) -> ([u64; 2], bool) {
    let (mut ctx, env) = (ctx(), [&[0, 1][..], &x.words()].concat());
    let mut acc = [1.0f64.to_bits(), 10];
    let (n, there) = (x.len as i64, sum());
    // SAFETY: as above.
    let status = unsafe {
        device_for(&raw mut ctx, there, n, cost, env.as_ptr(), acc.as_mut_ptr(), IDENTITY.as_ptr(), Some(add))
    };
    if status == DECLINED {
        return (sum_here(x, cost), false);
    }
    assert_eq!(status, 0);
    (acc, true)
}

pub fn sum_here(x: View, cost: i64) -> [u64; 2] {
    let (mut ctx, env) = (ctx(), [&[0, 1][..], &x.words()].concat());
    let mut acc = [1.0f64.to_bits(), 10];
    let (n, words) = (x.len as i64, IDENTITY.as_ptr());
    // SAFETY: as above.
    let status = unsafe {
        par_for(&raw mut ctx, n, cost, sum_body, env.as_ptr(), acc.as_mut_ptr(), words, 2, Some(add))
    };
    assert_eq!(status, 0);
    acc
}
