//! Solutions of sparse systems by a LU factorization, in double precision.

use crate::linalg::{Matrix, Number};
use faer::prelude::Solve;
use faer::sparse::{CreationError, SparseColMat, Triplet};

/// An entry is outside of the matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outside;

/// The `x` with `a x = b`, where `a` is square and sparse: its entries, of which those of one place are added. NaN throughout
/// where `a` is singular.
///
/// # Errors
/// An entry is outside of the matrix.
///
/// # Panics
/// Memory does not suffice.
pub fn solve<T: Number>(
    entries: impl Iterator<Item = (i64, i64, T)>,
    b: &Matrix<T>,
) -> Result<Matrix<T>, Outside> {
    let n = b.nrows();
    let place = |index: i64| usize::try_from(index).map_err(|_| Outside);
    let entry = |(row, column, val)| Ok(Triplet { row: place(row)?, col: place(column)?, val });
    let entries: Vec<Triplet<usize, usize, T>> = entries.map(entry).collect::<Result<_, Outside>>()?;
    let is_finite = |x: &T| x.complex().is_finite();
    let finite = entries.iter().all(|entry| is_finite(&entry.val)) && all(b, is_finite);
    let a = match SparseColMat::try_new_from_triplets(n, n, &entries) {
        Ok(a) => a,
        Err(CreationError::OutOfBounds { .. }) => return Err(Outside),
        Err(CreationError::Generic(error)) => panic!("{error}"),
    };
    let singular = || Matrix::from_fn(n, b.ncols(), |_, _| T::of(f64::NAN.into()));
    // A column without entries has no pivot.
    if n == 0 || b.ncols() == 0 {
        return Ok(b.clone());
    }
    let Ok(factors) = a.sp_lu() else { return Ok(singular()) };
    let x = factors.solve(b);
    Ok(if finite && !all(&x, is_finite) { singular() } else { x })
}

fn all<T: Number>(matrix: &Matrix<T>, holds: impl Fn(&T) -> bool) -> bool {
    matrix.col_iter().all(|column| column.iter().all(&holds))
}

#[cfg(test)]
mod tests {
    use super::{Outside, solve};
    use crate::linalg::Matrix;
    use num_complex::Complex;

    fn column(values: &[f64]) -> Matrix<f64> {
        Matrix::from_fn(values.len(), 1, |i, _| values[i])
    }

    #[test]
    fn entries_of_one_place_are_added() {
        let entries = [(0, 1, 1.0), (1, 0, 4.0), (0, 1, 1.0)];
        let x = solve(entries.into_iter(), &column(&[6.0, 8.0])).unwrap();
        assert_eq!([x[(0, 0)], x[(1, 0)]], [2.0, 3.0]);
    }

    #[test]
    fn singular_matrices_give_nan() {
        let no_pivot = [(0, 0, 1.0), (1, 1, 0.0)];
        let no_entry = [(0, 0, 1.0), (0, 1, 1.0)];
        let dependent = [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 4.0)];
        for entries in [no_pivot.as_slice(), &no_entry, &dependent, &[]] {
            let x = solve(entries.iter().copied(), &column(&[1.0, 1.0])).unwrap();
            assert!(x[(0, 0)].is_nan() && x[(1, 0)].is_nan(), "{entries:?}");
        }
    }

    #[test]
    fn what_is_not_finite_goes_through() {
        let x = solve([(0, 0, 2.0), (1, 1, 4.0)].into_iter(), &column(&[f64::INFINITY, 8.0])).unwrap();
        assert!(x[(0, 0)].is_infinite());
        let x = solve([(0, 0, f64::NAN), (1, 1, 4.0)].into_iter(), &column(&[1.0, 8.0])).unwrap();
        assert!(x[(0, 0)].is_nan());
    }

    #[test]
    fn complex_systems_and_none() {
        let i = Complex::new(0.0, 1.0);
        let b = Matrix::from_fn(1, 2, |_, j| i * if j == 0 { 1.0 } else { 3.0 });
        let x = solve([(0, 0, i)].into_iter(), &b).unwrap();
        assert_eq!([x[(0, 0)].re, x[(0, 1)].re], [1.0, 3.0]);
        assert_eq!(solve(std::iter::empty::<(i64, i64, f64)>(), &column(&[])).unwrap().nrows(), 0);
    }

    #[test]
    fn places_outside_are_errors() {
        for place in [(0, 1), (1, 0), (-1, 0), (0, -1)] {
            let entries = [(0, 0, 1.0), (place.0, place.1, 1.0)];
            assert_eq!(solve(entries.into_iter(), &column(&[1.0])).unwrap_err(), Outside);
        }
    }
}
