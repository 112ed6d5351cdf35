//! Library functions.

use crate::builder::{V, result};
use crate::function::{FuncCx, Lowered};
use crate::memory::Access;
use crate::types::{Array, Val};
use inkwell::IntPredicate;
use pydd_abi::layout;
use pydd_codegen::Bits;
use pydd_ir::{DType, LibOp, Op, Type};

impl<'c> FuncCx<'c, '_> {
    pub fn library(&mut self, op: Op, lib: LibOp) -> Lowered {
        match lib {
            LibOp::Matmul => self.matmul(op),
            LibOp::Sort => self.sort(op),
            LibOp::Time => self.time(op),
        }
        Ok(())
    }

    fn time(&mut self, op: Op) {
        let ty = self.m.cx.f64_type().fn_type(&[], false);
        let seconds = result(self.ir.call_pointer(ty, self.table_entry(layout::TABLE_TIME), &[]));
        self.bind(self.func.result(op), Val::Scalar(seconds));
    }

    /// The runtime multiplies into memory that is taken here; it checks the shapes.
    fn matmul(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let value = self.func.result(op);
        let ty = self.ty(value);
        let dtype = ty.dtype().expect("products have elements");
        let [a, b] = [0, 1].map(|i| self.val(data.args[i]).array().clone());
        let out = match ty {
            Type::Array { .. } => {
                let dims = self.matmul_dims(&a.dims, &b.dims);
                self.allocate(dims, dtype, false, data.loc)
            }
            _ => {
                let at = self.alloca_words(2);
                Array { data: at, owner: self.ir.null(), dims: Vec::new(), strides: Vec::new() }
            }
        };
        let refs =
            [self.array_ref(data.args[0]), self.array_ref(data.args[1]), self.array_ref_of(&out, dtype)];
        let args = [self.ctx, refs[0], refs[1], refs[2]];
        if ty.is_array() {
            // Until the product is done the error exit does not know the memory.
            self.runtime_call_releasing(layout::TABLE_MATMUL, &args, data.loc, out.owner);
            self.bind(value, Val::Array(out));
        } else {
            self.runtime_call(layout::TABLE_MATMUL, &args, data.loc);
            let access = Access { classes: Bits::default(), aligned: true };
            let product = self.load_element(out.data, dtype, &access);
            self.bind(value, product);
        }
    }

    /// Stacks broadcast; of the last two axes each operand gives one.
    fn matmul_dims(&self, a: &[V<'c>], b: &[V<'c>]) -> Vec<V<'c>> {
        let ir = &self.ir;
        let stack = |dims: &[V<'c>]| dims[..dims.len().saturating_sub(2)].to_vec();
        let (stack_a, stack_b) = (stack(a), stack(b));
        let rank = stack_a.len().max(stack_b.len());
        let axis = |dims: &[V<'c>], i: usize| (i + dims.len()).checked_sub(rank).map(|i| dims[i]);
        let mut dims: Vec<V<'c>> = (0..rank)
            .map(|i| match (axis(&stack_a, i), axis(&stack_b, i)) {
                (Some(x), Some(y)) => ir.select(ir.eq(x, ir.i64(1)), y, x),
                (x, y) => x.or(y).expect("one of them has the axis"),
            })
            .collect();
        if a.len() > 1 {
            dims.push(a[a.len() - 2]);
        }
        if b.len() > 1 {
            dims.push(b[b.len() - 1]);
        }
        dims
    }

    /// A copy, which the runtime sorts in place.
    fn sort(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let value = self.func.result(op);
        let dtype = self.ty(value).dtype().expect("arrays have elements");
        let source = self.val(data.args[0]).array().clone();
        let copy = self.allocate(source.dims.clone(), dtype, false, data.loc);
        self.copy_elements(&source, &copy, dtype, &mut Vec::new());
        let args = [self.ctx, self.array_ref_of(&copy, dtype)];
        self.runtime_call_releasing(layout::TABLE_SORT, &args, data.loc, copy.owner);
        self.bind(value, Val::Array(copy));
    }

    /// Loops over all axes, the inner ones in the outer ones.
    fn copy_elements(&mut self, from: &Array<'c>, to: &Array<'c>, dtype: DType, indices: &mut Vec<V<'c>>) {
        let axis = indices.len();
        if axis == from.dims.len() {
            let any = Access { classes: Bits::default(), aligned: false };
            let element = self.load_element(self.address(from, indices), dtype, &any);
            self.store_element(self.address(to, indices), &element, dtype, &any);
            return;
        }
        let (before, header, body, end) =
            (self.ir.here(), self.ir.label("copy"), self.ir.label("copy.body"), self.ir.label("copy.end"));
        self.ir.br(header);
        self.ir.at(header);
        let index = self.ir.phi(self.ir.i64_type());
        let i = index.as_basic_value();
        index.add_incoming(&[(&self.ir.i64(0), before)]);
        self.ir.cond_br(self.ir.icmp(IntPredicate::SLT, i, from.dims[axis]), body, end);
        self.ir.at(body);
        indices.push(i);
        self.copy_elements(from, to, dtype, indices);
        indices.pop();
        let next = self.ir.add_nsw(i, self.ir.i64(1));
        index.add_incoming(&[(&next, self.ir.here())]);
        self.ir.br(header);
        self.ir.at(end);
    }
}
