//! `np.linalg`: the table's solutions and factorizations, of arrays of any strides.
//!
//! Everything is computed in double precision; the elements of float32 and complex64 are rounded at the end.
//!
//! Unsafe here: arrays that generated code passes; what is written overlaps nothing.

use crate::array::{Array, offset_by};
use crate::errors::{Error, guard};
use num_complex::Complex;
use pydd_abi::{ArrayRef, Ctx, DTypeCode, ExcKind, Status};
use pydd_numeric::linalg::{self, Matrix, Number, Routine};
use pydd_numeric::sparse;

/// Rows of a matrix whose factorization takes a while.
const LONG: i64 = 40;

macro_rules! entry {
    ($name:ident, $routine:expr, $inputs:literal, ($($array:ident),*)) => {
        #[doc = concat!("The table's `", stringify!($name), "`.")]
        ///
        /// # Safety
        /// Valid arrays of floats or complex numbers; those that are written overlap nothing.
        pub unsafe extern "C" fn $name(ctx: *mut Ctx, $($array: *const ArrayRef),*) -> Status {
            // SAFETY: by the caller's promise.
            unsafe { run(ctx, $routine, $inputs, &[$($array),*]) }
        }
    };
}

entry!(solve, Routine::Solve, 2, (a, b, x));
entry!(slogdet, Routine::Slogdet, 1, (a, out));
entry!(cholesky, Routine::Cholesky, 1, (a, out));
entry!(qr, Routine::Qr, 1, (a, q, r));
entry!(svd, Routine::Svd, 1, (a, u, s, vh));
entry!(eigh, Routine::Eigh, 1, (a, w, v));
entry!(eig, Routine::Eig, 1, (a, w, v));

/// # Safety
/// Valid arrays of floats or complex numbers, of rank 1 or 2; nothing else uses those from `inputs` on.
unsafe fn run(ctx: *mut Ctx, routine: Routine, inputs: usize, arrays: &[*const ArrayRef]) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let arrays: Vec<Array> = arrays.iter().map(|&a| unsafe { Array::new(&*a) }).collect();
        if arrays[0].dims.iter().any(|&d| d > LONG) {
            // SAFETY: `ctx` is this call's.
            crate::host::give_lock_away(unsafe { &mut *ctx });
        }
        let (from, to) = arrays.split_at(inputs);
        let complex = arrays.iter().any(|a| matches!(a.dtype, DTypeCode::C64 | DTypeCode::C128));
        // SAFETY: as above.
        unsafe {
            if complex { solved::<Complex<f64>>(routine, from, to) } else { solved::<f64>(routine, from, to) }
        }
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// The table's `sparse_solve`.
///
/// # Safety
/// Vectors of int64 for places and, of one dtype, float64 or complex128, a vector and two matrices, the last of which nothing
/// else uses.
pub unsafe extern "C" fn sparse_solve(
    ctx: *mut Ctx,
    rows: *const ArrayRef,
    columns: *const ArrayRef,
    data: *const ArrayRef,
    b: *const ArrayRef,
    x: *const ArrayRef,
) -> Status {
    let body = || {
        // SAFETY: by the caller's promise.
        let arrays = [rows, columns, data, b, x].map(|a| unsafe { Array::new(&*a) });
        if arrays[2].dims[0] > LONG {
            // SAFETY: `ctx` is this call's.
            crate::host::give_lock_away(unsafe { &mut *ctx });
        }
        // SAFETY: as above; the dtype says the type.
        unsafe {
            if arrays[2].dtype == DTypeCode::C128 {
                solve_sparse::<Complex<f64>>(&arrays)
            } else {
                solve_sparse::<f64>(&arrays)
            }
        }
    };
    // SAFETY: `ctx` is this call's.
    unsafe { guard(ctx, body) }
}

/// # Safety
/// Arrays as for [`sparse_solve`].
unsafe fn solve_sparse<T: Number>([rows, columns, data, b, out]: &[Array; 5]) -> Result<(), Error> {
    // SAFETY: by the caller's promise.
    let [rows, columns] = unsafe { [rows.pack::<i64>(), columns.pack::<i64>()] };
    let count = shape(data).0;
    // SAFETY: within the dimensions.
    let entries = (0..count).map(|k| (rows[k], columns[k], T::of(unsafe { read(data, k, 0) })));
    let (n, width) = shape(b);
    // SAFETY: as above.
    let b = Matrix::from_fn(n, width, |i, j| T::of(unsafe { read(b, i, j) }));
    let x = sparse::solve(entries, &b)
        .map_err(|sparse::Outside| Error::value("an index of the sparse matrix is outside of it"))?;
    for j in 0..width {
        for i in 0..n {
            // SAFETY: within the dimensions; nothing else uses the array.
            unsafe { write(out, i, j, x[(i, j)].complex()) };
        }
    }
    Ok(())
}

/// Rows and columns; a vector is a column.
fn shape(a: &Array) -> (usize, usize) {
    let length = |axis: usize| a.dims.get(axis).map_or(1, |&d| usize::try_from(d).unwrap_or(0));
    (length(0), length(1))
}

/// # Safety
/// Arrays as for [`run`].
unsafe fn solved<T: Number>(routine: Routine, from: &[Array], to: &[Array]) -> Result<(), Error> {
    let inputs: Vec<Matrix<T>> = from
        .iter()
        .map(|a| {
            let (rows, columns) = shape(a);
            // SAFETY: within the dimensions.
            Matrix::from_fn(rows, columns, |i, j| T::of(unsafe { read(a, i, j) }))
        })
        .collect();
    let shapes: Vec<_> = to.iter().map(shape).collect();
    let results = linalg::run(routine, &inputs, &shapes)
        .map_err(|failure| Error::new(ExcKind::LinAlgError, failure.message()))?;
    for (result, out) in results.iter().zip(to) {
        if result.shape() != shape(out) {
            return Err(Error::value("the arrays of a factorization do not fit together"));
        }
        for j in 0..result.ncols() {
            for i in 0..result.nrows() {
                // SAFETY: within the dimensions; nothing else uses the array.
                unsafe { write(out, i, j, result[(i, j)].complex()) };
            }
        }
    }
    Ok(())
}

/// The address of an element.
fn place(a: &Array, i: usize, j: usize) -> *mut u8 {
    let at = |axis: usize, index: usize| a.strides.get(axis).map_or(0, |s| s * index as i64);
    offset_by(a.data, at(0, i) + at(1, j))
}

/// # Safety
/// An element within the dimensions of an array of floats or complex numbers.
unsafe fn read(a: &Array, i: usize, j: usize) -> Complex<f64> {
    let at = place(a, i, j);
    // SAFETY: by the caller's promise, an element of this type.
    unsafe {
        match a.dtype {
            DTypeCode::F32 => f64::from(at.cast::<f32>().read_unaligned()).into(),
            DTypeCode::C64 => {
                let z = at.cast::<Complex<f32>>().read_unaligned();
                Complex::new(z.re.into(), z.im.into())
            }
            DTypeCode::C128 => at.cast::<Complex<f64>>().read_unaligned(),
            _ => at.cast::<f64>().read_unaligned().into(),
        }
    }
}

/// # Safety
/// As [`read`].
#[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
unsafe fn write(a: &Array, i: usize, j: usize, z: Complex<f64>) {
    let at = place(a, i, j);
    // SAFETY: by the caller's promise, an element of this type.
    unsafe {
        match a.dtype {
            DTypeCode::F32 => at.cast::<f32>().write_unaligned(z.re as f32),
            DTypeCode::C64 => {
                at.cast::<Complex<f32>>().write_unaligned(Complex::new(z.re as f32, z.im as f32));
            }
            DTypeCode::C128 => at.cast::<Complex<f64>>().write_unaligned(z),
            _ => at.cast::<f64>().write_unaligned(z.re),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contiguous, ctx, error, view};

    #[test]
    fn arrays_of_any_stride_and_type_are_solved() {
        let mut a: Vec<f32> = vec![2.0, 0.0, 1.0, 0.0, 0.0, 4.0];
        let (mut b, mut x) = (vec![3.0_f32, 8.0], vec![0.0_f32; 2]);
        let av = view(a.as_mut_ptr(), DTypeCode::F32, &[2, 2], &[1, 2]);
        let bv = contiguous(b.as_mut_ptr(), DTypeCode::F32, &[2]);
        let xv = contiguous(x.as_mut_ptr(), DTypeCode::F32, &[2]);
        let mut c = ctx();
        // SAFETY: valid arrays. The matrix is [[2, 1], [0, 0]] at first.
        assert_eq!(unsafe { solve(&mut c, &av.array, &bv.array, &xv.array) }, 1);
        assert_eq!(error(&mut c), (ExcKind::LinAlgError as u32, "Singular matrix".to_owned()));
        a[3] = 4.0;
        // SAFETY: valid arrays.
        assert_eq!(unsafe { solve(&mut c, &av.array, &bv.array, &xv.array) }, 0);
        assert_eq!(x, [0.5, 2.0]);
    }

    #[test]
    fn complex_factors_have_real_singular_values() {
        let mut a =
            vec![Complex::new(0.0, 3.0), Complex::default(), Complex::default(), Complex::new(4.0, 0.0)];
        let (mut s, mut none) = (vec![0.0_f64; 2], vec![Complex::<f64>::default(); 1]);
        let av = contiguous(a.as_mut_ptr(), DTypeCode::C128, &[2, 2]);
        let sv = contiguous(s.as_mut_ptr(), DTypeCode::F64, &[2]);
        let nv = contiguous(none.as_mut_ptr(), DTypeCode::C128, &[0, 0]);
        // SAFETY: valid arrays.
        assert_eq!(unsafe { svd(&mut ctx(), &av.array, &nv.array, &sv.array, &nv.array) }, 0);
        assert!((s[0] - 4.0).abs() < 1e-12 && (s[1] - 3.0).abs() < 1e-12);
    }
}
