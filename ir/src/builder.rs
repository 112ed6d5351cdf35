//! Appends operations to a block; what every stage that makes IR uses.

use crate::elem::ElemOp;
use crate::entity::{Block, Op, Value};
use crate::func::{Function, Loc};
use crate::op::{Exc, Literal, Message, OpKind};
use crate::types::{DType, Type};

/// A position (the end of a block) in a function.
pub struct Builder<'f> {
    pub func: &'f mut Function,
    pub block: Block,
    /// Given to each operation made.
    pub loc: Loc,
}

impl<'f> Builder<'f> {
    pub fn new(func: &'f mut Function, block: Block) -> Self {
        Self { func, block, loc: Loc::default() }
    }

    /// Appends an operation with any results and regions.
    pub fn op(&mut self, kind: OpKind, args: Vec<Value>, results: &[Type], regions: Vec<Block>) -> Op {
        let op = self.func.new_op(kind, args, results, regions, self.loc);
        self.func.blocks[self.block].ops.push(op);
        op
    }

    /// Appends an operation with one result.
    pub fn value(&mut self, kind: OpKind, args: Vec<Value>, ty: Type) -> Value {
        let op = self.op(kind, args, &[ty], vec![]);
        self.func.result(op)
    }

    /// Appends an operation without results.
    pub fn effect(&mut self, kind: OpKind, args: Vec<Value>) -> Op {
        self.op(kind, args, &[], vec![])
    }

    pub fn int(&mut self, value: i64) -> Value {
        self.value(OpKind::Const(Literal::Int(value)), vec![], Type::I64)
    }

    pub fn bool(&mut self, value: bool) -> Value {
        self.value(OpKind::Const(Literal::Bool(value)), vec![], Type::BOOL)
    }

    /// A number of any dtype; `value` must be representable.
    pub fn number(&mut self, value: f64, dtype: DType) -> Value {
        let literal = match dtype {
            DType::Bool => Literal::Bool(value != 0.0),
            d if d.is_complex() => Literal::Complex(value.to_bits(), 0),
            d if d.is_float() => Literal::float(value),
            #[allow(clippy::cast_possible_truncation, reason = "representable by the contract")]
            _ => Literal::Int(value as i64),
        };
        self.value(OpKind::Const(literal), vec![], Type::Scalar(dtype))
    }

    /// An elementwise operation; the result's rank is the greatest of the operands'.
    pub fn elem(&mut self, op: ElemOp, args: &[Value]) -> Value {
        let operand = *args.last().expect("elementwise operations have operands");
        let dtype = self.func.ty(operand).dtype().expect("elementwise operands have elements");
        let result = op.result_dtype(dtype);
        let rank =
            args.iter().filter(|&&a| self.func.ty(a).is_array()).map(|&a| self.func.ty(a).rank()).max();
        let ty = rank.map_or(Type::Scalar(result), |rank| Type::array(result, rank));
        self.value(OpKind::Elem(op), args.to_vec(), ty)
    }

    /// Converts elements; nothing where the type is right already.
    pub fn cast(&mut self, value: Value, dtype: DType) -> Value {
        let ty = self.func.ty(value);
        if ty.dtype() == Some(dtype) {
            return value;
        }
        self.value(OpKind::Cast, vec![value], ty.with_dtype(dtype))
    }

    pub fn dim(&mut self, array: Value, axis: u8) -> Value {
        self.value(OpKind::Dim(axis), vec![array], Type::I64)
    }

    pub fn add(&mut self, a: Value, b: Value) -> Value {
        self.elem(ElemOp::Add, &[a, b])
    }

    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        self.elem(ElemOp::Sub, &[a, b])
    }

    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        self.elem(ElemOp::Mul, &[a, b])
    }

    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        self.elem(ElemOp::Select, &[cond, a, b])
    }

    pub fn check(&mut self, cond: Value, exc: Exc, message: &str, payload: &[Value]) {
        let mut args = vec![cond];
        args.extend_from_slice(payload);
        self.effect(OpKind::Check { exc, message: Some(Message::text(message)) }, args);
    }

    /// Runs `build` at the end of a new block with these parameters and gives the block.
    pub fn region(&mut self, params: &[Type], build: impl FnOnce(&mut Builder<'_>, &[Value])) -> Block {
        let block = self.func.new_block();
        let values: Vec<Value> = params.iter().map(|&ty| self.func.add_param(block, ty)).collect();
        let mut inner = Builder { func: self.func, block, loc: self.loc };
        build(&mut inner, &values);
        block
    }

    /// `for index in range(start, stop, step)` with carried values; `build` gives the next carried values.
    pub fn for_loop(
        &mut self,
        range: [Value; 3],
        init: &[Value],
        build: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let carried: Vec<Type> = init.iter().map(|&v| self.func.ty(v)).collect();
        let mut params = vec![Type::I64];
        params.extend_from_slice(&carried);
        let body = self.region(&params, |b, p| {
            let next = build(b, p[0], &p[1..]);
            b.effect(OpKind::Continue(0), next);
        });
        let mut args = range.to_vec();
        args.extend_from_slice(init);
        let op = self.op(OpKind::For, args, &carried, vec![body]);
        self.func.ops[op].results.clone()
    }
}
