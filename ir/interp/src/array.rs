//! Shapes and whole-array helpers.

use crate::scalar::Failure;
use crate::value::{Array, Scalar, Val, indices};
use pydd_ir::{ComplexPart, DType, Exc, IndexItem};

/// `(3, 4)`, `(3,)`, `()`.
#[must_use]
pub fn shape_text(dims: &[i64]) -> String {
    match dims {
        [one] => format!("({one},)"),
        dims => format!("({})", dims.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn value_error<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err((Exc::ValueError, message.into()))
}

/// The shape that all of these broadcast to.
pub fn broadcast(shapes: &[&[i64]]) -> Result<Vec<i64>, Failure> {
    let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
    let mut out = vec![1; rank];
    for shape in shapes {
        for (axis, &dim) in shape.iter().rev().enumerate() {
            let place = &mut out[rank - 1 - axis];
            if *place == 1 {
                *place = dim;
            } else if dim != 1 && dim != *place {
                let texts: Vec<String> = shapes.iter().map(|s| shape_text(s).replace(", ", ",")).collect();
                return value_error(format!(
                    "operands could not be broadcast together with shapes {} ",
                    texts.join(" ")
                ));
            }
        }
    }
    Ok(out)
}

/// The array as a view of this shape, stretched axes with stride 0; `None` where it doesn't broadcast.
#[must_use]
pub fn broadcast_view(a: &Array, dims: &[i64]) -> Option<Array> {
    let lead = dims.len().checked_sub(a.dims.len())?;
    let mut strides = vec![0; lead];
    for (axis, (&dim, &stride)) in a.dims.iter().zip(&a.strides).enumerate() {
        match dim {
            d if d == dims[lead + axis] => strides.push(stride),
            1 => strides.push(0),
            _ => return None,
        }
    }
    Some(Array { dims: dims.to_vec(), strides, ..a.clone() })
}

/// `np.broadcast_to`.
pub fn broadcast_to(a: &Array, dims: &[i64]) -> Result<Array, Failure> {
    if dims.iter().any(|&d| d < 0) {
        return value_error("all elements of broadcast shape must be non-negative");
    }
    let text = |dims: &[i64]| shape_text(dims).replace(", ", ",");
    let wrong = format!(
        "operands could not be broadcast together with remapped shapes [original->remapped]: {}  and requested shape {}",
        text(&a.dims),
        text(dims)
    );
    broadcast_view(a, dims).ok_or((Exc::ValueError, wrong))
}

/// Whether elements may be written.
pub fn check_writable(a: &Array) -> Result<(), Failure> {
    if a.read_only { value_error("assignment destination is read-only") } else { Ok(()) }
}

/// The diagonal of the last two axes.
#[must_use]
pub fn diagonal(a: &Array) -> Array {
    let mut out = a.clone();
    if let ([.., rows, columns], [.., down, across]) = (a.dims.as_slice(), a.strides.as_slice()) {
        let rank = a.dims.len() - 2;
        out.dims.truncate(rank);
        out.dims.push(*rows.min(columns));
        out.strides.truncate(rank);
        out.strides.push(down + across);
    }
    out
}

/// Each `count` neighbours along the first axis, which become the last one.
pub fn windows(a: &Array, count: i64) -> Result<Array, Failure> {
    let mut out = a.clone();
    if count < 0 || count > a.dims[0] {
        return value_error("window shape cannot be larger than input array shape");
    }
    out.dims[0] -= count - 1;
    out.dims.push(count);
    out.strides.push(a.strides[0]);
    Ok(out)
}

/// The real or the imaginary parts of complex elements.
#[must_use]
pub fn part(a: &Array, part: ComplexPart) -> Array {
    let dtype = a.dtype.real();
    let behind = i64::try_from(dtype.size()).expect("small");
    let offset = a.offset + if part == ComplexPart::Imag { behind } else { 0 };
    Array { offset, dtype, ..a.clone() }
}

/// Where the first element is.
#[must_use]
pub fn address(a: &Array) -> i64 {
    a.bytes.borrow().as_ptr().addr() as i64 + a.offset
}

/// Whether the stretches from the first to the last element meet.
#[must_use]
pub fn overlaps(a: &Array, b: &Array) -> bool {
    if a.size() == 0 || b.size() == 0 {
        return false;
    }
    let stretch = |x: &Array| {
        let reach = |sign: i64| -> i64 {
            x.dims.iter().zip(&x.strides).map(|(dim, stride)| ((dim - 1) * stride * sign).max(0) * sign).sum()
        };
        (address(x) + reach(-1), address(x) + reach(1) + i64::try_from(x.dtype.size()).expect("small"))
    };
    let ((low, high), (other_low, other_high)) = (stretch(a), stretch(b));
    low < other_high && other_low < high
}

/// A shape that is asked for, as NumPy writes it: unknown lengths are `newaxis`, or nothing at the front.
fn asked_text(dims: &[i64]) -> String {
    let mut items: Vec<String> = Vec::new();
    for &dim in dims {
        if dim >= 0 {
            items.push(dim.to_string());
        } else if !items.is_empty() {
            items.push("newaxis".to_owned());
        }
    }
    let comma = if dims.len() == 1 { "," } else { "" };
    format!("({}{comma})", items.join(","))
}

/// Dimensions as given by operands, none negative, of a size that a test can want.
pub fn check_dims(dims: &[i64], dtype: DType) -> Result<(), Failure> {
    if dims.iter().any(|&d| d < 0) {
        return value_error("negative dimensions are not allowed");
    }
    let bytes = dims
        .iter()
        .try_fold(i64::try_from(dtype.size()).expect("small"), |product, &d| product.checked_mul(d));
    match bytes {
        None => value_error(
            "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
        ),
        Some(bytes) if bytes > 1 << 32 => Err((Exc::MemoryError, "Unable to allocate the array".to_owned())),
        Some(_) => Ok(()),
    }
}

/// A fresh row-major array of a shape with the elements that `f` gives.
pub fn build(
    dtype: DType,
    dims: &[i64],
    f: impl FnMut(&[i64]) -> Result<Scalar, Failure>,
) -> Result<Array, Failure> {
    fill(Array::zeros(dtype, dims), f)
}

/// The array with the elements that `f` gives.
pub fn fill(out: Array, mut f: impl FnMut(&[i64]) -> Result<Scalar, Failure>) -> Result<Array, Failure> {
    for index in indices(&out.dims) {
        let value = f(&index)?;
        assert!(out.set(&index, value), "a fresh array's own element");
    }
    Ok(out)
}

/// An index counted from either end, within `0..dim`.
pub fn wrap_index(index: i64, dim: i64, axis: usize) -> Result<i64, Failure> {
    let wrapped = if index < 0 { index + dim } else { index };
    if (0..dim).contains(&wrapped) {
        return Ok(wrapped);
    }
    Err((Exc::IndexError, format!("index {index} is out of bounds for axis {axis} with size {dim}")))
}

/// Python's `slice(start, stop, step).indices(dim)`, as first index and count.
pub fn slice_indices(
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
    dim: i64,
) -> Result<(i64, i64), Failure> {
    if step == 0 {
        return value_error("slice step cannot be zero");
    }
    let (low, high) = if step > 0 { (0, dim) } else { (-1, dim - 1) };
    let clamp = |i: i64| if i < 0 { (i.saturating_add(dim)).max(low) } else { i.min(high) };
    let first = start.map_or(if step > 0 { 0 } else { dim - 1 }, clamp);
    let last = stop.map_or(if step > 0 { dim } else { -1 }, clamp);
    let (distance, stride) = if step > 0 {
        (i128::from(last) - i128::from(first), i128::from(step))
    } else {
        (i128::from(first) - i128::from(last), -i128::from(step))
    };
    let count = if distance <= 0 { 0 } else { (distance - 1) / stride + 1 };
    Ok((first, i64::try_from(count).expect("no more than the dimension")))
}

/// Basic indexing.
pub fn view(a: &Array, items: &[IndexItem], operands: &[i64]) -> Result<Array, Failure> {
    let mut out = Array { dims: vec![], strides: vec![], ..a.clone() };
    let (mut axis, mut rest) = (0, operands);
    let mut next = |there: bool| {
        there.then(|| {
            let (&first, others) = rest.split_first().expect("the verifier counted the operands");
            rest = others;
            first
        })
    };
    for item in items {
        match *item {
            IndexItem::New => {
                out.dims.push(1);
                out.strides.push(0);
                continue;
            }
            IndexItem::At => {
                let index = wrap_index(next(true).expect("asked for"), a.dims[axis], axis)?;
                out.offset += index * a.strides[axis];
            }
            IndexItem::Slice { start, stop, step } => {
                let (start, stop, step) = (next(start), next(stop), next(step).unwrap_or(1));
                let (first, count) = slice_indices(start, stop, step, a.dims[axis])?;
                if count > 0 {
                    out.offset += first * a.strides[axis];
                }
                out.dims.push(count);
                out.strides.push(a.strides[axis].wrapping_mul(step));
            }
        }
        axis += 1;
    }
    out.dims.extend_from_slice(&a.dims[axis..]);
    out.strides.extend_from_slice(&a.strides[axis..]);
    Ok(out)
}

/// Whether elements lie in row-major order without gaps.
#[must_use]
pub fn is_contiguous(a: &Array) -> bool {
    if a.size() == 0 {
        return true;
    }
    let mut expected = i64::try_from(a.dtype.size()).expect("small");
    for (&dim, &stride) in a.dims.iter().zip(&a.strides).rev() {
        if dim != 1 && stride != expected {
            return false;
        }
        expected *= dim;
    }
    true
}

/// A fresh row-major copy.
#[must_use]
pub fn copy(a: &Array) -> Array {
    Array::from_scalars(a.dtype, &a.dims, &a.scalars())
}

/// All elements in one dimension: a view where the array is contiguous, else a copy.
#[must_use]
pub fn flatten(a: &Array) -> Array {
    let base = if is_contiguous(a) { a.clone() } else { copy(a) };
    let stride = i64::try_from(a.dtype.size()).expect("small");
    Array { dims: vec![a.size()], strides: vec![stride], ..base }
}

/// Strides of a view with these lengths, as many elements in the same order; `None` where only a copy has them.
fn strides_in(a: &Array, dims: &[i64]) -> Option<Vec<i64>> {
    let position = |mut at: i64| {
        let mut offset = 0;
        for (&dim, &stride) in a.dims.iter().zip(&a.strides).rev() {
            offset += at % dim * stride;
            at /= dim;
        }
        offset
    };
    let behind = |axis: usize| dims[axis + 1..].iter().product::<i64>();
    let strides: Vec<i64> = (0..dims.len()).map(|axis| position(behind(axis))).collect();
    let fits = |at: i64| {
        let mut rest = at;
        let offset = dims.iter().zip(&strides).rev().fold(0, |sum, (&dim, &stride)| {
            let index = rest % dim;
            rest /= dim;
            sum + index * stride
        });
        offset == position(at)
    };
    (0..a.size()).all(fits).then_some(strides)
}

/// `reshape`: a view where strides allow it, else a copy.
pub fn reshape(a: &Array, dims: &[i64]) -> Result<Array, Failure> {
    let mut dims = dims.to_vec();
    let wrong =
        |dims: &[i64]| format!("cannot reshape array of size {} into shape {}", a.size(), asked_text(dims));
    let asked = dims.clone();
    if dims.iter().filter(|&&d| d < 0).count() > 1 {
        return value_error("can only specify one unknown dimension");
    }
    if let Some(unknown) = dims.iter().position(|&d| d < 0) {
        let known: i64 = dims.iter().filter(|&&d| d >= 0).product();
        if known == 0 || a.size() % known != 0 {
            return value_error(wrong(&asked));
        }
        dims[unknown] = a.size() / known;
    }
    if dims.iter().product::<i64>() != a.size() {
        return value_error(wrong(&asked));
    }
    if !is_contiguous(a)
        && let Some(strides) = strides_in(a, &dims)
    {
        return Ok(Array { dims, strides, ..a.clone() });
    }
    let base = if is_contiguous(a) { a.clone() } else { copy(a) };
    let fresh = Array::zeros(a.dtype, &dims);
    Ok(Array { dims, strides: fresh.strides, ..base })
}

/// Elements of a scalar or array operand at an index of the broadcast shape.
pub struct Operand(Option<Array>, Option<Scalar>);

impl Operand {
    /// The operand stretched to `dims`.
    #[must_use]
    pub fn new(value: &Val, dims: &[i64]) -> Option<Self> {
        match value {
            Val::Scalar(s) => Some(Self(None, Some(*s))),
            Val::Array(a) => Some(Self(Some(broadcast_view(a, dims)?), None)),
            _ => None,
        }
    }

    /// It, where it is an array.
    #[must_use]
    pub fn array(&self) -> Option<&Array> {
        self.0.as_ref()
    }

    #[must_use]
    pub fn at(&self, index: &[i64]) -> Scalar {
        self.0.as_ref().and_then(|a| a.get(index)).or(self.1).expect("within the broadcast shape")
    }
}
