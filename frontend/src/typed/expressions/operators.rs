//! Operators of one and two operands.

use super::power::Powers;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, UnaryOp};
use crate::typed::containers::sparse;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::promote::{self, promote};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::Promote;
use pydd_ir::{DType, ElemOp, Exc, Literal};

/// The operation of an operator; `@` has none.
const fn elem_op(op: BinaryOp) -> Option<ElemOp> {
    Some(match op {
        BinaryOp::Add => ElemOp::Add,
        BinaryOp::Sub => ElemOp::Sub,
        BinaryOp::Mul => ElemOp::Mul,
        BinaryOp::Div => ElemOp::Div,
        BinaryOp::FloorDiv => ElemOp::FloorDiv,
        BinaryOp::Mod => ElemOp::Mod,
        BinaryOp::Pow => ElemOp::Pow,
        BinaryOp::BitAnd => ElemOp::And,
        BinaryOp::BitOr => ElemOp::Or,
        BinaryOp::BitXor => ElemOp::Xor,
        BinaryOp::ShiftLeft => ElemOp::Shl,
        BinaryOp::ShiftRight => ElemOp::Shr,
        BinaryOp::MatMul => return None,
    })
}

/// What an operation on bools becomes: an operation on bools, on integers, or nothing.
enum OnBool {
    Keep,
    Instead(ElemOp),
    Int8,
    Refuse,
}

const fn on_bool(op: ElemOp) -> OnBool {
    match op {
        ElemOp::Add | ElemOp::Max => OnBool::Instead(ElemOp::Or),
        ElemOp::Mul | ElemOp::Min => OnBool::Instead(ElemOp::And),
        ElemOp::Abs => OnBool::Instead(ElemOp::Or),
        ElemOp::Sub | ElemOp::Neg | ElemOp::Sign => OnBool::Refuse,
        ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod | ElemOp::Pow | ElemOp::Shl | ElemOp::Shr => {
            OnBool::Int8
        }
        _ => OnBool::Keep,
    }
}

impl Infer<'_, '_> {
    pub(in crate::typed) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        if op == UnaryOp::Not {
            let cond = self.condition(operand);
            return Self::not(Expr { span, ..cond });
        }
        // -2**63, which has no positive counterpart.
        if let (UnaryOp::Neg, ast::ExprKind::Int(value)) = (op, &operand.kind)
            && *value == 1 << 63
        {
            return Expr::int(i64::MIN, span);
        }
        let value = self.either_expr(operand);
        if value.ty.is_silent() {
            return Expr::silent([&value], span);
        }
        if let Ty::Either(_) = value.ty {
            let mut before = Vec::new();
            let value = self.once(value, &mut before);
            let result = self.each_way(&value, &mut |s, value| s.unary_of(op, value, span));
            return if result.ty.is_silent() { result } else { Self::seq(before, result) };
        }
        self.unary_of(op, value, span)
    }

    fn unary_of(&mut self, op: UnaryOp, value: Expr, span: Span) -> Expr {
        if sparse::is_sparse(&value.ty) {
            return self.sparse_unary(op, value, span);
        }
        match (op, value.ty.num()) {
            (UnaryOp::Pos, Some(num)) if num == Num::strong(DType::Bool) => {
                let headline = "the numpy boolean positive, the `+` operator, is not supported";
                self.error(code::UNSUPPORTED_OPERAND, span, headline, "use `.copy()` or `.astype(np.int64)`")
            }
            (UnaryOp::Pos, Some(num)) => {
                let value = self.integer_of_bool(value, num);
                self.unchanged(value)
            }
            (UnaryOp::Neg, Some(num)) => self.negate(value, num, span),
            (UnaryOp::Invert, Some(num)) if num.dtype.is_int() || num.dtype == DType::Bool => {
                let value = if num.weak { self.integer_of_bool(value, num) } else { value };
                Self::elem(ElemOp::Not, vec![value], num.weak, span)
            }
            _ => {
                let headline = format!("bad operand type for unary {}: {}", op.symbol(), value.ty);
                self.error(code::UNSUPPORTED_OPERAND, span, headline, &format!("this is {}", value.ty))
            }
        }
    }

    /// Python's bools are integers in arithmetic.
    fn integer_of_bool(&mut self, value: Expr, num: Num) -> Expr {
        if num == Num::BOOL { self.convert(value, Num::INT) } else { value }
    }

    fn negate(&mut self, value: Expr, num: Num, span: Span) -> Expr {
        if let (true, Some(constant)) = (num == Num::weak(DType::U64) && self.unit.user, value.as_wide_int())
        {
            return self.wide_int(Ok(-constant), span);
        }
        let literal = match &value.kind {
            ExprKind::Literal(Literal::Int(v)) if num.weak => v.checked_neg().map(Literal::Int),
            ExprKind::Literal(Literal::Float(bits)) => Some(Literal::float(-f64::from_bits(*bits))),
            _ => None,
        };
        if let Some(literal) = literal {
            return Expr { kind: ExprKind::Literal(literal), span, ..value };
        }
        if num == Num::strong(DType::Bool) {
            return self.error(
                code::UNSUPPORTED_OPERAND,
                span,
                "the numpy boolean negative, the `-` operator, is not supported",
                "use `~` or `logical_not`",
            );
        }
        let value = self.integer_of_bool(value, num);
        Self::elem(ElemOp::Neg, vec![value], num.weak, span)
    }

    /// `left op right`.
    pub(in crate::typed) fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        if left.ty.is_silent() || right.ty.is_silent() {
            return Expr::silent([&left, &right], span);
        }
        if let (Ty::Either(_), _) | (_, Ty::Either(_)) = (&left.ty, &right.ty) {
            return self.with_either(left, right, Self::computed_in, |s, left, right| {
                s.binary(op, left, right, span)
            });
        }
        if [&left, &right].into_iter().any(|value| sparse::is_sparse(&value.ty)) {
            return self.sparse_binary(op, left, right, span);
        }
        let [left, right] = self.beside_arrays([left, right]);
        if left.ty.is_silent() || right.ty.is_silent() {
            return Expr::silent([&left, &right], span);
        }
        if matches!(op, BinaryOp::FloorDiv | BinaryOp::Mod)
            && right.ty == Ty::INT
            && right.as_int() == Some(0)
        {
            let diagnostic = Diagnostic::warning(code::DIVISION_BY_ZERO, "the divisor is zero")
                .primary(right.span, "raises ZeroDivisionError whenever it runs");
            self.report(diagnostic);
        }
        let Some(elem) = elem_op(op) else { return self.matmul(left, right, span) };
        if left.ty.num().is_none() || right.ty.num().is_none() {
            return self.other_operands(op, left, right, span);
        }
        if let Some(folded) = fold(op, &left, &right) {
            return Expr::int(folded, span);
        }
        if let Some(folded) = self.fold_wide(op, &left, &right) {
            return self.wide_int(folded, span);
        }
        if elem == ElemOp::And {
            self.make_ranges(&left, &right, span);
        }
        let promote = if op == BinaryOp::Div { Promote::Inexact } else { Promote::Common };
        self.arithmetic(elem, promote, left, right, op.symbol(), span)
    }

    /// Two operands, of which a list or tuple beside an array is an array as well.
    pub(in crate::typed) fn beside_arrays(&mut self, [left, right]: [Expr; 2]) -> [Expr; 2] {
        let is_sequence = |ty: &Ty| (ty.is_sequence() || matches!(ty, Ty::Tuple(_))) && !ty.is_silent();
        match (left.ty.is_array(), right.ty.is_array()) {
            (true, false) if is_sequence(&right.ty) => [left, self.as_operand(right)],
            (false, true) if is_sequence(&left.ty) => [self.as_operand(left), right],
            _ => [left, right],
        }
    }

    /// Sums of tuples; everything else is an error.
    fn other_operands(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let (BinaryOp::Add, Ty::Tuple(a), Ty::Tuple(b)) = (op, &left.ty, &right.ty)
            && a.is_list() == b.is_list()
        {
            let list = a.is_list();
            let mut before = Vec::new();
            let left = self.once(left, &mut before);
            let right = self.once(right, &mut before);
            let mut items = self.items_of(&left);
            items.extend(self.items_of(&right));
            let sum = Self::tuple(items, span);
            return Self::seq(before, if list { Self::as_items(sum) } else { sum });
        }
        if let Some(result) = self.list_operator(op, &left, &right, span) {
            return result;
        }
        if let Some(result) = self.dict_operator(op, &left, &right, span) {
            return result;
        }
        if left.ty == Ty::Str || right.ty == Ty::Str {
            let diagnostic = Diagnostic::error(code::STRING_OPERATION, "strings are for messages only")
                .primary(span, "a string operation")
                .help(
                    "write the message as one literal, and pass values to `print` as arguments of their own",
                );
            return self.fail(diagnostic);
        }
        self.bad_operands(op.symbol(), &left, &right, span)
    }

    pub(in crate::typed) fn bad_operands(
        &mut self,
        symbol: &str,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Expr {
        for operand in [left, right] {
            if operand.ty == Ty::None {
                return self.none_value(operand);
            }
        }
        let headline = format!("unsupported operand type(s) for {symbol}: {} and {}", left.ty, right.ty);
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
            .primary(span, "")
            .secondary(left.span, format!("this is {}", left.ty))
            .secondary(right.span, format!("this is {}", right.ty));
        self.fail(diagnostic)
    }

    /// An operation on two numbers or arrays, converted to one type.
    pub(in crate::typed) fn arithmetic(
        &mut self,
        op: ElemOp,
        how: Promote,
        left: Expr,
        right: Expr,
        symbol: &str,
        span: Span,
    ) -> Expr {
        let (Some(a), Some(b)) = (left.ty.num(), right.ty.num()) else {
            return self.bad_operands(symbol, &left, &right, span);
        };
        if op.is_comparison() {
            return self.compare_pair(op, left, right, span);
        }
        let mut common = promote(a, b);
        // Integers and bools are never NaN.
        let mut op = match op {
            ElemOp::Fmin if !common.is_float() && !common.dtype.is_complex() => ElemOp::Min,
            ElemOp::Fmax if !common.is_float() && !common.dtype.is_complex() => ElemOp::Max,
            other => other,
        };
        if op == ElemOp::Div && !common.is_float() && !common.dtype.is_complex() {
            return self.true_division(left, right, common.weak, span);
        }
        let order = match op {
            _ if !common.dtype.is_complex() => None,
            ElemOp::Min => Some("complex_minimum"),
            ElemOp::Max => Some("complex_maximum"),
            ElemOp::Fmin => Some("complex_fmin"),
            ElemOp::Fmax => Some("complex_fmax"),
            _ => None,
        };
        if let Some(function) = order {
            let pair = [left, right].map(|one| self.convert(one, Num::strong(common.dtype)));
            return self.prelude_call("elementwise", function, pair.to_vec(), span);
        }
        if common.dtype == DType::Bool {
            match self.bool_operation(op, common.weak) {
                Some((instead, num)) => (op, common) = (instead, num),
                None => return self.refused_on_bool(op, symbol, &left, &right, span),
            }
        }
        if how == Promote::Inexact && op != ElemOp::Div {
            match promote::inexact_pair(a, b) {
                Some(num) => common = num,
                None => return self.no_float16(span),
            }
        }
        if op == ElemOp::Pow
            && common.weak
            && common.dtype == DType::I64
            && right.as_int().is_some_and(|e| e < 0)
        {
            common = Num::FLOAT;
        }
        if !op.domain().contains(common.dtype) {
            return self.bad_operands(symbol, &left, &right, span);
        }
        if op == ElemOp::Pow {
            let powers = if symbol == BinaryOp::Pow.symbol() { Powers::Operator } else { Powers::Ufunc };
            if let Some(power) = self.special_power(&left, &right, common, powers, span) {
                return power;
            }
        }
        let left = self.operand(left, common);
        let right = self.operand(right, common);
        self.finish_arithmetic(op, left, right, common, span)
    }

    fn finish_arithmetic(&mut self, op: ElemOp, left: Expr, right: Expr, num: Num, span: Span) -> Expr {
        let shift = matches!(op, ElemOp::Shl | ElemOp::Shr);
        // Integers too large for int64 are uint64.
        let may_be_negative = shift && num.weak && !num.dtype.is_unsigned_int();
        if !may_be_negative || right.as_int().is_some_and(|count| count >= 0) {
            return Self::elem(op, vec![left, right], num.weak, span);
        }
        // Python refuses negative counts; NumPy does not.
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let positive = Self::elem(ElemOp::Ge, vec![right.clone(), Expr::int(0, span)], true, span);
        before.push(Self::check(positive, Exc::ValueError, "negative shift count", vec![], span));
        Self::seq(before, Self::elem(op, vec![left, right], true, span))
    }

    /// `/` of integers: float64. Python's own refuse a divisor of zero, NumPy's give infinity.
    fn true_division(&mut self, left: Expr, right: Expr, weak: bool, span: Span) -> Expr {
        let num = Num { dtype: DType::F64, weak };
        if !weak || right.as_int().is_some_and(|divisor| divisor != 0) {
            let left = self.convert(left, num);
            let right = self.convert(right, num);
            return Self::elem(ElemOp::Div, vec![left, right], weak, span);
        }
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let test = self.truth(right.clone());
        before.push(Self::check(test, Exc::ZeroDivisionError, "division by zero", vec![], span));
        let left = self.convert(left, num);
        let right = self.convert(right, num);
        Self::seq(before, Self::elem(ElemOp::Div, vec![left, right], true, span))
    }

    /// What an operation on two bools is: another one, or in which type.
    fn bool_operation(&self, op: ElemOp, weak: bool) -> Option<(ElemOp, Num)> {
        let stays = matches!(op, ElemOp::And | ElemOp::Or | ElemOp::Xor | ElemOp::Min | ElemOp::Max);
        if weak && !stays {
            return Some((op, Num::INT));
        }
        let bool_ = Num { dtype: DType::Bool, weak };
        match on_bool(op) {
            OnBool::Keep => Some((op, bool_)),
            OnBool::Instead(other) => Some((other, bool_)),
            OnBool::Int8 => Some((op, Num::strong(DType::I8))),
            OnBool::Refuse => None,
        }
    }

    fn refused_on_bool(&mut self, op: ElemOp, symbol: &str, left: &Expr, right: &Expr, span: Span) -> Expr {
        if op != ElemOp::Sub {
            return self.bad_operands(symbol, left, right, span);
        }
        let diagnostic = Diagnostic::error(
            code::UNSUPPORTED_OPERAND,
            "numpy boolean subtract, the `-` operator, is not supported",
        )
        .primary(span, "both are bool")
        .help("use `^` or `logical_xor`");
        self.fail(diagnostic)
    }

    pub(in crate::typed) fn no_float16(&mut self, span: Span) -> Expr {
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, "the result would be float16")
            .primary(span, "of bool or 8-bit integers NumPy makes float16, which the language lacks")
            .help("convert first: `.astype(np.float32)`");
        self.fail(diagnostic)
    }
}

/// Arithmetic of integer constants, as long as it does not overflow.
fn fold(op: BinaryOp, left: &Expr, right: &Expr) -> Option<i64> {
    let weak = |e: &Expr| e.ty == Ty::INT;
    if !weak(left) || !weak(right) {
        return None;
    }
    let (a, b) = (left.as_int()?, right.as_int()?);
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::FloorDiv if b > 0 => Some(a.div_euclid(b)),
        BinaryOp::Mod if b > 0 => Some(a.rem_euclid(b)),
        BinaryOp::Pow => a.checked_pow(u32::try_from(b).ok()?),
        _ => None,
    }
}
