//! Loops over an array whose order of axes is computed when the program runs, as the pass `keep-order` makes them.
//!
//! ```text
//! map_into %t, %a { … }     # %t has lengths %m, %n and strides %s, %u
//!     ⇒
//! %swap = lt %s, %u
//! %outer = select %swap, %n, %m
//! %inner = select %swap, %m, %n
//! if %same { for %i … loadraw %flat_a, %i … storeraw %flat_t }    # where all inputs lie as %t does
//! else     { for %i, %j … }
//! ```
//!
//! Elementwise operations may take elements in any order, so the axes are sorted by the array's strides, by a network of
//! selections, since ranks are small. Then it is row-major.

use pydd_ir::{ElemOp, Value};

use super::Lower;
use super::array::Array;
use super::broadcast::Shape;
use super::elementwise::Body;

/// Lengths, and the strides of each array.
struct Axes {
    dims: Vec<Value>,
    strides: Vec<Vec<Value>>,
}

impl Lower<'_> {
    pub(super) fn over_by_stride(&mut self, shape: &Shape, output: &Array, inputs: &[Value], body: Body<'_>) {
        let sources: Vec<Array> =
            self.arrays_among(inputs).into_iter().filter(|array| array.value != output.value).collect();
        let equal = shape.open.is_empty();
        let stretched: Vec<Array> =
            sources.iter().map(|array| self.stretched(array, &shape.dims, equal)).collect();
        let strides = std::iter::once(output).chain(&stretched).map(|array| self.strides(array)).collect();
        let axes = self.sorted(Axes { dims: shape.dims.clone(), strides });

        let same = self.lie_alike(&axes, &stretched);
        let size = self.product(&shape.dims);
        let body = std::cell::RefCell::new(body);
        let mut walk = |lower: &mut Self, dims: &[Value], target: Value, views: &[Value]| {
            let seen = |v: Value| match sources.iter().position(|array| array.value == v) {
                Some(at) => views[at],
                None if v == output.value => target,
                None => v,
            };
            let inputs: Vec<Value> = inputs.iter().map(|&v| seen(v)).collect();
            lower.nest(dims, &[], &mut |lower, indices, _| {
                let elements = lower.elements(&inputs, indices);
                for value in body.borrow_mut()(lower, &elements) {
                    lower.store_raw(target, value, indices);
                }
                vec![]
            });
            vec![]
        };
        let walk = std::cell::RefCell::new(&mut walk);
        let flat = |lower: &mut Self| {
            let target = lower.dense_view(output.value, &[size]).value;
            let views: Vec<Value> =
                stretched.iter().map(|array| lower.dense_view(array.value, &[size]).value).collect();
            walk.borrow_mut()(lower, &[size], target, &views)
        };
        let Some(same) = same else {
            flat(self);
            return;
        };
        self.if_else(same, &[], flat, |lower| {
            let target = lower.dense_view(output.value, &axes.dims).value;
            let zero = lower.int(0);
            let view = |(array, strides): (&Array, &Vec<Value>)| {
                lower.raw_view(array.value, zero, axes.dims.clone(), strides.clone(), false).value
            };
            let views: Vec<Value> = stretched.iter().zip(&axes.strides[1..]).map(view).collect();
            walk.borrow_mut()(lower, &axes.dims, target, &views)
        });
    }

    /// The axes by the first array's strides, the longest one first.
    fn sorted(&mut self, mut axes: Axes) -> Axes {
        for end in (1..axes.dims.len()).rev() {
            for axis in 0..end {
                let first = &axes.strides[0];
                let swap = self.b.elem(ElemOp::Lt, &[first[axis], first[axis + 1]]);
                for list in std::iter::once(&mut axes.dims).chain(&mut axes.strides) {
                    let (outer, inner) = (list[axis], list[axis + 1]);
                    list[axis] = self.b.select(swap, inner, outer);
                    list[axis + 1] = self.b.select(swap, outer, inner);
                }
            }
        }
        axes
    }

    /// Whether arrays are row-major without gaps in these axes, where that is a question.
    fn lie_alike(&mut self, axes: &Axes, arrays: &[Array]) -> Option<Value> {
        let mut conditions = Vec::new();
        for (array, strides) in arrays.iter().zip(&axes.strides[1..]) {
            let unit = self.item_size(array.value);
            let plain = self.row_major(&axes.dims, unit);
            for ((&stride, &expected), &length) in strides.iter().zip(&plain).zip(&axes.dims) {
                let fits = self.b.elem(ElemOp::Eq, &[stride, expected]);
                let single = self.equals(length, 1);
                conditions.push(self.or(fits, single));
            }
        }
        self.all(&conditions)
    }
}
