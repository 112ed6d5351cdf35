//! Subscripts: elements, views, items of lists and tuples.

use super::infer::Infer;
use super::tree::{Expr, ExprKind};
use super::ty::Ty;
use crate::diagnostics::{Diagnostic, code, counted, were_given};
use crate::source::Span;
use crate::syntax::ast;
use pydd_ir::{ElemOp, IndexItem, OpKind};

/// What a subscript names, all of its parts evaluated.
pub enum Place {
    /// An element of an array.
    Element(Expr, Vec<Expr>),
    /// A view of an array.
    View(Expr),
    /// An item of a list.
    Item(Expr, Expr),
}

impl Infer<'_, '_> {
    /// `base[indices]` as a value.
    pub(super) fn subscript(&mut self, base: &ast::Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let base = self.expr(base);
        match &base.ty {
            Ty::Array { .. } => match self.array_index(&base, indices, span) {
                Some((items, args)) => self.indexed_array(base, items, args, span),
                None => Expr::error(span),
            },
            Ty::List(num) => {
                let num = *num;
                let [index] = indices else { return self.too_many(&base, indices.len(), span) };
                if let ast::ExprKind::Slice { .. } = index.kind {
                    return self.list_slice(base, index, span);
                }
                let index = self.index(index);
                Self::op(OpKind::ListGet, vec![base, index], Ty::Scalar(num), span)
            }
            Ty::Tuple(_) => self.tuple_item(base, indices, span),
            Ty::EmptyList(_) => {
                self.error(code::CANNOT_INFER_TYPE, span, "what this list holds is not known yet", "")
            }
            ty if ty.is_silent() => Expr::silent([&base], span),
            other => {
                let headline = format!("{other} has no elements");
                self.error(code::NOT_INDEXABLE, base.span, headline, "cannot be indexed")
            }
        }
    }

    fn too_many(&mut self, base: &Expr, count: usize, span: Span) -> Expr {
        let headline = format!("too many indices: {} takes one, but {}", base.ty, were_given(count));
        self.error(code::INDEX_COUNT, span, headline, "too many indices")
    }

    fn tuple_item(&mut self, base: Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let Ty::Tuple(items) = &base.ty else { return Expr::error(span) };
        let count = items.len() as i64;
        let [index] = indices else { return self.too_many(&base, indices.len(), span) };
        let index = self.expr(index);
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

    /// An item by a variable, where all are numbers of one type.
    fn varying_item(&mut self, base: Expr, index: Expr, span: Span) -> Expr {
        let Ty::Tuple(items) = &base.ty else { return Expr::error(span) };
        let same = items.windows(2).all(|w| w[0] == w[1]);
        let Some(item) = items.first().filter(|item| same && is_of_numbers(item)) else {
            let diagnostic = Diagnostic::error(
                code::TUPLE_INDEX_NOT_CONSTANT,
                "the items of this tuple are not numbers of one type, so its index must be a constant",
            )
            .primary(index.span, "not a constant")
            .secondary(base.span, format!("this is {}", base.ty));
            return self.fail(diagnostic);
        };
        let (item, count) = (item.clone(), items.len());
        let index = self.as_index(index);
        let mut before = Vec::new();
        let tuple = self.once(base, &mut before);
        let index = self.once(index, &mut before);
        let items = (0..count).map(|i| self.item_of(&tuple, i)).collect();
        let item = self.pick(items, &item, &index, span);
        Self::seq(before, item)
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

    /// An item of a tuple by position.
    pub(super) fn item_of(&mut self, tuple: &Expr, index: usize) -> Expr {
        let Ty::Tuple(types) = &tuple.ty else { return Expr::error(tuple.span) };
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

    /// An index expression: an integer.
    pub(super) fn index(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.expr(expr);
        match &value.ty {
            Ty::Scalar(num) if num.is_float() => {
                let diagnostic = Diagnostic::error(code::INDEX_TYPE, "an index must be an integer")
                    .primary(expr.span, format!("this is {}", value.ty))
                    .help("convert it: `int(…)`");
                self.fail(diagnostic)
            }
            Ty::Scalar(num) if num.dtype.is_int() => self.signed(value),
            ty if ty.is_silent() => Expr::silent([&value], expr.span),
            Ty::Array { dtype, .. } if dtype.is_int() || *dtype == pydd_ir::DType::Bool => {
                self.later(expr.span, "indexing with an array");
                Expr::error(expr.span)
            }
            other => {
                let headline = format!("{other} is not an index");
                self.error(code::INDEX_TYPE, expr.span, headline, "expected an integer or a slice")
            }
        }
    }

    /// The items of an array index with their operands, in the order of evaluation.
    fn array_index(
        &mut self,
        base: &Expr,
        indices: &[ast::Expr],
        span: Span,
    ) -> Option<(Vec<IndexItem>, Vec<Expr>)> {
        let rank = base.ty.rank()?;
        let used = |e: &ast::Expr| !matches!(e.kind, ast::ExprKind::None | ast::ExprKind::Ellipsis);
        let consumed = indices.iter().filter(|e| used(e) && !self.is_newaxis(e)).count();
        if consumed > usize::from(rank) {
            let has = counted(usize::from(rank), "dimension");
            let headline = format!("too many indices: {} has {has}, but {}", base.ty, were_given(consumed));
            let diagnostic = Diagnostic::error(code::INDEX_COUNT, headline)
                .primary(span, "too many indices")
                .secondary(base.span, format!("this is {}", base.ty));
            self.report(diagnostic);
            return None;
        }
        let (mut items, mut args, mut ok) = (Vec::new(), Vec::new(), true);
        for index in indices {
            match &index.kind {
                ast::ExprKind::Ellipsis => {
                    let kept = usize::from(rank) - consumed;
                    items.extend(vec![WHOLE; kept]);
                }
                ast::ExprKind::None => items.push(IndexItem::New),
                _ if self.is_newaxis(index) => items.push(IndexItem::New),
                ast::ExprKind::Slice { lower, upper, step } => {
                    let parts = [lower, upper, step].map(|part| self.slice_part(part.as_deref()));
                    let [start, stop, step] = [0, 1, 2].map(|i| parts[i].is_some());
                    items.push(IndexItem::Slice { start, stop, step });
                    args.extend(parts.into_iter().flatten());
                }
                _ => {
                    items.push(IndexItem::At);
                    args.push(self.index(index));
                }
            }
            ok &= args.last().is_none_or(|arg: &Expr| !arg.ty.is_silent());
        }
        ok.then_some((items, args))
    }

    pub(super) fn slice_part(&mut self, part: Option<&ast::Expr>) -> Option<Expr> {
        let part = part?;
        match part.kind {
            ast::ExprKind::None => None,
            _ => Some(self.index(part)),
        }
    }

    /// `np.newaxis`.
    fn is_newaxis(&self, expr: &ast::Expr) -> bool {
        let ast::ExprKind::Attribute { value, attr } = &expr.kind else { return false };
        attr.name == "newaxis" && matches!(self.static_module(value), Some(pydd_ir::catalogue::Space::Numpy))
    }

    fn indexed_array(&mut self, base: Expr, items: Vec<IndexItem>, args: Vec<Expr>, span: Span) -> Expr {
        let Ty::Array { dtype, rank } = base.ty else { return Expr::error(span) };
        let element = items.len() == usize::from(rank) && items.iter().all(|i| *i == IndexItem::At);
        let mut operands = vec![base];
        operands.extend(args);
        if element {
            return Self::op(OpKind::Load, operands, Ty::strong(dtype), span);
        }
        let rank = view_rank(rank, &items);
        Self::op(OpKind::View(items), operands, Ty::array(dtype, rank), span)
    }

    /// The real and imaginary part of an array are views in NumPy. Here they are computed, which is the same
    /// where they are only read at once; under a name, a later write would tell. Whether that was refused.
    pub(super) fn refuse_part(&mut self, value: &Expr) -> bool {
        let refused = is_part(value);
        if refused {
            let what = "a name for the real or imaginary part of an array";
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, format!("{what} is not supported yet"))
                .primary(value.span, "would be a view of the complex array")
                .help("copy it: `.real.copy()`");
            self.report(diagnostic);
        }
        refused
    }

    /// What a subscript names as a target; parts are evaluated into kept values.
    pub(super) fn place(&mut self, base: Expr, indices: &[ast::Expr], span: Span) -> Option<Place> {
        if let ExprKind::Op(OpKind::Elem(ElemOp::Re | ElemOp::Im), _) = base.kind {
            self.later(span, "assigning to the real or imaginary part of an array");
            return None;
        }
        match &base.ty {
            Ty::Array { dtype, rank } => {
                let (dtype, rank) = (*dtype, *rank);
                let (items, args) = self.array_index(&base, indices, span)?;
                let args: Vec<Expr> = args.into_iter().map(|arg| self.keep(arg)).collect();
                if items.len() == usize::from(rank) && items.iter().all(|i| *i == IndexItem::At) {
                    return Some(Place::Element(base, args));
                }
                let rank = view_rank(rank, &items);
                let mut operands = vec![base];
                operands.extend(args);
                let view = Self::op(OpKind::View(items), operands, Ty::array(dtype, rank), span);
                Some(Place::View(self.keep(view)))
            }
            Ty::List(_) => {
                let [index] = indices else {
                    self.too_many(&base, indices.len(), span);
                    return None;
                };
                let index = self.index(index);
                if index.ty.is_silent() {
                    return None;
                }
                let index = self.keep(index);
                Some(Place::Item(base, index))
            }
            Ty::Tuple(_) | Ty::Str => {
                let headline = format!("the items of {} cannot change", base.ty);
                self.error(code::NOT_WRITABLE, span, headline, "cannot be assigned to");
                None
            }
            ty if ty.is_silent() => None,
            other => {
                let headline = format!("{other} has no elements");
                self.error(code::NOT_INDEXABLE, base.span, headline, "cannot be indexed");
                None
            }
        }
    }

    pub(super) fn read_place(&mut self, place: &Place, span: Span) -> Expr {
        match place {
            Place::Element(base, args) => {
                let Ty::Array { dtype, .. } = base.ty else { return Expr::error(span) };
                let mut operands = vec![base.clone()];
                operands.extend(args.iter().cloned());
                Self::op(OpKind::Load, operands, Ty::strong(dtype), span)
            }
            Place::View(view) => view.clone(),
            Place::Item(list, index) => match list.ty {
                Ty::List(num) => {
                    Self::op(OpKind::ListGet, vec![list.clone(), index.clone()], Ty::Scalar(num), span)
                }
                _ => Expr::error(span),
            },
        }
    }

    pub(super) fn write_place(&mut self, place: &Place, value: Expr, span: Span) {
        if value.ty.is_silent() {
            return;
        }
        match place {
            Place::Element(base, args) => {
                let Ty::Array { dtype, .. } = base.ty else { return };
                if value.ty.is_array() {
                    let headline = "setting an array element with a sequence";
                    self.error(code::RANK_MISMATCH, value.span, headline, &format!("this is {}", value.ty));
                    return;
                }
                let value = self.stored(value, dtype);
                let mut operands = vec![base.clone(), value];
                operands.extend(args.iter().cloned());
                self.effect(OpKind::Store, operands, span);
            }
            Place::View(view) => self.assign_array(view.clone(), value, span),
            Place::Item(list, index) => {
                let Ty::List(num) = list.ty else { return };
                let value = self.declare(value, &Ty::Scalar(num), list.span, "stored");
                self.effect(OpKind::ListSet, vec![list.clone(), index.clone(), value], span);
            }
        }
    }

    /// `array[...] = value`.
    pub(super) fn assign_array(&mut self, array: Expr, value: Expr, span: Span) {
        let Ty::Array { dtype, rank } = array.ty else { return };
        let value = match value.ty {
            Ty::List(_) => self.array_of_list(value, span),
            Ty::Tuple(_) if !value.ty.is_silent() => self.array_of(value, None, span),
            _ => value,
        };
        if value.ty.rank().is_some_and(|r| r > rank) {
            let headline = format!("could not broadcast {} into {}", value.ty, array.ty);
            let diagnostic = Diagnostic::error(code::RANK_MISMATCH, headline)
                .primary(value.span, "has more dimensions")
                .secondary(span, "than this");
            self.report(diagnostic);
            return;
        }
        let value = self.stored(value, dtype);
        if !value.ty.is_silent() {
            self.effect(OpKind::Assign, vec![array, value], span);
        }
    }

    /// `sequence[index]` for an index that lies within.
    pub(super) fn element(&mut self, sequence: &Expr, index: Expr, span: Span) -> Expr {
        let args = vec![sequence.clone(), index];
        match sequence.ty {
            Ty::Array { dtype, rank: 1 } => Self::op(OpKind::Load, args, Ty::strong(dtype), span),
            Ty::Array { dtype, rank } => {
                let ty = Ty::array(dtype, rank.saturating_sub(1));
                Self::op(OpKind::View(vec![IndexItem::At]), args, ty, span)
            }
            Ty::List(num) => Self::op(OpKind::ListGet, args, Ty::Scalar(num), span),
            _ => Expr::error(span),
        }
    }
}

/// `:`
pub const WHOLE: IndexItem = IndexItem::Slice { start: false, stop: false, step: false };

fn view_rank(rank: u8, items: &[IndexItem]) -> u8 {
    let dropped = items.iter().filter(|i| **i == IndexItem::At).count();
    let added = items.iter().filter(|i| **i == IndexItem::New).count();
    (usize::from(rank) + added - dropped) as u8
}

/// Numbers, and tuples of them.
fn is_of_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) => true,
        Ty::Tuple(items) => items.iter().all(is_of_numbers),
        _ => false,
    }
}

/// Whether a value is the real or imaginary part of an array, or a view of that.
fn is_part(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Op(OpKind::Elem(ElemOp::Re | ElemOp::Im), _) => value.ty.is_array(),
        ExprKind::Op(OpKind::View(_) | OpKind::Transpose(_) | OpKind::Reshape, args) => is_part(&args[0]),
        ExprKind::Tuple(items) => items.iter().any(is_part),
        ExprKind::Seq(_, value) => is_part(value),
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
