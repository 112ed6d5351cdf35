//! Scalars: constants, arithmetic, conversions, checks.

use super::{Dim, Gen};
use crate::args;
use pydd_interp::Scalar;
use pydd_ir::{DType, ElemOp, Exc, Literal, Message, OpKind, Type, Value};

/// Operations whose results every implementation agrees on to the last bit.
const EXACT: &[ElemOp] = &[
    ElemOp::Add,
    ElemOp::Sub,
    ElemOp::Mul,
    ElemOp::Div,
    ElemOp::FloorDiv,
    ElemOp::Mod,
    ElemOp::Fmod,
    ElemOp::Pow,
    ElemOp::Neg,
    ElemOp::Abs,
    ElemOp::Min,
    ElemOp::Max,
    ElemOp::Fmin,
    ElemOp::Fmax,
    ElemOp::Eq,
    ElemOp::Ne,
    ElemOp::Lt,
    ElemOp::Le,
    ElemOp::Gt,
    ElemOp::Ge,
    ElemOp::And,
    ElemOp::Or,
    ElemOp::Xor,
    ElemOp::Not,
    ElemOp::Shl,
    ElemOp::Shr,
    ElemOp::Sqrt,
    ElemOp::Nextafter,
    ElemOp::Floor,
    ElemOp::Ceil,
    ElemOp::Trunc,
    ElemOp::Rint,
    ElemOp::Sign,
    ElemOp::IsNan,
    ElemOp::IsInf,
    ElemOp::IsFinite,
    ElemOp::Re,
    ElemOp::Im,
    ElemOp::Conj,
    ElemOp::MakeComplex,
    ElemOp::Select,
    ElemOp::Add,
    ElemOp::Sub,
    ElemOp::Mul,
    ElemOp::Add,
];

/// Whether the interpreter and compiled code agree exactly.
fn agrees(op: ElemOp, d: DType) -> bool {
    let inexact = match op {
        ElemOp::Pow => !d.is_int(),
        ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod | ElemOp::Sign => d == DType::Bool,
        ElemOp::Mul => d == DType::C64,
        ElemOp::Div | ElemOp::Sqrt | ElemOp::Abs => d.is_complex(),
        _ => false,
    };
    op.domain().contains(d) && !inexact
}

impl Gen<'_> {
    pub(super) fn constant(&mut self, dtype: DType) -> Value {
        let literal = match args::value(self.rng, dtype) {
            Scalar::Bool(b) => Literal::Bool(b),
            #[allow(clippy::cast_possible_truncation, reason = "the same bits are meant")]
            Scalar::Int(v, _) => Literal::Int(v as i64),
            Scalar::Float(x, _) => Literal::float(x),
            Scalar::Complex(re, im, _) => Literal::Complex(re.to_bits(), im.to_bits()),
        };
        self.builder().value(OpKind::Const(literal), vec![], Type::Scalar(dtype))
    }

    /// A scalar of this type.
    pub(super) fn scalar(&mut self, dtype: DType) -> Value {
        if self.rng.percent(75)
            && let Some(known) = self.find(|k| k.ty == Type::Scalar(dtype))
        {
            return known.value;
        }
        if self.rng.percent(35)
            && let Some(known) = self.find(|k| k.ty.is_scalar())
        {
            let value = self.make(OpKind::Cast, vec![known.value], Type::Scalar(dtype));
            self.know_scalar(value);
            return value;
        }
        self.constant(dtype)
    }

    pub(super) fn i64(&mut self) -> Value {
        self.scalar(DType::I64)
    }

    pub(super) fn bool(&mut self) -> Value {
        if let Some(known) = self.find(|k| k.ty == Type::BOOL)
            && self.rng.percent(50)
        {
            return known.value;
        }
        let dtype = self.dtype();
        let op = self.rng.pick(&[ElemOp::Eq, ElemOp::Ne, ElemOp::Lt, ElemOp::Le, ElemOp::Gt, ElemOp::Ge]);
        let (a, b) = (self.scalar(dtype), self.scalar(dtype));
        let value = self.make(OpKind::Elem(op), vec![a, b], Type::BOOL);
        self.know_scalar(value);
        value
    }

    /// A small number between these.
    pub(super) fn clamped(&mut self, low: i64, high: i64) -> Value {
        let x = self.i64();
        let (low, high) = (self.int(low), self.int(high));
        let x = self.make(OpKind::Elem(ElemOp::Max), vec![x, low], Type::I64);
        self.make(OpKind::Elem(ElemOp::Min), vec![x, high], Type::I64)
    }

    /// An index into an axis, which is mostly within it.
    pub(super) fn index(&mut self, dim: Dim) -> Value {
        if let Some(known) = self.find(|k| k.indexes == Some(dim))
            && self.rng.percent(75)
        {
            return known.value;
        }
        match self.rng.below(12) {
            0..6 => self.int(0),
            6..9 => self.int(-1),
            9 => {
                let i = self.rng.range(-3, 3);
                self.int(i)
            }
            10 => self.clamped(-2, 1),
            _ => self.i64(),
        }
    }

    pub(super) fn scalar_op(&mut self) {
        let dtype = self.dtype();
        if self.rng.percent(12) {
            let source = self.dtype();
            let x = self.scalar(source);
            let value = self.make(OpKind::Cast, vec![x], Type::Scalar(dtype));
            return self.know_scalar(value);
        }
        let Some(op) = self.elem_op(dtype) else { return };
        let mut args = Vec::new();
        if op == ElemOp::Select {
            args.push(self.bool());
        }
        while args.len() < op.arity() {
            let arg = self.scalar(dtype);
            args.push(arg);
        }
        self.tame(op, dtype, &mut args);
        let value = self.make(OpKind::Elem(op), args, Type::Scalar(op.result_dtype(dtype)));
        self.know_scalar(value);
    }

    /// Which of several zeros is the least is open where they are gone over in any order: the positive one takes the place of all.
    pub(super) fn settled(&mut self, value: Value, any_order: bool) -> Value {
        let ty = self.ty(value);
        match ty.dtype() {
            Some(dtype) if any_order && dtype.is_float() => {
                let zero = self.builder().number(0.0, dtype);
                self.make(OpKind::Elem(ElemOp::Add), vec![value, zero], ty)
            }
            _ => value,
        }
    }

    pub(super) fn elem_op(&mut self, dtype: DType) -> Option<ElemOp> {
        (0..20).map(|_| self.rng.pick(EXACT)).find(|&op| agrees(op, dtype))
    }

    /// Makes divisors other than zero and exponents small, mostly.
    pub(super) fn tame(&mut self, op: ElemOp, dtype: DType, args: &mut [Value]) {
        if !op.may_raise(dtype) || self.rng.percent(10) {
            return;
        }
        let ty = Type::Scalar(dtype);
        let (with, bits) = if op == ElemOp::Pow { (ElemOp::And, 3) } else { (ElemOp::Or, 1) };
        let bits = self.builder().value(OpKind::Const(Literal::Int(bits)), vec![], ty);
        let result = self.ty(args[1]);
        args[1] = self.make(OpKind::Elem(with), vec![args[1], bits], result);
    }

    pub(super) fn check(&mut self) {
        let cond = if self.rng.percent(80) {
            // Mostly true.
            let (x, limit) = (self.i64(), self.rng.range(-7, 12));
            let limit = self.int(limit);
            let op = self.rng.pick(&[ElemOp::Ne, ElemOp::Ne, ElemOp::Ge]);
            self.make(OpKind::Elem(op), vec![x, limit], Type::BOOL)
        } else {
            self.bool()
        };
        let exc = self.rng.pick(&[Exc::ValueError, Exc::IndexError, Exc::RuntimeError, Exc::AssertionError]);
        let count = self.rng.below(3);
        let mut args = vec![cond];
        for _ in 0..count {
            let value = self.i64();
            args.push(value);
        }
        let message = match count {
            0 => None,
            1 => Some(Message::text("value {0}")),
            _ => Some(Message::text("values {1} and {0}")),
        };
        self.op(OpKind::Check { exc, message }, args, &[], vec![]);
    }
}
