//! `np.sort` along the last axis, in place, and `np.argsort`, `np.partition` and `np.argpartition` of a vector: NaN last. Long rows,
//! and many rows, are sorted by several threads. `sort` and `argsort` give what a stable sort gives (equal elements are the same bits,
//! but for zeros, which are put back in their order), so that the result does not depend on how many threads there are.
//!
//! Unsafe here: arrays that generated code passes, of any strides.

mod order;
mod vector;

use crate::array::{Array, offset_by};
use crate::errors::{Raised, guard};
use crate::parallel;
use num_complex::Complex;
use order::{Ranks, Sortable};
use pydd_abi::{ArrayRef, Ctx, DTypeCode, Status};

/// Elements whose sorting takes a while.
const LONG: usize = 4096;

/// Rows that keep several threads busy.
const MANY_ROWS: usize = 4;

/// Calls a function that is generic in the element type with that of a dtype.
macro_rules! for_dtype {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        match $dtype {
            DTypeCode::Bool => $function::<bool>($($argument),*),
            DTypeCode::I8 => $function::<i8>($($argument),*),
            DTypeCode::I16 => $function::<i16>($($argument),*),
            DTypeCode::I32 => $function::<i32>($($argument),*),
            DTypeCode::I64 => $function::<i64>($($argument),*),
            DTypeCode::U8 => $function::<u8>($($argument),*),
            DTypeCode::U16 => $function::<u16>($($argument),*),
            DTypeCode::U32 => $function::<u32>($($argument),*),
            DTypeCode::U64 => $function::<u64>($($argument),*),
            DTypeCode::F32 => $function::<f32>($($argument),*),
            DTypeCode::F64 => $function::<f64>($($argument),*),
            DTypeCode::C64 => $function::<Complex<f32>>($($argument),*),
            DTypeCode::C128 => $function::<Complex<f64>>($($argument),*),
        }
    };
}

/// The table's `sort`.
///
/// # Safety
/// A valid array that nothing else uses meanwhile.
pub unsafe extern "C" fn sort(ctx: *mut Ctx, a: *const ArrayRef) -> Status {
    let mut raised = None;
    let body = || {
        // SAFETY: by the caller's promise.
        let (ctx, a) = unsafe { (&mut *ctx, Array::new(&*a)) };
        if a.is_empty() || a.dims.is_empty() {
            return Ok(());
        }
        if a.len() > LONG {
            crate::host::give_lock_away(ctx);
        }
        // SAFETY: the dtype says the type.
        raised = unsafe { for_dtype!(a.dtype, rows(ctx, &a)) }.err();
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    let status = unsafe { guard(ctx, body) };
    match raised {
        Some(raised) => {
            // SAFETY: as above.
            raised.put(unsafe { &mut *ctx });
            1
        }
        None => status,
    }
}

/// The table's `argsort`.
///
/// # Safety
/// Vectors of one length, the second of int64 and apart from the first.
pub unsafe extern "C" fn argsort(ctx: *mut Ctx, a: *const ArrayRef, out: *const ArrayRef) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let (ctx, a, out) = unsafe { (&mut *ctx, Array::new(&*a), Array::new(&*out)) };
        if a.len() > LONG {
            crate::host::give_lock_away(ctx);
        }
        // SAFETY: the dtype says the type, and `out` is apart.
        unsafe { for_dtype!(a.dtype, indices(&a, &out, None)) };
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// The table's `partition`.
///
/// # Safety
/// Vectors, the first and third of one length and type, the second of int64 and below that length; the third apart from the others.
pub unsafe extern "C" fn partition(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    kth: *const ArrayRef,
    out: *const ArrayRef,
) -> Status {
    // SAFETY: the dtype says the type; `out` is apart and of it.
    let select = |a: &Array, ranks: &[usize], out: &Array| unsafe {
        for_dtype!(a.dtype, partitioned(a, ranks, out));
    };
    // SAFETY: by the caller's promise.
    unsafe { by_ranks(ctx, a, kth, out, select) }
}

/// The table's `argpartition`.
///
/// # Safety
/// As `partition`; the third vector is of int64.
pub unsafe extern "C" fn argpartition(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    kth: *const ArrayRef,
    out: *const ArrayRef,
) -> Status {
    // SAFETY: the dtype says the type; `out` is apart and of int64.
    let select = |a: &Array, ranks: &[usize], out: &Array| unsafe {
        for_dtype!(a.dtype, indices(a, out, Some(ranks)));
    };
    // SAFETY: by the caller's promise.
    unsafe { by_ranks(ctx, a, kth, out, select) }
}

/// Hands the vectors and the ranks to `select`, other threads running meanwhile where that takes a while.
///
/// # Safety
/// As `partition`, but for the type of the third vector.
unsafe fn by_ranks(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    kth: *const ArrayRef,
    out: *const ArrayRef,
    select: impl Fn(&Array, &[usize], &Array),
) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let (ctx, a, kth, out) =
            unsafe { (&mut *ctx, Array::new(&*a), Array::new(&*kth), Array::new(&*out)) };
        if a.len() > LONG {
            crate::host::give_lock_away(ctx);
        }
        let mut few = [0; FEW_RANKS];
        let mut many = Vec::new();
        // SAFETY: `kth` is of int64.
        let ranks = unsafe { ranks(&kth, a.len(), &mut few, &mut many) };
        select(&a, ranks, &out);
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// So many ranks need no memory of their own.
const FEW_RANKS: usize = 4;

/// Ranks in ascending order, those below a length.
///
/// # Safety
/// A vector of int64.
unsafe fn ranks<'a>(
    kth: &Array,
    len: usize,
    few: &'a mut [usize; FEW_RANKS],
    many: &'a mut Vec<usize>,
) -> &'a [usize] {
    let mut packed = Vec::new();
    // SAFETY: by the caller's promise.
    let given = unsafe { kth.elements::<i64>(&mut packed) };
    let wanted = given.iter().filter_map(|&rank| usize::try_from(rank).ok()).filter(|&rank| rank < len);
    let ranks = if given.len() <= FEW_RANKS {
        let mut count = 0;
        for rank in wanted {
            few[count] = rank;
            count += 1;
        }
        &mut few[..count]
    } else {
        many.extend(wanted);
        &mut many[..]
    };
    ranks.sort_unstable();
    ranks
}

/// Writes a vector's elements, those of some ranks in their places.
///
/// # Safety
/// Vectors of `T` of one length; nothing else uses `out`.
unsafe fn partitioned<T: Sortable>(a: &Array, ranks: &[usize], out: &Array) {
    // SAFETY: by the caller's promise; `out` is apart from `a`.
    unsafe {
        if out.is_aligned::<T>() && out.strides[0] == size_of::<T>() as i64 && out.len() == a.len() {
            let row = std::slice::from_raw_parts_mut(out.data.cast::<T>(), out.len());
            row.copy_from_slice(a.elements::<T>(&mut Vec::new()));
            return T::sort(row, Some(ranks));
        }
        let mut row = a.pack::<T>();
        T::sort(&mut row, Some(ranks));
        let stride = out.strides.first().copied().unwrap_or(0);
        for (i, value) in row.into_iter().enumerate().take(out.len()) {
            offset_by(out.data, i as i64 * stride).cast::<T>().write_unaligned(value);
        }
    }
}

/// Writes the order of a vector's elements.
///
/// # Safety
/// Elements of type `T`; `out` is a vector of int64 that nothing else uses.
unsafe fn indices<T: Sortable>(a: &Array, out: &Array, ranks: Ranks) {
    let mut packed = Vec::new();
    // SAFETY: elements of type `T`, which nothing writes.
    let keys = unsafe { a.elements::<T>(&mut packed) };
    let stride = out.strides.first().copied().unwrap_or(0);
    let mut place = 0;
    T::indices(keys, ranks, |index| {
        if place < out.len() {
            // SAFETY: an element of `out`, which nothing else uses.
            unsafe { offset_by(out.data, place as i64 * stride).cast::<i64>().write_unaligned(index) };
        }
        place += 1;
    });
}

/// An array whose rows threads sort.
struct Rows<'a>(Array<'a>);

// SAFETY: each row is sorted by one thread.
unsafe impl Sync for Rows<'_> {}

impl Rows<'_> {
    /// Sorts row `i` in C order.
    ///
    /// # Safety
    /// Elements of type `T`, of a row that is there and that nothing else uses.
    unsafe fn sort<T: Sortable>(&self, i: usize) {
        let last = self.0.dims.len() - 1;
        let (mut at, mut offset) = (i as i64, 0);
        for (&dim, &stride) in self.0.dims[..last].iter().zip(self.0.strides).rev() {
            offset += at % dim * stride;
            at /= dim;
        }
        // SAFETY: a row of the array.
        unsafe { sort_row::<T>(&self.0.inner(last, offset)) };
    }
}

/// Sorts each row of an array that has elements.
///
/// # Safety
/// Elements of type `T` that nothing else uses.
unsafe fn rows<T: Sortable>(ctx: &mut Ctx, a: &Array) -> Result<(), Raised> {
    let n = a.dims.last().map_or(1, |&n| n as usize);
    let count = a.len() / n;
    let rows = Rows(*a);
    if count < MANY_ROWS {
        // SAFETY: by the caller's promise, and there are `count` rows.
        (0..count).for_each(|i| unsafe { rows.sort::<T>(i) });
        return Ok(());
    }
    let cost = n.saturating_mul(2 + n.ilog2() as usize);
    parallel::for_each(ctx, count, cost, |range| {
        // SAFETY: by the caller's promise; each row is in one range.
        range.for_each(|i| unsafe { rows.sort::<T>(i) });
        Ok(())
    })
}

/// Sorts a vector.
///
/// # Safety
/// Elements of type `T` that nothing else uses.
unsafe fn sort_row<T: Sortable>(a: &Array) {
    let n = a.len();
    if a.is_aligned::<T>() && a.strides[0] == size_of::<T>() as i64 {
        // SAFETY: `n` adjacent aligned elements that nothing else uses meanwhile.
        T::sort(unsafe { std::slice::from_raw_parts_mut(a.data.cast::<T>(), n) }, None);
        return;
    }
    // SAFETY: elements of type `T`; written back to where they came from.
    unsafe {
        let mut row = a.pack::<T>();
        T::sort(&mut row, None);
        for (i, value) in row.into_iter().enumerate() {
            offset_by(a.data, i as i64 * a.strides[0]).cast::<T>().write_unaligned(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contiguous, ctx, lengths, view};

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
    #[cfg_attr(miri, ignore = "takes long: rows worth several threads")]
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
    #[cfg_attr(miri, ignore = "takes long: rows worth several threads")]
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

    /// Numbers in disorder, among them zeros of both signs and NaN.
    fn mixed(n: u32) -> impl Iterator<Item = f64> {
        (0..n).map(|i| match i.wrapping_mul(2_654_435_761) >> 8 {
            k if k % 97 == 0 => f64::NAN,
            k if k % 5 == 0 => 0.0 * (f64::from(k % 2) - 0.5),
            k => f64::from(k) - 8e6,
        })
    }

    #[test]
    fn any_number_of_floats_is_sorted_stably() {
        let order = |x: &f64, y: &f64| x.partial_cmp(y).unwrap_or_else(|| x.is_nan().cmp(&y.is_nan()));
        for n in lengths(&[1, 2, 63, 600, 5000, 70_000]) {
            let mut expected: Vec<f64> = mixed(n).collect();
            expected.sort_by(order);
            let bits = |x: f64| if x.is_nan() { 0 } else { x.to_bits() };
            let values: Vec<f64> = mixed(n).collect();
            let out = sorted(&values, DTypeCode::F64);
            assert!(out.iter().map(|&x| bits(x)).eq(expected.iter().map(|&x| bits(x))), "{n} of float64");
            let mut values: Vec<f32> = mixed(n).map(|x| x as f32).collect();
            let out = sorted(&values, DTypeCode::F32);
            assert!(
                out.iter().map(|&x| bits(x.into())).eq(expected.iter().map(|&x| bits(x))),
                "{n} of float32"
            );

            let mut places: Vec<i64> = (0..i64::from(n)).collect();
            places.sort_by(|&i, &j| order(&values[i as usize].into(), &values[j as usize].into()));
            let mut found = vec![-1_i64; values.len()];
            let a = contiguous(values.as_mut_ptr(), DTypeCode::F32, &[n.into()]);
            let out = contiguous(found.as_mut_ptr(), DTypeCode::I64, &[n.into()]);
            // SAFETY: valid arrays.
            assert_eq!(unsafe { argsort(&mut ctx(), &a.array, &out.array) }, 0);
            assert_eq!(found, places, "{n} of float32");
        }
    }

    #[test]
    fn ranks_among_numbers_that_differ_in_few_bits() {
        // Far apart as a whole, so that an index and all bits of a number do not fit into one integer.
        let mut values: Vec<f64> = (0..999_u32)
            .map(|i| match i.wrapping_mul(2_654_435_761) >> 20 {
                k if k % 3 == 0 => 1.0 + f64::from(k % 512) * f64::EPSILON,
                k if k % 3 == 1 => f64::from(k) - 2000.0,
                k => -1e300 * f64::from(k),
            })
            .collect();
        let mut expected = values.clone();
        expected.sort_by(f64::total_cmp);
        let wanted: [&[i64]; 5] =
            [&[0], &[998], &[500, 600, 601, 800], &[400, 990, 997], &[640, 641, 642, 900]];
        for ranks in wanted {
            let mut ranks = ranks.to_vec();
            let mut found = vec![-1_i64; values.len()];
            let a = contiguous(values.as_mut_ptr(), DTypeCode::F64, &[999]);
            let kth = contiguous(ranks.as_mut_ptr(), DTypeCode::I64, &[ranks.len() as i64]);
            let out = contiguous(found.as_mut_ptr(), DTypeCode::I64, &[999]);
            // SAFETY: valid arrays.
            assert_eq!(unsafe { argpartition(&mut ctx(), &a.array, &kth.array, &out.array) }, 0);
            let at = |place: usize| values[found[place] as usize];
            for &rank in &ranks {
                let rank = rank as usize;
                assert_eq!(at(rank), expected[rank], "rank {rank} of {ranks:?}");
                assert!((0..rank).all(|place| at(place) <= at(rank)), "before {rank} of {ranks:?}");
                assert!((rank..999).all(|place| at(place) >= at(rank)), "behind {rank} of {ranks:?}");
            }
            found.sort_unstable();
            assert!(found.into_iter().eq(0..999));
        }
    }

    #[test]
    fn integers_of_each_width_and_sign_are_sorted() {
        macro_rules! check {
            ($($t:ty as $dtype:ident),*) => {$(
                for n in lengths(&[1_u64, 50, 400, 3000, 70_000]) {
                    let mut values: Vec<$t> =
                        (0..n).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7) as $t).collect();
                    let mut expected: Vec<($t, i64)> = values.iter().copied().zip(0..).collect();
                    expected.sort();
                    let mut found = vec![-1_i64; values.len()];
                    let a = contiguous(values.as_mut_ptr(), DTypeCode::$dtype, &[n as i64]);
                    let out = contiguous(found.as_mut_ptr(), DTypeCode::I64, &[n as i64]);
                    // SAFETY: valid arrays.
                    assert_eq!(unsafe { argsort(&mut ctx(), &a.array, &out.array) }, 0);
                    assert!(expected.iter().map(|pair| pair.1).eq(found), "indices of {n} {}", stringify!($t));
                    let out = sorted(&values, DTypeCode::$dtype);
                    assert!(expected.iter().map(|pair| pair.0).eq(out), "{n} {}", stringify!($t));
                }
            )*};
        }
        check!(i8 as I8, i16 as I16, i32 as I32, i64 as I64, u8 as U8, u16 as U16, u32 as U32, u64 as U64);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long: rows worth several threads")]
    fn many_rows_of_a_stack_are_sorted_alike() {
        let (blocks, rows, n) = (7_i64, 90_i64, 50_i64);
        // The axes before the last in Fortran's order, and a gap behind each row.
        let dims = [blocks, rows, n];
        let strides = [n + 3, (n + 3) * blocks, 1];
        let mut data: Vec<f64> = mixed(((n + 3) * blocks * rows) as u32).collect();
        let mut expected = data.clone();
        for row in expected.chunks_exact_mut(n as usize + 3) {
            row[..n as usize].sort_by(|x, y| x.partial_cmp(y).unwrap_or_else(|| x.is_nan().cmp(&y.is_nan())));
        }
        let v = view(data.as_mut_ptr(), DTypeCode::F64, &dims, &strides);
        // SAFETY: a valid array.
        assert_eq!(unsafe { sort(&mut ctx(), &v.array) }, 0);
        assert!(data.iter().zip(&expected).all(|(x, y)| x == y || x.is_nan() && y.is_nan()));
    }

    #[test]
    fn complex_indices_put_nans_last_in_order() {
        let c = Complex::<f64>::new;
        let nan = f64::NAN;
        let mut data =
            [c(nan, nan), c(nan, 0.0), c(1.0, 2.0), c(0.0, nan), c(-1.0, 9.0), c(1.0, -1.0), c(1.0, 2.0)];
        let mut order = vec![-1_i64; data.len()];
        let a = contiguous(data.as_mut_ptr(), DTypeCode::C128, &[7]);
        let out = contiguous(order.as_mut_ptr(), DTypeCode::I64, &[7]);
        // SAFETY: valid arrays.
        assert_eq!(unsafe { argsort(&mut ctx(), &a.array, &out.array) }, 0);
        assert_eq!(order, [4, 5, 2, 6, 3, 1, 0]);
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
