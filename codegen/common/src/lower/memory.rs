//! Element addresses, loads and stores, and what is known of aliasing.
//!
//! Each class of arrays and lists of `pydd_ir::alias` is a class of memory to the backend. Lists have two
//! more: one for their headers (length and data pointer) and one for their items.

use crate::emit::{Access, Emit, EmitExt, IntOp, Ty};
use crate::lower::function::FuncCx;
use crate::lower::values::{Array, Val, part_types, scalar_type, stored_type};
use pydd_ir::alias::MemoryInfo;
use pydd_ir::{DType, Entity, Op, ReduceOp, Type, Value};

pub const LIST_HEADERS: usize = 0;
pub const LIST_ITEMS: usize = 1;
const FIRST_CLASS: usize = 2;

/// How many classes of memory the accesses of a function name.
pub fn class_count(memory: &MemoryInfo) -> usize {
    match memory.class_count() {
        0 => 0,
        classes => FIRST_CLASS + classes,
    }
}

/// An aligned access to one class.
pub fn access_to(class: usize) -> Access {
    Access { classes: [class].into_iter().collect(), ..Access::default() }
}

impl<E: Emit> FuncCx<'_, E> {
    /// The address of an element; indices are within the dimensions, so each partial sum is in bounds.
    fn address(&self, array: &Array<E::V>, indices: &[E::V]) -> E::V {
        array.strides.iter().zip(indices).fold(array.data, |at, (&stride, &index)| {
            let offset = self.ir.mul_nsw(index, stride);
            self.ir.offset(at, offset)
        })
    }

    pub fn load_raw(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let array = data.args[0];
        let indices: Vec<E::V> = data.args[1..].iter().map(|&i| self.scalar(i)).collect();
        let at = self.address(self.val(array).array(), &indices);
        let dtype = self.ty(array).dtype().expect("arrays have elements");
        let val = self.load_element(at, dtype, &self.array_access(array));
        self.bind(self.func.result(op), val);
    }

    pub fn store_raw(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let array = data.args[0];
        let indices: Vec<E::V> = data.args[2..].iter().map(|&i| self.scalar(i)).collect();
        let at = self.address(self.val(array).array(), &indices);
        let dtype = self.ty(array).dtype().expect("arrays have elements");
        self.store_element(at, self.val(data.args[1]), dtype, &self.array_access(array));
    }

    /// On the processor iterations that update one array run in order.
    pub fn update_raw(&mut self, op: Op, reduce: ReduceOp) {
        let data = &self.func.ops[op];
        let array = data.args[0];
        let indices: Vec<E::V> = data.args[2..].iter().map(|&i| self.scalar(i)).collect();
        let at = self.address(self.val(array).array(), &indices);
        let dtype = self.ty(array).dtype().expect("arrays have elements");
        let value = self.scalar(data.args[1]);
        let step = int_step(reduce, dtype.is_signed_int()).expect("the verifier knows what is an update");
        if self.m.on_device {
            let private = self.private.iter().copied().find(|private| private.array == array);
            return match private {
                Some(private) => self.add_in_block(private, &indices, value, at),
                None => self.ir.update(step, at, value),
            };
        }
        let access = self.array_access(array);
        let before = self.load_element(at, dtype, &access);
        let after = self.ir.int_op(step, before.scalar(), value);
        self.store_element(at, &Val::Scalar(after), dtype, &access);
    }

    pub fn array_access(&self, array: Value) -> Access {
        let classes = self.facts.memory.classes(array).iter().map(|class| FIRST_CLASS + class.index());
        let unaligned = !self.facts.layout.is_aligned(array);
        Access { classes: classes.collect(), unaligned, ..Access::default() }
    }

    /// Loads one element.
    pub fn load_element(&self, at: E::V, dtype: DType, access: &Access) -> Val<E::V> {
        let part = |offset| self.ir.load_with(stored_type(dtype), at, offset, access);
        if dtype.is_complex() {
            return Val::Complex(part(0), part(half(dtype)));
        }
        let value = part(0);
        Val::Scalar(if dtype == DType::Bool { self.ir.ne(value, self.ir.i8(0)) } else { value })
    }

    /// Stores one element.
    pub fn store_element(&self, at: E::V, val: &Val<E::V>, dtype: DType, access: &Access) {
        let part = |offset, value| self.ir.store_with(at, offset, value, access);
        if dtype.is_complex() {
            let (re, im) = val.complex();
            part(0, re);
            part(half(dtype), im);
        } else {
            part(0, to_memory(&self.ir, val.scalar()));
        }
    }

    /// Stores values as words, one after the other.
    pub fn store_words(&self, at: E::V, values: &[Value]) {
        let mut word = 0;
        for &value in values {
            let dtype = self.ty(value).dtype();
            for part in self.val(value).parts() {
                store_word(&self.ir, at, word, part, dtype);
                word += 1;
            }
        }
    }
}

/// How integers are combined that are reduced.
const fn int_step(reduce: ReduceOp, signed: bool) -> Option<IntOp> {
    Some(match (reduce, signed) {
        (ReduceOp::Sum, _) => IntOp::Add,
        (ReduceOp::And, _) => IntOp::And,
        (ReduceOp::Or, _) => IntOp::Or,
        (ReduceOp::Xor, _) => IntOp::Xor,
        (ReduceOp::Min, true) => IntOp::Smin,
        (ReduceOp::Max, true) => IntOp::Smax,
        (ReduceOp::Min, false) => IntOp::Umin,
        (ReduceOp::Max, false) => IntOp::Umax,
        _ => return None,
    })
}

/// A bool as the byte that it is in memory; anything else as it is.
fn to_memory<E: Emit>(ir: &E, value: E::V) -> E::V {
    if ir.ty(value) == Ty::I1 { ir.int_cast(value, Ty::I8, false) } else { value }
}

/// Stores one part of a value as a word.
pub fn store_word<E: Emit>(ir: &E, at: E::V, index: usize, part: E::V, dtype: Option<DType>) {
    let word = match ir.ty(part) {
        Ty::Ptr | Ty::F64 => part,
        Ty::F32 => ir.int_cast(ir.float_bits(part), Ty::I64, false),
        _ => ir.int_cast(part, Ty::I64, dtype.is_some_and(DType::is_signed_int)),
    };
    ir.store(at, index * 8, word);
}

/// Loads all parts of a value from words.
pub fn load_words<E: Emit>(ir: &E, at: E::V, ty: Type) -> Vec<E::V> {
    let load = |(i, part): (usize, Ty)| match part {
        Ty::Ptr | Ty::F32 | Ty::F64 => ir.load(part, at, i * 8),
        int => ir.int_cast(ir.load(Ty::I64, at, i * 8), int, false),
    };
    part_types(ty).into_iter().enumerate().map(load).collect()
}

/// Where a complex number's imaginary part is.
fn half(dtype: DType) -> usize {
    usize::try_from(scalar_type(dtype).bits() / 8).expect("small")
}
