//! Numbers that have one of several types, where definitions met: `best = -1` and later `best = a[i]` of uint8.
//!
//! Such a number is a bundle: its value in a type that holds the values of all, and a tag that says which type it is
//! of. What is computed with it depends on the tag only where the types compute differently: `best + a[j]` is uint8
//! whichever it is, since an `int` adapts, and `best + 1` is not. Lists, dicts, the library and whatever else asks for
//! one type get [`Ty::settled`].

use super::meet::{self, Meeting, wide};
use super::promote::promote;
use super::ty::{Num, Ty};
use crate::diagnostics::{Code, Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt};
use pydd_ir::{DType, EITHER_TAG, ElemOp, Exc, Literal, either_tag};

/// Errors that stand for exceptions of CPython's.
const RAISED: [Code; 2] = [code::CONSTANT_OVERFLOW, code::UNSUPPORTED_OPERAND];
/// Ways to compute one operation, at most; beyond that the operands get one type each.
const MAX_WAYS: usize = 16;

/// The types that a number may have.
fn alternatives(ty: &Ty) -> Option<Vec<Num>> {
    match ty {
        Ty::Either(all) => Some(all.clone()),
        _ => ty.num().map(|num| vec![num]),
    }
}

fn tag(num: Num, span: Span) -> Expr {
    Expr::new(ExprKind::Literal(Literal::Int(either_tag(num.dtype, num.weak))), Ty::strong(EITHER_TAG), span)
}

impl Infer<'_, '_> {
    /// What a variable is where these two definitions meet.
    pub(in crate::typed) fn meet(&self, a: &Ty, b: &Ty) -> Option<Ty> {
        meet::meet(a, b, if self.unit.user { Meeting::Variable } else { Meeting::Operand })
    }

    /// What a function gives that returns both; `seen`: Python sees it.
    pub(in crate::typed) fn meet_results(&self, a: &Ty, b: &Ty, seen: bool) -> Option<Ty> {
        if seen { meet::meet(a, b, Meeting::Result) } else { self.meet(a, b) }
    }

    /// What a list or dict holds that holds both.
    pub(in crate::typed) fn meet_items(&self, a: &Ty, b: &Ty) -> Option<Ty> {
        meet::meet(a, b, if self.unit.user { Meeting::Item } else { Meeting::Operand })
    }

    /// As [`expr`](Self::expr), but a number of one of several types stays one.
    pub(in crate::typed) fn either_expr(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.checked_expr(expr);
        self.certain(value)
    }

    /// A value of one type.
    pub(in crate::typed) fn settle(&mut self, value: Expr) -> Expr {
        let value = self.certain(value);
        if !value.ty.has_either() {
            return value;
        }
        let ty = value.ty.settled();
        self.convert_to(value, &ty)
    }

    /// As a number of one of these types, which is of one of them already or becomes one.
    pub(in crate::typed) fn as_either(&mut self, value: Expr, all: &[Num]) -> Expr {
        let span = value.span;
        let mut before = Vec::new();
        let (number, tag) = match &value.ty {
            Ty::Either(own) => {
                let own = own.clone();
                let value = self.once(value, &mut before);
                let (number, old) = (self.item_of(&value, 0), self.item_of(&value, 1));
                let mut new = old.clone();
                for num in own.into_iter().filter(|num| !all.contains(num)) {
                    let is_it = Self::elem(ElemOp::Eq, vec![old.clone(), tag(num, span)], true, span);
                    new = Self::choose(is_it, tag(place(num, all), span), new, span);
                }
                (number, new)
            }
            Ty::Scalar(num) => {
                let own = tag(place(*num, all), span);
                (value, own)
            }
            _ => return value,
        };
        let number = self.exact(number, Num::strong(wide(all)));
        Self::seq(before, Expr::new(ExprKind::Tuple(vec![number, tag]), Ty::Either(all.to_vec()), span))
    }

    /// A number in a type that holds it: an integer that it does not hold raises OverflowError.
    pub(in crate::typed) fn exact(&mut self, value: Expr, to: Num) -> Expr {
        let Some(from) = value.ty.scalar().filter(|_| self.unit.user) else { return self.convert(value, to) };
        if from.dtype.is_int() && to.dtype == DType::U64 && !from.dtype.is_unsigned_int() {
            return self.fit_int(value, to.dtype);
        }
        let bits = if matches!(to.dtype, DType::F32 | DType::C64) { 24 } else { 53 };
        let may_round =
            from.dtype.is_int() && from.dtype.size() * 8 - u64::from(from.dtype.is_signed_int()) > bits;
        if !may_round || to.dtype.is_int() || to.dtype == DType::Bool {
            return self.convert(value, to);
        }
        let span = value.span;
        let limit = 1_i128 << bits;
        if let Some(constant) = value.as_wide_int() {
            if constant.unsigned_abs() >> constant.trailing_zeros().min(127) < 1 << bits {
                return self.convert(value, to);
            }
            let headline = format!(
                "the integer {constant} meets floats, and no {} is equal to it",
                to.dtype.real().numpy_name()
            );
            return self.error(code::CONSTANT_OVERFLOW, span, headline, "does not fit");
        }
        let mut before = Vec::new();
        let value = self.once(value, &mut before);
        let bound = |s: &Self, op, limit: i128| {
            let limit = Expr::int(limit as i64, span);
            Self::elem(op, vec![value.clone(), s.convert(limit, from)], true, span)
        };
        let mut fits = bound(self, ElemOp::Le, limit);
        if from.dtype.is_signed_int() {
            fits = Self::elem(ElemOp::And, vec![bound(self, ElemOp::Ge, -limit), fits], true, span);
        }
        let message = "integer {0} meets floats, and may be too large to be one exactly";
        let shown = self.convert(value.clone(), Num::INT);
        before.push(Self::check(fits, Exc::OverflowError, message, vec![shown], span));
        let value = self.convert(value, to);
        Self::seq(before, value)
    }

    /// A number as the one of its types.
    fn alternative(&self, value: &Expr, num: Num) -> Expr {
        let number = Expr::new(
            ExprKind::Item(Box::new(value.clone()), 0),
            value.ty.parts().map_or(Ty::Error, |parts| parts[0].clone()),
            value.span,
        );
        self.convert(number, num)
    }

    /// What an operation gives on two operands of which some have one of several types.
    pub(in crate::typed) fn with_either(
        &mut self,
        left: Expr,
        right: Expr,
        alike: impl Fn(Num, Num) -> Option<Num>,
        mut of: impl FnMut(&mut Self, Expr, Expr) -> Expr,
    ) -> Expr {
        let (Some(a), Some(b)) = (alternatives(&left.ty), alternatives(&right.ty)) else {
            let (left, right) = (self.settle(left), self.settle(right));
            return of(self, left, right);
        };
        let settled = [&left, &right].map(|value| value.ty.settled().num());
        let [Some(one), Some(other)] = settled else { return of(self, left, right) };
        let common = alike(one, other);
        let computes_alike = common.is_some() && a.iter().all(|&a| b.iter().all(|&b| alike(a, b) == common));
        let is_array = left.ty.is_array() || right.ty.is_array();
        if computes_alike || is_array || a.len() * b.len() > MAX_WAYS {
            let (left, right) = (self.settle(left), self.settle(right));
            return of(self, left, right);
        }
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let result = self.each_way(&left, &mut |s, left| {
            let right = &right;
            s.each_way(right, &mut |s, right| of(s, left.clone(), right))
        });
        if result.ty.is_silent() { result } else { Self::seq(before, result) }
    }

    /// What is made of a number, for each type that it may have.
    pub(in crate::typed) fn each_way(
        &mut self,
        value: &Expr,
        of: &mut dyn FnMut(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let Ty::Either(all) = value.ty.clone() else { return of(self, value.clone()) };
        let span = value.span;
        let (mut ways, mut wrong) = (Vec::new(), Vec::new());
        for num in all {
            let mark = self.mark();
            let told = self.diagnostics.len();
            let own = self.alternative(value, num);
            let mut result = Expr::error(span);
            let stmts = self.block(|s| result = s.conditionally(|s| of(s, own)));
            match &result.ty {
                // What CPython raises when it comes to it; other errors say what the language lacks.
                Ty::Error if self.diagnostics.get(told).is_some_and(|d| RAISED.contains(&d.code)) => {
                    wrong.push((num, self.diagnostics.split_off(told)));
                    self.back_to(mark);
                }
                Ty::Error => return result,
                Ty::Never => return result,
                _ => ways.push((num, Self::seq(stmts, result))),
            }
        }
        let Some((_, mut chosen)) = ways.pop() else {
            // Wrong for each of them.
            let told = wrong.into_iter().next().map(|(_, told)| told).unwrap_or_default();
            self.diagnostics.extend(told);
            return Expr::error(span);
        };
        let own = Expr::new(ExprKind::Item(Box::new(value.clone()), 1), Ty::strong(EITHER_TAG), span);
        let is = |num| Self::elem(ElemOp::Eq, vec![own.clone(), tag(num, span)], true, span);
        for (num, way) in ways.into_iter().rev() {
            chosen = self.unify_and_choose(is(num), way, chosen, span);
        }
        let checks: Vec<Stmt> =
            wrong.into_iter().map(|(num, told)| Self::not_of_type(is(num), &told, span)).collect();
        Self::seq(checks, chosen)
    }

    /// Raises where the number is of a type that the operation does not take.
    fn not_of_type(is_it: Expr, told: &[Diagnostic], span: Span) -> Stmt {
        let first = told.first();
        let is = |code: Code| first.is_some_and(|diagnostic| diagnostic.code == code);
        let exc = if is(code::CONSTANT_OVERFLOW) { Exc::OverflowError } else { Exc::TypeError };
        let message =
            first.map_or_else(String::new, |diagnostic| diagnostic.headline.replace(['{', '}'], ""));
        Self::check(Self::not(is_it), exc, &message, vec![], span)
    }

    /// The type that an operation computes in.
    pub(in crate::typed) fn computed_in(a: Num, b: Num) -> Option<Num> {
        let common = promote(a, b);
        // Python's and NumPy's numbers of one width differ: one raises where the other one does not.
        (!common.weak).then_some(common)
    }

    /// The type in which two numbers are compared; integers are compared as what they are.
    pub(in crate::typed) fn compared_in(a: Num, b: Num) -> Option<Num> {
        let is_int = |num: Num| num.dtype.is_int() || num.dtype == DType::Bool;
        if is_int(a) && is_int(b) { Some(Num::INT) } else { Some(Num::strong(promote(a, b).dtype)) }
    }
}

/// Of the types that a number may have the one that a number of another type becomes.
fn place(num: Num, all: &[Num]) -> Num {
    let becomes: &[DType] = match num.dtype {
        DType::Bool => &[DType::Bool, DType::I64, DType::U64, DType::F64, DType::C128],
        DType::F64 => &[DType::F64, DType::C128],
        DType::C128 => &[DType::C128],
        _ => &[DType::I64, DType::U64, DType::F64, DType::C128],
    };
    let of = |dtype: &DType| {
        let both = [Num::weak(*dtype), Num::strong(*dtype)];
        both.into_iter().find(|other| all.contains(other))
    };
    if all.contains(&num) { num } else { becomes.iter().find_map(of).unwrap_or(num) }
}
