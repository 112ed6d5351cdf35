//! Operators of one and two operands, comparisons.

use super::infer::Infer;
use super::promote::{int_range, promote};
use super::tree::{Expr, ExprKind};
use super::ty::{Num, Ty};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, CompareOp, UnaryOp};
use pydd_ir::catalogue::Promote;
use pydd_ir::{DType, ElemOp, Exc, Literal, OpKind};

/// Comparisons in one chain: each is nested in the one before.
const MAX_CHAIN: usize = 100;

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
        ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod | ElemOp::Pow | ElemOp::Shl | ElemOp::Shr => OnBool::Int8,
        _ => OnBool::Keep,
    }
}

impl Infer<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
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
        let value = self.expr(operand);
        if value.ty.is_silent() {
            return Expr::silent([&value], span);
        }
        match (op, value.ty.num()) {
            (UnaryOp::Pos, Some(num)) => self.integer_of_bool(value, num),
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
    pub(super) fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        if left.ty.is_silent() || right.ty.is_silent() {
            return Expr::silent([&left, &right], span);
        }
        let Some(elem) = elem_op(op) else { return self.matmul(left, right, span) };
        if left.ty.num().is_none() || right.ty.num().is_none() {
            return self.other_operands(op, left, right, span);
        }
        if let Some(folded) = fold(op, &left, &right) {
            return Expr::int(folded, span);
        }
        let promote = if op == BinaryOp::Div { Promote::Inexact } else { Promote::Common };
        self.arithmetic(elem, promote, left, right, op.symbol(), span)
    }

    /// Sums of tuples; everything else is an error.
    fn other_operands(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let (BinaryOp::Add, Ty::Tuple(a), Ty::Tuple(b)) = (op, &left.ty, &right.ty) {
            let (a, b) = (a.len(), b.len());
            let mut before = Vec::new();
            let left = self.once(left, &mut before);
            let right = self.once(right, &mut before);
            let mut items: Vec<Expr> = (0..a).map(|i| self.item_of(&left, i)).collect();
            items.extend((0..b).map(|i| self.item_of(&right, i)));
            return Self::seq(before, Self::tuple(items, span));
        }
        if let (Ty::List(_) | Ty::EmptyList(_), BinaryOp::Add | BinaryOp::Mul) = (&left.ty, op) {
            return self.later_expr(span, "an operator on lists");
        }
        if left.ty == Ty::Str || right.ty == Ty::Str {
            return self.error(code::STRING_OPERATION, span, "strings are for messages only", "");
        }
        self.bad_operands(op.symbol(), &left, &right, span)
    }

    pub(super) fn bad_operands(&mut self, symbol: &str, left: &Expr, right: &Expr, span: Span) -> Expr {
        for operand in [left, right] {
            if operand.ty == Ty::None {
                return self.none_value(operand.span);
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
    pub(super) fn arithmetic(
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
        let mut op = op;
        if op == ElemOp::Div && !common.is_float() && !common.dtype.is_complex() {
            return self.true_division(left, right, common.weak, span);
        }
        if common.dtype == DType::Bool {
            match self.bool_operation(op, common.weak) {
                Some((instead, num)) => (op, common) = (instead, num),
                None => return self.refused_on_bool(op, symbol, &left, &right, span),
            }
        }
        if how == Promote::Inexact && op != ElemOp::Div {
            match super::promote::inexact(common) {
                Some(num) => common = num,
                None => return self.no_float16(span),
            }
        }
        if op == ElemOp::Pow && common.weak && common.dtype == DType::I64 && right.as_int().is_some_and(|e| e < 0) {
            common = Num::FLOAT;
        }
        if !op.domain().contains(common.dtype) {
            return self.bad_operands(symbol, &left, &right, span);
        }
        let left = self.operand(left, common);
        let right = self.operand(right, common);
        self.finish_arithmetic(op, left, right, common, span)
    }

    fn finish_arithmetic(&mut self, op: ElemOp, left: Expr, right: Expr, num: Num, span: Span) -> Expr {
        let shift = matches!(op, ElemOp::Shl | ElemOp::Shr);
        if !shift || !num.weak || right.as_int().is_some_and(|count| count >= 0) {
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

    pub(super) fn no_float16(&mut self, span: Span) -> Expr {
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, "the result would be float16")
            .primary(span, "of bool or 8-bit integers NumPy makes float16, which the language lacks")
            .help("convert first: `.astype(np.float32)`");
        self.fail(diagnostic)
    }

    // ---- comparisons ----

    /// `first op operand op operand …`, each operand evaluated once and only as far as needed.
    pub(super) fn comparison(&mut self, first: &ast::Expr, rest: &[(CompareOp, ast::Expr)], span: Span) -> Expr {
        let left = self.expr(first);
        if let [(op, right)] = rest {
            let right = self.expr(right);
            return self.compare(*op, left, right, span);
        }
        if rest.len() > MAX_CHAIN {
            return self.error(code::NESTING_TOO_DEEP, span, "this chain of comparisons is too long", "");
        }
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let chain = self.chain(left, rest, span);
        Self::seq(before, chain)
    }

    fn chain(&mut self, left: Expr, rest: &[(CompareOp, ast::Expr)], span: Span) -> Expr {
        let Some(((op, right), rest)) = rest.split_first() else { return Expr::error(span) };
        let mut before = Vec::new();
        let right = self.expr(right);
        let right = self.once(right, &mut before);
        let own = self.compare(*op, left, right.clone(), span);
        if rest.is_empty() {
            return Self::seq(before, own);
        }
        let test = self.truth(own);
        let others = self.conditionally(|s| s.chain(right, rest, span));
        let others = if others.ty.is_silent() { others } else { self.truth(others) };
        let chosen = Self::choose(test, others, Expr::bool(false, span), span);
        Self::seq(before, chosen)
    }

    fn compare(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        if left.ty.is_silent() || right.ty.is_silent() {
            return Expr::silent([&left, &right], span);
        }
        match op {
            CompareOp::Eq => self.ordered(ElemOp::Eq, op, left, right, span),
            CompareOp::NotEq => self.ordered(ElemOp::Ne, op, left, right, span),
            CompareOp::Lt => self.ordered(ElemOp::Lt, op, left, right, span),
            CompareOp::LtEq => self.ordered(ElemOp::Le, op, left, right, span),
            CompareOp::Gt => self.ordered(ElemOp::Gt, op, left, right, span),
            CompareOp::GtEq => self.ordered(ElemOp::Ge, op, left, right, span),
            CompareOp::Is => self.identity(left, right, true, span),
            CompareOp::IsNot => self.identity(left, right, false, span),
            CompareOp::In => self.membership(left, right, span),
            CompareOp::NotIn => {
                let inside = self.membership(left, right, span);
                if inside.ty.is_silent() { inside } else { Self::not(inside) }
            }
        }
    }

    fn ordered(&mut self, elem: ElemOp, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let (Ty::DType(a), Ty::DType(b)) = (&left.ty, &right.ty) {
            let equal = a.dtype == b.dtype;
            return Expr::bool(equal == (elem == ElemOp::Eq), span);
        }
        if let (Ty::Tuple(_), Ty::Tuple(_)) = (&left.ty, &right.ty) {
            return self.compare_tuples(elem, op, left, right, span);
        }
        if left.ty == Ty::None || right.ty == Ty::None {
            // A variable's type says whether it is None.
            if let ElemOp::Eq | ElemOp::Ne = elem {
                return Expr::bool((left.ty == right.ty) == (elem == ElemOp::Eq), span);
            }
        }
        let (Some(a), Some(b)) = (left.ty.num(), right.ty.num()) else {
            let symbol = op.symbol();
            let headline = format!("`{symbol}` not supported between {} and {}", left.ty, right.ty);
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
                .primary(span, "")
                .secondary(left.span, format!("this is {}", left.ty))
                .secondary(right.span, format!("this is {}", right.ty));
            return self.fail(diagnostic);
        };
        let complex = a.dtype.is_complex() || b.dtype.is_complex();
        if complex && !matches!(elem, ElemOp::Eq | ElemOp::Ne) {
            return self.error(code::COMPLEX_ORDER, span, "complex numbers have no order", "not ordered");
        }
        if let (Some(a), Some(b)) = (left.as_int(), right.as_int())
            && left.is_constant()
            && right.is_constant()
        {
            return Expr::bool(compare_ints(elem, a, b), span);
        }
        self.compare_pair(elem, left, right, span)
    }

    /// Tuples of equal length, item by item; only equality.
    fn compare_tuples(&mut self, elem: ElemOp, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        let (Ty::Tuple(a), Ty::Tuple(b)) = (&left.ty, &right.ty) else { return Expr::error(span) };
        if !matches!(elem, ElemOp::Eq | ElemOp::Ne) {
            return self.later_expr(span, &format!("`{}` of tuples", op.symbol()));
        }
        let count = a.len();
        if count != b.len() {
            return Expr::bool(elem == ElemOp::Ne, span);
        }
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let mut all = Expr::bool(true, span);
        for i in (0..count).rev() {
            let (a, b) = (self.item_of(&left, i), self.item_of(&right, i));
            let equal = self.ordered(ElemOp::Eq, CompareOp::Eq, a, b, span);
            let equal = self.truth(equal);
            all = match equal.as_bool() {
                Some(true) => all,
                Some(false) => Expr::bool(false, span),
                None => Self::choose(equal, all, Expr::bool(false, span), span),
            };
        }
        let result = if elem == ElemOp::Ne && !all.ty.is_silent() { Self::not(all) } else { all };
        Self::seq(before, result)
    }

    /// Numbers or arrays; a Python integer that does not fit the other's type is compared all the same.
    pub(super) fn compare_pair(&mut self, op: ElemOp, left: Expr, right: Expr, span: Span) -> Expr {
        let (Some(a), Some(b)) = (left.ty.num(), right.ty.num()) else { return Expr::error(span) };
        let mut common = promote(a, b);
        let small = common.dtype.is_int() && !common.weak && common.dtype != DType::I64;
        let fits = |e: &Expr, n: Num| {
            let (least, greatest) = int_range(common.dtype);
            !n.weak || e.as_int().is_some_and(|v| (least..=greatest).contains(&i128::from(v)))
        };
        if small && !(fits(&left, a) && fits(&right, b)) && common.dtype != DType::U64 {
            common = Num::strong(DType::I64);
        }
        if a.dtype.is_int() && b.dtype.is_int() && (a.dtype == DType::U64) != (b.dtype == DType::U64) {
            return self.compare_mixed(op, left, right, span);
        }
        let left = self.convert(left, common);
        let right = self.convert(right, common);
        Self::elem(op, vec![left, right], a.weak && b.weak, span)
    }

    /// uint64 with another integer type, compared as the numbers they are: as uint64, unless the other one is
    /// negative, which is less than every uint64.
    fn compare_mixed(&mut self, op: ElemOp, left: Expr, right: Expr, span: Span) -> Expr {
        let left_is_wide = left.ty.num().is_some_and(|n| n.dtype == DType::U64);
        let weak = left.ty.scalar().is_some_and(|n| n.weak) && right.ty.scalar().is_some_and(|n| n.weak);
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let wide = Num::strong(DType::U64);
        let other = if left_is_wide { right.clone() } else { left.clone() };
        let pair = vec![self.convert(left, wide), self.convert(right, wide)];
        let compared = Self::elem(op, pair, weak, span);
        let is_signed = other.ty.num().is_some_and(|n| n.dtype.is_signed_int());
        if !is_signed || other.as_int().is_some_and(|value| value >= 0) {
            return Self::seq(before, compared);
        }
        let other = self.convert(other, Num::INT);
        let negative = Self::elem(ElemOp::Lt, vec![other, Expr::int(0, span)], weak, span);
        // What the comparison gives when the signed one is the smaller.
        let when_less = match op {
            ElemOp::Ne => true,
            ElemOp::Lt | ElemOp::Le => !left_is_wide,
            ElemOp::Gt | ElemOp::Ge => left_is_wide,
            _ => false,
        };
        let joined = if when_less {
            Self::elem(ElemOp::Or, vec![negative, compared], weak, span)
        } else {
            let positive = Self::elem(ElemOp::Not, vec![negative], weak, span);
            Self::elem(ElemOp::And, vec![positive, compared], weak, span)
        };
        Self::seq(before, joined)
    }

    /// `is` and `is not`, which mean something for None only.
    fn identity(&mut self, left: Expr, right: Expr, is: bool, span: Span) -> Expr {
        let none = |e: &Expr| e.ty == Ty::None;
        if none(&left) || none(&right) {
            // A variable's type says whether it is None.
            return Expr::bool((none(&left) && none(&right)) == is, span);
        }
        let symbol = if is { "==" } else { "!=" };
        let diagnostic = Diagnostic::error(code::IS_OPERATOR, "`is` compares identities, which numbers do not have")
            .primary(span, format!("{} and {}", left.ty, right.ty))
            .help(format!("compare values: `{symbol}`"));
        self.fail(diagnostic)
    }

    fn membership(&mut self, item: Expr, container: Expr, span: Span) -> Expr {
        match &container.ty {
            Ty::Tuple(items) => {
                let count = items.len();
                let mut before = Vec::new();
                let item = self.once(item, &mut before);
                let container = self.once(container, &mut before);
                let mut found = Expr::bool(false, span);
                for i in (0..count).rev() {
                    let other = self.item_of(&container, i);
                    let equal = self.ordered(ElemOp::Eq, CompareOp::Eq, item.clone(), other, span);
                    let equal = self.truth(equal);
                    found = Self::choose(equal, Expr::bool(true, span), found, span);
                }
                Self::seq(before, found)
            }
            Ty::Array { .. } if item.ty.scalar().is_some() => {
                let equal = self.compare_pair(ElemOp::Eq, container, item, span);
                self.reduce_any(equal, span)
            }
            Ty::List(_) => self.prelude_call("sequence", "contains", vec![container, item], span),
            Ty::Range => self.later_expr(span, "`in` of a range"),
            other => {
                let headline = format!("{other} is not something to look in");
                let label = format!("this is {other}");
                self.error(code::UNSUPPORTED_OPERAND, container.span, headline, &label)
            }
        }
    }

    fn reduce_any(&mut self, array: Expr, span: Span) -> Expr {
        let spec = pydd_ir::ReduceSpec { op: pydd_ir::ReduceOp::Any, axes: None, keepdims: false };
        Self::op(OpKind::Reduce(spec), vec![array], Ty::BOOL, span)
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

const fn compare_ints(op: ElemOp, a: i64, b: i64) -> bool {
    match op {
        ElemOp::Eq => a == b,
        ElemOp::Ne => a != b,
        ElemOp::Lt => a < b,
        ElemOp::Le => a <= b,
        ElemOp::Gt => a > b,
        _ => a >= b,
    }
}
