//! Sums of products over several axes that are products of matrices.
//!
//! ```text
//! %r = map[reduce sum axes 2, 3] %x, %y { mul }     ⇒     if (long, no axis stretched) {
//! # %x: %n, 1, %p, %q    %y: 1, %m, %p, %q                    %a = %x as %n, %p * %q     %b = %y as %p * %q, %m
//!                                                             lib matmul %a, %b, %r
//!                                                         } else { the loops }
//! ```
//!
//! This is what `np.einsum` becomes, and what programs write out. Axes of one operand that are kept become the rows or the columns,
//! those that are summed the depth; what both have and keep is a stack. Operands are viewed in these axes, and copied where they
//! cannot be. Sums over one axis stay loops, which others can join.

use pydd_ir::{DType, ElemOp, ReduceOp, Value, Version};

use super::Lower;
use super::array::Array;
use super::broadcast::Shape;
use super::reduce::Reduction;

/// Multiplications for which operands may be copied first.
const LONG: i64 = 4096;

/// Rows and columns that such a product has at least: of fewer, an operand would be copied for little.
const WIDE: i64 = 4;

/// The axes of a sum of products by what they become, and the two operands, the left one first.
pub(super) struct Product {
    operands: [Array; 2],
    stack: Vec<usize>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    depth: Vec<usize>,
    dims: Vec<Value>,
    /// Lengths that have to be equal.
    open: Vec<(Value, Value)>,
}

impl Lower<'_> {
    /// What is reduced as a product of matrices, if it is one that may be worth a call.
    pub(super) fn as_product(
        &self,
        shape: &Shape,
        reduced: &[bool],
        reduction: &Reduction<'_>,
    ) -> Option<Product> {
        let &[x, y] = reduction.inputs else { return None };
        let plain = reduction.products && reduction.op == ReduceOp::Sum && reduction.dtype != DType::Bool;
        if !plain || !self.loops_for_products || self.src.version == Version::General || x == y {
            return None;
        }
        let operands = [x, y].map(|v| self.arrays.get(&v).cloned());
        let [Some(x), Some(y)] = operands else { return None };
        if x.rank() != reduced.len() || y.rank() != reduced.len() {
            return None;
        }
        let mut product = Product {
            operands: [x, y],
            stack: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            depth: Vec::new(),
            dims: shape.dims.clone(),
            open: shape.open.clone(),
        };
        for (axis, &reduced) in reduced.iter().enumerate() {
            let [of_x, of_y] = [0, 1].map(|k| self.b.func.as_int(product.operands[k].dims[axis]) != Some(1));
            match (reduced, of_x, of_y) {
                (_, false, false) => {}
                (true, true, true) => product.depth.push(axis),
                (true, ..) => return None,
                (false, true, true) => product.stack.push(axis),
                (false, true, false) => product.rows.push(axis),
                (false, false, true) => product.columns.push(axis),
            }
        }
        if product.depth.len() < 2 || product.rows.is_empty() || product.columns.is_empty() {
            return None;
        }
        if product.columns[0] < product.rows[0] {
            product.operands.swap(0, 1);
            std::mem::swap(&mut product.rows, &mut product.columns);
        }
        Some(product)
    }

    /// The product where it is worth it, else the loops.
    pub(super) fn product_or(&mut self, product: &Product, target: &Array, loops: impl FnOnce(&mut Self)) {
        let mut conditions: Vec<Value> =
            product.open.iter().filter_map(|&(a, b)| self.unless_same(a, b)).collect();
        let mut work = self.int(1);
        for (axes, least) in [(&product.rows, WIDE), (&product.columns, WIDE), (&product.depth, LONG)] {
            let length = self.length_of(product, axes);
            work = self.mul(work, length);
            let (asked, least) = (if least == LONG { work } else { length }, self.int(least));
            conditions.push(self.b.elem(ElemOp::Ge, &[asked, least]));
        }
        let worth = self.all(&conditions).expect("there are some");
        self.if_else(
            worth,
            &[],
            |lower| {
                lower.contract(product, target);
                vec![]
            },
            |lower| {
                loops(lower);
                vec![]
            },
        );
    }

    fn length_of(&mut self, product: &Product, axes: &[usize]) -> Value {
        let dims: Vec<Value> = axes.iter().map(|&axis| product.dims[axis]).collect();
        self.product(&dims)
    }

    fn contract(&mut self, product: &Product, target: &Array) {
        let Product { operands, stack, rows, columns, depth, .. } = product;
        let left = self.as_matrices(product, &operands[0], rows, depth);
        let right = self.as_matrices(product, &operands[1], depth, columns);
        let order = [&stack[..], rows, columns].concat();
        let dims: Vec<Value> = order.iter().map(|&axis| product.dims[axis]).collect();
        let matrices: Vec<Value> = stack.iter().map(|&axis| product.dims[axis]).collect();
        let lengths = [rows, columns].map(|axes| self.length_of(product, axes));
        let matrices = [&matrices[..], &lengths].concat();
        if order.is_sorted() {
            let view = self.dense_view(target.value, &matrices);
            return self.call_product(&view, &left, &right);
        }
        let made = self.empty(self.dtype(target.value), &dims);
        let view = self.dense_view(made.value, &matrices);
        self.call_product(&view, &left, &right);
        let mut kept = order.clone();
        kept.sort_unstable();
        let place = |axis: &usize| order.iter().position(|other| other == axis).expect("it is kept");
        let turned = self.permuted(&made, &kept.iter().map(place).collect::<Vec<_>>());
        // The target has also the axes that neither operand has.
        let of_target: Vec<Value> = kept.iter().map(|&axis| product.dims[axis]).collect();
        let flat = self.dense_view(target.value, &of_target);
        self.elementwise(&flat, &[turned.value], &mut |_, x| x[0]);
    }

    /// An operand as a stack of matrices with these axes as rows and those as columns.
    fn as_matrices(
        &mut self,
        product: &Product,
        operand: &Array,
        rows: &[usize],
        columns: &[usize],
    ) -> Array {
        let axes = [&product.stack[..], rows, columns].concat();
        let (zero, strides) = (self.int(0), self.strides(operand));
        let pick = |of: &[Value]| axes.iter().map(|&axis| of[axis]).collect::<Vec<_>>();
        let contiguous = operand.contiguous && axes.is_sorted();
        // Lengths that differ in name alone are the shape's.
        let view = self.raw_view(operand.value, zero, pick(&product.dims), pick(&strides), contiguous);
        if rows.len() == 1 && columns.len() == 1 {
            return view;
        }
        let mut dims: Vec<Value> = product.stack.iter().map(|&axis| product.dims[axis]).collect();
        for axes in [rows, columns] {
            dims.push(self.length_of(product, axes));
        }
        let shaped = self.reshaped(&view, &dims);
        self.remember(shaped.clone());
        shaped
    }
}
