//! Special functions: the table's `special`, one element after the other.

use crate::array::{Array, offset_by};
use crate::errors::guard;
use pydd_abi::{ArrayRef, Ctx, Status};
use pydd_numeric::special::special as value;

/// How many elements are computed before the interpreter's lock is given away.
const LONG: usize = 4096;

/// The table's `special`.
///
/// # Safety
/// Of float64: a matrix of one row or two, a vector of one element, and a vector as long as the rows, which overlaps
/// nothing.
pub unsafe extern "C" fn special(
    ctx: *mut Ctx,
    x: *const ArrayRef,
    code: *const ArrayRef,
    out: *const ArrayRef,
) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let (ctx, x, code, out) =
            unsafe { (&mut *ctx, Array::new(&*x), Array::new(&*code), Array::new(&*out)) };
        if out.len() > LONG {
            crate::host::give_lock_away(ctx);
        }
        let rows = x.dims.first().copied().unwrap_or(0);
        let read = |row: i64, column: i64| {
            let at = row * x.strides[0] + column * x.strides[1];
            // SAFETY: an element of the matrix.
            unsafe { offset_by(x.data, at).cast::<f64>().read_unaligned() }
        };
        // SAFETY: the only element.
        let code = unsafe { code.data.cast::<f64>().read_unaligned() } as i64;
        for i in 0..out.len() as i64 {
            let second = if rows > 1 { read(1, i) } else { 0.0 };
            let result = value(code, read(0, i), second);
            // SAFETY: an element of `out`, which nothing else uses.
            unsafe { offset_by(out.data, i * out.strides[0]).cast::<f64>().write_unaligned(result) };
        }
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}
