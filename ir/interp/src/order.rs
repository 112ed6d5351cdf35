//! Where the axes of new arrays lie, after NumPy's `order='K'`.

use crate::array;
use crate::value::Array;
use pydd_ir::{DType, Keep};

/// What an axis along which an operand does not move says of its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Still {
    /// Nothing: operations on elements (`npyiter_find_best_axis_ordering` of NumPy's `nditer_constr.c`).
    Anywhere,
    /// It is the innermost: copies and `astype` (`PyArray_NewLikeArray`).
    Innermost,
}

/// A fresh array of a shape; `operands` are stretched to it.
#[must_use]
pub fn like(dtype: DType, dims: &[i64], operands: &[&Array], still: Still) -> Array {
    let step = |axis: usize, stride: i64| {
        if still == Still::Anywhere && dims[axis] == 1 { 0 } else { stride.abs() }
    };
    let steps = |a: &&Array| a.strides.iter().enumerate().map(|(axis, &stride)| step(axis, stride)).collect();
    let strides: Vec<Vec<i64>> = operands.iter().map(steps).collect();
    // From the innermost axis to the outermost.
    let mut sorted: Vec<usize> = Vec::new();
    for axis in (0..dims.len()).rev() {
        let mut place = sorted.len();
        for (at, &inner) in sorted.iter().enumerate().rev() {
            match is_inside(&strides, axis, inner, still) {
                Some(true) => place = at,
                Some(false) => break,
                None => {}
            }
        }
        sorted.insert(place, axis);
    }
    let made = Array::zeros(dtype, dims);
    let mut strides = made.strides.clone();
    let mut stride = i64::try_from(dtype.size()).expect("small");
    for axis in sorted {
        strides[axis] = stride;
        stride *= dims[axis].max(1);
    }
    Array { strides, ..made }
}

/// A fresh array of the type and shape of one, its axes as others demand.
#[must_use]
pub fn kept(keep: Keep, a: &Array, others: &[Array]) -> Array {
    let moving: Vec<Array> = others.iter().map(|other| moving(other, a.dims.len())).collect();
    let others: Vec<&Array> = others.iter().collect();
    match keep {
        Keep::Copy => like(a.dtype, &a.dims, &others, Still::Innermost),
        Keep::Elem => like(a.dtype, &a.dims, &moving.iter().collect::<Vec<_>>(), Still::Anywhere),
        Keep::Columns if others.iter().all(|other| is_in_columns(other) && !array::is_contiguous(other)) => {
            like(a.dtype, &a.dims, &others, Still::Innermost)
        }
        Keep::Columns => Array::zeros(a.dtype, &a.dims),
    }
}

/// An array as operations on elements see it: of so many axes, along which it moves where there are several elements.
fn moving(a: &Array, rank: usize) -> Array {
    let own = a.dims.iter().zip(&a.strides).map(|(&dim, &stride)| if dim == 1 { 0 } else { stride });
    let strides = std::iter::repeat_n(0, rank - a.dims.len()).chain(own).collect();
    Array { strides, ..a.clone() }
}

/// Whether an array lies column by column without gaps.
fn is_in_columns(a: &Array) -> bool {
    let mut size = i64::try_from(a.dtype.size()).expect("small");
    a.dims.iter().zip(&a.strides).all(|(&dim, &stride)| {
        let fits = dim == 1 || stride == size;
        size *= dim;
        fits
    })
}

/// Whether an axis lies further inside than one that stands behind it; `None`: no operand says.
fn is_inside(strides: &[Vec<i64>], axis: usize, behind: usize, still: Still) -> Option<bool> {
    let mut inside = None;
    for operand in strides {
        let (own, other) = (operand[axis], operand[behind]);
        if still == Still::Innermost || own != 0 && other != 0 {
            // Of operands that differ, those in row-major order win.
            inside = Some(other > own && inside != Some(false));
        }
    }
    inside
}
