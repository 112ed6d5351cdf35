//! Conversions: what an annotation, an assignment to an element, an operand ask for.

use super::dict_type::same_layout;
use super::promote::{int_range, same_kind};
use super::ty::{Num, Ty};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use pydd_ir::{DType, ElemOp, Exc, Literal, OpKind, SparseType};

impl Infer<'_, '_> {
    /// Converts elements as `astype` does; nothing is checked.
    pub fn convert(&self, value: Expr, to: Num) -> Expr {
        constant(value, to)
    }

    /// Converts where definitions meet: numbers to numbers, tuples item by item.
    pub fn convert_to(&mut self, value: Expr, ty: &Ty) -> Expr {
        if value.ty == *ty || value.ty.is_silent() {
            return value;
        }
        match (ty, &value.ty) {
            (Ty::Scalar(num), Ty::Scalar(_)) => self.exact(value, *num),
            (Ty::Either(all), Ty::Scalar(_) | Ty::Either(_)) => self.as_either(value, all),
            (Ty::Scalar(num), Ty::Either(_)) => {
                let mut before = Vec::new();
                let value = self.once(value, &mut before);
                let number = self.item_of(&value, 0);
                let number = self.exact(number, *num);
                Self::seq(before, number)
            }
            (Ty::Tuple(targets), Ty::Tuple(sources)) if targets.len() == sources.len() => {
                let mut before = Vec::new();
                let tuple = self.once(value, &mut before);
                let items: Vec<Expr> = (0..targets.len())
                    .map(|i| {
                        let item = self.item_of(&tuple, i);
                        self.convert_to(item, &targets[i])
                    })
                    .collect();
                let span = tuple.span;
                Self::seq(before, Expr::new(ExprKind::Tuple(items), ty.clone(), span))
            }
            (Ty::List(_), Ty::List(_)) => Expr { ty: ty.clone(), ..value },
            (Ty::Lists(_), Ty::Lists(_)) | (Ty::Tuples(_), Ty::Tuples(_)) | (Ty::Dict(_), Ty::Dict(_)) => {
                self.note_contents(&value.ty.clone(), ty);
                Expr { ty: ty.clone(), ..value }
            }
            (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_), Ty::EmptyList(_))
            | (Ty::Dict(_), Ty::EmptyDict(..)) => {
                self.note_contents(&value.ty.clone(), ty);
                Expr { ty: ty.clone(), ..value }
            }
            (Ty::Maybe(to), from) => {
                let span = value.span;
                let flag = |is_some: bool| Expr::bool(is_some, span);
                let nothing = |to: &Ty| Expr::new(ExprKind::Anything, to.clone(), span);
                let mut before = Vec::new();
                let parts = match from {
                    Ty::None => {
                        if !matches!(value.kind, ExprKind::Static) {
                            before.push(Stmt::new(StmtKind::Eval(value), span));
                        }
                        vec![flag(false), nothing(to)]
                    }
                    Ty::Maybe(_) => {
                        let value = self.once(value, &mut before);
                        let own = self.item_of(&value, 1);
                        vec![self.item_of(&value, 0), self.convert_to(own, to)]
                    }
                    _ => vec![flag(true), self.convert_to(value, to)],
                };
                Self::seq(before, Expr::new(ExprKind::Tuple(parts), ty.clone(), span))
            }
            (Ty::Sparse(to), Ty::Sparse(_)) => self.sparse_with_index(value, to.index),
            _ => value,
        }
    }

    /// Converts an operand to the type that an operation computes in. An integer of Python's that does not
    /// fit raises OverflowError, as NumPy does.
    pub fn operand(&mut self, value: Expr, to: Num) -> Expr {
        match value.ty.scalar() {
            Some(from) if from.weak && from.dtype.is_int() && to.dtype.is_int() && !to.weak => {
                self.fit_int(value, to.dtype)
            }
            _ => self.convert(value, to),
        }
    }

    /// A Python integer as an integer of NumPy's, if it fits.
    pub(in crate::typed) fn fit_int(&mut self, value: Expr, dtype: DType) -> Expr {
        let to = Num::strong(dtype);
        let (least, greatest) = int_range(dtype);
        let span = value.span;
        if let Some(constant) = value.as_wide_int() {
            if (least..=greatest).contains(&constant) {
                return self.convert(value, to);
            }
            let headline = format!("Python integer {constant} out of bounds for {}", dtype.numpy_name());
            return self.error(code::CONSTANT_OVERFLOW, span, headline, "does not fit");
        }
        if dtype == DType::I64 {
            return self.convert(value, to);
        }
        let mut before = Vec::new();
        let value = self.once(value, &mut before);
        let fits = self.in_range(&value, least, greatest);
        let message = format!("Python integer {{0}} out of bounds for {}", dtype.numpy_name());
        before.push(Self::check(fits, Exc::OverflowError, &message, vec![value.clone()], span));
        let value = self.convert(value, to);
        Self::seq(before, value)
    }

    /// `least <= value <= greatest`, where a bound that every int64 keeps is left out.
    fn in_range(&self, value: &Expr, least: i128, greatest: i128) -> Expr {
        let span = value.span;
        let bound = |op, limit: i64| Self::elem(op, vec![value.clone(), Expr::int(limit, span)], true, span);
        let low = i64::try_from(least).ok().map(|limit| bound(ElemOp::Ge, limit));
        let high = i64::try_from(greatest).ok().map(|limit| bound(ElemOp::Le, limit));
        match (low, high) {
            (Some(low), Some(high)) => Self::elem(ElemOp::And, vec![low, high], true, span),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Expr::bool(true, span),
        }
    }

    /// As [`declare`](Self::declare), of what may be None: `own` is the type of values that are not.
    fn declare_maybe(&mut self, value: Expr, own: &Ty, ty: &Ty, at: Span, what: &str) -> Expr {
        match value.ty.clone() {
            Ty::None => self.convert_to(value, ty),
            Ty::Maybe(given) if given.as_ref() == own => value,
            Ty::Maybe(_) => {
                let (mut before, span) = (Vec::new(), value.span);
                let value = self.once(value, &mut before);
                let (is_present, part) = (self.item_of(&value, 0), self.item_of(&value, 1));
                let part = self.declare(part, own, at, what);
                Self::seq(before, Expr::new(ExprKind::Tuple(vec![is_present, part]), ty.clone(), span))
            }
            _ => {
                let value = self.declare(value, own, at, what);
                if value.ty.is_silent() { value } else { self.convert_to(value, ty) }
            }
        }
    }

    /// Converts a value to an annotated type by NumPy's `same_kind` rule. `what` is "assigned", "passed" or
    /// "returned".
    pub fn declare(&mut self, value: Expr, ty: &Ty, at: Span, what: &str) -> Expr {
        let ty = &ty.closed_by(&value.ty);
        if let Ty::Maybe(own) = ty
            && !value.ty.is_silent()
        {
            return self.declare_maybe(value, own, ty, at, what);
        }
        let value = if value.ty == *ty { value } else { self.settle(value) };
        if value.ty == *ty || value.ty.is_silent() || ty.is_silent() {
            return Expr { ty: ty.clone(), ..value };
        }
        match (ty, &value.ty) {
            (Ty::Scalar(to), Ty::Scalar(from))
                if to.dtype == DType::I64 && *from == Num::weak(DType::U64) =>
            {
                let headline = "this integer does not fit 64 bits with a sign";
                self.error(code::INTEGER_TOO_LARGE, value.span, headline, "at most 9223372036854775807")
            }
            (Ty::Scalar(to), Ty::Scalar(from)) if same_kind(*from, to.dtype) => {
                let rounds = what == "stored" && from.dtype.is_int() && !to.dtype.is_int();
                if rounds { self.exact(value, *to) } else { self.operand(value, *to) }
            }
            (Ty::Scalar(to), Ty::Scalar(from)) => {
                let help = (to.dtype.is_int() && from.is_float())
                    .then(|| format!("write `{}(…)` to cut off the fraction", to.name()));
                self.not_declared(value, ty, at, what, help)
            }
            (Ty::List(to), Ty::List(from)) if to.dtype == from.dtype => Expr { ty: ty.clone(), ..value },
            // What is empty so far tells what it holds, or is told so.
            _ if ty.depth() > 0 && same_layout(ty, &value.ty) => {
                self.note_contents(&value.ty.clone(), ty);
                self.learn_stored(ty, &value.ty);
                Expr { ty: ty.clone(), ..value }
            }
            (Ty::Sparse(to), Ty::Sparse(from)) if fits(*from, *to) => {
                let rows = if from.csc && !to.csc { self.sparse_in_rows(value) } else { value };
                self.sparse_with_index(rows, to.index)
            }
            (Ty::Tuple(to), Ty::Tuple(from)) if to.len() == from.len() && to.is_list() == from.is_list() => {
                let mut before = Vec::new();
                let tuple = self.once(value, &mut before);
                let items = (0..to.len()).map(|i| self.item_of(&tuple, i)).collect::<Vec<_>>();
                let items = items
                    .into_iter()
                    .zip(to.iter())
                    .map(|(item, ty)| self.declare(item, ty, at, what))
                    .collect();
                let span = tuple.span;
                Self::seq(before, Expr::new(ExprKind::Tuple(items), ty.clone(), span))
            }
            _ => self.not_declared(value, ty, at, what, None),
        }
    }

    fn not_declared(&mut self, value: Expr, ty: &Ty, at: Span, what: &str, help: Option<String>) -> Expr {
        let code = match (what, ty, &value.ty) {
            (_, Ty::Scalar(to), Ty::Scalar(from)) if to.dtype.is_int() && from.is_float() => {
                code::FLOAT_TO_INT
            }
            _ if value.ty == Ty::None => code::NONE_VALUE,
            ("returned", ..) => code::RETURN_MISMATCH,
            (_, Ty::Array { dtype: a, .. }, Ty::Array { dtype: b, .. }) if a != b => code::DTYPE_MISMATCH,
            (_, Ty::Array { .. }, Ty::Array { .. }) => code::RANK_MISMATCH,
            (_, Ty::Scalar(_), Ty::Scalar(_)) => code::ANNOTATION_CONVERSION,
            _ => code::TYPE_MISMATCH,
        };
        let help = help.or_else(|| match (code, ty) {
            (code::DTYPE_MISMATCH, Ty::Array { dtype, .. }) => {
                Some(format!("convert it: `.astype({})`", dtype.numpy_name()))
            }
            _ => None,
        });
        let headline = format!("{} cannot be {what} as {ty}", value.ty);
        let mut diagnostic =
            Diagnostic::error(code, headline).primary(value.span, format!("this is {}", value.ty));
        if at != value.span && self.unit.user {
            diagnostic = diagnostic.secondary(at, format!("{ty} is asked for here"));
        }
        self.report(diagnostic.maybe_help(help));
        Expr::new(ExprKind::Error, Ty::Error, value.span)
    }

    /// A number as Python's own: an `int` of 64 bits, a `float` or a `complex`. OverflowError where `int` does not hold one of uint64.
    pub fn own_of_python(&mut self, number: Expr) -> Expr {
        let Ty::Scalar(num) = number.ty else { return number };
        let own = match num.dtype {
            DType::Bool => return Expr { ty: Ty::BOOL, ..number },
            DType::U64 => return self.fit_signed(number),
            dtype if dtype.is_int() => Num::INT,
            dtype if dtype.is_float() => Num::FLOAT,
            _ => Num::COMPLEX,
        };
        let wide = self.convert(number, Num::strong(own.dtype));
        Expr { ty: Ty::Scalar(own), ..wide }
    }

    /// A list or tuple that is stored, as an array of this type: each number converted as one is that is stored alone.
    pub(in crate::typed) fn stored_list(&mut self, list: Expr, dtype: DType, span: Span) -> Expr {
        match (&list.kind, &list.ty) {
            _ if list.ty.is_silent() => list,
            (ExprKind::Op(OpKind::ListNew, items), Ty::List(_)) if !items.is_empty() => {
                let tuple = Self::tuple(items.clone(), list.span);
                self.array_of(tuple, Some(Num::strong(dtype)), span)
            }
            (_, Ty::Tuple(_)) => self.array_of(list, Some(Num::strong(dtype)), span),
            (_, Ty::Range) if needs_room(Num::INT, dtype) => {
                let list = self.list_of(list, span);
                self.stored_list(list, dtype, span)
            }
            (_, Ty::List(num)) if needs_room(*num, dtype) => {
                self.in_type_of("stored_list", list, dtype, span)
            }
            (_, Ty::Lists(row)) if matches!(**row, Ty::List(num) if needs_room(num, dtype)) => {
                self.in_type_of("stored_lists", list, dtype, span)
            }
            _ => self.array_of_list(list, span),
        }
    }

    fn in_type_of(&mut self, function: &str, list: Expr, dtype: DType, span: Span) -> Expr {
        // Integers of NumPy's wrap in unsigned arrays alone.
        let ty = match list.ty {
            Ty::List(num) if num.dtype == DType::I64 && dtype.is_signed_int() => Ty::List(Num::INT),
            other => other,
        };
        let like = Expr::new(ExprKind::Static, Ty::DType(Num::strong(dtype)), span);
        let constants = vec![None, Some(like.clone())];
        self.prelude_instance("sequence", function, vec![Expr { ty, ..list }, like], constants, span)
    }

    /// What `array[…] = value` stores: any number, converted as NumPy converts it on assignment.
    pub fn stored(&mut self, value: Expr, dtype: DType) -> Expr {
        if let (Ty::Either(_), true) = (&value.ty, dtype.is_int()) {
            // An integer of Python's must fit, one of NumPy's wraps.
            let mut before = Vec::new();
            let value = self.once(value, &mut before);
            let stored = self.each_way(&value, &mut |s, value| s.stored(value, dtype));
            return if stored.ty.is_silent() { stored } else { Self::seq(before, stored) };
        }
        let value = self.settle(value);
        let span = value.span;
        match value.ty.num() {
            Some(from) if from.dtype.is_complex() && !dtype.is_complex() => self.error(
                code::TYPE_MISMATCH,
                span,
                format!("a complex number cannot be stored in an array of {}", dtype.numpy_name()),
                "complex",
            ),
            // NumPy stores numbers of its own in unsigned arrays as `astype` does; else they become integers of Python's first.
            Some(from) if from.dtype.is_float() && dtype.is_int() && value.ty.scalar().is_some() => {
                let to = Num::strong(dtype);
                if from.weak || dtype.is_signed_int() {
                    self.fit_float(value, to)
                } else {
                    self.convert(value, to)
                }
            }
            // A number of NumPy's own wraps in unsigned arrays alone.
            Some(from)
                if self.unit.user
                    && value.ty.scalar().is_some()
                    && !from.weak
                    && from.dtype.is_int()
                    && dtype.is_signed_int()
                    && !within(int_range(from.dtype), int_range(dtype)) =>
            {
                let whole = if from.dtype == DType::U64 {
                    self.fit_signed(value)
                } else {
                    self.convert(value, Num::INT)
                };
                self.fit_int(whole, dtype)
            }
            Some(_) => self.operand(value, Num::strong(dtype)),
            None if value.ty.is_silent() => Expr::silent([&value], span),
            None => {
                let headline = format!("{} cannot be stored in an array", value.ty);
                self.error(code::TYPE_MISMATCH, span, headline, "not a number")
            }
        }
    }

    /// An integer as one of Python's; what int64 cannot hold becomes its greatest, which is too large for any
    /// index and size.
    pub fn signed(&mut self, value: Expr) -> Expr {
        if !matches!(value.ty, Ty::Scalar(num) if num.dtype == DType::U64) {
            return self.convert(value, Num::INT);
        }
        let span = value.span;
        let strong = Ty::strong(DType::U64);
        let greatest = Expr::new(ExprKind::Literal(Literal::Int(i64::MAX)), strong, span);
        let capped = Self::elem(ElemOp::Min, vec![value, greatest], false, span);
        self.convert(capped, Num::INT)
    }

    /// An unsigned integer of 64 bits as one of Python's, if int64 holds it.
    pub(in crate::typed) fn fit_signed(&mut self, value: Expr) -> Expr {
        let span = value.span;
        let mut before = Vec::new();
        let value = self.once(value, &mut before);
        let greatest = Expr::new(ExprKind::Literal(Literal::Int(i64::MAX)), value.ty.clone(), span);
        let fits = Self::elem(ElemOp::Le, vec![value.clone(), greatest], true, span);
        let message = "Python int too large to convert to C long";
        before.push(Self::check(fits, Exc::OverflowError, message, vec![], span));
        let value = self.convert(value, Num::INT);
        Self::seq(before, value)
    }

    /// A float as an integer of Python's, and that as one of NumPy's, if it fits.
    pub fn fit_float(&mut self, value: Expr, to: Num) -> Expr {
        if to.weak {
            return self.float_to_int(value);
        }
        if to.dtype != DType::U64 {
            let whole = self.float_to_int(value);
            return self.fit_int(whole, to.dtype);
        }
        // Half of the numbers of uint64 are none of int64.
        let span = value.span;
        let mut before = Vec::new();
        let value = self.convert(value, Num::FLOAT);
        let value = self.once(value, &mut before);
        let bound = |op, limit| Self::elem(op, vec![value.clone(), Expr::float(limit, span)], true, span);
        let fits =
            Self::elem(ElemOp::And, vec![bound(ElemOp::Ge, 0.0), bound(ElemOp::Lt, UINT64_END)], true, span);
        let high = self.convert(value.clone(), to);
        let whole = self.float_to_int(value);
        let otherwise = self.fit_int(whole, to.dtype);
        let ty = high.ty.clone();
        let chosen = Expr::new(ExprKind::If(Box::new([fits, high, otherwise])), ty, span);
        Self::seq(before, chosen)
    }

    /// `int(x)`: the integer part; ValueError for NaN, OverflowError for infinities and what int64 does not hold.
    pub fn float_to_int(&mut self, value: Expr) -> Expr {
        let span = value.span;
        if let ExprKind::Literal(Literal::Float(bits)) = value.kind {
            let float = f64::from_bits(bits);
            if float.abs() < 9.0e18 {
                #[allow(clippy::cast_possible_truncation, reason = "in range by the test above")]
                return Expr::int(float as i64, span);
            }
        }
        let mut before = Vec::new();
        let value = self.convert(value, Num::FLOAT);
        let value = self.once(value, &mut before);
        let whole = self.convert(value.clone(), Num::INT);
        let whole = self.once(whole, &mut before);
        let nan = Self::elem(ElemOp::Eq, vec![value.clone(), value.clone()], true, span);
        let size = Self::elem(ElemOp::Abs, vec![value.clone()], true, span);
        let finite = Self::elem(ElemOp::Lt, vec![size, Expr::float(f64::INFINITY, span)], true, span);
        let fits = Self::elem(ElemOp::Eq, vec![value, Expr::float(INT64_LEAST, span)], true, span);
        let checks = vec![
            Self::check(nan, Exc::ValueError, "cannot convert float NaN to integer", vec![], span),
            Self::check(finite, Exc::OverflowError, "cannot convert float infinity to integer", vec![], span),
            Self::check(fits, Exc::OverflowError, "Python int too large to convert to C long", vec![], span),
        ];
        // What does not fit gives the least integer, so that one comparison is all that most numbers see.
        let least = Expr::int(i64::MIN, span);
        let cond = Self::elem(ElemOp::Eq, vec![whole.clone(), least], true, span);
        let unlikely = StmtKind::If { label: self.label(), cond, then: checks, orelse: vec![] };
        before.push(Stmt::new(unlikely, span));
        Self::seq(before, whole)
    }
}

/// -2^63, the least int64.
const INT64_LEAST: f64 = -9_223_372_036_854_775_808.0;
/// 2^64: the first float that is too large for uint64.
const UINT64_END: f64 = 18_446_744_073_709_551_616.0;

/// Whether a sparse matrix is one of the other type, but for the order of its entries and the width of its indices.
fn fits(from: SparseType, to: SparseType) -> bool {
    let widens = from.index == to.index || to.index == DType::I64;
    widens && SparseType { index: to.index, csc: to.csc, ..from } == to
}

/// Converts a number or the elements of an array; constants at once.
pub fn constant(value: Expr, to: Num) -> Expr {
    let Some(from) = value.ty.num() else { return value };
    let ty = value.ty.with_num(to);
    if from.dtype == to.dtype {
        return Expr { ty, ..value };
    }
    if let ExprKind::Literal(literal) = &value.kind
        && let Some(literal) = fold(literal, from.dtype, to.dtype)
    {
        return Expr::new(ExprKind::Literal(literal), ty, value.span);
    }
    let span = value.span;
    Expr::new(ExprKind::Op(OpKind::Cast, vec![value]), ty, span)
}

/// A constant in another type, where that is exact knowledge.
fn fold(literal: &Literal, from: DType, to: DType) -> Option<Literal> {
    Some(match literal {
        Literal::Int(value) if from.is_signed_int() && to.is_int() => Literal::Int(wrap(*value, to)),
        #[allow(clippy::cast_precision_loss, reason = "rounds to nearest, as the conversion at run time")]
        Literal::Int(value) if from.is_signed_int() && to == DType::F64 => Literal::float(*value as f64),
        Literal::Bool(value) if to.is_int() => Literal::Int(i64::from(*value)),
        Literal::Bool(value) if to == DType::F64 => Literal::float(f64::from(u8::from(*value))),
        Literal::Float(bits) if from == DType::F64 && to == DType::F32 => Literal::Float(*bits),
        Literal::Float(bits) if from == DType::F64 && to.is_complex() => Literal::Complex(*bits, 0),
        Literal::Complex(re, im) if to.is_complex() => Literal::Complex(*re, *im),
        _ => return None,
    })
}

/// The low bits, sign- or zero-extended to 64.
const fn wrap(value: i64, to: DType) -> i64 {
    let shift = 64 - to.size() as u32 * 8;
    if to.is_signed_int() { value << shift >> shift } else { ((value as u64) << shift >> shift) as i64 }
}

/// Whether a range lies within another one.
fn within(inner: (i128, i128), outer: (i128, i128)) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

/// Whether not all numbers of a type have a place in another one, of integers.
fn needs_room(from: Num, to: DType) -> bool {
    to.is_int() && !(from.dtype.is_int() && within(int_range(from.dtype), int_range(to)))
}
