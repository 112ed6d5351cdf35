//! Items of lists. A list of tuples is a bundle of lists, one for each number of a tuple, all of one length; lists are
//! references, and so is the bundle. A list of such lists is a bundle as well, of lists of lists.

use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::types::ty::Ty;
use pydd_ir::{ElemOp, Exc, OpKind};

impl Infer<'_, '_> {
    /// A new list of these items, which are of its items' type.
    pub(in crate::typed) fn new_list(&mut self, ty: &Ty, items: Vec<Expr>, span: Span) -> Expr {
        if matches!(ty, Ty::Lists(item) if item.is_array()) {
            return self.list_of_arrays(ty, items, span);
        }
        let Some(types) = ty.parts() else { return Self::op(OpKind::ListNew, items, ty.clone(), span) };
        if items.iter().any(|item| item.ty.is_silent()) {
            return Expr::silent(&items, span);
        }
        let mut before = Vec::new();
        let rows: Vec<Vec<Expr>> = items.into_iter().map(|item| self.parts_of(item, &mut before)).collect();
        let column = |(at, ty): (usize, Ty)| {
            let parts = rows.iter().map(|row| row[at].clone()).collect();
            self.new_list(&ty, parts, span)
        };
        let columns = types.into_iter().enumerate().map(column).collect();
        Self::seq(before, Expr::new(ExprKind::Tuple(columns), ty.clone(), span))
    }

    /// Arrays are appended, which takes memory for each.
    fn list_of_arrays(&mut self, ty: &Ty, items: Vec<Expr>, span: Span) -> Expr {
        if items.iter().any(|item| item.ty.is_silent()) {
            return Expr::silent(&items, span);
        }
        let mut before = Vec::new();
        let list = self.once(Self::op(OpKind::ListNew, Vec::new(), ty.clone(), span), &mut before);
        let append = |item| Stmt::new(StmtKind::Effect(OpKind::ListAppend, vec![list.clone(), item]), span);
        before.extend(items.into_iter().map(append));
        Self::seq(before, list.clone())
    }

    /// The lists that a list is made of: itself, or one for each number of its tuples, or of the tuples in its lists.
    pub(in crate::typed) fn columns(&mut self, list: &Expr) -> Vec<Expr> {
        match list.ty.parts() {
            Some(parts) => (0..parts.len()).map(|at| self.item_of(list, at)).collect(),
            None => vec![list.clone()],
        }
    }

    /// A list or dict that is looked at more than once.
    pub(in crate::typed) fn steady(&mut self, list: &Expr, before: &mut Vec<Stmt>) -> Expr {
        match list.kind {
            ExprKind::Local(_) => list.clone(),
            _ => self.once(list.clone(), before),
        }
    }

    /// `len(list)`.
    pub(in crate::typed) fn list_length(&mut self, list: &Expr, span: Span) -> Expr {
        if let Ty::EmptyList(_) = list.ty {
            return Expr::int(0, span);
        }
        let first = self.columns(list).swap_remove(0);
        Self::op(OpKind::ListLen, vec![first], Ty::INT, span)
    }

    /// `list[index]`.
    pub(in crate::typed) fn list_item(&mut self, list: &Expr, index: Expr, span: Span) -> Expr {
        let Some(item) = list.ty.list_item() else { return Expr::error(span) };
        if index.ty.is_silent() {
            return Expr::silent([&index], span);
        }
        if list.ty.parts().is_none() {
            return Self::op(OpKind::ListGet, vec![list.clone(), index], item, span);
        }
        let mut before = Vec::new();
        let list = self.steady(list, &mut before);
        let value = self.entry_part(&list, &item, 0, index, span);
        Self::seq(before, value)
    }

    /// `list[index] = value`, of a value of its items' type, as an expression that gives None.
    pub(in crate::typed) fn set_list_item(
        &mut self,
        list: &Expr,
        index: Expr,
        value: Expr,
        span: Span,
    ) -> Expr {
        if list.ty.parts().is_none() {
            return self.effect_expr(OpKind::ListSet, vec![list.clone(), index, value], span);
        }
        let mut stmts = Vec::new();
        let list = self.steady(list, &mut stmts);
        let index = self.once(index, &mut stmts);
        let parts = self.parts_of(value, &mut stmts);
        for (column, part) in self.columns(&list).into_iter().zip(parts) {
            stmts.push(Stmt::new(StmtKind::Effect(OpKind::ListSet, vec![column, index.clone(), part]), span));
        }
        Self::seq(stmts, Expr::none(span))
    }

    /// `list.append(value)` or `deque.appendleft(value)`, as `kind` is, of a value of its items' type, as an expression that gives None.
    pub(in crate::typed) fn put_item(&mut self, kind: &OpKind, list: &Expr, value: Expr, span: Span) -> Expr {
        if list.ty.parts().is_none() {
            return self.effect_expr(kind.clone(), vec![list.clone(), value], span);
        }
        let mut stmts = Vec::new();
        let list = self.steady(list, &mut stmts);
        let parts = self.parts_of(value, &mut stmts);
        for (column, part) in self.columns(&list).into_iter().zip(parts) {
            stmts.push(Stmt::new(StmtKind::Effect(kind.clone(), vec![column, part]), span));
        }
        Self::seq(stmts, Expr::none(span))
    }

    /// `list.pop()`.
    pub(in crate::typed) fn pop_last(&mut self, list: &Expr, span: Span) -> Expr {
        let mut before = Vec::new();
        let list = self.once(list.clone(), &mut before);
        let length = self.some_items(&list, "pop from empty list", &mut before, span);
        let last = Self::elem(ElemOp::Sub, vec![length, Expr::int(1, span)], true, span);
        let last = self.once(last, &mut before);
        let item = self.list_item(&list, last.clone(), span);
        let item = self.once(item, &mut before);
        before.extend(self.shortened(OpKind::ListTruncate, &list, &last, span));
        Self::seq(before, item)
    }

    /// `deque.popleft()`.
    pub(in crate::typed) fn pop_first(&mut self, list: &Expr, span: Span) -> Expr {
        let mut before = Vec::new();
        let list = self.once(list.clone(), &mut before);
        self.some_items(&list, "pop from an empty deque", &mut before, span);
        let item = self.list_item(&list, Expr::int(0, span), span);
        let item = self.once(item, &mut before);
        before.extend(self.shortened(OpKind::ListDropFront, &list, &Expr::int(1, span), span));
        Self::seq(before, item)
    }

    /// The length of a list, behind a check that it is not 0.
    fn some_items(&mut self, list: &Expr, message: &str, before: &mut Vec<Stmt>, span: Span) -> Expr {
        let length = self.list_length(list, span);
        let length = self.once(length, before);
        let some = Self::elem(ElemOp::Gt, vec![length.clone(), Expr::int(0, span)], true, span);
        before.push(Self::check(some, Exc::IndexError, message, vec![], span));
        length
    }

    /// Keeps a list's first items.
    pub(in crate::typed) fn truncate(&mut self, list: &Expr, length: Expr, span: Span) -> Expr {
        let mut before = Vec::new();
        let list = self.steady(list, &mut before);
        let length = self.once(length, &mut before);
        before.extend(self.shortened(OpKind::ListTruncate, &list, &length, span));
        Self::seq(before, Expr::none(span))
    }

    /// An operation that takes items off, by a number of them, for each list that a list is made of.
    fn shortened(&mut self, kind: OpKind, list: &Expr, count: &Expr, span: Span) -> Vec<Stmt> {
        let shorten = |column| Stmt::new(StmtKind::Effect(kind.clone(), vec![column, count.clone()]), span);
        self.columns(list).into_iter().map(shorten).collect()
    }
}
