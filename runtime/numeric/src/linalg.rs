//! Solutions and factorizations of one matrix, in double precision.

pub use faer::Mat as Matrix;
use faer::prelude::Solve;
use faer::traits::ComplexField;
use faer::{Mat, MatRef, Side};
use num_complex::Complex;
use std::cmp::Ordering;

/// What is computed. Vectors are matrices of one column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Routine {
    /// `a, b → x` with `a x = b`.
    Solve,
    /// `a → [sign, log |det a|]`.
    Slogdet,
    /// `a → l`, lower triangular, `l lᴴ = a`; the lower triangle of `a` is read.
    Cholesky,
    /// `a → q, r`; `q` has as many columns as asked for.
    Qr,
    /// `a → u, s, vᴴ`; `u` and `vᴴ` as large as asked for, nothing where empty ones are.
    Svd,
    /// `a → w, v`: ascending eigenvalues and eigenvectors (unless `v` is empty); the lower triangle is read.
    Eigh,
    /// `a → w, v`, of a complex matrix.
    Eig,
}

/// Why there is no result: all are NumPy's LinAlgError.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    Singular,
    NotPositiveDefinite,
    Svd,
    Eigenvalues,
    NotFinite,
}

impl Failure {
    /// NumPy's text.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Singular => "Singular matrix",
            Self::NotPositiveDefinite => "Matrix is not positive definite",
            Self::Svd => "SVD did not converge",
            Self::Eigenvalues => "Eigenvalues did not converge",
            Self::NotFinite => "Array must not contain infs or NaNs",
        }
    }
}

/// The numbers that matrices are made of: `f64` and `Complex<f64>`.
pub trait Number: ComplexField<Real = f64> + Copy {
    fn of(z: Complex<f64>) -> Self;
    fn complex(self) -> Complex<f64>;
    /// Eigenvalues and eigenvectors (where wanted) of a square matrix, if they are of this type.
    fn eigen(a: MatRef<'_, Self>, vectors: bool) -> Result<(Vec<Self>, Mat<Self>), Failure>;
}

impl Number for f64 {
    fn of(z: Complex<f64>) -> Self {
        z.re
    }

    fn complex(self) -> Complex<f64> {
        self.into()
    }

    fn eigen(_: MatRef<'_, Self>, _: bool) -> Result<(Vec<Self>, Mat<Self>), Failure> {
        Err(Failure::Eigenvalues)
    }
}

impl Number for Complex<f64> {
    fn of(z: Complex<f64>) -> Self {
        z
    }

    fn complex(self) -> Complex<f64> {
        self
    }

    fn eigen(a: MatRef<'_, Self>, vectors: bool) -> Result<(Vec<Self>, Mat<Self>), Failure> {
        let failed = |_| Failure::Eigenvalues;
        if !vectors {
            return Ok((a.eigenvalues().map_err(failed)?, Mat::new()));
        }
        let eigen = a.eigen().map_err(failed)?;
        let mut v = eigen.U().to_owned();
        // LAPACK's eigenvectors have length 1, and a largest element that is real.
        for j in 0..v.ncols() {
            let larger = |a: Complex<f64>, b: Complex<f64>| if b.norm_sqr() > a.norm_sqr() { b } else { a };
            let largest = v.col(j).iter().copied().reduce(larger).unwrap_or_default();
            let turn = largest.conj() / largest.norm() / v.col(j).norm_l2();
            v.col_mut(j).iter_mut().for_each(|z| *z *= turn);
        }
        Ok((eigen.S().column_vector().iter().copied().collect(), v))
    }
}

fn column<T: Number>(values: impl Iterator<Item = T>) -> Mat<T> {
    let values: Vec<T> = values.collect();
    Mat::from_fn(values.len(), 1, |i, _| values[i])
}

fn is_finite<T: Number>(a: MatRef<'_, T>) -> bool {
    a.col_iter().all(|c| c.iter().all(|x| x.complex().is_finite()))
}

/// Runs a routine on matrices of the right shapes: `shapes` are those of the results.
///
/// # Errors
/// Where NumPy raises a LinAlgError.
pub fn run<T: Number>(
    routine: Routine,
    inputs: &[Mat<T>],
    shapes: &[(usize, usize)],
) -> Result<Vec<Mat<T>>, Failure> {
    let a = inputs[0].as_ref();
    match routine {
        Routine::Solve => solve(a, &inputs[1]).map(|x| vec![x]),
        Routine::Slogdet => Ok(vec![slogdet(a)]),
        Routine::Cholesky => cholesky(a).map(|l| vec![l]),
        Routine::Qr => Ok(qr(a, shapes[0].1)),
        Routine::Svd => svd(a, shapes),
        Routine::Eigh => eigh(a, shapes[1].0 > 0),
        Routine::Eig => {
            if !is_finite(a) {
                return Err(Failure::NotFinite);
            }
            let (w, v) = T::eigen(a, shapes[1].0 > 0)?;
            Ok(vec![column(w.into_iter()), v])
        }
    }
}

fn solve<T: Number>(a: MatRef<'_, T>, b: &Mat<T>) -> Result<Mat<T>, Failure> {
    let lu = a.partial_piv_lu();
    let singular = (0..a.nrows()).any(|i| lu.U()[(i, i)].complex() == Complex::ZERO);
    if singular { Err(Failure::Singular) } else { Ok(lu.solve(b)) }
}

fn slogdet<T: Number>(a: MatRef<'_, T>) -> Mat<T> {
    let lu = a.partial_piv_lu();
    let (rows, _) = lu.P().arrays();
    let odd = (rows.len() - cycles(rows)) % 2 == 1;
    let mut sign = Complex::new(if odd { -1.0 } else { 1.0 }, 0.0);
    let mut log = 0.0;
    for i in 0..a.nrows() {
        let pivot = lu.U()[(i, i)].complex();
        if pivot == Complex::ZERO {
            return column([Complex::ZERO, Complex::new(f64::NEG_INFINITY, 0.0)].map(T::of).into_iter());
        }
        let size = if pivot.im == 0.0 { pivot.re.abs() } else { pivot.norm() };
        sign *= pivot / size;
        log += size.ln();
    }
    column([sign, Complex::new(log, 0.0)].map(T::of).into_iter())
}

/// The number of cycles of a permutation.
fn cycles(to: &[usize]) -> usize {
    let mut seen = vec![false; to.len()];
    let mut count = 0;
    for start in 0..to.len() {
        let mut at = start;
        count += usize::from(!seen[start]);
        while !std::mem::replace(&mut seen[at], true) {
            at = to[at];
        }
    }
    count
}

fn cholesky<T: Number>(a: MatRef<'_, T>) -> Result<Mat<T>, Failure> {
    let n = a.nrows();
    let lower =
        |l: MatRef<'_, T>| Mat::from_fn(n, n, |i, j| if i >= j { l[(i, j)] } else { T::of(Complex::ZERO) });
    match a.llt(Side::Lower) {
        Ok(llt) => Ok(lower(llt.L())),
        Err(_) => slow_cholesky(a).map(|l| lower(l.as_ref())),
    }
}

/// As LAPACK does it for small matrices: a pivot that is NaN is no failure.
fn slow_cholesky<T: Number>(a: MatRef<'_, T>) -> Result<Mat<T>, Failure> {
    let mut l = a.to_owned();
    for j in 0..a.nrows() {
        let dot = |l: &Mat<T>, i: usize| -> Complex<f64> {
            (0..j).map(|k| l[(i, k)].complex() * l[(j, k)].complex().conj()).sum()
        };
        let pivot = (a[(j, j)].complex() - dot(&l, j)).re;
        if pivot <= 0.0 {
            return Err(Failure::NotPositiveDefinite);
        }
        l[(j, j)] = T::of(pivot.sqrt().into());
        for i in j + 1..a.nrows() {
            l[(i, j)] = T::of((a[(i, j)].complex() - dot(&l, i)) / pivot.sqrt());
        }
    }
    Ok(l)
}

fn qr<T: Number>(a: MatRef<'_, T>, columns: usize) -> Vec<Mat<T>> {
    let nan = T::of(Complex::new(f64::NAN, f64::NAN));
    if !is_finite(a) {
        let above = |i: usize, j: usize| if i <= j { nan } else { T::of(Complex::ZERO) };
        return vec![Mat::from_fn(a.nrows(), columns, |_, _| nan), Mat::from_fn(columns, a.ncols(), above)];
    }
    let qr = a.qr();
    let q = if columns > a.nrows().min(a.ncols()) { qr.compute_Q() } else { qr.compute_thin_Q() };
    let r = qr.thin_R();
    let above = |i: usize, j: usize| if i <= j { r[(i, j)] } else { T::of(Complex::ZERO) };
    let r = Mat::from_fn(q.ncols(), a.ncols(), above);
    vec![q, r]
}

fn svd<T: Number>(a: MatRef<'_, T>, shapes: &[(usize, usize)]) -> Result<Vec<Mat<T>>, Failure> {
    if !is_finite(a) {
        return Err(Failure::Svd);
    }
    let real = |s: &f64| T::of(Complex::new(*s, 0.0));
    if shapes[0].0 == 0 && shapes[2].1 == 0 {
        let s = a.singular_values().map_err(|_| Failure::Svd)?;
        return Ok(vec![Mat::new(), column(s.iter().map(real)), Mat::new()]);
    }
    let thin = shapes[0].1 == a.nrows().min(a.ncols()) && shapes[2].0 == a.nrows().min(a.ncols());
    let svd = if thin { a.thin_svd() } else { a.svd() }.map_err(|_| Failure::Svd)?;
    let s = column(svd.S().column_vector().iter().copied());
    Ok(vec![svd.U().to_owned(), s, svd.V().adjoint().to_owned()])
}

/// The Hermitian matrix that has this lower triangle; nothing else is read, nor imaginary parts on the diagonal.
fn by_lower_triangle<T: Number>(a: MatRef<'_, T>) -> Mat<T> {
    Mat::from_fn(a.nrows(), a.nrows(), |i, j| match i.cmp(&j) {
        Ordering::Greater => a[(i, j)],
        Ordering::Equal => T::of(Complex::new(a[(i, i)].complex().re, 0.0)),
        Ordering::Less => T::of(a[(j, i)].complex().conj()),
    })
}

fn eigh<T: Number>(a: MatRef<'_, T>, vectors: bool) -> Result<Vec<Mat<T>>, Failure> {
    let a = by_lower_triangle(a);
    if !is_finite(a.as_ref()) {
        return Err(Failure::Eigenvalues);
    }
    if !vectors {
        let w = a.self_adjoint_eigenvalues(Side::Lower).map_err(|_| Failure::Eigenvalues)?;
        return Ok(vec![column(w.iter().map(|w| T::of(Complex::new(*w, 0.0)))), Mat::new()]);
    }
    let eigen = a.self_adjoint_eigen(Side::Lower).map_err(|_| Failure::Eigenvalues)?;
    Ok(vec![column(eigen.S().column_vector().iter().copied()), eigen.U().to_owned()])
}

#[cfg(test)]
#[path = "linalg_tests.rs"]
mod tests;
