//! `np.fft` along the last axis: the table's transforms, lanes spread over threads.
//!
//! Each lane is computed alike whoever does it, so results do not depend on the number of threads.
//!
//! Unsafe here: arrays that generated code passes, of any strides; what is written overlaps nothing.

use crate::array::{Array, offset_by};
use crate::errors::{Error, guard};
use crate::parallel;
use num_complex::Complex;
use pydd_abi::{ArrayRef, Ctx, DTypeCode, Status};
use pydd_numeric::fft::{Plan, Transform};
use std::cell::RefCell;
use std::ops::Range;
use std::slice::from_raw_parts_mut;

/// Plans that a thread remembers for each element type.
const MOST_PLANS: usize = 16;
/// Lanes gathered together where a lane's elements do not adjoin, so that cache lines serve several.
const LANES: usize = 8;

/// float32 and float64.
trait Real: pydd_numeric::fft::FftNum + Default {
    fn scale(x: f64) -> Self;
    fn plans<R>(f: impl FnOnce(&mut Plans<Self>) -> R) -> R;
}

type Plans<T> = Vec<(Transform, usize, Plan<T>)>;

macro_rules! real {
    ($t:ty) => {
        impl Real for $t {
            #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
            fn scale(x: f64) -> Self {
                x as Self
            }

            fn plans<R>(f: impl FnOnce(&mut Plans<Self>) -> R) -> R {
                thread_local! {
                    static PLANS: RefCell<Plans<$t>> = const { RefCell::new(Vec::new()) };
                }
                PLANS.with_borrow_mut(f)
            }
        }
    };
}

real!(f32);
real!(f64);

/// The plan, from those remembered by this thread or made now.
fn plan<T: Real>(transform: Transform, n: usize) -> Plan<T> {
    T::plans(|plans| {
        let found = plans.iter().position(|(t, length, _)| (*t, *length) == (transform, n));
        let entry = match found {
            Some(at) => plans.remove(at),
            None => (transform, n, Plan::new(transform, n)),
        };
        plans.truncate(MOST_PLANS - 1);
        plans.insert(0, entry);
        plans[0].2.clone()
    })
}

macro_rules! entry {
    ($name:ident, $transform:expr, $doc:literal) => {
        #[doc = $doc]
        ///
        /// # Safety
        /// Valid arrays; `out` overlaps nothing.
        pub unsafe extern "C" fn $name(
            ctx: *mut Ctx,
            a: *const ArrayRef,
            out: *const ArrayRef,
            scale: f64,
        ) -> Status {
            // SAFETY: by the caller's promise.
            unsafe { transform(ctx, $transform, a, out, scale) }
        }
    };
}

entry!(fft, Transform::Forward, "The table's `fft`.");
entry!(inverse_fft, Transform::Inverse, "The table's `inverse_fft`.");
entry!(real_fft, Transform::Real, "The table's `real_fft`.");
entry!(inverse_real_fft, Transform::InverseReal, "The table's `inverse_real_fft`.");

/// # Safety
/// As for the table's entries: valid arrays of floats or complex numbers of one rank; nothing else uses `out`.
unsafe fn transform(
    ctx: *mut Ctx,
    transform: Transform,
    a: *const ArrayRef,
    out: *const ArrayRef,
    scale: f64,
) -> Status {
    let mut raised = None;
    let body = || {
        // SAFETY: by the caller's promise.
        let (a, out) = unsafe { (Array::new(&*a), Array::new(&*out)) };
        let single = match (a.dtype, out.dtype) {
            (DTypeCode::F32 | DTypeCode::C64, DTypeCode::F32 | DTypeCode::C64) => true,
            (DTypeCode::F64 | DTypeCode::C128, DTypeCode::F64 | DTypeCode::C128) => false,
            _ => return Err(Error::value("transforms keep their precision")),
        };
        // SAFETY: as above.
        let ctx = unsafe { &mut *ctx };
        raised = if single {
            lanes::<f32>(ctx, transform, &a, &out, scale)?
        } else {
            lanes::<f64>(ctx, transform, &a, &out, scale)?
        };
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    let status = unsafe { guard(ctx, body) };
    match raised {
        Some(raised) => {
            let raised: crate::Raised = raised;
            // SAFETY: as above.
            raised.put(unsafe { &mut *ctx });
            1
        }
        None => status,
    }
}

/// All lanes of one call.
struct Lanes<'a, T> {
    plan: Plan<T>,
    transform: Transform,
    a: Array<'a>,
    out: Array<'a>,
    scale: T,
    /// Values of a lane before and after.
    from: usize,
    to: usize,
}

// SAFETY: threads read `a` and write lanes of `out` of their own.
unsafe impl<T> Sync for Lanes<'_, T> {}

fn lanes<T: Real>(
    ctx: &mut Ctx,
    transform: Transform,
    a: &Array,
    out: &Array,
    scale: f64,
) -> Result<Option<crate::Raised>, Error> {
    let (Some((&from, outer)), Some((&to, same))) = (a.dims.split_last(), out.dims.split_last()) else {
        return Err(Error::value("transforms need an axis"));
    };
    let (from, to) = (from as usize, to as usize);
    let n = if matches!(transform, Transform::InverseReal) { to } else { from };
    if n == 0 || transform.lengths(n) != (from, to) || outer != same {
        return Err(Error::value("the arrays of a transform do not fit together"));
    }
    let count: usize = outer.iter().map(|&d| d as usize).product();
    let lanes =
        Lanes { plan: plan(transform, n), transform, a: *a, out: *out, scale: T::scale(scale), from, to };
    let cost = n.saturating_mul(2 * n.ilog2() as usize + 4);
    let done = parallel::for_each(ctx, count, cost, |range| {
        lanes.run(range);
        Ok(())
    });
    Ok(done.err())
}

impl<T: Real> Lanes<'_, T> {
    fn run(&self, range: Range<usize>) {
        let adjoin = |array: &Array, item: usize| {
            array.is_aligned::<Complex<T>>() && array.strides.last() == Some(&(item as i64))
        };
        let complex = matches!(self.transform, Transform::Forward | Transform::Inverse);
        let item = size_of::<Complex<T>>();
        let mut scratch = vec![Complex::default(); self.plan.scratch_len()];
        if complex && adjoin(&self.a, item) && adjoin(&self.out, item) {
            for lane in range {
                let (from, to) = (start(&self.a, lane), start(&self.out, lane));
                // SAFETY: adjoining aligned elements; `out` is written by one thread for each lane.
                let (x, y) = unsafe {
                    (
                        std::slice::from_raw_parts(from.cast::<Complex<T>>(), self.from),
                        from_raw_parts_mut(to.cast(), self.to),
                    )
                };
                self.copy_scaled(x, y);
                self.plan.run(&mut [], y, &mut scratch);
            }
            return;
        }
        let wide = if self.a.strides.last() == Some(&(self.a.dtype.size() as i64)) { 1 } else { LANES };
        let (reals, complexes) = match self.transform {
            Transform::Forward | Transform::Inverse => (0, self.from),
            Transform::Real => (self.from, self.to),
            Transform::InverseReal => (self.to, self.from),
        };
        let mut real = vec![T::zero(); reals * wide];
        let mut buffer = vec![Complex::default(); complexes * wide];
        let mut first = range.start;
        while first < range.end {
            let count = wide.min(range.end - first);
            // SAFETY: buffers and arrays have elements of these types, as the dtypes and the transform say.
            unsafe {
                match self.transform {
                    Transform::Real => gather(&self.a, first, count, self.from, &mut real),
                    _ => gather(&self.a, first, count, self.from, &mut buffer),
                }
            }
            for k in 0..count {
                let x = &mut real[k * reals..(k + 1) * reals];
                self.plan.run(x, &mut buffer[k * complexes..(k + 1) * complexes], &mut scratch);
            }
            // SAFETY: as above; each lane is written by one thread.
            unsafe {
                match self.transform {
                    Transform::InverseReal => {
                        scatter(&self.out, first, count, self.to, &real, |x| x * self.scale)
                    }
                    _ => scatter(&self.out, first, count, self.to, &buffer, |z| z * self.scale),
                }
            }
            first += count;
        }
    }

    fn copy_scaled(&self, x: &[Complex<T>], y: &mut [Complex<T>]) {
        if self.scale == T::one() {
            y.copy_from_slice(x);
        } else {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = x * self.scale);
        }
    }
}

/// The first element of a lane, lanes counted in C order.
fn start(array: &Array, mut lane: usize) -> *mut u8 {
    let mut at = array.data;
    let outer = array.dims.len() - 1;
    for (&dim, &stride) in array.dims[..outer].iter().zip(&array.strides[..outer]).rev() {
        let dim = dim as usize;
        at = offset_by(at, (lane % dim) as i64 * stride);
        lane /= dim;
    }
    at
}

/// Where the lanes `first..first + count` begin, and the stride of their elements.
fn starts(array: &Array, first: usize, count: usize) -> ([*mut u8; LANES], i64) {
    let mut found = [std::ptr::null_mut(); LANES];
    (0..count).for_each(|k| found[k] = start(array, first + k));
    (found, array.strides.last().copied().unwrap_or(0))
}

/// Copies lanes into a buffer, one behind the other.
///
/// # Safety
/// The elements are of type `U`, alive.
unsafe fn gather<U: Copy>(array: &Array, first: usize, count: usize, len: usize, buffer: &mut [U]) {
    let (starts, stride) = starts(array, first, count);
    for i in 0..len {
        for (k, &at) in starts[..count].iter().enumerate() {
            // SAFETY: element `i` of a lane.
            buffer[k * len + i] = unsafe { offset_by(at, i as i64 * stride).cast::<U>().read_unaligned() };
        }
    }
}

/// Copies lanes of a buffer to an array.
///
/// # Safety
/// The elements are of type `U`, alive, and nothing else uses them.
unsafe fn scatter<U: Copy>(
    array: &Array,
    first: usize,
    count: usize,
    len: usize,
    buffer: &[U],
    f: impl Fn(U) -> U,
) {
    let (starts, stride) = starts(array, first, count);
    for i in 0..len {
        for (k, &at) in starts[..count].iter().enumerate() {
            // SAFETY: element `i` of a lane.
            unsafe { offset_by(at, i as i64 * stride).cast::<U>().write_unaligned(f(buffer[k * len + i])) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contiguous, ctx, error, view};

    type C = Complex<f64>;

    #[test]
    fn lanes_of_any_stride_and_both_axes_agree() {
        let mut data: Vec<C> = (0..60).map(|i| C::new(f64::from(i * i % 7), f64::from(i % 5))).collect();
        let mut plain = vec![C::default(); 60];
        let mut turned = vec![C::default(); 60];
        let a = contiguous(data.as_mut_ptr(), DTypeCode::C128, &[12, 5]);
        let out = contiguous(plain.as_mut_ptr(), DTypeCode::C128, &[12, 5]);
        // SAFETY: valid arrays.
        assert_eq!(unsafe { fft(&mut ctx(), &a.array, &out.array, 2.0) }, 0);
        let mut copy: Vec<C> = (0..60).map(|i| data[i % 12 * 5 + i / 12]).collect();
        let a = view(copy.as_mut_ptr(), DTypeCode::C128, &[12, 5], &[1, 12]);
        let out = view(turned.as_mut_ptr(), DTypeCode::C128, &[12, 5], &[1, 12]);
        // SAFETY: valid arrays.
        assert_eq!(unsafe { fft(&mut ctx(), &a.array, &out.array, 2.0) }, 0);
        for i in 0..60 {
            assert!((plain[i] - turned[i % 5 * 12 + i / 5]).norm() < 1e-12);
        }
        assert!((plain[0] - 2.0 * data[..5].iter().sum::<C>()).norm() < 1e-12);
    }

    #[test]
    fn real_transforms_invert() {
        let mut data: Vec<f32> = vec![1.0, -2.0, 0.5, 3.0, 0.0, 1.0];
        let (mut half, mut back) = (vec![Complex::<f32>::default(); 4], vec![0.0_f32; 6]);
        let a = contiguous(data.as_mut_ptr(), DTypeCode::F32, &[2, 3]);
        let h = contiguous(half.as_mut_ptr(), DTypeCode::C64, &[2, 2]);
        let b = contiguous(back.as_mut_ptr(), DTypeCode::F32, &[2, 3]);
        let mut c = ctx();
        // SAFETY: valid arrays.
        unsafe {
            assert_eq!(real_fft(&mut c, &a.array, &h.array, 1.0), 0);
            assert_eq!(inverse_real_fft(&mut c, &h.array, &b.array, 1.0 / 3.0), 0);
            assert_eq!(inverse_real_fft(&mut c, &b.array, &h.array, 1.0), 1);
        }
        assert!(error(&mut c).1.contains("fit together"));
        assert!((half[0].re + 0.5).abs() < 1e-6);
        assert!(back.iter().zip(&data).all(|(x, y)| (x - y).abs() < 1e-6));
    }

    #[test]
    fn plans_are_remembered_but_not_all() {
        for n in 1..40 {
            drop(plan::<f64>(Transform::Forward, n));
        }
        assert_eq!(f64::plans(|plans| plans.len()), MOST_PLANS);
        assert_eq!(f64::plans(|plans| plans[0].1), 39);
    }
}
