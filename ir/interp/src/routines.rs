//! Transforms and linear algebra, by the crate that the runtime uses too, one lane or matrix at a time.

use crate::ops;
use crate::random;
use crate::scalar::Failure;
use crate::value::{Array, Scalar, indices as indices_of};
use num_complex::Complex;
use pydd_ir::{DType, Exc, Routine};
use pydd_numeric::fft::{Plan, Transform};
use pydd_numeric::linalg::{self, Matrix, Number};
use pydd_numeric::sparse;

type C = Complex<f64>;

fn complex(x: Scalar) -> C {
    match x {
        Scalar::Float(re, _) => C::new(re, 0.0),
        Scalar::Complex(re, im, _) => C::new(re, im),
        Scalar::Bool(_) | Scalar::Int(..) => panic!("floats and complex numbers alone are verified"),
    }
}

fn scalar(z: C, dtype: DType) -> Scalar {
    if dtype.is_complex() { Scalar::complex(z.re, z.im, dtype) } else { Scalar::float(z.re, dtype) }
}

/// Runs a routine on its arrays, of which the last are written.
pub fn run(routine: Routine, arrays: &[Array], scale: Scalar) -> Result<(), Failure> {
    let (from, to) = arrays.split_at(routine.inputs());
    let factors = match routine {
        Routine::Fft => return transform(Transform::Forward, &from[0], &to[0], scale),
        Routine::InverseFft => return transform(Transform::Inverse, &from[0], &to[0], scale),
        Routine::RealFft => return transform(Transform::Real, &from[0], &to[0], scale),
        Routine::InverseRealFft => return transform(Transform::InverseReal, &from[0], &to[0], scale),
        Routine::Solve => linalg::Routine::Solve,
        Routine::Slogdet => linalg::Routine::Slogdet,
        Routine::Cholesky => linalg::Routine::Cholesky,
        Routine::Qr => linalg::Routine::Qr,
        Routine::Svd => linalg::Routine::Svd,
        Routine::Eigh => linalg::Routine::Eigh,
        Routine::Eig => linalg::Routine::Eig,
        Routine::CsrTimes => return csr_times(from, &to[0]),
        Routine::SparseSolve if to[0].dtype.is_complex() => return solve_sparse::<C>(from, &to[0]),
        Routine::SparseSolve => return solve_sparse::<f64>(from, &to[0]),
        Routine::SeedGenerator => {
            random::seed_generator(&from[0], &to[0]);
            return Ok(());
        }
        Routine::Special => {
            special(&from[0], &from[1], &to[0]);
            return Ok(());
        }
        Routine::Argsort | Routine::Argpartition => {
            ops::argsort(&from[0], &to[0]);
            return Ok(());
        }
        Routine::DeviceMatmul | Routine::DeviceFft | Routine::DeviceInverseFft | Routine::DeviceRealFft => {
            panic!("what they are on the processor is run")
        }
        Routine::Partition => {
            for (i, item) in (0..).zip(from[0].scalars()) {
                assert!(to[0].set(&[i], item), "within the array");
            }
            ops::sort(&to[0]);
            return Ok(());
        }
    };
    match arrays.iter().any(|a| a.dtype.is_complex()) {
        true => solve::<C>(factors, from, to),
        false => solve::<f64>(factors, from, to),
    }
}

/// A special function of each column.
fn special(x: &Array, code: &Array, out: &Array) {
    let at = |a: &Array, index: &[i64]| complex(a.get(index).expect("within")).re;
    let code = at(code, &[0]) as i64;
    for i in 0..out.size() {
        let second = if x.dims[0] > 1 { at(x, &[1, i]) } else { 0.0 };
        let value = pydd_numeric::special::special(code, at(x, &[0, i]), second);
        assert!(out.set(&[i], Scalar::float(value, DType::F64)), "within the array");
    }
}

fn solve_sparse<T: Number>(from: &[Array], x: &Array) -> Result<(), Failure> {
    let [rows, columns, data, b] = from else { panic!("verified: four arrays") };
    let entry = |k| (index(rows, k), index(columns, k), T::of(complex(data.get(&[k]).expect("within"))));
    let at = |i: usize, j: usize| [i, j].map(|k| i64::try_from(k).expect("lengths fit"));
    let (n, width) = shape(b);
    let b = Matrix::from_fn(n, width, |i, j| T::of(complex(b.get(&at(i, j)).expect("within"))));
    let solution = sparse::solve((0..data.size()).map(entry), &b).map_err(|sparse::Outside| {
        (Exc::ValueError, "an index of the sparse matrix is outside of it".to_owned())
    })?;
    for (i, j) in (0..n).flat_map(|i| (0..width).map(move |j| (i, j))) {
        assert!(x.set(&at(i, j), scalar(solution[(i, j)].complex(), x.dtype)), "within the array");
    }
    Ok(())
}

/// An element of a vector of integers.
fn index(a: &Array, k: i64) -> i64 {
    match a.get(&[k]) {
        Some(Scalar::Int(n, _)) => i64::try_from(n).expect("indices fit"),
        _ => panic!("verified: integers, within the array"),
    }
}

/// Row by row and entry by entry.
fn csr_times(from: &[Array], y: &Array) -> Result<(), Failure> {
    let [indptr, indices, data, x] = from else { panic!("verified: four arrays") };
    let wrong = |text: String| Err((Exc::ValueError, text));
    let stored = indices.size().min(data.size());
    let columns = x.dims[0];
    for i in 0..indptr.size() - 1 {
        let (begin, end) = (index(indptr, i), index(indptr, i + 1));
        if begin < 0 {
            return wrong(format!("row {i} of the sparse matrix begins at {begin}"));
        }
        if begin > end || end > stored {
            return wrong(format!(
                "row {i} of the sparse matrix has entries {begin} to {end}, but {stored} are stored"
            ));
        }
        for rest in indices_of(&x.dims[1..]) {
            let mut sum = Scalar::zero(y.dtype);
            for k in begin..end {
                let j = index(indices, k);
                if !(0..columns).contains(&j) {
                    return wrong(format!("row {i} of the sparse matrix has index {j}, not below {columns}"));
                }
                let factor = x.get(&[&[j], rest.as_slice()].concat()).expect("within");
                sum = ops::plus_product(sum, data.get(&[k]).expect("within"), factor);
            }
            assert!(y.set(&[&[i], rest.as_slice()].concat(), sum), "within the array");
        }
    }
    Ok(())
}

fn transform(transform: Transform, a: &Array, out: &Array, scale: Scalar) -> Result<(), Failure> {
    let (Some((&from, outer)), Some(&to)) = (a.dims.split_last(), out.dims.last()) else {
        panic!("verified: arrays with axes")
    };
    let size = |n: i64| usize::try_from(n).expect("lengths are not negative");
    let n = size(if matches!(transform, Transform::InverseReal) { to } else { from });
    if n == 0 || transform.lengths(n) != (size(from), size(to)) || outer != &out.dims[..outer.len()] {
        return Err((Exc::ValueError, "the arrays of a transform do not fit together".to_owned()));
    }
    let plan = Plan::<f64>::new(transform, n);
    let mut scratch = vec![C::default(); plan.scratch_len()];
    for lane in indices_of(outer) {
        let at = |i: i64| [lane.as_slice(), &[i]].concat();
        let mut values: Vec<C> = (0..from).map(|i| complex(a.get(&at(i)).expect("within"))).collect();
        let mut reals: Vec<f64> = match transform {
            Transform::Forward | Transform::Inverse => vec![],
            Transform::Real => values.iter().map(|z| z.re).collect(),
            Transform::InverseReal => vec![0.0; n],
        };
        if transform == Transform::Real {
            values = vec![C::default(); size(to)];
        }
        plan.run(&mut reals, &mut values, &mut scratch);
        if transform == Transform::InverseReal {
            values = reals.into_iter().map(C::from).collect();
        }
        for (i, value) in (0..).zip(values) {
            assert!(out.set(&at(i), scalar(value * complex(scale).re, out.dtype)), "within the array");
        }
    }
    Ok(())
}

/// Rows and columns; a vector is a column.
fn shape(a: &Array) -> (usize, usize) {
    let length = |axis: usize| a.dims.get(axis).map_or(1, |&d| usize::try_from(d).expect("not negative"));
    (length(0), length(1))
}

fn solve<T: Number>(routine: linalg::Routine, from: &[Array], to: &[Array]) -> Result<(), Failure> {
    let place = |a: &Array, i: usize, j: usize| {
        let index = [i, j].map(|k| i64::try_from(k).expect("lengths fit"));
        index[..a.dims.len()].to_vec()
    };
    let matrix = |a: &Array| {
        let (rows, columns) = shape(a);
        Matrix::from_fn(rows, columns, |i, j| T::of(complex(a.get(&place(a, i, j)).expect("within"))))
    };
    let inputs: Vec<Matrix<T>> = from.iter().map(matrix).collect();
    let shapes: Vec<_> = to.iter().map(shape).collect();
    let results = linalg::run(routine, &inputs, &shapes)
        .map_err(|failure| (Exc::LinAlgError, failure.message().to_owned()))?;
    for (result, out) in results.iter().zip(to) {
        for (i, j) in (0..result.nrows()).flat_map(|i| (0..result.ncols()).map(move |j| (i, j))) {
            assert!(
                out.set(&place(out, i, j), scalar(result[(i, j)].complex(), out.dtype)),
                "within the array"
            );
        }
    }
    Ok(())
}
