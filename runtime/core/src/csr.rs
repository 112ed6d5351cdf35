//! Products of sparse matrices in compressed rows with matrices and large vectors, rows of large ones spread over threads.
//!
//! Rows are cut into parts of about as many entries each. The cut depends on the matrix alone, and each row is summed
//! by one thread in the order of its entries, so results do not depend on the number of threads. Nothing of the
//! matrix is trusted: the bounds of each row and the index of each entry are checked.
//!
//! A row of floats is summed for a block of columns at a time, whose number the code knows, so that sums are in registers. Such code is
//! there twice, for wider vectors as well; functions that are inlined always are so in order to be in both. Products and sums are
//! rounded apart, as they are everywhere, so that results do not depend on the machine.
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

/// Columns of a result whose sums are in registers while a row's entries are gone through.
const BLOCK: usize = 16;

/// Rows whose columns are computed block by block.
const ROWS: usize = 64;

/// Numbers with wrapping sums and products; of bool `or` and `and`.
trait Entry: Copy + Send + Sync {
    const ZERO: Self;
    /// Whether there is code for each number of columns: worth its size for the types that programs mostly have.
    const BLOCKS: bool;
    fn add(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! entries {
    ($zero:expr, $blocks:expr, $($t:ty),*; $add:expr, $times:expr) => {$(
        impl Entry for $t {
            const ZERO: Self = $zero as $t;
            const BLOCKS: bool = $blocks;

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

entries!(0, false, i8, i16, i32, i64, u8, u16, u32, u64; |a, b| a.wrapping_add(b), |a, b| a.wrapping_mul(b));
entries!(0, true, f32, f64; |a, b| a + b, |a, b| a * b);
entries!(Complex::<f32>::ZERO, false, Complex<f32>; |a, b| a + b, |a, b| a * b);
entries!(Complex::<f64>::ZERO, false, Complex<f64>; |a, b| a + b, |a, b| a * b);
entries!(false, false, bool; |a, b| a | b, |a, b| a & b);

/// The type of `indptr` and `indices`.
trait Index: Copy + Sync + Into<i64> {
    /// As a place in a slice: past the end of any, if it is negative.
    fn place(self) -> usize;
}

macro_rules! indices {
    ($($t:ty),*) => {$(
        impl Index for $t {
            #[inline]
            fn place(self) -> usize {
                self as usize
            }
        }
    )*};
}

indices!(i32, i64);

/// A matrix in compressed rows as its arrays, elements adjoining, and what it is multiplied by.
struct Product<'a, T, P, I> {
    indptr: &'a [P],
    indices: &'a [I],
    data: &'a [T],
    /// As many elements for each column of the matrix as `width`.
    x: &'a [T],
    columns: usize,
    width: usize,
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

/// Multiplies with the function for the types of indices.
///
/// # Safety
/// As for [`csr_times`]; elements of type `T`.
unsafe fn multiply<T: Entry>(ctx: &mut Ctx, arrays: &[Array; 5]) -> Result<(), Raised> {
    // SAFETY: the dtypes say the types.
    unsafe {
        match (arrays[0].dtype, arrays[1].dtype) {
            (DTypeCode::I32, DTypeCode::I32) => multiply_rows::<T, i32, i32>(ctx, arrays),
            (DTypeCode::I32, _) => multiply_rows::<T, i32, i64>(ctx, arrays),
            (_, DTypeCode::I32) => multiply_rows::<T, i64, i32>(ctx, arrays),
            _ => multiply_rows::<T, i64, i64>(ctx, arrays),
        }
    }
}

/// # Safety
/// As for [`csr_times`]; `indptr` of type `P`, `indices` of type `I`, other elements of type `T`.
unsafe fn multiply_rows<T: Entry, P: Index, I: Index>(
    ctx: &mut Ctx,
    arrays: &[Array; 5],
) -> Result<(), Raised> {
    let [indptr, indices, data, x, y] = arrays;
    let (mut starts, mut places, mut values, mut factors) = (vec![], vec![], vec![], vec![]);
    // SAFETY: by the caller's promise.
    let product = unsafe {
        Product {
            indptr: indptr.elements::<P>(&mut starts),
            indices: indices.elements::<I>(&mut places),
            data: data.elements::<T>(&mut values),
            x: x.elements::<T>(&mut factors),
            columns: x.dims.first().map_or(0, |&d| d as usize),
            width: x.dims.get(1).map_or(1, |&d| d as usize),
        }
    };
    let rows = product.indptr.len().saturating_sub(1).min(y.dims.first().map_or(0, |&d| d as usize));
    let cuts = product.cuts(rows);
    let out =
        Out { data: y.data, strides: [y.strides.first(), y.strides.get(1)].map(|s| s.copied().unwrap_or(0)) };
    let cost = (2 * PART).saturating_mul(product.width.max(1));
    parallel::for_each(ctx, cuts.len() - 1, cost, |range| {
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

impl Out {
    /// # Safety
    /// `i` and `c` are below the dimensions, whose elements are of type `T`.
    unsafe fn write<T>(&self, i: usize, c: usize, value: T) {
        let row = offset_by(self.data, i as i64 * self.strides[0]);
        // SAFETY: an element, by the caller's promise.
        unsafe { offset_by(row, c as i64 * self.strides[1]).cast::<T>().write_unaligned(value) };
    }

    /// # Safety
    /// As for [`Out::write`], of `W` columns from `c` on.
    #[inline(always)]
    unsafe fn write_block<T: Copy, const W: usize>(&self, i: usize, c: usize, values: [T; W]) {
        if self.strides[1] == size_of::<T>() as i64 {
            // SAFETY: elements that adjoin.
            return unsafe { self.write(i, c, values) };
        }
        for (k, value) in values.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { self.write(i, c + k, value) };
        }
    }
}

impl<T: Entry, P: Index, I: Index> Product<'_, T, P, I> {
    /// Where parts begin, and where the last one ends.
    fn cuts(&self, rows: usize) -> Vec<usize> {
        let entries = self.data.len().min(self.indices.len());
        let parts = (entries / PART).clamp(1, rows.max(1));
        // The first row with entries from part `p` on; anything between where `indptr` is in disorder.
        let cut = |p: usize| match p {
            0 => 0,
            p if p == parts => rows,
            p => {
                let first = entries as i128 * p as i128 / parts as i128;
                self.indptr[..rows].partition_point(|&begin| i128::from(begin.into()) < first)
            }
        };
        let mut cuts: Vec<usize> = (0..=parts).map(cut).collect();
        for p in 1..=parts {
            cuts[p] = cuts[p].max(cuts[p - 1]);
        }
        cuts
    }

    /// Writes rows of the result.
    ///
    /// # Safety
    /// `out` has these rows, `width` elements of type `T` each, that nothing else uses.
    unsafe fn rows(&self, rows: Range<usize>, out: &Out) -> Result<(), Error> {
        if self.width == 1 {
            for i in rows {
                let sum = self.row_times_vector(i)?;
                // SAFETY: the element of this row, by the caller's promise.
                unsafe { out.write(i, 0, sum) };
            }
            return Ok(());
        }
        if T::BLOCKS {
            // SAFETY: by the caller's promise.
            return unsafe { self.rows_by_blocks(rows, out) };
        }
        let mut sums = vec![T::ZERO; self.width];
        for i in rows {
            self.row_times_matrix(i, &mut sums)?;
            for (c, &sum) in sums.iter().enumerate() {
                // SAFETY: an element of this row, by the caller's promise.
                unsafe { out.write(i, c, sum) };
            }
        }
        Ok(())
    }

    /// Four entries at a time, added in their order.
    #[inline]
    fn row_times_vector(&self, i: usize) -> Result<T, Error> {
        let entries = self.entries(i)?;
        let (values, last_values) = self.data[entries.clone()].as_chunks::<4>();
        let (columns, last_columns) = self.indices[entries].as_chunks::<4>();
        let mut sum = T::ZERO;
        for (v, j) in values.iter().zip(columns) {
            let x = |k: usize| self.x.get(j[k].place());
            let (Some(&a), Some(&b), Some(&c), Some(&d)) = (x(0), x(1), x(2), x(3)) else {
                return Err(self.first_outside(i, j));
            };
            sum = sum.add(v[0].times(a)).add(v[1].times(b)).add(v[2].times(c)).add(v[3].times(d));
        }
        for (&v, &j) in last_values.iter().zip(last_columns) {
            match self.x.get(j.place()) {
                Some(&x) => sum = sum.add(v.times(x)),
                None => return Err(self.outside(i, j.into())),
            }
        }
        Ok(sum)
    }

    fn row_times_matrix(&self, i: usize, sums: &mut [T]) -> Result<(), Error> {
        sums.fill(T::ZERO);
        let entries = self.entries(i)?;
        for (&v, &j) in self.data[entries.clone()].iter().zip(&self.indices[entries]) {
            let place = j.place();
            if place >= self.columns {
                return Err(self.outside(i, j.into()));
            }
            let row = &self.x[place * self.width..][..self.width];
            sums.iter_mut().zip(row).for_each(|(sum, &x)| *sum = sum.add(v.times(x)));
        }
        Ok(())
    }

    /// As [`Product::rows`], of several columns, by the widest vectors that the machine has.
    ///
    /// # Safety
    /// As for [`Product::rows`].
    unsafe fn rows_by_blocks(&self, rows: Range<usize>, out: &Out) -> Result<(), Error> {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions; else by the caller's promise.
            return unsafe { self.rows_by_avx2(rows, out) };
        }
        // SAFETY: by the caller's promise.
        unsafe { self.rows_of_any_width(rows, out) }
    }

    /// # Safety
    /// As for [`Product::rows`].
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn rows_by_avx2(&self, rows: Range<usize>, out: &Out) -> Result<(), Error> {
        // SAFETY: by the caller's promise.
        unsafe { self.rows_of_any_width(rows, out) }
    }

    /// # Safety
    /// As for [`Product::rows`].
    #[inline(always)]
    unsafe fn rows_of_any_width(&self, rows: Range<usize>, out: &Out) -> Result<(), Error> {
        let width = self.width;
        // SAFETY: all blocks lie within the width, rows within what the caller promises.
        unsafe {
            match width {
                2 => self.columns::<2>(rows, out, 0, 2),
                3 => self.columns::<3>(rows, out, 0, 3),
                4 => self.columns::<4>(rows, out, 0, 4),
                8 => self.columns::<8>(rows, out, 0, 8),
                BLOCK => self.columns::<BLOCK>(rows, out, 0, BLOCK),
                _ => {
                    for start in rows.clone().step_by(ROWS) {
                        self.blocks(start..rows.end.min(start + ROWS), out)?;
                    }
                    Ok(())
                }
            }
        }
    }

    /// Some rows, so few that their entries stay in the processor's cache, a block of columns after the other.
    ///
    /// # Safety
    /// As for [`Product::rows`].
    #[inline(always)]
    unsafe fn blocks(&self, rows: Range<usize>, out: &Out) -> Result<(), Error> {
        let width = self.width;
        let mut c = 0;
        // SAFETY: so many columns are left, of rows that are there by the caller's promise.
        unsafe {
            while width - c >= BLOCK {
                self.columns::<BLOCK>(rows.clone(), out, c, width)?;
                c += BLOCK;
            }
            if width - c >= 8 {
                self.columns::<8>(rows.clone(), out, c, width)?;
                c += 8;
            }
            match width - c {
                1 => self.columns::<1>(rows, out, c, width),
                2 => self.columns::<2>(rows, out, c, width),
                3 => self.columns::<3>(rows, out, c, width),
                4 => self.columns::<4>(rows, out, c, width),
                5 => self.columns::<5>(rows, out, c, width),
                6 => self.columns::<6>(rows, out, c, width),
                7 => self.columns::<7>(rows, out, c, width),
                _ => Ok(()),
            }
        }
    }

    /// `W` columns of rows, from `c` on.
    ///
    /// # Safety
    /// As for [`Product::rows`]; the columns are below the width.
    #[inline(always)]
    unsafe fn columns<const W: usize>(
        &self,
        rows: Range<usize>,
        out: &Out,
        c: usize,
        width: usize,
    ) -> Result<(), Error> {
        for i in rows {
            let entries = self.entries(i)?;
            // SAFETY: by the caller's promise.
            unsafe { out.write_block(i, c, self.block::<W>(i, entries, c, width)?) };
        }
        Ok(())
    }

    /// A row's sums for `W` columns from `c` on, entries added in their order. `width` is the product's, said again where the
    /// compiler knows it.
    ///
    /// # Safety
    /// The product has these columns.
    #[inline(always)]
    unsafe fn block<const W: usize>(
        &self,
        i: usize,
        entries: Range<usize>,
        c: usize,
        width: usize,
    ) -> Result<[T; W], Error> {
        let mut sums = [T::ZERO; W];
        for (&v, &j) in self.data[entries.clone()].iter().zip(&self.indices[entries]) {
            let place = j.place();
            if place >= self.columns {
                return Err(self.outside(i, j.into()));
            }
            // SAFETY: the row is within, and has these columns by the caller's promise.
            let x = unsafe { self.x.as_ptr().add(place * width + c).cast::<[T; W]>().read() };
            sums.iter_mut().zip(x).for_each(|(sum, x)| *sum = sum.add(v.times(x)));
        }
        Ok(sums)
    }

    /// The places of a row's entries.
    #[inline]
    fn entries(&self, i: usize) -> Result<Range<usize>, Error> {
        let (begin, end) = (self.indptr[i], self.indptr[i + 1]);
        let stored = self.indices.len().min(self.data.len());
        // A negative beginning is past any end.
        if begin.place() <= end.place() && end.place() <= stored {
            return Ok(begin.place()..end.place());
        }
        Err(misplaced(i, begin.into(), end.into(), stored))
    }

    /// For the first of these indices that is outside.
    #[cold]
    fn first_outside(&self, i: usize, columns: &[I]) -> Error {
        let first = columns.iter().find(|j| j.place() >= self.columns).expect("one is outside");
        self.outside(i, (*first).into())
    }

    #[cold]
    fn outside(&self, i: usize, j: i64) -> Error {
        Error::value(format!("row {i} of the sparse matrix has index {j}, not below {}", self.columns))
    }
}

/// A row that does not lie within what is stored.
#[cold]
fn misplaced(i: usize, begin: i64, end: i64, stored: usize) -> Error {
    if begin < 0 {
        return Error::value(format!("row {i} of the sparse matrix begins at {begin}"));
    }
    Error::value(format!(
        "row {i} of the sparse matrix has entries {begin} to {end}, but {stored} are stored"
    ))
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
            self.times_into(x, width, 2)
        }

        /// Elements of the result are so many apart.
        fn times_into(&mut self, x: &mut [f64], width: usize, apart: usize) -> Result<Vec<f64>, String> {
            let rows = self.indptr.len() - 1;
            let mut y = vec![f64::NAN; rows * width * apart];
            let columns = (x.len() / width) as i64;
            let p = contiguous(self.indptr.as_mut_ptr(), DTypeCode::I32, &[rows as i64 + 1]);
            let i = contiguous(self.indices.as_mut_ptr(), DTypeCode::I64, &[self.indices.len() as i64]);
            let d = contiguous(self.data.as_mut_ptr(), DTypeCode::F64, &[self.data.len() as i64]);
            let (shape, out_shape) = ([columns, width as i64], [rows as i64, width as i64]);
            let rank = if width == 1 { 1 } else { 2 };
            let x = contiguous(x.as_mut_ptr(), DTypeCode::F64, &shape[..rank]);
            let step = apart as i64;
            let strides = [step * width as i64, step];
            let out = view(y.as_mut_ptr(), DTypeCode::F64, &out_shape[..rank], &strides[..rank]);
            let mut c = ctx();
            // SAFETY: valid arrays.
            match unsafe { csr_times(&mut c, &p.array, &i.array, &d.array, &x.array, &out.array) } {
                0 => Ok(y.into_iter().step_by(apart).collect()),
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
        for (rows, width) in [(6000, 1), (6000, 3), (40, 1), (40, 3), (1, 1), (0, 1)] {
            if cfg!(miri) && rows == 6000 {
                continue;
            }
            let mut a = Csr::new(rows, 5000);
            let mut x: Vec<f64> = (0..5000 * width).map(|i| (i % 17) as f64).collect();
            let expected = a.slowly(&x, width);
            assert_eq!(a.times(&mut x, width).unwrap(), expected);
        }
    }

    #[test]
    fn columns_of_any_number() {
        for width in [2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 24, 31, 39, 64] {
            let mut a = Csr::new(70, 60);
            let mut x: Vec<f64> = (0..60 * width).map(|i| (i % 17) as f64).collect();
            let expected = a.slowly(&x, width);
            for apart in [1, 2] {
                assert_eq!(a.times_into(&mut x, width, apart).unwrap(), expected, "{width} columns");
            }
            let at = a.indptr[66] as usize;
            (a.indices[at], a.indices[at + 1]) = (-3, 60);
            let message = "row 66 of the sparse matrix has index -3, not below 60";
            assert_eq!(a.times(&mut x, width).unwrap_err(), message);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long: a matrix worth several threads")]
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
        let at = a.indptr[48] as usize;
        assert!(a.indptr[49] as usize >= at + 8, "two fours");
        (a.indices[at + 6], a.indices[at + 7]) = (6000, 7000);
        assert_eq!(
            a.times(&mut x, 1).unwrap_err(),
            "row 48 of the sparse matrix has index 6000, not below 5000"
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
