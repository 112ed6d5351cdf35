//! `np.sort` along the last axis, in place: stable, NaN last. Long rows are sorted by several threads; since the sort is
//! stable, the result does not depend on how many.
//!
//! Unsafe here: arrays that generated code passes, of any strides.

use crate::array::{Array, offset_by};
use crate::errors::guard;
use crate::{parallel, pool};
use num_complex::Complex;
use pydd_abi::{ArrayRef, Ctx, DTypeCode, Status};
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;

/// Elements whose sorting takes a while.
const LONG: usize = 4096;

/// Elements worth several threads.
const PARALLEL: usize = 1 << 16;

/// The order of NumPy's sorts.
trait SortOrder: Copy + Send {
    fn order(&self, other: &Self) -> Ordering;

    /// Moves what comes last in any order to the end; returns how many elements are before.
    fn set_apart(_: &mut [Self]) -> usize {
        usize::MAX
    }
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

            /// Each NaN is as good as another.
            fn set_apart(row: &mut [Self]) -> usize {
                let mut kept = 0;
                for i in 0..row.len() {
                    if !row[i].is_nan() {
                        row.swap(kept, i);
                        kept += 1;
                    }
                }
                kept
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

/// The table's `argsort`.
///
/// # Safety
/// Vectors of one length, the second of int64 and apart from the first.
pub unsafe extern "C" fn argsort(ctx: *mut Ctx, a: *const ArrayRef, out: *const ArrayRef) -> Status {
    // SAFETY: by the caller's promise.
    let body = || unsafe {
        let (a, out) = (Array::new(&*a), Array::new(&*out));
        if a.len() > LONG {
            crate::host::give_lock_away(&mut *ctx);
        }
        match a.dtype {
            DTypeCode::Bool => indices::<bool>(&a, &out),
            DTypeCode::I8 => indices::<i8>(&a, &out),
            DTypeCode::I16 => indices::<i16>(&a, &out),
            DTypeCode::I32 => indices::<i32>(&a, &out),
            DTypeCode::I64 => indices::<i64>(&a, &out),
            DTypeCode::U8 => indices::<u8>(&a, &out),
            DTypeCode::U16 => indices::<u16>(&a, &out),
            DTypeCode::U32 => indices::<u32>(&a, &out),
            DTypeCode::U64 => indices::<u64>(&a, &out),
            DTypeCode::F32 => indices::<f32>(&a, &out),
            DTypeCode::F64 => indices::<f64>(&a, &out),
            DTypeCode::C64 => indices::<Complex<f32>>(&a, &out),
            DTypeCode::C128 => indices::<Complex<f64>>(&a, &out),
        }
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// Writes the order of a vector's elements.
unsafe fn indices<T: SortOrder>(a: &Array, out: &Array) {
    // SAFETY: elements of type `T`.
    let keys = unsafe { a.pack::<T>() };
    let mut pairs: Vec<(T, i64)> = keys.into_iter().zip(0..).collect();
    stable(&mut pairs, |x, y| x.0.order(&y.0));
    let stride = out.strides.first().copied().unwrap_or(0);
    for (i, (_, index)) in pairs.into_iter().enumerate().take(out.len()) {
        // SAFETY: an element of `out`, which nothing else uses.
        unsafe { offset_by(out.data, i as i64 * stride).cast::<i64>().write_unaligned(index) };
    }
}

/// Sorts by several threads, where that is worth it.
fn stable<T: Send>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering + Send + Sync) {
    match if items.len() < PARALLEL || parallel::in_region() { None } else { pool::pool() } {
        Some(pool) => pool.rayon.install(|| items.par_sort_by(order)),
        None => items.sort_by(order),
    }
}

/// Sorts one row.
fn sort_row<T: SortOrder>(row: &mut [T]) {
    let kept = T::set_apart(row).min(row.len());
    stable(&mut row[..kept], T::order);
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
        sort_row(row);
        return;
    }
    // SAFETY: elements of type `T`; written back to where they came from.
    unsafe {
        let mut row = a.pack::<T>();
        sort_row(&mut row);
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
    fn long_rows_are_sorted_by_threads_alike() {
        let values: Vec<f64> =
            (0..200_000_u32)
                .map(|i| {
                    if i % 1000 == 7 { f64::NAN } else { f64::from(i.wrapping_mul(2_654_435_761) >> 8) - 3e6 }
                })
                .collect();
        let mut expected: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
        expected.sort_by(f64::total_cmp);
        let out = sorted(&values, DTypeCode::F64);
        assert_eq!(out[..expected.len()], expected);
        assert!(out[expected.len()..].iter().all(|x| x.is_nan()));
    }

    #[test]
    fn the_order_of_a_vector_is_stable() {
        let mut data = [2.0, f64::NAN, 1.0, 2.0, 0.0, 1.0];
        let mut order = vec![0_i64; 3];
        let a = view(data.as_mut_ptr(), DTypeCode::F64, &[3], &[2]);
        let out = contiguous(order.as_mut_ptr(), DTypeCode::I64, &[3]);
        // SAFETY: valid arrays.
        assert_eq!(unsafe { argsort(&mut ctx(), &a.array, &out.array) }, 0);
        assert_eq!(order, [2, 1, 0]);
        let mut many: Vec<u8> = (0..100_000_u32).map(|i| ((i * 7919) >> 5) as u8).collect();
        let mut order = vec![0_i64; many.len()];
        let a = contiguous(many.as_mut_ptr(), DTypeCode::U8, &[100_000]);
        let out = contiguous(order.as_mut_ptr(), DTypeCode::I64, &[100_000]);
        // SAFETY: valid arrays.
        assert_eq!(unsafe { argsort(&mut ctx(), &a.array, &out.array) }, 0);
        let key = |i: i64| (many[i as usize], i);
        assert!(order.windows(2).all(|w| key(w[0]) < key(w[1])));
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
