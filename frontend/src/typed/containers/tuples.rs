//! Items and slices of tuples; the least and greatest one.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, CompareOp};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::meet::advice;
use crate::typed::types::ty::Ty;
use pydd_ir::{ElemOp, Exc, OpKind};

/// Items of a tuple that a variable chooses among, where each is asked for.
const MAX_CHOICES: usize = 64;

impl Infer<'_, '_> {
    /// `tuple[index]`.
    pub(in crate::typed) fn tuple_item(&mut self, base: Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let [index] = indices else { return self.too_many(&base, indices.len(), span) };
        if let ast::ExprKind::Slice { lower, upper, step } = &index.kind {
            return self.tuple_slice(base, [lower, upper, step].map(|part| part.as_deref()), span);
        }
        let index = self.expr(index);
        self.tuple_item_by(base, index, span)
    }

    /// The item at an index.
    pub(in crate::typed) fn tuple_item_by(&mut self, base: Expr, index: Expr, span: Span) -> Expr {
        let Ty::Tuple(items) = &base.ty else { return Expr::error(span) };
        let count = items.len() as i64;
        let Some(constant) = index.as_int() else {
            if index.ty.is_silent() {
                return Expr::silent([&index], span);
            }
            return self.varying_item(base, index, span);
        };
        let position = if constant < 0 { constant + count } else { constant };
        if !(0..count).contains(&position) {
            let headline = format!("tuple index out of range: {constant} of {count}");
            return self.error(code::INDEX_OUT_OF_RANGE, index.span, headline, "no such item");
        }
        self.item_of(&base, position as usize)
    }

    /// `tuple[start:stop:step]`, of constants.
    fn tuple_slice(&mut self, base: Expr, parts: [Option<&ast::Expr>; 3], span: Span) -> Expr {
        let Ty::Tuple(items) = &base.ty else { return Expr::error(span) };
        let (count, list) = (items.len() as i64, items.is_list());
        let mut bounds = [None; 3];
        for (bound, part) in bounds.iter_mut().zip(parts) {
            let Some(part) = self.slice_part(part) else { continue };
            match part.as_int() {
                Some(constant) => *bound = Some(constant),
                None if part.ty.is_silent() => return Expr::silent([&part], span),
                None => {
                    let headline = "the bounds of a tuple's slice must be constants";
                    return self.error(code::TUPLE_INDEX_NOT_CONSTANT, part.span, headline, "not a constant");
                }
            }
        }
        let [start, stop, step] = bounds;
        let step = step.unwrap_or(1);
        if step == 0 {
            return self.error(code::INDEX_TYPE, span, "slice step cannot be zero", "a step of zero");
        }
        let (least, greatest) = if step > 0 { (0, count) } else { (-1, count - 1) };
        let limit = |at: i64| (if at < 0 { at.saturating_add(count) } else { at }).clamp(least, greatest);
        let (first, last) = if step > 0 { (least, greatest) } else { (greatest, least) };
        let (mut at, last) = (start.map_or(first, limit), stop.map_or(last, limit));
        let mut before = Vec::new();
        let tuple = self.once(base, &mut before);
        let mut chosen = Vec::new();
        while if step > 0 { at < last } else { at > last } {
            chosen.push(self.item_of(&tuple, at as usize));
            at = at.saturating_add(step);
        }
        let chosen = Self::tuple(chosen, span);
        Self::seq(before, if list { Self::as_items(chosen) } else { chosen })
    }

    /// A tuple as a list of known length.
    pub(in crate::typed) fn as_items(tuple: Expr) -> Expr {
        match tuple.ty {
            Ty::Tuple(items) => Expr { ty: Ty::Tuple(items.into_list()), ..tuple },
            _ => tuple,
        }
    }

    /// `tuple.count(item)`, `tuple.index(item)`.
    pub(in crate::typed) fn places_in_tuple(
        &mut self,
        tuple: Expr,
        item: Expr,
        is_index: bool,
        span: Span,
    ) -> Expr {
        let mut before = Vec::new();
        let tuple = self.once(tuple, &mut before);
        let wanted = self.once(item, &mut before);
        let none = Expr::int(if is_index { -1 } else { 0 }, span);
        let mut found = none.clone();
        for (at, item) in self.items_of(&tuple).into_iter().enumerate().rev() {
            let is_it = self.compare(CompareOp::Eq, item, wanted.clone(), span);
            if is_it.ty.is_silent() {
                return is_it;
            }
            let is_it = self.truth(is_it);
            found = if is_index {
                Self::choose(is_it, Expr::int(at as i64, span), found, span)
            } else {
                let one = Self::choose(is_it, Expr::int(1, span), Expr::int(0, span), span);
                Self::elem(ElemOp::Add, vec![found, one], true, span)
            };
        }
        let found = self.once(found, &mut before);
        if is_index {
            let is_there = Self::elem(ElemOp::Ge, vec![found.clone(), Expr::int(0, span)], true, span);
            let text = "tuple.index(x): x not in tuple";
            before.push(Self::check(is_there, Exc::ValueError, text, vec![], span));
        }
        Self::seq(before, found)
    }

    /// An item by a variable, where all are numbers of one type.
    fn varying_item(&mut self, base: Expr, index: Expr, span: Span) -> Expr {
        let Ty::Tuple(items) = &base.ty else { return Expr::error(span) };
        if base.ty.has_either() {
            let base = self.settle(base);
            return self.varying_item(base, index, span);
        }
        let same = items.windows(2).all(|w| w[0] == w[1]);
        let Some(item) = items.first().filter(|item| same && is_of_numbers(item)) else {
            let of_one_type = |ty: Option<Ty>, item: &Ty| ty.and_then(|ty| self.meet(&ty, item));
            let common = items
                .split_first()
                .and_then(|(first, rest)| rest.iter().fold(Some(first.clone()), of_one_type));
            if items.len() <= MAX_CHOICES && common.is_some_and(|ty| is_chosen(&ty)) {
                return self.chosen_item(base, index, span);
            }
            let diagnostic = Diagnostic::error(
                code::TUPLE_INDEX_NOT_CONSTANT,
                "the items of this tuple are not of one type, so its index must be a constant",
            )
            .primary(index.span, "not a constant")
            .secondary(base.span, format!("this is {}", base.ty));
            return self.fail(diagnostic);
        };
        let item = item.clone();
        let index = self.as_index(index);
        let mut before = Vec::new();
        let tuple = self.once(base, &mut before);
        let index = self.once(index, &mut before);
        let items = self.items_of(&tuple);
        let item = self.pick(items, &item, &index, span);
        Self::seq(before, item)
    }

    /// An item by a variable, chosen among all: arrays, lists, and numbers of different types.
    fn chosen_item(&mut self, base: Expr, index: Expr, span: Span) -> Expr {
        let index = self.as_index(index);
        let mut before = Vec::new();
        let tuple = self.once(base, &mut before);
        let items = self.items_of(&tuple);
        let all = (0..items.len()).map(|at| Expr::int(at as i64, span)).collect();
        let at = self.pick(all, &Ty::INT, &index, span);
        let at = self.once(at, &mut before);
        let mut items = items.into_iter().enumerate().rev();
        let Some((_, mut chosen)) = items.next() else { return Expr::error(span) };
        for (i, item) in items {
            let is_it = Self::elem(ElemOp::Eq, vec![at.clone(), Expr::int(i as i64, span)], true, span);
            chosen = self.unify_and_choose(is_it, item, chosen, span);
        }
        Self::seq(before, chosen)
    }

    /// The item at a position, each number of a nested tuple by itself.
    fn pick(&mut self, items: Vec<Expr>, ty: &Ty, index: &Expr, span: Span) -> Expr {
        let Ty::Tuple(parts) = ty else {
            let Some(num) = ty.scalar() else { return Expr::error(span) };
            let list = Self::op(OpKind::ListNew, items, Ty::List(num), span);
            return Self::op(OpKind::ListGet, vec![list, index.clone()], ty.clone(), span);
        };
        let picked = parts.iter().enumerate().map(|(at, part)| {
            let column = items.iter().map(|item| self.item_of(item, at)).collect();
            self.pick(column, part, index, span)
        });
        let picked = picked.collect();
        Self::tuple(picked, span)
    }

    /// `min(a, b, …)` of tuples: the first of those that no other one is less than.
    pub(in crate::typed) fn extreme_tuple(&mut self, op: ElemOp, values: Vec<Expr>, span: Span) -> Expr {
        let compare = if op == ElemOp::Min { CompareOp::Lt } else { CompareOp::Gt };
        let common =
            values[1..].iter().try_fold(values[0].ty.clone(), |met, value| self.meet(&met, &value.ty));
        let Some(common) = common else {
            let other = values
                .iter()
                .find(|value| self.meet(&values[0].ty, &value.ty).is_none())
                .unwrap_or(&values[0]);
            return self.no_common_type(&values[0], other);
        };
        let values = values.into_iter().map(|value| self.convert_to(value, &common)).collect();
        self.first_best(compare, values, span, |_, better, value, best| {
            Self::choose(better, value, best, span)
        })
    }

    /// The first of the values that no other one is better than. `choose` is given whether the next one is better, it, and
    /// the best one so far.
    fn first_best(
        &mut self,
        compare: CompareOp,
        values: Vec<Expr>,
        span: Span,
        choose: impl Fn(&mut Self, Expr, Expr, Expr) -> Expr,
    ) -> Expr {
        let mut before = Vec::new();
        let values: Vec<Expr> = values.into_iter().map(|value| self.once(value, &mut before)).collect();
        let mut best: Option<Expr> = None;
        for value in values {
            best = Some(match best {
                None => value,
                Some(best) => {
                    let better = self.compare(compare, value.clone(), best.clone(), span);
                    if better.ty.is_silent() {
                        return better;
                    }
                    let chosen = choose(self, better, value, best);
                    self.once(chosen, &mut before)
                }
            });
        }
        Self::seq(before, best.unwrap_or_else(|| Expr::error(span)))
    }

    /// All items of a tuple; see [`item_of`](Self::item_of).
    pub(in crate::typed) fn items_of(&mut self, tuple: &Expr) -> Vec<Expr> {
        match &tuple.kind {
            // What is asked of all items is asked once.
            ExprKind::Tuple(items) if items.iter().all(|item| item.is_constant() || is_simple(item)) => {
                items.clone()
            }
            _ => {
                (0..tuple.ty.parts().map_or(0, |parts| parts.len())).map(|i| self.item_of(tuple, i)).collect()
            }
        }
    }

    pub(in crate::typed) fn no_common_type(&mut self, one: &Expr, other: &Expr) -> Expr {
        let diagnostic = Diagnostic::error(code::NO_COMMON_TYPE, "the two values have no type in common")
            .primary(other.span, format!("this is {}", other.ty))
            .secondary(one.span, format!("this is {}", one.ty))
            .maybe_help(advice(&one.ty, &other.ty));
        self.fail(diagnostic)
    }

    /// `min(a, b, …)` of numbers of different types: as in Python the first of those that no other one is less than, of
    /// its own type.
    pub(in crate::typed) fn extreme_either(&mut self, op: ElemOp, values: Vec<Expr>, span: Span) -> Expr {
        let compare = if op == ElemOp::Min { CompareOp::Lt } else { CompareOp::Gt };
        self.first_best(compare, values, span, |infer, better, value, best| {
            let mut better = infer.truth(better);
            if !matches!(value.ty, Ty::Scalar(num) if !num.dtype.is_float()) {
                // NaN wins wherever it stands; the best so far keeps it by itself.
                let is_nan = infer.compare(CompareOp::NotEq, value.clone(), value.clone(), span);
                let is_nan = infer.truth(is_nan);
                better = Self::elem(ElemOp::Or, vec![better, is_nan], true, span);
            }
            infer.unify_and_choose(better, value, best, span)
        })
    }

    /// An item of a tuple, or a part of a sparse matrix, by position.
    pub(in crate::typed) fn item_of(&mut self, tuple: &Expr, index: usize) -> Expr {
        let Some(types) = tuple.ty.parts() else { return Expr::error(tuple.span) };
        match &tuple.kind {
            ExprKind::Tuple(items) if tuple.is_constant() || items.iter().all(is_simple) => {
                items[index].clone()
            }
            _ => {
                let kind = ExprKind::Item(Box::new(tuple.clone()), index as u32);
                Expr::new(kind, types[index].clone(), tuple.span)
            }
        }
    }
}

/// Whether one of several such items may be chosen when the program runs.
const fn is_chosen(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::Scalar(_) | Ty::Either(_) | Ty::Array { .. } | Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_)
    )
}

/// Numbers, and tuples of them.
fn is_of_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) => true,
        Ty::Tuple(items) => items.iter().all(is_of_numbers),
        _ => false,
    }
}

/// Whether an expression may be evaluated again: a constant, or a dimension of a variable.
fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Op(OpKind::Dim(_), args) => matches!(args[0].kind, ExprKind::Local(_)),
        _ => expr.is_constant(),
    }
}
