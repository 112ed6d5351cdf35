//! Subscripts: elements, views, items of lists and tuples.

use super::gather::Gather;
use crate::diagnostics::{Diagnostic, code, counted, were_given};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{self, Expr};
use crate::typed::types::ty::{Ty, clamped_rank};
use pydd_ir::catalogue::{Form, MaskOperation, Space};
use pydd_ir::{IndexItem, OpKind};

/// What a subscript names, all of its parts evaluated.
pub enum Place {
    /// An element of an array.
    Element(Expr, Vec<Expr>),
    /// A view of an array.
    View(Expr),
    /// Elements of an array by arrays of indices.
    Gather(Gather),
    /// Elements of an array where a mask of its shape is true.
    Masked(Expr, Expr),
    /// An item of a list.
    Item(Expr, Expr),
    /// A slice of a list: its start, stop and step, or None for them.
    Part(Expr, [Expr; 3]),
    /// An item of a dict, by its key.
    Entry(Expr, Expr),
}

/// What stands between the brackets of a list.
enum ListIndex {
    At(Expr),
    /// Start, stop and step, None for those that are left out.
    Slice(Box<[Expr; 3]>),
}

/// One index of a subscript, evaluated.
#[derive(Clone, Debug)]
pub enum Index {
    New,
    /// The axes that no other index is for.
    Ellipsis,
    /// Start, stop and step.
    Slice([Option<Expr>; 3]),
    At(Expr),
    /// Integers, rank at least 1.
    Array(Expr),
    /// Bools, rank at least 1: as many axes.
    Mask(Expr),
}

impl Index {
    /// How many axes of the array it is for.
    pub fn axes(&self) -> usize {
        match self {
            Self::New | Self::Ellipsis => 0,
            Self::Slice(_) | Self::At(_) | Self::Array(_) => 1,
            Self::Mask(mask) => mask.ty.rank().unwrap_or(1).into(),
        }
    }

    pub const fn is_array(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Mask(_))
    }
}

/// The item of a basic index with its operands.
pub fn basic(index: Index, args: &mut Vec<Expr>) -> IndexItem {
    match index {
        Index::Slice(parts) => {
            let [start, stop, step] = [0, 1, 2].map(|i| parts[i].is_some());
            args.extend(parts.into_iter().flatten());
            IndexItem::Slice { start, stop, step }
        }
        Index::At(at) => {
            args.push(at);
            IndexItem::At
        }
        _ => IndexItem::New,
    }
}

impl Infer<'_, '_> {
    /// `base[indices]` as a value.
    pub(in crate::typed) fn subscript(
        &mut self,
        base: &ast::Expr,
        indices: &[ast::Expr],
        span: Span,
    ) -> Expr {
        if let Some(value) = self.grid_subscript(base, indices, span) {
            return value;
        }
        let base = self.expr(base);
        self.subscript_of(base, indices, span)
    }

    /// As [`subscript`](Self::subscript), of a value.
    pub(super) fn subscript_of(&mut self, base: Expr, indices: &[ast::Expr], span: Span) -> Expr {
        match &base.ty {
            Ty::Array { .. } => {
                let mut result = Expr::error(span);
                let before = self.block(|s| {
                    result = match s.array_index(&base, indices, span) {
                        Some(all) if all.iter().any(Index::is_array) => s.gathered(base, all, span),
                        Some(all) => s.indexed_array(base, all, span),
                        None => Expr::error(span),
                    }
                });
                if result.ty.is_silent() { result } else { Self::seq(before, result) }
            }
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => {
                let [index] = indices else { return self.too_many(&base, indices.len(), span) };
                let mut result = Expr::error(span);
                let before = self.block(|s| {
                    result = match s.index_or_slice(index) {
                        ListIndex::At(index) => s.list_item(&base, index, span),
                        ListIndex::Slice(parts) => s.list_part(base, *parts, span),
                    }
                });
                if result.ty.is_silent() { result } else { Self::seq(before, result) }
            }
            Ty::Range => {
                let [index] = indices else { return self.too_many(&base, indices.len(), span) };
                let mut result = Expr::error(span);
                let before = self.block(|s| {
                    result = match s.index_or_slice(index) {
                        ListIndex::At(index) => s.range_item(base, index, span),
                        ListIndex::Slice(parts) => s.range_part(base, *parts, span),
                    }
                });
                if result.ty.is_silent() { result } else { Self::seq(before, result) }
            }
            Ty::Tuple(_) => self.tuple_item(base, indices, span),
            Ty::Dict(_) | Ty::EmptyDict(..) => self.dict_item(base, indices, span),
            Ty::Sparse(_) => self.sparse_subscript(base, indices, span),
            Ty::OtherForm(..) => self.not_in_compressed_form(&base, span),
            Ty::EmptyList(_) => self.unknown_items(span, "list"),
            ty if ty.is_silent() => Expr::silent([&base], span),
            other => {
                let headline = format!("{other} has no elements");
                self.error(code::NOT_INDEXABLE, base.span, headline, "cannot be indexed")
            }
        }
    }

    /// As [`subscript`](Self::subscript), by one value.
    pub(in crate::typed) fn subscript_by(&mut self, base: &ast::Expr, index: Expr, span: Span) -> Expr {
        let base = self.expr(base);
        match &base.ty {
            Ty::Array { .. } => {
                let mut result = Expr::error(span);
                let before = self.block(|s| {
                    result = match s.indices_of_value(index, span).and_then(|all| s.fitting(&base, all, span))
                    {
                        Some(all) if all.iter().any(Index::is_array) => s.gathered(base, all, span),
                        Some(all) => s.indexed_array(base, all, span),
                        None => Expr::error(span),
                    }
                });
                if result.ty.is_silent() { result } else { Self::seq(before, result) }
            }
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => {
                let index = self.integer_index(index, span);
                self.list_item(&base, index, span)
            }
            Ty::Range => {
                let index = self.integer_index(index, span);
                self.range_item(base, index, span)
            }
            Ty::Tuple(_) => self.tuple_item_by(base, index, span),
            Ty::Dict(_) | Ty::EmptyDict(..) => self.dict_item_by(base, index, span),
            Ty::EmptyList(_) => self.unknown_items(span, "list"),
            ty if ty.is_silent() => Expr::silent([&base], span),
            other => {
                let headline = format!("{other} has no elements");
                self.error(code::NOT_INDEXABLE, base.span, headline, "cannot be indexed")
            }
        }
    }

    /// `range(…)[start:stop:step]`, which is a range.
    fn range_part(&mut self, range: Expr, parts: [Expr; 3], span: Span) -> Expr {
        let range = self.keep(range);
        let of_range = self.range_parts(&range);
        let all = of_range.into_iter().chain(parts).collect();
        let chosen = self.prelude_call("sequence", "range_part", all, span);
        let chosen = self.keep(chosen);
        if chosen.ty.is_silent() {
            return chosen;
        }
        let parts = [0, 1, 2].map(|at| self.item_of(&chosen, at));
        Expr::new(tree::ExprKind::Range(Box::new(parts)), Ty::Range, span)
    }

    fn range_item(&mut self, range: Expr, index: Expr, span: Span) -> Expr {
        let mut before = Vec::new();
        let range = self.once(range, &mut before);
        let [start, stop, step] = self.range_parts(&range);
        let item = self.prelude_call("sequence", "range_item", vec![start, stop, step, index], span);
        Self::seq(before, item)
    }

    pub(in crate::typed) fn too_many(&mut self, base: &Expr, count: usize, span: Span) -> Expr {
        let headline = format!("too many indices: {} takes one, but {}", base.ty, were_given(count));
        self.error(code::INDEX_COUNT, span, headline, "too many indices")
    }

    /// An index of a list, a bound of a slice: an integer.
    pub(in crate::typed) fn index(&mut self, expr: &ast::Expr) -> Expr {
        let value = self.expr(expr);
        self.integer_index(value, expr.span)
    }

    fn index_or_slice(&mut self, expr: &ast::Expr) -> ListIndex {
        if let ast::ExprKind::Slice { .. } = expr.kind {
            return ListIndex::Slice(Box::new(self.slice_parts(expr)));
        }
        let value = self.expr(expr);
        if !matches!(value.ty, Ty::Slice(_)) {
            return ListIndex::At(self.integer_index(value, expr.span));
        }
        let parts = self.parts_of_slice(value).map(|part| part.unwrap_or_else(|| Expr::none(expr.span)));
        ListIndex::Slice(Box::new(parts))
    }

    pub(in crate::typed) fn integer_index(&mut self, value: Expr, span: Span) -> Expr {
        match &value.ty {
            Ty::Scalar(num) if num.is_float() => {
                let diagnostic = Diagnostic::error(code::INDEX_TYPE, "an index must be an integer")
                    .primary(span, format!("this is {}", value.ty))
                    .help("convert it: `int(…)`");
                self.fail(diagnostic)
            }
            Ty::Scalar(num) if num.dtype.is_int() => self.signed(value),
            ty if ty.is_silent() => Expr::silent([&value], span),
            other => {
                let headline = format!("{other} is not an index");
                self.error(code::INDEX_TYPE, span, headline, "expected an integer or a slice")
            }
        }
    }

    /// The indices of an array, in the order of evaluation, one for each axis and each new one.
    fn array_index(&mut self, base: &Expr, indices: &[ast::Expr], span: Span) -> Option<Vec<Index>> {
        let mut all = Vec::new();
        let mut ok = true;
        for index in indices {
            match self.indices_of(index, indices.len() == 1) {
                Some(some) => all.extend(some),
                None => ok = false,
            }
        }
        if ok { self.fitting(base, all, span) } else { None }
    }

    /// Indices of an array, if there are not too many; an ellipsis stands for those that are not written.
    fn fitting(&mut self, base: &Expr, mut all: Vec<Index>, span: Span) -> Option<Vec<Index>> {
        let rank = base.ty.rank()?;
        let used: usize = all.iter().map(Index::axes).sum();
        if used > usize::from(rank) {
            let has = counted(usize::from(rank), "dimension");
            let headline = format!("too many indices: {} has {has}, but {}", base.ty, were_given(used));
            let diagnostic = Diagnostic::error(code::INDEX_COUNT, headline)
                .primary(span, "too many indices")
                .secondary(base.span, format!("this is {}", base.ty));
            self.report(diagnostic);
            return None;
        }
        if let Some(at) = all.iter().position(|index| matches!(index, Index::Ellipsis)) {
            let kept = vec![Index::Slice([None, None, None]); usize::from(rank) - used];
            all.splice(at..=at, kept);
        }
        Some(all)
    }

    /// What one expression between the brackets stands for; a tuple that stands there alone for several.
    pub(in crate::typed) fn indices_of(&mut self, index: &ast::Expr, alone: bool) -> Option<Vec<Index>> {
        match &index.kind {
            ast::ExprKind::Ellipsis => Some(vec![Index::Ellipsis]),
            ast::ExprKind::None => Some(vec![Index::New]),
            _ if self.is_newaxis(index) => Some(vec![Index::New]),
            ast::ExprKind::Slice { lower, upper, step } => {
                let parts = [lower, upper, step].map(|part| self.slice_part(part.as_deref()));
                let ok = parts.iter().flatten().all(|part| !part.ty.is_silent());
                ok.then(|| vec![Index::Slice(parts)])
            }
            _ => {
                let value = self.expr(index);
                match &value.ty {
                    Ty::Tuple(_) if alone && !value.ty.is_silent() => {
                        self.indices_of_value(value, index.span)
                    }
                    _ => Some(vec![self.index_by(value, index.span)?]),
                }
            }
        }
    }

    /// The index that a value is.
    pub(in crate::typed) fn index_by(&mut self, value: Expr, span: Span) -> Option<Index> {
        let value = match &value.ty {
            ty if ty.is_sequence() => self.array_of_list(value, span),
            Ty::EmptyList(_) => {
                let none = Expr::int(0, span);
                Self::op(OpKind::Empty, vec![none], Ty::array(pydd_ir::DType::I64, 1), span)
            }
            Ty::Tuple(_) if !value.ty.is_silent() => self.array_of(value, None, span),
            _ => Self::number_of_rank_zero(value),
        };
        match &value.ty {
            Ty::None => Some(Index::New),
            Ty::Slice(_) => Some(Index::Slice(self.parts_of_slice(value))),
            Ty::Array { dtype, .. } if dtype.is_int() => Some(Index::Array(value)),
            Ty::Array { dtype: pydd_ir::DType::Bool, .. } => Some(Index::Mask(value)),
            Ty::Array { dtype, .. } => {
                let headline = format!("an array of {} is not an index", dtype.numpy_name());
                let diagnostic = Diagnostic::error(code::INDEX_TYPE, headline)
                    .primary(span, "expected integers or bools")
                    .help("convert it: `.astype(np.int64)`");
                self.report(diagnostic);
                None
            }
            _ => {
                let at = self.integer_index(value, span);
                (!at.ty.is_silent()).then_some(Index::At(at))
            }
        }
    }

    pub(in crate::typed) fn slice_part(&mut self, part: Option<&ast::Expr>) -> Option<Expr> {
        let part = part?;
        match part.kind {
            ast::ExprKind::None => None,
            _ => Some(self.index(part)),
        }
    }

    /// `np.newaxis`.
    pub(in crate::typed) fn is_newaxis(&self, expr: &ast::Expr) -> bool {
        let ast::ExprKind::Attribute { value, attr } = &expr.kind else { return false };
        Form::named(&attr.name) == Some(Form::NewAxis)
            && matches!(self.static_module(value), Some(Space::Numpy))
    }

    fn indexed_array(&mut self, base: Expr, all: Vec<Index>, span: Span) -> Expr {
        let Ty::Array { dtype, rank } = base.ty else { return Expr::error(span) };
        let mut operands = vec![base];
        let items: Vec<IndexItem> = all.into_iter().map(|index| basic(index, &mut operands)).collect();
        if items.len() == usize::from(rank) && items.iter().all(|i| *i == IndexItem::At) {
            return Self::op(OpKind::Load, operands, Ty::strong(dtype), span);
        }
        let rank = view_rank(rank, &items);
        Self::op(OpKind::View(items), operands, Ty::array(dtype, rank), span)
    }

    /// What a subscript names as a target; parts are evaluated into kept values.
    pub(in crate::typed) fn place(&mut self, base: Expr, indices: &[ast::Expr], span: Span) -> Option<Place> {
        match &base.ty {
            Ty::Array { .. } => {
                let all = self.array_index(&base, indices, span)?;
                self.array_place(base, all, span)
            }
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_)
                if matches!(indices, [ast::Expr { kind: ast::ExprKind::Slice { .. }, .. }]) =>
            {
                let parts = self.slice_parts(&indices[0]).map(|part| self.keep(part));
                let ok = parts.iter().all(|part| !part.ty.is_silent());
                ok.then_some(Place::Part(base, parts))
            }
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => {
                let [index] = indices else {
                    self.too_many(&base, indices.len(), span);
                    return None;
                };
                match self.index_or_slice(index) {
                    ListIndex::At(index) if index.ty.is_silent() => None,
                    ListIndex::At(index) => {
                        let index = self.keep(index);
                        Some(Place::Item(base, index))
                    }
                    ListIndex::Slice(parts) => Some(Place::Part(base, parts.map(|part| self.keep(part)))),
                }
            }
            Ty::Dict(dict) if dict.is_set() => {
                let headline = "the items of a set have no numbers";
                self.error(code::NOT_WRITABLE, span, headline, "use `s.add(…)`");
                None
            }
            Ty::Dict(_) | Ty::EmptyDict(..) => {
                let key = self.key_of(indices, span);
                Some(Place::Entry(base, self.keep(key)))
            }
            Ty::Tuple(_) | Ty::Str => {
                let headline = format!("the items of {} cannot change", base.ty);
                self.error(code::NOT_WRITABLE, span, headline, "cannot be assigned to");
                None
            }
            Ty::Sparse(_) | Ty::OtherForm(..) => {
                let diagnostic = Diagnostic::error(
                    code::UNSUPPORTED_YET,
                    "assignment to elements of a sparse matrix is not supported yet",
                )
                .primary(span, format!("this is {}", base.ty))
                .help("change what is stored: `A.data[k] = …`; or store an entry: `spm_set_item(A, value, i, j)`");
                self.report(diagnostic);
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

    /// What indices name in an array; parts are evaluated into kept values.
    pub(in crate::typed) fn array_place(&mut self, base: Expr, all: Vec<Index>, span: Span) -> Option<Place> {
        let Ty::Array { dtype, rank } = base.ty else { return None };
        if all.iter().any(Index::is_array) {
            return self.gather_place(base, all, span);
        }
        let mut args = Vec::new();
        let items: Vec<IndexItem> = all.into_iter().map(|index| basic(index, &mut args)).collect();
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

    /// The indices that a value is: a tuple for several.
    pub(in crate::typed) fn indices_of_value(&mut self, value: Expr, span: Span) -> Option<Vec<Index>> {
        let Ty::Tuple(items) = &value.ty else { return Some(vec![self.index_by(value, span)?]) };
        let count = items.len();
        let tuple = if value.is_constant() { value } else { self.keep(value) };
        (0..count)
            .map(|i| {
                let item = self.item_of(&tuple, i);
                self.index_by(item, span)
            })
            .collect()
    }

    pub(in crate::typed) fn read_place(&mut self, place: &Place, span: Span) -> Expr {
        match place {
            Place::Element(base, args) => {
                let Ty::Array { dtype, .. } = base.ty else { return Expr::error(span) };
                let mut operands = vec![base.clone()];
                operands.extend(args.iter().cloned());
                Self::op(OpKind::Load, operands, Ty::strong(dtype), span)
            }
            Place::View(view) => view.clone(),
            Place::Gather(gather) => self.gather(gather, span),
            Place::Masked(array, mask) => {
                let args = vec![array.clone(), mask.clone()];
                self.prelude_call(MaskOperation::FILE, MaskOperation::Compress.function(), args, span)
            }
            // What is changed in place is read where it is written, see `augment_element`.
            Place::Entry(..) => Expr::error(span),
            Place::Item(list, index) => self.list_item(list, index.clone(), span),
            Place::Part(list, parts) => self.list_part(list.clone(), parts.clone(), span),
        }
    }

    pub(in crate::typed) fn write_place(&mut self, place: &Place, value: Expr, span: Span) {
        if value.ty.is_silent() {
            return;
        }
        let in_array =
            matches!(place, Place::Element(..) | Place::View(_) | Place::Gather(_) | Place::Masked(..));
        let value = if in_array { value } else { self.settle(value) };
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
            Place::Gather(gather) => self.scatter(gather, value, span),
            Place::Masked(array, mask) => self.put_masked(array, mask, value, span),
            Place::Entry(dict, key) => {
                let stored = self.store_item(dict, key.clone(), Some(value), span);
                if !stored.is_constant() && !stored.ty.is_silent() {
                    self.push(tree::StmtKind::Eval(stored), span);
                }
            }
            Place::Part(list, parts) => self.set_list_part(list, parts, value, span),
            Place::Item(list, index) => {
                let Some(item) = list.ty.list_item() else { return };
                let value = self.declare(value, &item, list.span, "stored");
                if !value.ty.is_silent() {
                    let stored = self.set_list_item(list, index.clone(), value, span);
                    self.push(tree::StmtKind::Eval(stored), span);
                }
            }
        }
    }

    /// `array[...] = value`.
    pub(in crate::typed) fn assign_array(&mut self, array: Expr, value: Expr, span: Span) {
        let Ty::Array { dtype, rank } = array.ty else { return };
        if matches!(&value.ty, Ty::Lists(item) if item.is_array() && item.rank().is_some_and(|own| own + 1 == rank))
        {
            let stored = self.prelude_call("sequence", "store_arrays", vec![array, value], span);
            self.push(tree::StmtKind::Eval(stored), span);
            return;
        }
        let value = match value.ty {
            ref ty if ty.is_sequence() || matches!(ty, Ty::Tuple(_)) => self.stored_list(value, dtype, span),
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
    pub(in crate::typed) fn element(&mut self, sequence: &Expr, index: Expr, span: Span) -> Expr {
        let args = vec![sequence.clone(), index.clone()];
        match sequence.ty {
            Ty::Array { dtype, rank: 1 } => Self::op(OpKind::Load, args, Ty::strong(dtype), span),
            Ty::Array { dtype, rank } => {
                let ty = Ty::array(dtype, rank.saturating_sub(1));
                Self::op(OpKind::View(vec![IndexItem::At]), args, ty, span)
            }
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => self.list_item(sequence, index, span),
            _ => Expr::error(span),
        }
    }
}

/// `:`
pub const WHOLE: IndexItem = IndexItem::Slice { start: false, stop: false, step: false };

pub fn view_rank(rank: u8, items: &[IndexItem]) -> u8 {
    let dropped = items.iter().filter(|i| **i == IndexItem::At).count();
    let added = items.iter().filter(|i| **i == IndexItem::New).count();
    clamped_rank(usize::from(rank) + added - dropped)
}
