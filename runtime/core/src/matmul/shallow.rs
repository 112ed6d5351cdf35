//! Products of matrices of which few numbers make an element: points by a rotation, outer products.
//!
//! What the `gemm` crate does first, copying parts of both matrices, takes longer than such a product does.

use std::ops::{Add, Mul};

/// Numbers that make an element, at most.
pub const DEEPEST: usize = 4;
/// Columns that are kept in registers, at most.
const FEW: usize = 4;
/// Columns from which rows are long enough for loops over them; for those between, the `gemm` crate takes less time.
const LONG: usize = 64;
/// Fewer rows are not worth a copy of the right matrix.
const LEAST_ROWS: usize = 4;

/// What elements of a product are made of.
pub trait Number: Copy + Default + Add<Output = Self> + Mul<Output = Self> + Send + Sync {}
impl<T: Copy + Default + Add<Output = T> + Mul<Output = T> + Send + Sync> Number for T {}

/// Whether a product is one of these.
pub const fn suits(rows: usize, depth: usize, columns: usize) -> bool {
    let is_shallow = 0 < depth && depth <= DEEPEST && rows >= LEAST_ROWS;
    is_shallow && (0 < columns && columns <= FEW || columns >= LONG)
}

/// A matrix in memory, and the steps from row to row and column to column.
#[derive(Clone, Copy)]
pub struct Strided<T> {
    pub data: *const T,
    pub row: isize,
    pub column: isize,
}

// SAFETY: elements are read alone.
unsafe impl<T: Sync> Sync for Strided<T> {}

impl<T: Copy> Strided<T> {
    /// The rows from one on.
    pub const fn rows_from(self, row: usize) -> Self {
        Self { data: self.data.wrapping_offset(row as isize * self.row), ..self }
    }

    /// # Safety
    /// The matrix has such an element.
    unsafe fn at(self, row: usize, column: usize) -> T {
        // SAFETY: by the caller's promise.
        unsafe { *self.data.offset(row as isize * self.row + column as isize * self.column) }
    }

    /// The elements by rows.
    ///
    /// # Safety
    /// The matrix is that large.
    pub unsafe fn by_rows(self, rows: usize, columns: usize) -> Vec<T> {
        let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        // SAFETY: by the caller's promise.
        places.map(|(i, j)| unsafe { self.at(i, j) }).collect()
    }
}

/// `out = a @ b` for as many rows as `out` has; `b` by rows, of `n` columns, more than none.
///
/// # Safety
/// `a` has these rows, of as many columns as `b` has rows: at most [`DEEPEST`].
pub unsafe fn multiply<T: Number>(a: Strided<T>, b: &[T], out: &mut [T], n: usize) {
    // SAFETY: by the caller's promise.
    unsafe {
        match b.len() / n {
            1 => with_depth::<T, 1>(a, b, out, n),
            2 => with_depth::<T, 2>(a, b, out, n),
            3 => with_depth::<T, 3>(a, b, out, n),
            _ => with_depth::<T, 4>(a, b, out, n),
        }
    }
}

/// # Safety
/// As [`multiply`].
unsafe fn with_depth<T: Number, const K: usize>(a: Strided<T>, b: &[T], out: &mut [T], n: usize) {
    // SAFETY: by the caller's promise.
    unsafe {
        match n {
            1 => few::<T, K, 1>(a, b, out),
            2 => few::<T, K, 2>(a, b, out),
            3 => few::<T, K, 3>(a, b, out),
            FEW => few::<T, K, FEW>(a, b, out),
            #[cfg(target_arch = "x86_64")]
            _ if is_x86_feature_detected!("avx2") => many_in_wide_vectors::<T, K>(a, b, out, n),
            _ => many::<T, K>(a, b, out, n),
        }
    }
}

/// # Safety
/// As [`multiply`].
unsafe fn few<T: Number, const K: usize, const N: usize>(a: Strided<T>, b: &[T], out: &mut [T]) {
    let b: [[T; N]; K] = std::array::from_fn(|l| std::array::from_fn(|j| b[l * N + j]));
    for (i, row) in out.chunks_exact_mut(N).enumerate() {
        // SAFETY: `a` has these rows, and K columns.
        let x: [T; K] = std::array::from_fn(|l| unsafe { a.at(i, l) });
        let sums: [T; N] = std::array::from_fn(|j| (0..K).fold(T::default(), |sum, l| sum + x[l] * b[l][j]));
        row.copy_from_slice(&sums);
    }
}

/// # Safety
/// As [`multiply`], on a processor with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn many_in_wide_vectors<T: Number, const K: usize>(a: Strided<T>, b: &[T], out: &mut [T], n: usize) {
    // SAFETY: by the caller's promise.
    unsafe { many::<T, K>(a, b, out, n) }
}

/// # Safety
/// As [`multiply`].
#[inline(always)]
unsafe fn many<T: Number, const K: usize>(a: Strided<T>, b: &[T], out: &mut [T], n: usize) {
    let b: [&[T]; K] = std::array::from_fn(|l| &b[l * n..(l + 1) * n]);
    for (i, row) in out.chunks_exact_mut(n).enumerate() {
        // SAFETY: `a` has these rows, and K columns.
        let x: [T; K] = std::array::from_fn(|l| unsafe { a.at(i, l) });
        for (j, element) in row.iter_mut().enumerate() {
            *element = (0..K).fold(T::default(), |sum, l| sum + x[l] * b[l][j]);
        }
    }
}
