//! `np.sort` along the last axis, in place: stable, NaN last.
//!
//! Unsafe here: arrays that generated code passes, of any strides.

use crate::array::{Array, offset_by};
use crate::errors::guard;
use num_complex::Complex;
use pydd_abi::{ArrayRef, Ctx, DTypeCode, Status};
use std::cmp::Ordering;

/// Elements whose sorting takes a while.
const LONG: usize = 4096;

/// The order of NumPy's sorts.
trait SortOrder: Copy {
    fn order(&self, other: &Self) -> Ordering;
}

macro_rules! total {
    ($($t:ty),*) => {$(
        impl SortOrder for $t {
            #[inline]
            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        }
    )*};
}

total!(bool, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! float {
    ($($t:ty),*) => {$(
        impl SortOrder for $t {
            #[inline]
            fn order(&self, other: &Self) -> Ordering {
                self.partial_cmp(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
            }
        }

        /// By real part, then by imaginary part; values with a NaN last, those in the imaginary
        /// part alone first.
        impl SortOrder for Complex<$t> {
            fn order(&self, other: &Self) -> Ordering {
                let nans = |z: &Self| (z.re.is_nan(), z.im.is_nan());
                nans(self)
                    .cmp(&nans(other))
                    .then(self.re.order(&other.re))
                    .then(self.im.order(&other.im))
            }
        }
    )*};
}

float!(f32, f64);

/// The table's `sort`.
///
/// # Safety
/// A valid array that nothing else uses meanwhile.
pub unsafe extern "C" fn sort(ctx: *mut Ctx, a: *const ArrayRef) -> Status {
    // SAFETY: by the caller's promise.
    let body = || unsafe {
        let a = Array::new(&*a);
        if a.is_empty() || a.dims.is_empty() {
            return Ok(());
        }
        if a.len() > LONG {
            crate::host::give_lock_away(&mut *ctx);
        }
        match a.dtype {
            DTypeCode::Bool => rows::<bool>(&a),
            DTypeCode::I8 => rows::<i8>(&a),
            DTypeCode::I16 => rows::<i16>(&a),
            DTypeCode::I32 => rows::<i32>(&a),
            DTypeCode::I64 => rows::<i64>(&a),
            DTypeCode::U8 => rows::<u8>(&a),
            DTypeCode::U16 => rows::<u16>(&a),
            DTypeCode::U32 => rows::<u32>(&a),
            DTypeCode::U64 => rows::<u64>(&a),
            DTypeCode::F32 => rows::<f32>(&a),
            DTypeCode::F64 => rows::<f64>(&a),
            DTypeCode::C64 => rows::<Complex<f32>>(&a),
            DTypeCode::C128 => rows::<Complex<f64>>(&a),
        }
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// Sorts each row of an array that has elements.
unsafe fn rows<T: SortOrder>(a: &Array) {
    if a.dims.len() > 1 {
        for i in 0..a.dims[0] {
            // SAFETY: row `i`, within the dimensions.
            unsafe { rows::<T>(&a.inner(1, i * a.strides[0])) };
        }
        return;
    }
    let n = a.len();
    if a.is_aligned::<T>() && a.strides[0] == size_of::<T>() as i64 {
        // SAFETY: `n` adjacent aligned elements that nothing else uses meanwhile.
        let row = unsafe { std::slice::from_raw_parts_mut(a.data.cast::<T>(), n) };
        row.sort_by(T::order);
        return;
    }
    // SAFETY: elements of type `T`; written back to where they came from.
    unsafe {
        let mut row = a.pack::<T>();
        row.sort_by(T::order);
        for (i, value) in row.into_iter().enumerate() {
            offset_by(a.data, i as i64 * a.strides[0]).cast::<T>().write_unaligned(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contiguous, ctx, view};

    fn sorted<T: Copy>(values: &[T], dtype: DTypeCode) -> Vec<T> {
        let mut data = values.to_vec();
        let v = contiguous(data.as_mut_ptr(), dtype, &[data.len() as i64]);
        // SAFETY: a valid array.
        assert_eq!(unsafe { sort(&mut ctx(), &v.array) }, 0);
        data
    }

    #[test]
    fn nan_goes_last_and_equal_values_keep_their_order() {
        let out = sorted(&[f64::NAN, 1.0, 0.0, -0.0, f64::NEG_INFINITY, -3.0], DTypeCode::F64);
        assert_eq!(out[..5], [f64::NEG_INFINITY, -3.0, 0.0, -0.0, 1.0]);
        assert!(out[2].is_sign_positive() && out[3].is_sign_negative() && out[5].is_nan());
    }

    #[test]
    fn complex_values_order_by_their_parts() {
        let c = Complex::<f64>::new;
        let nan = f64::NAN;
        let out = sorted(&[c(nan, 0.0), c(1.0, 2.0), c(0.0, nan), c(1.0, -1.0)], DTypeCode::C128);
        assert_eq!(out[..2], [c(1.0, -1.0), c(1.0, 2.0)]);
        assert!(out[2].im.is_nan() && out[3].re.is_nan());
    }

    #[test]
    fn rows_of_any_stride_are_sorted_in_place() {
        let mut data: Vec<i16> = vec![5, 9, 3, 8, 1, 7];
        let v = view(data.as_mut_ptr(), DTypeCode::I16, &[2, 3], &[1, 2]);
        // SAFETY: a valid array.
        assert_eq!(unsafe { sort(&mut ctx(), &v.array) }, 0);
        assert_eq!(data, [1, 7, 3, 8, 5, 9]);
        assert_eq!(sorted::<u8>(&[], DTypeCode::U8), [0u8; 0]);
        assert_eq!(sorted(&[true, false, true], DTypeCode::Bool), [false, true, true]);
    }
}
