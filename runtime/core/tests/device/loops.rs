//! The loops of the kernels in `kernels.ptx`, as modules describe and run them.

use pydd_abi::device::{
    CAPTURE_ARRAY, CAPTURE_BLANK, CAPTURE_WRITTEN, CAPTURE_WRITTEN_LATER, CAPTURE_ZEROS, DECLINED,
    DeviceCapture, DeviceCode, DeviceLanes, DeviceLoop, DeviceProduct, DeviceSpan, DeviceSum, LANES_ONE,
    LOOP_FAILS, SPAN_RANGE, SYMBOL_INDEX,
};
use pydd_abi::{ArrayRef, Ctx, DTypeCode, ExcKind, Owner, Status};
use pydd_core::device::{device_end, device_for, host_access};
use pydd_core::parallel::par_for;
use std::ffi::CStr;
use std::ptr;

const PTX: &str = concat!(include_str!("kernels.ptx"), "\0");
/// As code of a compiler that is newer than the driver.
const NEWER: &str =
    concat!(".version 9.9\n.target sm_70\n.address_size 64\n.visible .entry update() { ret; }\n", "\0");

/// Each iteration has an element of its own.
const OWN_ELEMENT: &DeviceSpan = &DeviceSpan { kind: SPAN_RANGE, pointers: 0, low: INDEX, high: INDEX };
const PRODUCT: &DeviceProduct = &DeviceProduct { factor: 1, symbols: [SYMBOL_INDEX, 0, 0, 0, 0, 0] };
const INDEX: DeviceSum = DeviceSum { products: PRODUCT, constant: 0, n_products: 1, _pad: 0 };

const fn array(flags: u8) -> DeviceCapture {
    DeviceCapture {
        spans: OWN_ELEMENT,
        words: 4,
        flags: CAPTURE_ARRAY | flags,
        dtype: DTypeCode::F64,
        rank: 1,
        _pad: 0,
    }
}

/// What is read, and what is written.
type Captures = [DeviceCapture; 2];

const CAPTURES: Captures = [array(0), array(CAPTURE_WRITTEN)];

/// A description that lives for ever.
fn describe(
    kernel: &'static CStr,
    codes: &[(&'static str, u32)],
    captures: &'static [DeviceCapture],
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
        captures: captures.as_ptr(),
        n_captures: u32::try_from(captures.len()).unwrap(),
        acc_words,
        flags: LOOP_FAILS,
        lanes: DeviceLanes { kind: LANES_ONE, word: 0, count: 0 },
    }))
}

fn once(cell: &std::sync::OnceLock<usize>, make: impl FnOnce() -> &'static DeviceLoop) -> &DeviceLoop {
    // SAFETY: a leaked description.
    unsafe { &*(*cell.get_or_init(|| ptr::from_ref(make()) as usize) as *const DeviceLoop) }
}

/// Code for later devices comes first, and is not for those that tests have.
pub fn update() -> &'static DeviceLoop {
    static CELL: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    once(&CELL, || describe(c"update", &[(NEWER, 120), (PTX, 70)], &CAPTURES, 0))
}

/// As [`update`], where nobody knows what an iteration touches.
pub fn update_anything() -> &'static DeviceLoop {
    const ANYTHING: DeviceCapture = DeviceCapture { spans: ptr::null(), ..array(0) };
    const CAPTURES: Captures =
        [ANYTHING, DeviceCapture { flags: CAPTURE_ARRAY | CAPTURE_WRITTEN, ..ANYTHING }];
    describe(c"update", &[(PTX, 70)], &CAPTURES, 0)
}

/// As [`update`], where another loop writes what this one reads.
pub fn update_before_writes() -> &'static DeviceLoop {
    const CAPTURES: Captures = [array(CAPTURE_WRITTEN_LATER), array(CAPTURE_WRITTEN)];
    describe(c"update", &[(PTX, 70)], &CAPTURES, 0)
}

/// As [`update`], of arrays that nobody has touched.
pub fn update_blank() -> &'static DeviceLoop {
    const CAPTURES: Captures =
        [array(CAPTURE_BLANK | CAPTURE_ZEROS), array(CAPTURE_WRITTEN | CAPTURE_BLANK | CAPTURE_ZEROS)];
    describe(c"update", &[(PTX, 70)], &CAPTURES, 0)
}

pub fn sum() -> &'static DeviceLoop {
    static CELL: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    once(&CELL, || describe(c"sum", &[(PTX, 70)], &CAPTURES[..1], 2))
}

/// A loop whose code no driver takes.
pub fn too_new() -> &'static DeviceLoop {
    describe(c"update", &[(NEWER, 70)], &CAPTURES, 0)
}

/// A vector somewhere in memory.
#[derive(Clone, Copy)]
pub struct View {
    pub data: *mut f64,
    pub len: usize,
    /// In elements.
    pub stride: isize,
    /// Null for arguments.
    pub owner: *mut Owner,
}

impl View {
    pub const fn new(data: *mut f64, len: usize, stride: isize) -> Self {
        Self { data, len, stride, owner: ptr::null_mut() }
    }

    fn words(self) -> [u64; 4] {
        [self.data as u64, self.owner as u64, self.len as u64, (8 * self.stride as i64).cast_unsigned()]
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
        let stride = |i: usize| word(i).cast_signed() as isize / 8;
        let view = |i: usize| View::new(word(i) as *mut f64, word(i + 2) as usize, stride(i + 3));
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
        let stride = (*env.add(5)).cast_signed() as isize / 8;
        let x = View::new(*env.add(2) as *mut f64, 0, stride);
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

/// A call ended with the loss of the device, whatever became of its arrays.
pub const LOST: Status = 3;

fn end_call(ctx: &mut Ctx, status: Status) -> Status {
    // SAFETY: this call's context.
    let ended = unsafe { device_end(ctx, status, 9) };
    if ctx.kind == ExcKind::RuntimeError as u32 { LOST } else { ended }
}

/// On the device alone; a whole call.
pub fn update_there(of: &DeviceLoop, x: View, y: View, cost: i64) -> End {
    let mut ctx = ctx();
    let status = launch(&mut ctx, of, x, y, cost);
    let status = end_call(&mut ctx, status);
    end(status, &ctx)
}

fn launch(ctx: &mut Ctx, of: &DeviceLoop, x: View, y: View, cost: i64) -> Status {
    let env = update_env(x, y);
    // SAFETY: the description fits; views are of live memory.
    unsafe {
        device_for(ctx, of, x.len as i64, cost, update_body, env.as_ptr(), ptr::null_mut(), ptr::null(), None)
    }
}

/// A call of several loops.
pub struct Call(Ctx);

impl Call {
    pub fn new() -> Self {
        Self(ctx())
    }

    /// Must run on the device.
    pub fn update(&mut self, of: &DeviceLoop, x: View, y: View) {
        assert_eq!(launch(&mut self.0, of, x, y, 1), 0);
    }

    pub fn try_update(&mut self, of: &DeviceLoop, x: View, y: View, cost: i64) -> Status {
        launch(&mut self.0, of, x, y, cost)
    }

    pub fn access(&mut self, of: View, writes: bool) -> Status {
        let (dims, strides) = ([of.len as i64], [8 * of.stride as i64]);
        let (data, owner) = (of.data.cast(), of.owner);
        let array = ArrayRef {
            data,
            owner,
            dtype: DTypeCode::F64,
            rank: 1,
            _pad: [0; 6],
            dims: dims.as_ptr(),
            strides: strides.as_ptr(),
        };
        // SAFETY: an array of the tests.
        unsafe { host_access(&raw mut self.0, &raw const array, i32::from(writes)) }
    }

    pub fn end(mut self) -> Status {
        end_call(&mut self.0, 0)
    }
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
        device_for(
            &raw mut ctx,
            there,
            n,
            cost,
            sum_body,
            env.as_ptr(),
            acc.as_mut_ptr(),
            IDENTITY.as_ptr(),
            Some(add),
        )
    };
    match end_call(&mut ctx, status) {
        DECLINED => (sum_here(x, cost), false),
        LOST => (sum_here(x, cost), true),
        status => {
            assert_eq!(status, 0);
            (acc, true)
        }
    }
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
