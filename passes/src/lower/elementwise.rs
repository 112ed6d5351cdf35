//! Elementwise operations: loops over the broadcast shape.
//!
//! ```text
//! %c = map %a, %b { |%x, %y| yield (add %x, %y) }
//!     ⇒
//! %c = empty %n
//! if (eq %n, %m) { for %i … loadraw %a, %i … loadraw %b, %i … storeraw %c }
//! else           { the same with stride 0 on stretched axes }
//! ```
//!
//! Where all lengths are known to be equal there is only the first loop. In general versions arrays without gaps are walked as
//! one dimension; in others that is done when loops over rows are joined (see `loops::coalesce`). The general version has only the second
//! loop: small rather than fast.
//! A transposed view that is written is walked in the order of its memory. Loops are not interchanged for inputs.

use pydd_ir::{ElemOp, Op, Value, Version};

use super::Lower;
use super::array::Array;
use super::broadcast::Shape;

/// Makes the code for one element: from the inputs' elements to the outputs'.
pub(super) type Body<'b> = &'b mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Vec<Value>;

impl Lower<'_> {
    pub(super) fn elem_on_arrays(&mut self, op: Op, elem: ElemOp) {
        let inputs = self.args(op);
        self.fresh(op, &inputs, &mut |lower, x| vec![lower.checked_elem(elem, x)]);
    }

    pub(super) fn cast_on_array(&mut self, op: Op) {
        let inputs = self.args(op);
        let dtype = self.src.ty(self.src.result(op)).dtype().expect("arrays have elements");
        self.fresh(op, &inputs, &mut |lower, x| vec![lower.b.cast(x[0], dtype)]);
    }

    pub(super) fn map_fresh(&mut self, op: Op) {
        let inputs = self.args(op);
        let region = self.src.ops[op].regions[0];
        self.fresh(op, &inputs, &mut |lower, x| lower.inline_region(region, x));
    }

    pub(super) fn map_into(&mut self, op: Op) {
        let args = self.args(op);
        let target = self.array(args[0]).clone();
        let region = self.src.ops[op].regions[0];
        let shape = self.shape_into(&target, &args[1..], |lower, ok, arrays| {
            lower.check_mismatch(ok, &[arrays, std::slice::from_ref(&target)].concat());
        });
        self.over(&shape, &[target], &args, &mut |lower, x| lower.inline_region(region, x));
    }

    /// Fresh arrays for the results of `op`, filled.
    fn fresh(&mut self, op: Op, inputs: &[Value], body: Body<'_>) {
        let shape = self.broadcast_shape(inputs);
        let mut outputs = Vec::new();
        for &result in &self.src.ops[op].results {
            let dtype = self.src.ty(result).dtype().expect("arrays have elements");
            outputs.push(self.empty(dtype, &shape.dims));
        }
        self.over(&shape, &outputs, inputs, body);
        for (&result, output) in self.src.ops[op].results.iter().zip(&outputs) {
            self.define_array(result, output);
        }
    }

    /// Fills one array with a value for each element of inputs that have its very shape.
    pub(super) fn elementwise(
        &mut self,
        output: &Array,
        inputs: &[Value],
        body: &mut dyn FnMut(&mut Lower<'_>, &[Value]) -> Value,
    ) {
        let shape = Shape::of(output);
        let outputs = std::slice::from_ref(output);
        self.over(&shape, outputs, inputs, &mut |lower, x| vec![body(lower, x)]);
    }

    /// Loops over a shape that write the outputs.
    pub(super) fn over(&mut self, shape: &Shape, outputs: &[Array], inputs: &[Value], body: Body<'_>) {
        if let [Array { value, dense_if: Some(is_dense), .. }] = *outputs {
            let body = std::cell::RefCell::new(body);
            self.if_else(
                is_dense,
                &[],
                |lower| {
                    let output = lower.dense_view(value, &shape.dims);
                    lower.over(shape, &[output], inputs, &mut *body.borrow_mut());
                    vec![]
                },
                |lower| {
                    lower.over_by_stride(shape, &outputs[0], inputs, &mut *body.borrow_mut());
                    vec![]
                },
            );
            return;
        }
        if let [output] = outputs
            && output.by_stride
        {
            return self.over_by_stride(shape, output, inputs, body);
        }
        self.by_shape(shape, &[], |lower, equal| {
            lower.loops(&shape.dims, outputs, inputs, equal, body);
            vec![]
        });
    }

    /// Code for equal lengths and, where they may differ, code for broadcasting; `build` is told which.
    pub(super) fn by_shape(
        &mut self,
        shape: &Shape,
        results: &[pydd_ir::Type],
        mut build: impl FnMut(&mut Self, bool) -> Vec<Value>,
    ) -> Vec<Value> {
        if shape.open.is_empty() || self.src.version == Version::General {
            return build(self, shape.open.is_empty());
        }
        let equal: Vec<Value> = shape.open.iter().filter_map(|&(a, b)| self.unless_same(a, b)).collect();
        let equal = self.all(&equal).expect("open lengths are not known to be equal");
        let build = std::cell::RefCell::new(build);
        self.if_else(
            equal,
            results,
            |lower| build.borrow_mut()(lower, true),
            |lower| build.borrow_mut()(lower, false),
        )
    }

    fn loops(&mut self, dims: &[Value], outputs: &[Array], inputs: &[Value], equal: bool, body: Body<'_>) {
        let order = outputs.first().map(|target| target.order.clone()).unwrap_or_default();
        let (dims, inputs, outputs) = self.iteration(dims, inputs, outputs, equal, &order);
        self.nest(&dims, &[], &mut |lower, indices, _| {
            let elements = lower.elements(&inputs, indices);
            let values = body(lower, &elements);
            for (output, value) in outputs.iter().zip(values) {
                lower.store_raw(*output, value, indices);
            }
            vec![]
        });
    }

    /// Inputs and outputs stretched to a shape, their axes in an order, and as one dimension where none has gaps.
    /// The empty order is that of the shape.
    pub(super) fn iteration(
        &mut self,
        dims: &[Value],
        inputs: &[Value],
        outputs: &[Array],
        equal: bool,
        order: &[usize],
    ) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
        let mut arrays = outputs.to_vec();
        for array in self.arrays_among(inputs) {
            arrays.push(self.stretched(&array, dims, equal));
        }
        let sources: Vec<Value> = outputs
            .iter()
            .map(|a| a.value)
            .chain(self.arrays_among(inputs).iter().map(|a| a.value))
            .collect();
        let mut dims = dims.to_vec();
        if !order.is_empty() {
            arrays = arrays.iter().map(|a| self.permuted(a, order)).collect();
            dims = order.iter().map(|&axis| dims[axis]).collect();
        }
        let general = self.src.version == Version::General;
        let flat = general && dims.len() > 1 && arrays.iter().all(|a| a.contiguous);
        let size = if flat { Some(self.product(&dims)) } else { None };
        if let Some(size) = size {
            arrays = arrays.iter().map(|a| self.flatten(a, size)).collect();
        }
        let seen = |v: Value| match sources.iter().rposition(|&s| s == v) {
            Some(k) => arrays[k].value,
            None => v,
        };
        let inputs = inputs.iter().map(|&v| seen(v)).collect();
        let outputs = arrays[..outputs.len()].iter().map(|a| a.value).collect();
        (size.map_or(dims, |s| vec![s]), inputs, outputs)
    }

    /// The inputs' elements at these indices; scalars are their own.
    pub(super) fn elements(&mut self, inputs: &[Value], indices: &[Value]) -> Vec<Value> {
        let mut loaded: Vec<(Value, Value)> = Vec::new();
        for &input in inputs {
            let element = match loaded.iter().find(|(v, _)| *v == input) {
                Some(&(_, element)) => element,
                None if self.b.func.ty(input).is_array() => self.load_raw(input, indices),
                None => input,
            };
            loaded.push((input, element));
        }
        loaded.into_iter().map(|(_, element)| element).collect()
    }
}
