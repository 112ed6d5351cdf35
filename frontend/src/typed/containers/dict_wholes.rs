//! Dicts and sets as wholes: their length, lists of what they hold, comparisons, operators.

use super::dict_ops::is_dict;
use super::dicts::FILE;
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, CompareOp};
use crate::typed::flow::infer::Infer;
use crate::typed::flow::pfor;
use crate::typed::library::keys::Wanted;
use crate::typed::program::tree::{Expr, ExprKind, StmtKind};
use crate::typed::types::dict_type::{DictType, View};
use crate::typed::types::ty::Ty;

impl Infer<'_, '_> {
    /// `len(d)`.
    pub(in crate::typed) fn dict_length(&mut self, dict: Expr, span: Span) -> Expr {
        let dict = match dict.ty.clone() {
            Ty::DictView(ty, _) => Expr { ty: Ty::Dict(ty), ..dict },
            _ => dict,
        };
        match dict.ty {
            Ty::Dict(_) => self.prelude_call(FILE, "length", vec![dict], span),
            _ => Expr::int(0, span),
        }
    }

    /// The keys, or what a view shows, as a new list; anything else as it is.
    pub(in crate::typed) fn listed(&mut self, value: Expr) -> Expr {
        let (ty, view) = match value.ty.clone() {
            Ty::Dict(ty) => (ty, View::Keys),
            Ty::DictView(ty, view) => (ty, view),
            Ty::EmptyDict(at, _) => return Expr::new(ExprKind::Error, Ty::EmptyList(at), value.span),
            _ => return value,
        };
        let span = value.span;
        let function = match view {
            View::Keys => "keys_of",
            View::Values => "values_of",
            View::Items => "items_of",
        };
        let dict = Expr { ty: Ty::Dict(ty), ..value };
        self.prelude_call(FILE, function, vec![dict], span)
    }

    /// `max(d, key=d.get)`, `min(d, key=d.get)`; None for other calls.
    pub(in crate::typed) fn extreme_of_dict(
        &mut self,
        wanted: &Wanted,
        arg: &ast::Expr,
        keywords: &[ast::Keyword],
        span: Span,
    ) -> Option<Expr> {
        let function = match wanted {
            Wanted::Greatest => "greatest_key",
            Wanted::Least => "least_key",
            _ => return None,
        };
        let [key] = keywords else { return None };
        let ast::ExprKind::Attribute { value, .. } = &key.value.kind else { return None };
        if !self.is_get(&key.value) || !pfor::same(arg, value) {
            return None;
        }
        let dict = self.expr(arg);
        match &dict.ty {
            Ty::Dict(ty) if ty.value.scalar().is_some_and(|num| !num.dtype.is_complex()) => {
                Some(self.prelude_call(FILE, function, vec![dict], span))
            }
            Ty::EmptyDict(_, container) => Some(self.unknown_items(span, container.noun())),
            ty if ty.is_silent() => Some(dict),
            _ => None,
        }
    }

    /// `item in d`.
    pub(in crate::typed) fn in_dict(&mut self, item: Expr, container: Expr, span: Span) -> Expr {
        match container.ty.clone() {
            Ty::EmptyDict(..) => Expr::bool(false, span),
            Ty::DictView(ty, View::Keys) => {
                let dict = Expr { ty: Ty::Dict(ty), ..container };
                self.with_key("contains", dict, item, vec![], span)
            }
            Ty::DictView(..) => {
                let list = self.listed(container);
                self.prelude_call("sequence", "contains", vec![list, item], span)
            }
            _ => self.with_key("contains", container, item, vec![], span),
        }
    }

    /// `a == b` and, of sets, `a <= b`; None for other operands.
    pub(in crate::typed) fn compare_dicts(
        &mut self,
        op: CompareOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        if !is_dict(&left.ty) || !is_dict(&right.ty) {
            return None;
        }
        if let Ty::EmptyDict(..) = left.ty {
            self.note_same(&left.ty, &right.ty);
            return Some(Expr::bool(false, span));
        }
        if let Ty::EmptyDict(..) = right.ty {
            self.note_same(&right.ty, &left.ty);
            return Some(Expr::bool(false, span));
        }
        let (a, b) = (left.ty.dict_type()?, right.ty.dict_type()?);
        if a.is_counter() && b.is_counter() {
            return Some(self.later_expr(span, &format!("`{}` of Counters", op.symbol())));
        }
        let sets = a.is_set() && b.is_set();
        if a.is_set() != b.is_set() {
            return match op {
                CompareOp::Eq => Some(Expr::bool(false, span)),
                CompareOp::NotEq => Some(Expr::bool(true, span)),
                _ => None,
            };
        }
        let (function, swapped) = match op {
            CompareOp::Eq | CompareOp::NotEq if sets => ("same_items", false),
            CompareOp::Eq | CompareOp::NotEq => ("equal", false),
            CompareOp::LtEq if sets => ("is_subset", false),
            CompareOp::GtEq if sets => ("is_subset", true),
            CompareOp::Lt if sets => ("is_proper_subset", false),
            CompareOp::Gt if sets => ("is_proper_subset", true),
            _ => return None,
        };
        let args =
            if swapped { vec![right.clone(), left.clone()] } else { vec![left.clone(), right.clone()] };
        let result = self.prelude_call(FILE, function, args, span);
        Some(if op == CompareOp::NotEq && !result.ty.is_silent() { Self::not(result) } else { result })
    }

    /// `a | b` and its like; None for other operands.
    pub(in crate::typed) fn dict_operator(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        if !is_dict(&left.ty) || !is_dict(&right.ty) {
            return None;
        }
        if matches!(left.ty, Ty::EmptyDict(..)) || matches!(right.ty, Ty::EmptyDict(..)) {
            self.note_same(&left.ty, &right.ty);
            self.note_same(&right.ty, &left.ty);
            return Some(Expr::new(ExprKind::Error, Ty::Never, span));
        }
        if left.ty.dict_type()?.is_counter() || right.ty.dict_type()?.is_counter() {
            return Some(self.later_expr(span, &format!("`{}` of Counters", op.symbol())));
        }
        let sets = left.ty.dict_type()?.is_set() && right.ty.dict_type()?.is_set();
        let dicts = !left.ty.dict_type()?.is_set() && !right.ty.dict_type()?.is_set();
        let function = match op {
            BinaryOp::BitOr if dicts => "merged",
            BinaryOp::BitOr if sets => "union",
            BinaryOp::BitAnd if sets => "intersection",
            BinaryOp::Sub if sets => "difference",
            BinaryOp::BitXor if sets => "symmetric_difference",
            _ => return None,
        };
        Some(self.prelude_call(FILE, function, vec![left.clone(), right.clone()], span))
    }

    /// `d op= other`.
    pub(in crate::typed) fn change_dict(&mut self, dict: Expr, op: BinaryOp, other: Expr, span: Span) {
        if matches!(dict.ty, Ty::EmptyDict(..)) || matches!(other.ty, Ty::EmptyDict(..)) {
            self.note_same(&dict.ty, &other.ty);
            return self.note_same(&other.ty, &dict.ty);
        }
        if dict.ty.dict_type().is_some_and(DictType::is_counter) {
            return self.later(span, &format!("`{}=` of Counters", op.symbol()));
        }
        let sets = [&dict, &other].iter().all(|e| e.ty.dict_type().is_some_and(DictType::is_set));
        let dicts = [&dict, &other].iter().all(|e| e.ty.dict_type().is_some_and(|ty| !ty.is_set()));
        let function = match op {
            BinaryOp::BitOr if dicts => "update",
            BinaryOp::BitOr if sets => "extend",
            BinaryOp::BitAnd if sets => "keep_only",
            BinaryOp::Sub if sets => "take_out",
            BinaryOp::BitXor if sets => "toggle",
            _ if other.ty.is_silent() => return,
            _ => {
                let symbol = format!("{}=", op.symbol());
                self.bad_operands(&symbol, &dict, &other, span);
                return;
            }
        };
        let change = self.prelude_call(FILE, function, vec![dict, other], span);
        if !change.ty.is_silent() {
            self.push(StmtKind::Eval(change), span);
        }
    }
}
