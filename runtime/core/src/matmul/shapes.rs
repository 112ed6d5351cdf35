//! Shapes of a `matmul`, and NumPy's errors about them.

use crate::array::{Array, offset_by};
use crate::errors::Error;

const SIGNATURE: &str = "(n?,k),(k,m?)->(n?,m?)";

/// The two operands as stacks of matrices: vectors have got their axis of length 1.
pub struct Plan {
    pub rows: i64,
    pub columns: i64,
    a: Operand,
    b: Operand,
    /// Shape of the stack.
    stack: Vec<i64>,
    shape: Vec<i64>,
}

struct Operand {
    data: *mut u8,
    dtype: pydd_abi::DTypeCode,
    dims: [i64; 2],
    strides: [i64; 2],
    /// Strides over the stack's axes; 0 where the operand is broadcast.
    stack: Vec<i64>,
}

impl Plan {
    pub fn new(a: &Array, b: &Array) -> Result<Self, Error> {
        for (i, operand) in [a, b].iter().enumerate() {
            if operand.dims.is_empty() {
                return Err(Error::value(format!(
                    "matmul: Input operand {i} does not have enough dimensions \
                     (has 0, gufunc core with signature {SIGNATURE} requires 1)"
                )));
            }
        }
        let (matrix_a, matrix_b) = (core(a, true), core(b, false));
        let (k, other) = (matrix_a.0[1], matrix_b.0[0]);
        if k != other {
            return Err(Error::value(format!(
                "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc \
                 signature {SIGNATURE} (size {other} is different from {k})"
            )));
        }
        let (rows, columns) = (matrix_a.0[0], matrix_b.0[1]);
        let mut core_shape = Vec::new();
        core_shape.extend((a.dims.len() > 1).then_some(rows));
        core_shape.extend((b.dims.len() > 1).then_some(columns));
        let stack = broadcast(outer(a).0, outer(b).0).ok_or_else(|| mismatch(a, b, &core_shape))?;
        let shape = [stack.clone(), core_shape].concat();
        let operand = |array: &Array, matrix: ([i64; 2], [i64; 2])| Operand {
            data: array.data,
            dtype: array.dtype,
            dims: matrix.0,
            strides: matrix.1,
            stack: stack_strides(array, stack.len()),
        };
        Ok(Self { rows, columns, a: operand(a, matrix_a), b: operand(b, matrix_b), stack, shape })
    }

    /// A result of another shape would be written past its end.
    pub fn check_out(&self, out: &Array) -> Result<(), Error> {
        if out.dims == self.shape {
            return Ok(());
        }
        let (have, need) = (crate::message::shape(out.dims), crate::message::shape(&self.shape));
        Err(Error::value(format!("matmul: the result has shape {need}, its place {have}")))
    }

    pub fn stack_len(&self) -> i64 {
        self.stack.iter().product()
    }

    /// Multiplications of elements.
    pub fn work(&self) -> i64 {
        let each = self.rows.saturating_mul(self.columns).saturating_mul(self.a.dims[1]);
        each.saturating_mul(self.stack_len())
    }

    /// The matrices of the `i`-th product of the stack, in C order.
    pub fn operands(&self, i: i64) -> (Array<'_>, Array<'_>) {
        (self.a.at(i, &self.stack), self.b.at(i, &self.stack))
    }
}

impl Operand {
    fn at(&self, mut i: i64, stack: &[i64]) -> Array<'_> {
        let mut offset = 0;
        for (&dim, &stride) in stack.iter().zip(&self.stack).rev() {
            offset += i % dim * stride;
            i /= dim;
        }
        let data = offset_by(self.data, offset);
        Array { data, dtype: self.dtype, dims: &self.dims, strides: &self.strides }
    }
}

/// Dimensions and strides of the matrix part; a vector becomes a row or a column.
fn core(array: &Array, left: bool) -> ([i64; 2], [i64; 2]) {
    let rank = array.dims.len();
    if rank > 1 {
        let pick = |x: &[i64]| [x[rank - 2], x[rank - 1]];
        return (pick(array.dims), pick(array.strides));
    }
    let (dim, stride) = (array.dims[0], array.strides[0]);
    if left { ([1, dim], [0, stride]) } else { ([dim, 1], [stride, 0]) }
}

/// The stack part.
fn outer<'a>(array: &Array<'a>) -> (&'a [i64], &'a [i64]) {
    let n = array.dims.len().saturating_sub(2);
    (&array.dims[..n], &array.strides[..n])
}

fn broadcast(a: &[i64], b: &[i64]) -> Option<Vec<i64>> {
    let rank = a.len().max(b.len());
    let dim = |x: &[i64], i: usize| (i + x.len()).checked_sub(rank).map_or(1, |at| x[at]);
    (0..rank)
        .map(|i| match (dim(a, i), dim(b, i)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

fn stack_strides(array: &Array, rank: usize) -> Vec<i64> {
    let (dims, strides) = outer(array);
    let own = dims.iter().zip(strides).map(|(&d, &s)| if d == 1 { 0 } else { s });
    std::iter::repeat_n(0, rank - dims.len()).chain(own).collect()
}

fn mismatch(a: &Array, b: &Array, core_shape: &[i64]) -> Error {
    let list = |dims: &[i64]| dims.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let remapped = |x: &Array| {
        let stack: Vec<String> = outer(x).0.iter().map(i64::to_string).collect();
        let axes = std::iter::repeat_n("newaxis".to_string(), core_shape.len());
        let all: Vec<String> = stack.into_iter().chain(axes).collect();
        format!("({})->({})", list(x.dims), all.join(","))
    };
    Error::value(format!(
        "operands could not be broadcast together with remapped shapes [original->remapped]: \
         {} {}  and requested shape ({})",
        remapped(a),
        remapped(b),
        list(core_shape)
    ))
}
