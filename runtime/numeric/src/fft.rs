//! Discrete Fourier transforms of one lane, of any length from 1.

use num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
pub use rustfft::FftNum;
use rustfft::{Fft, FftDirection, FftPlanner};
use std::sync::Arc;

/// What is computed; `n` is the plan's length. Nothing is scaled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transform {
    /// n complex to n complex values, `exp(-2πi jk / n)`.
    Forward,
    /// n complex to n complex values, `exp(2πi jk / n)`.
    Inverse,
    /// n real to n / 2 + 1 complex values.
    Real,
    /// n / 2 + 1 complex to n real values.
    InverseReal,
}

impl Transform {
    /// Values of a lane before and after a transform of length `n`.
    #[must_use]
    pub const fn lengths(self, n: usize) -> (usize, usize) {
        match self {
            Self::Forward | Self::Inverse => (n, n),
            Self::Real => (n, n / 2 + 1),
            Self::InverseReal => (n / 2 + 1, n),
        }
    }
}

/// A transform of one length, ready to run on any thread.
#[derive(Clone)]
pub enum Plan<T> {
    Complex(Arc<dyn Fft<T>>),
    Real(Arc<dyn RealToComplex<T>>),
    InverseReal(Arc<dyn ComplexToReal<T>>),
}

impl<T: FftNum> Plan<T> {
    /// A plan for `n` values, at least 1.
    #[must_use]
    pub fn new(transform: Transform, n: usize) -> Self {
        let complex = |direction| Self::Complex(FftPlanner::new().plan_fft(n, direction));
        match transform {
            Transform::Forward => complex(FftDirection::Forward),
            Transform::Inverse => complex(FftDirection::Inverse),
            Transform::Real => Self::Real(RealFftPlanner::new().plan_fft_forward(n)),
            Transform::InverseReal => Self::InverseReal(RealFftPlanner::new().plan_fft_inverse(n)),
        }
    }

    /// Values that [`Self::run`] needs as its work space.
    #[must_use]
    pub fn scratch_len(&self) -> usize {
        match self {
            Self::Complex(plan) => plan.get_inplace_scratch_len(),
            Self::Real(plan) => plan.get_scratch_len(),
            Self::InverseReal(plan) => plan.get_scratch_len(),
        }
    }

    /// Transforms a lane. A complex transform works in `complex` alone, a real one reads `real` and writes
    /// `complex`, an inverse one reads `complex` and writes `real`. What is read is overwritten.
    pub fn run(&self, real: &mut [T], complex: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        match self {
            Self::Complex(plan) => plan.process_with_scratch(complex, scratch),
            // Both fail for wrong lengths alone, which the caller answers for.
            Self::Real(plan) => drop(plan.process_with_scratch(real, complex, scratch)),
            Self::InverseReal(plan) => {
                // The imaginary parts that a real result does not have count as zero.
                if let Some(first) = complex.first_mut() {
                    first.im = T::zero();
                }
                if let (true, Some(last)) = (real.len().is_multiple_of(2), complex.last_mut()) {
                    last.im = T::zero();
                }
                drop(plan.process_with_scratch(complex, real, scratch));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// The sum that defines the transform.
    fn slowly(x: &[Complex<f64>], sign: f64) -> Vec<Complex<f64>> {
        let n = x.len();
        let term = |j: usize, k: usize| Complex::cis(sign * TAU * ((j * k % n) as f64) / n as f64);
        (0..n).map(|k| (0..n).map(|j| x[j] * term(j, k)).sum()).collect()
    }

    fn close(a: &[Complex<f64>], b: &[Complex<f64>]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).norm() < 1e-12)
    }

    fn signal(n: usize) -> Vec<Complex<f64>> {
        (0..n).map(|i| Complex::new((i * i % 7) as f64 - 2.0, (i % 3) as f64)).collect()
    }

    #[test]
    fn complex_lanes_of_any_length() {
        for n in [1, 2, 3, 8, 12, 13, 30, 97] {
            for (transform, sign) in [(Transform::Forward, -1.0), (Transform::Inverse, 1.0)] {
                let plan = Plan::new(transform, n);
                let mut lane = signal(n);
                plan.run(&mut [], &mut lane, &mut vec![Complex::default(); plan.scratch_len()]);
                assert!(close(&lane, &slowly(&signal(n), sign)), "{n} {transform:?}");
            }
        }
    }

    #[test]
    fn real_lanes_there_and_back() {
        for n in [1, 2, 3, 8, 13, 30] {
            let mut real: Vec<f64> = signal(n).iter().map(|z| z.re).collect();
            let whole: Vec<Complex<f64>> = real.iter().map(|&re| Complex::new(re, 0.0)).collect();
            let (from, plan) = (real.clone(), Plan::new(Transform::Real, n));
            let mut half = vec![Complex::default(); Transform::Real.lengths(n).1];
            plan.run(&mut real, &mut half, &mut vec![Complex::default(); plan.scratch_len()]);
            assert!(close(&half, &slowly(&whole, -1.0)[..half.len()]), "{n}");
            half[0].im = 5.0;
            let plan = Plan::new(Transform::InverseReal, n);
            plan.run(&mut real, &mut half, &mut vec![Complex::default(); plan.scratch_len()]);
            assert!(real.iter().zip(&from).all(|(a, b)| (a / n as f64 - b).abs() < 1e-12), "{n}");
        }
    }
}
