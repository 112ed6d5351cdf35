//! New arrays and views.

use crate::emit::{Emit, EmitExt, Ty};
use crate::lower::function::FuncCx;
use crate::lower::values::{Array, Val, row_major};
use pydd_abi::{RuntimeFn, layout};
use pydd_ir::{DType, Loc, Op};

impl<E: Emit> FuncCx<'_, E> {
    pub fn new_array(&mut self, op: Op, zero: bool) {
        let data = &self.func.ops[op];
        let result = self.func.result(op);
        let dims: Vec<E::V> = data.args.iter().map(|&d| self.scalar(d)).collect();
        let dtype = self.ty(result).dtype().expect("arrays have elements");
        let array = self.allocate(dims, dtype, zero, data.loc);
        self.bind(result, Val::Array(array));
    }

    /// A fresh array.
    pub fn allocate(&mut self, dims: Vec<E::V>, dtype: DType, zero: bool, loc: Loc) -> Array<E::V> {
        let rank = i64::try_from(dims.len()).expect("small");
        let table = self.words_of(&dims);
        let out = self.ir.stack_words(1);
        let size = self.ir.i64(dtype.size().cast_signed());
        let args = [self.ctx, self.ir.i64(rank), table, size, self.ir.i32(u32::from(zero)), out];
        self.runtime_call(RuntimeFn::array_alloc, &args, loc);
        let owner = self.ir.load(Ty::Ptr, out, 0);
        let data = self.ir.load(Ty::Ptr, owner, layout::OWNER_DATA);
        let strides = row_major(&self.ir, &dims, dtype);
        Array { data, owner, dims, strides }
    }

    /// The values, one after the other on the stack.
    pub fn words_of(&self, words: &[E::V]) -> E::V {
        if words.is_empty() {
            return self.ir.null();
        }
        let at = self.ir.stack_words(words.len());
        for (i, &word) in words.iter().enumerate() {
            self.ir.store(at, i * 8, word);
        }
        at
    }

    pub fn raw_view(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let result = self.func.result(op);
        let rank = usize::from(self.ty(result).rank());
        let base = self.val(data.args[0]).array();
        // An empty view may start outside of its base.
        let start = self.ir.wild_offset(base.data, self.scalar(data.args[1]));
        let numbers: Vec<E::V> = data.args[2..].iter().map(|&n| self.scalar(n)).collect();
        let (dims, strides) = numbers.split_at(rank);
        let (dims, strides) = (dims.to_vec(), strides.to_vec());
        let array = Array { data: start, owner: base.owner, dims, strides };
        self.bind(result, Val::Array(array));
    }

    pub fn array_address(&mut self, op: Op) {
        let array = self.func.ops[op].args[0];
        let at = self.ir.stack_words(1);
        self.ir.store(at, 0, self.val(array).array().data);
        let address = self.ir.load(Ty::I64, at, 0);
        self.bind(self.func.result(op), Val::Scalar(address));
    }

    pub fn is_contiguous(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let array = data.args[0];
        let dtype = self.ty(array).dtype().expect("arrays have elements");
        let answer = if self.facts.layout.is_contiguous(array) {
            self.ir.bool(true)
        } else {
            self.contiguity(self.val(array).array(), dtype)
        };
        self.bind(self.func.result(op), Val::Scalar(answer));
    }

    /// An axis of length 1 may have any stride, and an empty array any strides at all.
    fn contiguity(&self, array: &Array<E::V>, dtype: DType) -> E::V {
        let ir = &self.ir;
        let expected = row_major(ir, &array.dims, dtype);
        let (mut empty, mut in_order) = (ir.bool(false), ir.bool(true));
        for (i, &dim) in array.dims.iter().enumerate() {
            empty = ir.or(empty, ir.is_zero(dim));
            let right = ir.eq(array.strides[i], expected[i]);
            in_order = ir.and(in_order, ir.or(right, ir.eq(dim, ir.i64(1))));
        }
        ir.or(empty, in_order)
    }
}
