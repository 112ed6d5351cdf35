//! Products of large sparse matrices in compressed rows with vectors and matrices, rows spread over threads.
//!
//! Rows are cut into parts of about as many entries each. The cut depends on the matrix alone, and each row is summed
//! by one thread in the order of its entries, so results do not depend on the number of threads. Nothing of the
//! matrix is trusted: the bounds of each row and the index of each entry are checked.
//!
//! Unsafe here: arrays that generated code passes; what is written overlaps nothing.

use crate::array::{Array, offset_by};
use crate::errors::{Error, Raised, guard};
use crate::parallel;
use num_complex::Complex;
use pydd_abi::{ArrayRef, Ctx, DTypeCode, Status};
use std::ops::Range;

/// Entries of a part.
const PART: usize = 16 << 10;

/// Numbers with wrapping sums and products; of bool `or` and `and`.
trait Entry: Copy + Send + Sync {
    const ZERO: Self;
    fn add(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! entries {
    ($zero:expr, $($t:ty),*; $add:expr, $times:expr) => {$(
        impl Entry for $t {
            const ZERO: Self = $zero as $t;

            #[inline]
            fn add(self, other: Self) -> Self {
                let f: fn(Self, Self) -> Self = $add;
                f(self, other)
            }

            #[inline]
            fn times(self, other: Self) -> Self {
                let f: fn(Self, Self) -> Self = $times;
                f(self, other)
            }
        }
    )*};
}

entries!(0, i8, i16, i32, i64, u8, u16, u32, u64; |a, b| a.wrapping_add(b), |a, b| a.wrapping_mul(b));
entries!(0, f32, f64; |a, b| a + b, |a, b| a * b);
entries!(Complex::<f32>::ZERO, Complex<f32>; |a, b| a + b, |a, b| a * b);
entries!(Complex::<f64>::ZERO, Complex<f64>; |a, b| a + b, |a, b| a * b);
entries!(false, bool; |a, b| a | b, |a, b| a & b);

/// A matrix in compressed rows as its arrays, elements adjoining, and what it is multiplied by.
struct Product<'a, T> {
    indptr: Vec<i64>,
    indices: Indices<'a>,
    data: &'a [T],
    /// As many elements for each column of the matrix as `width`.
    x: &'a [T],
    columns: usize,
    width: usize,
}

enum Indices<'a> {
    Short(&'a [i32]),
    Long(&'a [i64]),
}

impl Indices<'_> {
    const fn len(&self) -> usize {
        match self {
            Self::Short(items) => items.len(),
            Self::Long(items) => items.len(),
        }
    }

    #[inline]
    fn get(&self, k: usize) -> i64 {
        match self {
            Self::Short(items) => items[k].into(),
            Self::Long(items) => items[k],
        }
    }
}

/// The table's `csr_times`.
///
/// # Safety
/// Vectors of a matrix's parts (indices of int32 or int64); `data`, `x` and `y` have one dtype, `x` and `y` one rank of 1 or
/// 2; `y` overlaps nothing and has a row for each of the matrix.
pub unsafe extern "C" fn csr_times(
    ctx: *mut Ctx,
    indptr: *const ArrayRef,
    indices: *const ArrayRef,
    data: *const ArrayRef,
    x: *const ArrayRef,
    y: *const ArrayRef,
) -> Status {
    let mut raised = None;
    let body = || {
        // SAFETY: by the caller's promise.
        let arrays = [indptr, indices, data, x, y].map(|a| unsafe { Array::new(&*a) });
        // SAFETY: as above.
        let ctx = unsafe { &mut *ctx };
        // SAFETY: the dtype says the type.
        let done = unsafe {
            match arrays[2].dtype {
                DTypeCode::Bool => multiply::<bool>(ctx, &arrays),
                DTypeCode::I8 => multiply::<i8>(ctx, &arrays),
                DTypeCode::I16 => multiply::<i16>(ctx, &arrays),
                DTypeCode::I32 => multiply::<i32>(ctx, &arrays),
                DTypeCode::I64 => multiply::<i64>(ctx, &arrays),
                DTypeCode::U8 => multiply::<u8>(ctx, &arrays),
                DTypeCode::U16 => multiply::<u16>(ctx, &arrays),
                DTypeCode::U32 => multiply::<u32>(ctx, &arrays),
                DTypeCode::U64 => multiply::<u64>(ctx, &arrays),
                DTypeCode::F32 => multiply::<f32>(ctx, &arrays),
                DTypeCode::F64 => multiply::<f64>(ctx, &arrays),
                DTypeCode::C64 => multiply::<Complex<f32>>(ctx, &arrays),
                DTypeCode::C128 => multiply::<Complex<f64>>(ctx, &arrays),
            }
        };
        raised = done.err();
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    let status = unsafe { guard(ctx, body) };
    match raised {
        Some(raised) => {
            // SAFETY: as above.
            Raised::put(raised, unsafe { &mut *ctx });
            1
        }
        None => status,
    }
}

/// The elements of an array: its own where they adjoin, else a copy in `packed`.
unsafe fn elements<'a, T: Copy>(a: &Array<'a>, packed: &'a mut Vec<T>) -> &'a [T] {
    let mut step = size_of::<T>() as i64;
    let mut adjoin = a.is_aligned::<T>();
    for (&dim, &stride) in a.dims.iter().zip(a.strides).rev() {
        adjoin &= dim <= 1 || stride == step;
        step *= dim;
    }
    if adjoin && !a.is_empty() {
        // SAFETY: that many adjoining aligned elements, by the caller's promise.
        return unsafe { std::slice::from_raw_parts(a.data.cast(), a.len()) };
    }
    // SAFETY: by the caller's promise.
    *packed = unsafe { a.pack::<T>() };
    packed
}

unsafe fn multiply<T: Entry>(ctx: &mut Ctx, arrays: &[Array; 5]) -> Result<(), Raised> {
    let [indptr, indices, data, x, y] = arrays;
    let (mut short, mut long, mut values, mut factors) = (vec![], vec![], vec![], vec![]);
    // SAFETY: the dtypes say the types.
    let product = unsafe {
        Product {
            indptr: match indptr.dtype {
                DTypeCode::I32 => indptr.pack::<i32>().into_iter().map(i64::from).collect(),
                _ => indptr.pack::<i64>(),
            },
            indices: match indices.dtype {
                DTypeCode::I32 => Indices::Short(elements(indices, &mut short)),
                _ => Indices::Long(elements(indices, &mut long)),
            },
            data: elements::<T>(data, &mut values),
            x: elements::<T>(x, &mut factors),
            columns: x.dims.first().map_or(0, |&d| d as usize),
            width: x.dims.get(1).map_or(1, |&d| d as usize),
        }
    };
    let rows = product.indptr.len().saturating_sub(1).min(y.dims.first().map_or(0, |&d| d as usize));
    let entries = product.data.len().min(product.indices.len());
    let parts = (entries / PART).clamp(1, rows.max(1));
    // The first row with entries from part `p` on; anything between where `indptr` is in disorder.
    let cut = |p: usize| match p {
        0 => 0,
        p if p == parts => rows,
        p => {
            let first = entries as i128 * p as i128 / parts as i128;
            product.indptr[..rows].partition_point(|&begin| i128::from(begin) < first)
        }
    };
    let mut cuts: Vec<usize> = (0..=parts).map(cut).collect();
    for p in 1..=parts {
        cuts[p] = cuts[p].max(cuts[p - 1]);
    }
    let y = *y;
    let out =
        Out { data: y.data, strides: [y.strides.first(), y.strides.get(1)].map(|s| s.copied().unwrap_or(0)) };
    let cost = (2 * PART).saturating_mul(product.width.max(1));
    parallel::for_each(ctx, parts, cost, |range| {
        // SAFETY: `out` has these rows, and each is written by one thread.
        range.into_iter().try_for_each(|p| unsafe { product.rows(cuts[p]..cuts[p + 1], &out) })
    })
}

/// Where results go.
struct Out {
    data: *mut u8,
    strides: [i64; 2],
}

// SAFETY: threads write rows of their own.
unsafe impl Sync for Out {}

impl<T: Entry> Product<'_, T> {
    unsafe fn rows(&self, rows: Range<usize>, out: &Out) -> Result<(), Error> {
        let mut sums = vec![T::ZERO; self.width];
        for i in rows {
            if self.width == 1 {
                sums[0] = self.entries(i)?.try_fold(T::ZERO, |sum, k| {
                    Ok::<T, Error>(sum.add(self.data[k].times(self.x[self.column(i, k)?])))
                })?;
            } else {
                sums.fill(T::ZERO);
                for k in self.entries(i)? {
                    let (v, j) = (self.data[k], self.column(i, k)?);
                    let row = &self.x[j * self.width..(j + 1) * self.width];
                    sums.iter_mut().zip(row).for_each(|(sum, &x)| *sum = sum.add(v.times(x)));
                }
            }
            let start = offset_by(out.data, i as i64 * out.strides[0]);
            for (c, &sum) in sums.iter().enumerate() {
                // SAFETY: an element of this row, by the caller's promise.
                unsafe { offset_by(start, c as i64 * out.strides[1]).cast::<T>().write_unaligned(sum) };
            }
        }
        Ok(())
    }

    /// The places of a row's entries.
    fn entries(&self, i: usize) -> Result<Range<usize>, Error> {
        let (begin, end) = (self.indptr[i], self.indptr[i + 1]);
        let stored = self.indices.len().min(self.data.len());
        if begin < 0 {
            return Err(Error::value(format!("row {i} of the sparse matrix begins at {begin}")));
        }
        if begin > end || end > stored as i64 {
            return Err(Error::value(format!(
                "row {i} of the sparse matrix has entries {begin} to {end}, but {stored} are stored"
            )));
        }
        Ok(begin as usize..end as usize)
    }

    #[inline]
    fn column(&self, i: usize, k: usize) -> Result<usize, Error> {
        let j = self.indices.get(k);
        match usize::try_from(j) {
            Ok(column) if column < self.columns => Ok(column),
            _ => Err(Error::value(format!(
                "row {i} of the sparse matrix has index {j}, not below {}",
                self.columns
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contiguous, ctx, error, view};

    struct Csr {
        indptr: Vec<i32>,
        indices: Vec<i64>,
        data: Vec<f64>,
    }

    impl Csr {
        /// Row `i` has `i % 50` entries, but row 100 very many.
        fn new(rows: usize, columns: usize) -> Self {
            let (mut indptr, mut indices, mut data) = (vec![0], vec![], vec![]);
            for i in 0..rows {
                let count = if i == 100 { columns } else { i % 50 };
                indices.extend((0..count).map(|k| ((i * 7 + k * 13) % columns) as i64));
                data.extend((0..count).map(|k| ((i + k) % 9) as f64 - 4.0));
                indptr.push(i32::try_from(data.len()).unwrap());
            }
            Self { indptr, indices, data }
        }

        fn times(&mut self, x: &mut [f64], width: usize) -> Result<Vec<f64>, String> {
            let rows = self.indptr.len() - 1;
            let mut y = vec![f64::NAN; rows * width * 2];
            let columns = (x.len() / width) as i64;
            let p = contiguous(self.indptr.as_mut_ptr(), DTypeCode::I32, &[rows as i64 + 1]);
            let i = contiguous(self.indices.as_mut_ptr(), DTypeCode::I64, &[self.indices.len() as i64]);
            let d = contiguous(self.data.as_mut_ptr(), DTypeCode::F64, &[self.data.len() as i64]);
            let (shape, out_shape) = ([columns, width as i64], [rows as i64, width as i64]);
            let rank = if width == 1 { 1 } else { 2 };
            let x = contiguous(x.as_mut_ptr(), DTypeCode::F64, &shape[..rank]);
            let out =
                view(y.as_mut_ptr(), DTypeCode::F64, &out_shape[..rank], &[2 * width as i64, 2][..rank]);
            let mut c = ctx();
            // SAFETY: valid arrays.
            match unsafe { csr_times(&mut c, &p.array, &i.array, &d.array, &x.array, &out.array) } {
                0 => Ok(y.into_iter().step_by(2).collect()),
                _ => Err(error(&mut c).1),
            }
        }

        fn slowly(&self, x: &[f64], width: usize) -> Vec<f64> {
            let mut y = vec![0.0; (self.indptr.len() - 1) * width];
            for i in 0..self.indptr.len() - 1 {
                for k in self.indptr[i] as usize..self.indptr[i + 1] as usize {
                    for c in 0..width {
                        y[i * width + c] += self.data[k] * x[self.indices[k] as usize * width + c];
                    }
                }
            }
            y
        }
    }

    #[test]
    fn uneven_rows_times_vector_and_matrix() {
        for (rows, width) in [(6000, 1), (6000, 3), (1, 1), (0, 1)] {
            let mut a = Csr::new(rows, 5000);
            let mut x: Vec<f64> = (0..5000 * width).map(|i| (i % 17) as f64).collect();
            let expected = a.slowly(&x, width);
            assert_eq!(a.times(&mut x, width).unwrap(), expected);
        }
    }

    #[test]
    fn rows_that_are_wrong_are_named_the_first_one_first() {
        let mut x = vec![1.0; 5000];
        let mut a = Csr::new(6000, 5000);
        let at = a.indptr[5990] as usize;
        a.indices[at] = 5000;
        assert_eq!(
            a.times(&mut x, 1).unwrap_err(),
            "row 5990 of the sparse matrix has index 5000, not below 5000"
        );
        let at = a.indptr[49] as usize;
        a.indices[at] = -1;
        assert_eq!(
            a.times(&mut x, 1).unwrap_err(),
            "row 49 of the sparse matrix has index -1, not below 5000"
        );
        let mut a = Csr::new(6000, 5000);
        a.data.truncate(1000);
        assert!(a.times(&mut x, 1).unwrap_err().ends_with("but 1000 are stored"));
        let mut a = Csr::new(6000, 5000);
        a.indptr[3000] = -5;
        assert!(a.times(&mut x, 1).unwrap_err().starts_with("row 2999 of the sparse matrix has entries"));
        a.indptr[0] = -1;
        assert_eq!(a.times(&mut x, 1).unwrap_err(), "row 0 of the sparse matrix begins at -1");
    }
}
