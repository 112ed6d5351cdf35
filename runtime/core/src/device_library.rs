//! Matrix products and Fourier transforms in versions for devices: by a device's library, or as ever.
//!
//! Unsafe here: arrays that generated code passes, as in [`crate::matmul`] and [`crate::fft`].

use crate::array::Array;
use crate::device::is_own;
use crate::errors::guard;
use crate::parallel::in_region;
use crate::{fft, host, matmul, pool};
use pydd_abi::{ArrayRef, Ctx, Status};
use pydd_gpu::{Attempt, Call, Function, Operand};

/// The table's `device_matmul`.
///
/// # Safety
/// As for [`matmul`](matmul::matmul).
pub unsafe extern "C" fn device_matmul(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    b: *const ArrayRef,
    out: *const ArrayRef,
) -> Status {
    // SAFETY: by the caller's promise.
    unsafe { offer(ctx, Function::Matmul, &[a, b], out, 1.0, || matmul::matmul(ctx, a, b, out)) }
}

macro_rules! transform {
    ($name:ident, $function:expr, $otherwise:path) => {
        #[doc = concat!("The table's `", stringify!($name), "`.")]
        ///
        /// # Safety
        /// As for the transform on the processor.
        pub unsafe extern "C" fn $name(
            ctx: *mut Ctx,
            a: *const ArrayRef,
            out: *const ArrayRef,
            scale: f64,
        ) -> Status {
            // SAFETY: by the caller's promise.
            unsafe { offer(ctx, $function, &[a], out, scale, || $otherwise(ctx, a, out, scale)) }
        }
    };
}

transform!(device_fft, Function::Fft, fft::fft);
transform!(device_inverse_fft, Function::InverseFft, fft::inverse_fft);
transform!(device_real_fft, Function::RealFft, fft::real_fft);

/// Has a device's library do it, or else the processor.
///
/// # Safety
/// Valid arrays; `out` overlaps nothing. `ctx` is this call's.
unsafe fn offer(
    ctx: *mut Ctx,
    function: Function,
    operands: &[*const ArrayRef],
    out: *const ArrayRef,
    scale: f64,
    otherwise: impl FnOnce() -> Status,
) -> Status {
    // Within a parallel loop all threads are busy already, and no array is on the device.
    if in_region() {
        return otherwise();
    }
    let mut is_done = false;
    let attempt = || {
        // SAFETY: by the caller's promise.
        let described = |array: *const ArrayRef| unsafe { operand(&*array) };
        let operands: Vec<Operand> = operands.iter().map(|&array| described(array)).collect();
        let call =
            Call { function, operands: &operands, out: described(out), scale, threads: pool::num_threads() };
        // SAFETY: as above.
        let waits = || unsafe { host::give_lock_away(&mut *ctx) };
        // SAFETY: as above.
        match unsafe { pydd_gpu::library(&call, waits) } {
            Attempt::Done => is_done = true,
            Attempt::Declined => {}
            Attempt::Lost(lost) => return Err(lost.into()),
        }
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    let status = unsafe { guard(ctx, attempt) };
    if status != 0 || is_done { status } else { otherwise() }
}

/// # Safety
/// A valid array.
unsafe fn operand(array: &ArrayRef) -> Operand<'_> {
    // SAFETY: by the caller's promise.
    let described = unsafe { Array::new(array) };
    Operand {
        data: array.data as u64,
        dtype: array.dtype,
        dims: described.dims,
        strides: described.strides,
        is_own: is_own(array.owner as u64),
    }
}
