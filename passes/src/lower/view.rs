//! Views with Python's slice semantics, and transposition.
//!
//! ```text
//! %b = view %a[1:]     ⇒     %s = min 1, %n     %m = sub %n, %s     %o = mul %s, 8
//!                            %b = rawview %a, %o, (%m), (8)
//! ```
//!
//! The byte offset of an empty view may point outside of the array, as in NumPy; nothing reads there.

use pydd_ir::{ComplexPart, ElemOp, IndexItem, Op, Value};

use super::Lower;
use super::array::{Array, Part, Within};
use crate::analysis::shapes::keeps_contiguous;

/// A clamped slice: where it starts, how many elements it has, and how far they are apart.
struct Slice {
    start: Value,
    count: Value,
    step: Value,
}

impl Lower<'_> {
    pub(super) fn transpose(&mut self, op: Op, axes: &[u8]) {
        let source = self.array(self.get(self.src.ops[op].args[0])).clone();
        let strides = self.strides(&source);
        let pick = |of: &[Value]| axes.iter().map(|&a| of[usize::from(a)]).collect::<Vec<_>>();
        let offset = self.int(0);
        let contiguous = source.contiguous && axes.is_sorted();
        let view = self.raw_view(source.value, offset, pick(&source.dims), pick(&strides), contiguous);
        let within =
            self.within(&source).moved(|axis| axes.iter().position(|&from| usize::from(from) == axis));
        let view = self.is_within(view, within);
        // Where each axis of the source went, in the source's order.
        let went = |axis: usize| axes.iter().position(|&a| usize::from(a) == axis).expect("a permutation");
        let order = (0..source.rank()).map(|k| went(source.order.get(k).copied().unwrap_or(k))).collect();
        self.define_array(self.src.result(op), &view.ordered(order, source.dense));
    }

    /// The diagonal of the last two axes.
    pub(super) fn diagonal(&mut self, op: Op) {
        let source = self.array(self.get(self.src.ops[op].args[0])).clone();
        let (mut dims, mut strides, offset) = (source.dims.clone(), self.strides(&source), self.int(0));
        let lengths = dims.split_off(dims.len() - 2);
        let steps = strides.split_off(strides.len() - 2);
        dims.push(self.min(lengths[0], lengths[1]));
        strides.push(self.add(steps[0], steps[1]));
        let view = self.raw_view(source.value, offset, dims, strides, false);
        self.define_array(self.src.result(op), &view);
    }

    /// Neighbours along the first axis.
    pub(super) fn windows(&mut self, op: Op) {
        let args = self.args(op);
        let source = self.array(args[0]).clone();
        let (mut dims, mut strides) = (source.dims.clone(), self.strides(&source));
        let (zero, one) = (self.int(0), self.int(1));
        let some = self.b.elem(ElemOp::Ge, &[args[1], zero]);
        let fits = self.b.elem(ElemOp::Le, &[args[1], dims[0]]);
        let ok = self.b.elem(ElemOp::And, &[some, fits]);
        self.check_value(ok, "window shape cannot be larger than input array shape", &[]);
        let less = self.sub(args[1], one);
        dims[0] = self.sub(dims[0], less);
        dims.push(args[1]);
        strides.push(strides[0]);
        // Windows are walked one by one, as the elements that they begin with.
        let mut order = source.order.clone();
        if !order.is_empty() {
            order.push(source.rank());
        }
        let view = self.raw_view(source.value, zero, dims, strides, false).ordered(order, false);
        self.define_array(self.src.result(op), &view);
    }

    /// The real or the imaginary parts of complex elements.
    pub(super) fn part(&mut self, op: Op, part: ComplexPart) {
        let source = self.array(self.get(self.src.ops[op].args[0])).clone();
        let dtype = self.src.ty(self.src.result(op)).dtype().expect("arrays have elements");
        let behind = i64::try_from(dtype.size()).expect("small");
        let offset = self.int(if part == ComplexPart::Imag { behind } else { 0 });
        let strides = self.strides(&source);
        let within = Within { complex: Some(part), ..self.within(&source) };
        let view = self.raw_view_of(source.value, dtype, offset, source.dims, strides, false);
        let view = self.is_within(view, within);
        self.define_array(self.src.result(op), &view);
    }

    pub(super) fn view(&mut self, op: Op, items: &[IndexItem]) {
        let args = self.args(op);
        let source = self.array(args[0]).clone();
        let source_strides = self.strides(&source);
        let (mut offset, zero, one) = (self.int(0), self.int(0), self.int(1));
        let (mut dims, mut strides, mut axis, mut rest) = (vec![], vec![], 0, &args[1..]);
        // Where each axis of the source went.
        let mut went = vec![None; source.rank()];
        let mut parts = Vec::new();
        for item in items {
            let (operands, others) = rest.split_at(item.operands());
            rest = others;
            let start = match *item {
                IndexItem::New => {
                    dims.push(one);
                    strides.push(zero);
                    continue;
                }
                IndexItem::At => {
                    let index = self.checked_index(operands[0], source.dims[axis], axis);
                    parts.push(Part { start: Some(index), of: None });
                    index
                }
                IndexItem::Slice { start, stop, step } => {
                    let slice = self.slice([start, stop, step], operands, source.dims[axis]);
                    went[axis] = Some(dims.len());
                    parts.push(Part { start: Some(slice.start), of: Some((dims.len(), slice.step)) });
                    dims.push(slice.count);
                    strides.push(self.mul(slice.step, source_strides[axis]));
                    slice.start
                }
            };
            let bytes = self.mul(start, source_strides[axis]);
            offset = self.add(offset, bytes);
            axis += 1;
        }
        for (k, went) in went.iter_mut().enumerate().skip(axis) {
            *went = Some(dims.len() + k - axis);
            parts.push(Part { start: None, of: Some((dims.len() + k - axis, one)) });
        }
        dims.extend_from_slice(&source.dims[axis..]);
        strides.extend_from_slice(&source_strides[axis..]);
        let contiguous =
            source.contiguous && keeps_contiguous(items, &args[1..], |s| self.b.func.as_int(s) == Some(1));
        let mut order: Vec<usize> = source.order.iter().filter_map(|&axis| went[axis]).collect();
        if !order.is_empty() {
            // New axes, whose length is 1.
            let new = (0..dims.len()).filter(|axis| !order.contains(axis));
            order = new.chain(order.iter().copied()).collect();
        }
        let within = self.part_of(&source, &parts);
        let view = self.raw_view(source.value, offset, dims, strides, contiguous);
        let view = self.is_within(view, within);
        self.define_array(self.src.result(op), &view.ordered(order, contiguous));
    }

    /// Where the elements are that a view has of these parts of an array's axes.
    fn part_of(&mut self, array: &Array, parts: &[Part]) -> Within {
        let outer = self.within(array);
        let mut axes = Vec::new();
        for Part { start, of } in outer.axes {
            axes.push(match of {
                None => Part { start, of },
                Some((axis, step)) => {
                    let part = parts[axis];
                    let behind = part.start.map(|own| self.mul(own, step));
                    let start = match (start, behind) {
                        (Some(start), Some(behind)) => Some(self.add(start, behind)),
                        (start, behind) => start.or(behind),
                    };
                    let of = part.of.map(|(axis, own)| (axis, self.mul(own, step)));
                    Part { start, of }
                }
            });
        }
        Within { axes, ..outer }
    }

    /// `PySlice_AdjustIndices` of CPython; `given` says which of start, stop and step are there.
    fn slice(&mut self, given: [bool; 3], operands: &[Value], length: Value) -> Slice {
        let mut operands = operands.iter().copied();
        let mut part = |there: bool| if there { operands.next() } else { None };
        let (start, stop, step) = (part(given[0]), part(given[1]), part(given[2]));
        let step = match step {
            Some(step) => self.checked_step(step),
            None => self.int(1),
        };
        match self.b.func.as_int(step) {
            Some(n) => self.slice_of_known_sign(start, stop, step, length, n < 0),
            None => self.slice_of_unknown_sign(start, stop, step, length),
        }
    }

    /// Checks that a step is not zero, and keeps its negation from overflowing.
    fn checked_step(&mut self, step: Value) -> Value {
        let known = self.b.func.as_int(step);
        if known.is_none_or(|n| n == 0) {
            let zero = self.int(0);
            let ok = self.b.elem(ElemOp::Ne, &[step, zero]);
            self.check_value(ok, "slice step cannot be zero", &[]);
        }
        let least = self.int(-i64::MAX);
        if known.is_some_and(|n| n > 0) { step } else { self.max(step, least) }
    }

    fn slice_of_known_sign(
        &mut self,
        start: Option<Value>,
        stop: Option<Value>,
        step: Value,
        length: Value,
        backward: bool,
    ) -> Slice {
        let (zero, minus_one, one) = (self.int(0), self.int(-1), self.int(1));
        let (low, high) = if backward { (minus_one, self.sub(length, one)) } else { (zero, length) };
        let (first, last) = if backward { (high, low) } else { (low, high) };
        let start_value = start.map_or(first, |v| self.clamp(v, length, low, high));
        let stop_value = stop.map_or(last, |v| self.clamp(v, length, low, high));
        let ordered = stop.is_none() || self.same(start_value, first);
        let (span, stride) = if backward {
            (self.sub(start_value, stop_value), self.sub(zero, step))
        } else {
            (self.sub(stop_value, start_value), step)
        };
        let count = self.count(span, stride, ordered);
        Slice { start: start_value, count, step }
    }

    fn slice_of_unknown_sign(
        &mut self,
        start: Option<Value>,
        stop: Option<Value>,
        step: Value,
        length: Value,
    ) -> Slice {
        let (zero, minus_one, one) = (self.int(0), self.int(-1), self.int(1));
        let backward = self.less(step, zero);
        let end = self.sub(length, one);
        let low = self.b.select(backward, minus_one, zero);
        let high = self.b.select(backward, end, length);
        let start = match start {
            Some(v) => self.clamp(v, length, low, high),
            None => self.b.select(backward, end, zero),
        };
        let stop = match stop {
            Some(v) => self.clamp(v, length, low, high),
            None => self.b.select(backward, minus_one, length),
        };
        let (forward_span, backward_span) = (self.sub(stop, start), self.sub(start, stop));
        let span = self.b.select(backward, backward_span, forward_span);
        let negated = self.sub(zero, step);
        let stride = self.b.select(backward, negated, step);
        let count = self.count(span, stride, false);
        Slice { start, count, step }
    }

    /// A start or stop: from the end where negative, then into `low..=high`.
    fn clamp(&mut self, value: Value, length: Value, low: Value, high: Value) -> Value {
        let zero = self.int(0);
        match self.b.func.as_int(value) {
            Some(0) if self.b.func.as_int(low) == Some(0) => value,
            Some(0..) => self.min(value, high),
            Some(_) => {
                let wrapped = self.add(value, length);
                self.max(wrapped, low)
            }
            None => {
                let from_end = self.add(value, length);
                let negative = self.less(value, zero);
                let wrapped = self.b.select(negative, from_end, value);
                let raised = self.max(wrapped, low);
                self.min(raised, high)
            }
        }
    }

    /// How many steps fit in a span; `ordered` says that the span is not negative.
    fn count(&mut self, span: Value, stride: Value, ordered: bool) -> Value {
        let (zero, one) = (self.int(0), self.int(1));
        if self.b.func.as_int(stride) == Some(1) {
            return if ordered { span } else { self.max(span, zero) };
        }
        let before = self.sub(span, one);
        let steps = self.b.elem(ElemOp::FloorDiv, &[before, stride]);
        let count = self.add(steps, one);
        if ordered {
            // -1 // stride + 1 == 0
            return count;
        }
        let some = self.less(zero, span);
        self.b.select(some, count, zero)
    }
}
