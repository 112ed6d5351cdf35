//! Integers of Python's that are written as operations on constants: `2**63 - 1`, `(1 << 64) - 1`. They have any size
//! until they are used, and one that does not fit 64 bits then is refused.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, UnaryOp};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::{DType, Literal};

/// Operations within one constant.
const MAX_DEPTH: usize = 64;

/// A constant, or that it is larger than what is computed with.
type Constant = Result<i128, TooLarge>;

/// More than 127 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Infer<'_, '_> {
    /// The value of an operation on integers that are all written here.
    pub(in crate::typed) fn constant_int(&self, expr: &ast::Expr) -> Option<Constant> {
        if !self.unit.user {
            return None;
        }
        evaluate(expr, MAX_DEPTH)
    }

    /// A constant as one of 64 bits.
    pub(in crate::typed) fn wide_int(&mut self, value: Constant, span: Span) -> Expr {
        if let Ok(value) = value {
            if let Ok(value) = i64::try_from(value) {
                return Expr::int(value, span);
            }
            if let Ok(value) = u64::try_from(value) {
                let literal = Literal::Int(value.cast_signed());
                return Expr::new(ExprKind::Literal(literal), Ty::Scalar(Num::weak(DType::U64)), span);
            }
        }
        let diagnostic = Diagnostic::error(code::INTEGER_TOO_LARGE, "this integer does not fit 64 bits")
            .primary(span, "integers have 64 bits")
            .help("write a float if it need not be exact: `2.0**70`");
        self.fail(diagnostic)
    }

    /// Two operands. An integer that does not fit 64 bits becomes a float beside a float, as in Python.
    pub(in crate::typed) fn beside_floats(&mut self, left: &ast::Expr, right: &ast::Expr) -> [Expr; 2] {
        match [left, right].map(|side| self.too_wide(side).is_some()) {
            [true, false] => {
                let other = self.either_expr(right);
                [self.operand_beside(&other, left), other]
            }
            [false, true] => {
                let other = self.either_expr(left);
                let own = self.operand_beside(&other, right);
                [other, own]
            }
            _ => [self.either_expr(left), self.either_expr(right)],
        }
    }

    /// The operand beside another one, which is evaluated already; see [`beside_floats`](Self::beside_floats).
    pub(in crate::typed) fn operand_beside(&mut self, other: &Expr, side: &ast::Expr) -> Expr {
        let is_float = other.ty.num().is_some_and(|num| num.is_float() || num.dtype.is_complex());
        #[allow(clippy::cast_precision_loss, reason = "rounds to nearest, as Python does")]
        match self.too_wide(side) {
            Some(value) if is_float => Expr::float(value as f64, side.span),
            _ => self.either_expr(side),
        }
    }

    /// The value of an operation on constants that does not fit 64 bits.
    fn too_wide(&self, side: &ast::Expr) -> Option<i128> {
        let is_operation = matches!(side.kind, ast::ExprKind::Binary { .. } | ast::ExprKind::Unary { .. });
        let constant = self.constant_int(side).filter(|_| is_operation).and_then(Result::ok);
        constant.filter(|value| !fits(*value))
    }

    /// An operation on constants of Python's that are not written here.
    pub(in crate::typed) fn fold_wide(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Constant> {
        let constant = |value: &Expr| {
            let is_int = value.ty.scalar().is_some_and(|num| num.weak && num.dtype.is_int());
            value.as_wide_int().filter(|_| is_int && self.unit.user)
        };
        let (a, b) = (constant(left)?, constant(right)?);
        apply(op, a, b)
    }
}

fn fits(value: i128) -> bool {
    i64::try_from(value).is_ok() || u64::try_from(value).is_ok()
}

fn evaluate(expr: &ast::Expr, depth: usize) -> Option<Constant> {
    let depth = depth.checked_sub(1)?;
    match &expr.kind {
        ast::ExprKind::Int(value) => Some(Ok(i128::from(*value))),
        ast::ExprKind::Unary { op, operand } => {
            let value = evaluate(operand, depth)?;
            match op {
                UnaryOp::Neg => Some(value.map(|value| -value)),
                UnaryOp::Pos => Some(value),
                UnaryOp::Invert => Some(value.map(|value| !value)),
                UnaryOp::Not => None,
            }
        }
        ast::ExprKind::Binary { op, left, right } => {
            let right = evaluate(right, depth)?;
            let left = evaluate(left, depth)?;
            match (left, right) {
                (Ok(left), Ok(right)) => apply(*op, left, right),
                _ => Some(Err(TooLarge)),
            }
        }
        _ => None,
    }
}

/// `None`: it gives no integer, or raises.
fn apply(op: BinaryOp, a: i128, b: i128) -> Option<Constant> {
    let limited = |value: Option<i128>| Some(value.filter(|value| *value != i128::MIN).ok_or(TooLarge));
    match op {
        BinaryOp::Add => limited(a.checked_add(b)),
        BinaryOp::Sub => limited(a.checked_sub(b)),
        BinaryOp::Mul => limited(a.checked_mul(b)),
        BinaryOp::Pow if b >= 0 => match a {
            -1..=1 => Some(Ok(if b == 0 || a == -1 && b % 2 == 0 { 1 } else { a })),
            _ => limited(u32::try_from(b).ok().and_then(|b| a.checked_pow(b))),
        },
        BinaryOp::FloorDiv if b > 0 => Some(Ok(a.div_euclid(b))),
        BinaryOp::Mod if b > 0 => Some(Ok(a.rem_euclid(b))),
        BinaryOp::BitAnd => Some(Ok(a & b)),
        BinaryOp::BitOr => Some(Ok(a | b)),
        BinaryOp::BitXor => Some(Ok(a ^ b)),
        BinaryOp::ShiftLeft if b >= 0 => match u32::try_from(b).ok().filter(|b| *b < 127) {
            Some(b) => limited(a.checked_mul(1 << b)),
            None if a == 0 => Some(Ok(0)),
            None => Some(Err(TooLarge)),
        },
        BinaryOp::ShiftRight if b >= 0 => Some(Ok(a >> b.min(126))),
        _ => None,
    }
}
