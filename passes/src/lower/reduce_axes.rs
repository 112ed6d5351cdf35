//! Reductions over some axes.
//!
//! ```text
//! %r = reduce sum axes 1 %a     ⇒     for %i { %acc = for %j { … }  storeraw %r, %acc, %i }
//! %r = reduce sum axes 0 %a     ⇒     fill %r, 0.0   for %i { for %j { %r[%j] += %a[%i, %j] } }
//! ```
//!
//! Where the reduced axes are the innermost, accumulators are carried; else whole rows are accumulated
//! into the result, so that the innermost loop still walks row-major memory; with `--auto-parallel` in blocks of columns, which
//! threads may share. A device has a thread for each element of the result, and neighbours read neighbouring elements:
//!
//! ```text
//! %wanted = device_wanted   if %wanted { for %j { %acc = for %i { … }  storeraw %r, %acc, %j } } else { in rows, as above }
//! ```

use pydd_ir::{DType, ElemOp, OpKind, ReduceOp, ReduceSpec, Type, Value, Version};

use super::Lower;
use super::array::Array;
use super::broadcast::Shape;
use super::product::Delayed;
use super::reduce::{Kind, Reduction, is_position};
use super::search::Way;

/// Columns that are accumulated at a time: shorter pieces of rows are read more slowly than they are shared.
const COLUMNS: i64 = 1024;

impl Lower<'_> {
    pub(super) fn reduce_some_axes(
        &mut self,
        results: &[Value],
        spec: &ReduceSpec,
        shape: &Shape,
        reduced: &[bool],
        mut reduction: Reduction<'_>,
        delayed: Option<Delayed>,
    ) {
        let one = self.int(1);
        let dims_if = |keep: &dyn Fn(bool) -> Option<Value>| -> Vec<Value> {
            shape
                .dims
                .iter()
                .zip(reduced)
                .filter_map(|(&d, &r)| if r { keep(true) } else { Some(d) })
                .collect()
        };
        let kept = dims_if(&|_| None);
        if let (ReduceOp::Sum, [terms]) = (spec.op, &pick(&shape.dims, reduced, true)[..]) {
            self.terms.insert(results[0], *terms);
        }
        let dims = dims_if(&|_| spec.keepdims.then_some(one));
        let target_of = |lower: &mut Self, dtype: DType| {
            let array = lower.empty(dtype, &dims);
            let target = if spec.keepdims { lower.kept_axes(&array, &kept, reduced) } else { array.clone() };
            (array, target)
        };
        let (array, target) = target_of(self, spec.op.result_dtype(reduction.dtype));
        if let &[_, extremes] = results {
            let (array, target) = target_of(self, reduction.dtype);
            reduction.extremes = Some(target);
            self.define_array(extremes, &array);
        }
        if let Some(delayed) = delayed {
            self.search_delayed(spec, shape, reduced, &target, reduction, &delayed);
            return self.define_array(results[0], &array);
        }
        let product = self.as_product(shape, reduced, &reduction);
        let loops = |lower: &mut Self| lower.reduce_by_loops(spec, shape, reduced, &target, reduction);
        match product {
            None => loops(self),
            Some(product) => self.product_or(&product, &target, loops),
        }
        self.define_array(results[0], &array);
    }

    /// A result without the axes that were reduced.
    fn kept_axes(&mut self, array: &Array, kept: &[Value], reduced: &[bool]) -> Array {
        let (zero, unit) = (self.int(0), self.item_size(array.value));
        let strides = self.row_major(kept, unit);
        let view = self.raw_view(array.value, zero, kept.to_vec(), strides, true);
        let place = |axis: usize| reduced[..axis].iter().filter(|&&r| !r).count();
        let within = self.within(array).moved(|axis| (!reduced[axis]).then(|| place(axis)));
        self.is_within(view, within)
    }

    /// Searches the rows of a product that is made for that.
    fn search_delayed(
        &mut self,
        spec: &ReduceSpec,
        shape: &Shape,
        reduced: &[bool],
        target: &Array,
        reduction: Reduction<'_>,
        delayed: &Delayed,
    ) {
        let short = self.has_short_sums(delayed.terms());
        let reduction = std::cell::RefCell::new(reduction);
        let way = |lower: &mut Self, short: bool| {
            let made = lower.make_delayed(delayed, short).value;
            let mut reduction = reduction.borrow_mut();
            let reduction = &mut *reduction;
            let put = |&input: &Value| if input == delayed.out.value { made } else { input };
            let inputs: Vec<Value> = reduction.inputs.iter().map(put).collect();
            let &mut Reduction { op, dtype, flags, bytes, total, products, .. } = reduction;
            let (inputs, terms, extremes) = (&inputs[..], None, reduction.extremes.clone());
            let of_made = Reduction {
                op,
                dtype,
                inputs,
                flags,
                bytes,
                total,
                products,
                terms,
                extremes,
                body: &mut *reduction.body,
            };
            let before = std::mem::replace(&mut lower.joins_sums, short);
            lower.reduce_by_loops(spec, shape, reduced, target, of_made);
            lower.joins_sums = before;
            vec![]
        };
        self.if_else(short, &[], |lower| way(lower, true), |lower| way(lower, false));
    }

    fn reduce_by_loops(
        &mut self,
        spec: &ReduceSpec,
        shape: &Shape,
        reduced: &[bool],
        target: &Array,
        mut reduction: Reduction<'_>,
    ) {
        let order =
            if is_position(spec.op) { Vec::new() } else { self.order_of(reduction.inputs, reduced.len()) };
        self.by_shape(shape, &[], |lower, equal| {
            let inputs = lower.stretched_inputs(reduction.inputs, &shape.dims, equal);
            match lower.nearer_first_axis(&inputs, is_position(spec.op)) {
                Some(first_is_inner) => {
                    let reduction = std::cell::RefCell::new(&mut reduction);
                    let in_order = |lower: &mut Self, order: &[usize]| {
                        let reduction = &mut reduction.borrow_mut();
                        lower.reduce_in_order(target, &shape.dims, reduced, &inputs, order, reduction);
                        vec![]
                    };
                    lower.if_else(first_is_inner, &[], |l| in_order(l, &[1, 0]), |l| in_order(l, &[]));
                }
                None => {
                    lower.reduce_in_order(target, &shape.dims, reduced, &inputs, &order, &mut reduction);
                }
            }
            vec![]
        });
    }

    /// Of a matrix that a general version reduces: whether neighbours along the first axis are nearer to each other than those along
    /// the last, as in Fortran's order. None where that is not asked.
    pub(super) fn nearer_first_axis(&mut self, inputs: &[Value], is_position: bool) -> Option<Value> {
        if is_position || self.src.version != Version::General {
            return None;
        }
        let matrix = self.arrays_among(inputs).into_iter().find(|a| a.rank() == 2 && !a.contiguous)?;
        let strides = self.strides(&matrix);
        let [first, last] = [strides[0], strides[1]].map(|stride| self.b.elem(ElemOp::Abs, &[stride]));
        Some(self.less(first, last))
    }

    fn stretched_inputs(&mut self, inputs: &[Value], dims: &[Value], equal: bool) -> Vec<Value> {
        inputs
            .iter()
            .map(|&v| match self.arrays.get(&v).cloned() {
                Some(array) => self.stretched(&array, dims, equal).value,
                None => v,
            })
            .collect()
    }

    /// Reduces with the axes in an order, the empty one being theirs.
    fn reduce_in_order(
        &mut self,
        target: &Array,
        dims: &[Value],
        reduced: &[bool],
        inputs: &[Value],
        order: &[usize],
        reduction: &mut Reduction<'_>,
    ) {
        if !order.is_empty() {
            let inputs = self.permuted_inputs(inputs, order);
            let dims: Vec<Value> = order.iter().map(|&axis| dims[axis]).collect();
            // The target has the axes that are kept.
            let place = |axis: usize| reduced[..axis].iter().filter(|&&r| !r).count();
            let kept: Vec<usize> =
                order.iter().filter(|&&axis| !reduced[axis]).map(|&axis| place(axis)).collect();
            let target = self.permuted(target, &kept);
            let reduced: Vec<bool> = order.iter().map(|&axis| reduced[axis]).collect();
            return self.reduce_in_order(&target, &dims, &reduced, &inputs, &[], reduction);
        }
        if reduced.is_sorted() {
            self.reduce_innermost(target, dims, inputs, reduction);
        } else if !self.src.device {
            self.accumulate_rows(target, dims, reduced, inputs, reduction);
        } else if self.loops_around > 0 {
            // Arrays stay where loops of the step before had them, or are small.
            self.accumulate_columns(target, dims, reduced, inputs, reduction);
        } else {
            let reduction = std::cell::RefCell::new(reduction);
            let wanted = self.b.value(OpKind::DeviceWanted, vec![], Type::BOOL);
            self.if_else(
                wanted,
                &[],
                |lower| {
                    lower.accumulate_columns(target, dims, reduced, inputs, &mut reduction.borrow_mut());
                    vec![]
                },
                |lower| {
                    lower.accumulate_rows(target, dims, reduced, inputs, &mut reduction.borrow_mut());
                    vec![]
                },
            );
        }
    }

    fn permuted_inputs(&mut self, inputs: &[Value], order: &[usize]) -> Vec<Value> {
        inputs
            .iter()
            .map(|&v| match self.arrays.get(&v).cloned() {
                Some(array) => self.permuted(&array, order).value,
                None => v,
            })
            .collect()
    }

    fn reduce_innermost(
        &mut self,
        target: &Array,
        dims: &[Value],
        inputs: &[Value],
        reduction: &mut Reduction<'_>,
    ) {
        let (outer, inner) = dims.split_at(target.rank());
        // Which way to go is decided before all rows, so that loops over few elements join what these are made by.
        if is_position(reduction.op) && inner.len() == 1 && self.src.version != Version::General {
            let (few, terms) = (self.has_few(inner[0]), reduction.terms);
            let short = terms.map(|terms| self.has_short_sums(terms));
            let reduction = std::cell::RefCell::new(reduction);
            let rows = |lower: &mut Self, way: Way| {
                lower.reduce_rows(target, outer, inner, inputs, &mut reduction.borrow_mut(), Some(way));
                vec![]
            };
            let by_length = |lower: &mut Self| {
                lower.if_else(few, &[], |lower| rows(lower, Way::InOrder), |lower| rows(lower, Way::InBlocks))
            };
            match short {
                _ if self.joins_sums => rows(self, Way::Sums),
                Some(short) => self.if_else(short, &[], |lower| rows(lower, Way::Sums), by_length),
                None => by_length(self),
            };
        } else {
            self.reduce_rows(target, outer, inner, inputs, reduction, None);
        }
    }

    fn reduce_rows(
        &mut self,
        target: &Array,
        outer: &[Value],
        inner: &[Value],
        inputs: &[Value],
        reduction: &mut Reduction<'_>,
        way: Option<Way>,
    ) {
        self.nest(outer, &[], &mut |lower, kept, _| {
            let Reduction { op, dtype, flags, bytes, total, extremes, body, .. } = reduction;
            let kind = Kind { op: *op, dtype: *dtype, flags: *flags, bytes: *bytes, total: *total };
            let mut element = |lower: &mut Lower<'_>, indices: &[Value]| {
                let elements = lower.elements(inputs, &[kept, indices].concat());
                body(lower, &elements)
            };
            let found = lower.accumulate(way, kind, inner, &mut element);
            for (target, value) in [Some(target), extremes.as_ref()].into_iter().flatten().zip(found) {
                lower.store_raw(target.value, value, kept);
            }
            vec![]
        });
    }

    fn accumulate_rows(
        &mut self,
        target: &Array,
        dims: &[Value],
        reduced: &[bool],
        inputs: &[Value],
        reduction: &mut Reduction<'_>,
    ) {
        let op = reduction.op;
        let init = self.identity(op, reduction.dtype);
        let best = if matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax) {
            let zero = self.int(0);
            self.fill(target, zero);
            let best = match &reduction.extremes {
                Some(extremes) => extremes.clone(),
                None => self.empty(reduction.dtype, &target.dims),
            };
            self.fill(&best, init);
            Some(best)
        } else {
            self.fill(target, init);
            None
        };
        let in_blocks = self.in_blocks && reduced.first() == Some(&true) && reduced.last() == Some(&false);
        self.nest_in_blocks(dims, in_blocks, &mut |lower, indices| {
            let kept: Vec<Value> = pick(indices, reduced, false);
            let elements = lower.elements(inputs, indices);
            let x = (reduction.body)(lower, &elements);
            let seen = lower.load_raw(target.value, &kept);
            let next = if let Some(best) = &best {
                let position = lower.position(&pick(indices, reduced, true), &pick(dims, reduced, true));
                let value = lower.load_raw(best.value, &kept);
                let next = lower.better(op, [value, seen], [x, position]);
                lower.store_raw(best.value, next[0], &kept);
                next[1]
            } else {
                lower.combine(op, seen, x)
            };
            lower.store_raw(target.value, next, &kept);
        });
    }

    /// As [`Self::accumulate_rows`], in the same order, an element of the result after the other.
    fn accumulate_columns(
        &mut self,
        target: &Array,
        dims: &[Value],
        reduced: &[bool],
        inputs: &[Value],
        reduction: &mut Reduction<'_>,
    ) {
        let op = reduction.op;
        let along = pick(dims, reduced, true);
        self.nest(&pick(dims, reduced, false), &[], &mut |lower, kept, _| {
            let first = lower.identity(op, reduction.dtype);
            let zero = lower.int(0);
            let finds = matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax);
            let init = if finds { vec![first, zero] } else { vec![first] };
            let found = lower.nest(&along, &init, &mut |lower, places, seen| {
                let (mut kept, mut places_left) = (kept.iter(), places.iter());
                let indices: Vec<Value> = reduced
                    .iter()
                    .map(|&r| {
                        *if r { places_left.next() } else { kept.next() }.expect("an index for each axis")
                    })
                    .collect();
                let elements = lower.elements(inputs, &indices);
                let x = (reduction.body)(lower, &elements);
                if finds {
                    let position = lower.position(places, &along);
                    lower.better(op, [seen[0], seen[1]], [x, position])
                } else {
                    vec![lower.combine(op, seen[0], x)]
                }
            });
            lower.store_raw(target.value, found[found.len() - 1], kept);
            if let Some(extremes) = &reduction.extremes {
                lower.store_raw(extremes.value, found[0], kept);
            }
            vec![]
        });
    }

    /// A nest of loops; if asked for, with blocks of the last axis outermost, which are independent where the result has that axis.
    fn nest_in_blocks(&mut self, dims: &[Value], in_blocks: bool, body: &mut dyn FnMut(&mut Self, &[Value])) {
        let Some((&last, outer)) = dims.split_last().filter(|_| in_blocks) else {
            self.nest(dims, &[], &mut |lower, indices, _| {
                body(lower, indices);
                vec![]
            });
            return;
        };
        let (start, block) = (self.int(0), self.int(COLUMNS));
        self.for_step([start, last, block], &[], |lower, first, _| {
            let end = lower.block_end(first, last, block);
            lower.nest(outer, &[], &mut |lower, indices, _| {
                lower.for_range(first, end, &[], |lower, index, _| {
                    body(lower, &[indices, &[index]].concat());
                    vec![]
                })
            })
        });
    }

    /// The row-major position of indices.
    pub(super) fn position(&mut self, indices: &[Value], dims: &[Value]) -> Value {
        let mut position = indices[0];
        for (&index, &dim) in indices.iter().zip(dims).skip(1) {
            let rows = self.mul(position, dim);
            position = self.add(rows, index);
        }
        position
    }
}

/// The values of the axes that are reduced, or of those that are not.
fn pick(values: &[Value], reduced: &[bool], wanted: bool) -> Vec<Value> {
    values.iter().zip(reduced).filter(|(_, r)| **r == wanted).map(|(&v, _)| v).collect()
}
