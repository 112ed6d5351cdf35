//! Helpers of the unit tests.

use pydd_abi::{ArrayRef, Ctx, DTypeCode};
use std::ptr;

pub fn ctx() -> Ctx {
    Ctx::new(ptr::null(), ptr::null(), crate::stack::limit())
}

/// The kind and message of the error in `ctx`.
pub fn error(ctx: &mut Ctx) -> (u32, String) {
    let raised = crate::Raised::take(ctx);
    (raised.kind, raised.message().unwrap_or_default())
}

/// An array over a slice, with strides in elements. Dimensions and strides are vectors, since a box that moves
/// claims what it points to for itself.
pub struct View {
    pub array: ArrayRef,
    _shape: Vec<i64>,
    _strides: Vec<i64>,
}

pub fn view<T>(data: *mut T, dtype: DTypeCode, dims: &[i64], strides: &[i64]) -> View {
    let item = i64::try_from(size_of::<T>()).unwrap();
    let shape = dims.to_vec();
    let strides: Vec<i64> = strides.iter().map(|s| s * item).collect();
    let array = ArrayRef {
        data: data.cast(),
        owner: ptr::null_mut(),
        dtype,
        rank: u8::try_from(dims.len()).unwrap(),
        _pad: [0; 6],
        dims: shape.as_ptr(),
        strides: strides.as_ptr(),
    };
    View { array, _shape: shape, _strides: strides }
}

/// A C-contiguous array over a slice.
pub fn contiguous<T>(data: *mut T, dtype: DTypeCode, dims: &[i64]) -> View {
    let mut strides = vec![1; dims.len()];
    for i in (1..dims.len()).rev() {
        strides[i - 1] = strides[i] * dims[i].max(1);
    }
    view(data, dtype, dims, &strides)
}

/// The lengths that a test tries; those below 1000 under Miri, which would take minutes for others.
pub fn lengths<T: Copy + PartialOrd + From<u16>>(all: &[T]) -> impl Iterator<Item = T> {
    all.iter().copied().filter(|&n| !cfg!(miri) || n < T::from(1000))
}
