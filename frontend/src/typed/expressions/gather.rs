//! Arrays as indices: elements by arrays of integers, and by masks.
//!
//! As NumPy has it, arrays of indices broadcast against each other, integers among them count as arrays, and
//! the axes that they give stand where they stood if they are neighbours, else in front. A mask of several
//! axes counts as the indices of its true elements, one array for each axis.

use super::index::{self, Index, Place, basic, view_rank};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, StmtKind};
use crate::typed::types::promote;
use crate::typed::types::ty::{self, Ty, clamped_rank};
use pydd_ir::catalogue::MaskOperation;
use pydd_ir::{DType, ElemOp, Exc, IndexItem, OpKind};

const FILE: &str = "indexing";

/// Elements that arrays of indices name; all expressions are kept values.
#[derive(Clone, Debug)]
pub struct Gather {
    /// The array, with the axes that are indexed by arrays in front.
    view: Expr,
    /// For each of these axes the indices: an array, or an integer for all.
    indices: Vec<Expr>,
    /// The lengths of the axes that the arrays of indices give: those that they broadcast to.
    shape: Vec<Expr>,
    /// Where these axes stand in the result.
    at: usize,
}

impl Gather {
    fn dtype(&self) -> DType {
        self.view.ty.num().map_or(DType::F64, |num| num.dtype)
    }

    /// How many axes are kept.
    fn kept(&self) -> usize {
        usize::from(self.view.ty.rank().unwrap_or(0)) - self.indices.len()
    }
}

impl Infer<'_, '_> {
    /// `base[indices]` as a value: a new array.
    pub(in crate::typed) fn gathered(&mut self, base: Expr, all: Vec<Index>, span: Span) -> Expr {
        let mut result = Expr::error(span);
        let before = self.block(|s| {
            let base = s.keep(base);
            if let Some(place) = s.gather_place(base, all, span) {
                result = s.read_place(&place, span);
            }
        });
        if result.ty.is_silent() { result } else { Self::seq(before, result) }
    }

    /// What indices of which some are arrays name.
    pub(in crate::typed) fn gather_place(
        &mut self,
        base: Expr,
        all: Vec<Index>,
        span: Span,
    ) -> Option<Place> {
        if let ([Index::Mask(mask)], Some(rank)) = (all.as_slice(), base.ty.rank())
            && mask.ty.rank() == Some(rank)
        {
            let mask = self.keep(mask.clone());
            self.check_mask(&base, &mask, 0, span);
            return Some(Place::Masked(base, mask));
        }
        if let Some(place) = self.masked_among_numbers(&base, &all, span) {
            return Some(place);
        }
        let all = self.without_masks(&base, all, span)?;
        Some(Place::Gather(self.gather_of(base, all, span)))
    }

    /// `base[mask, i]` is `base[:, i][mask]`: what a mask names where all other axes have a number.
    fn masked_among_numbers(&mut self, base: &Expr, all: &[Index], span: Span) -> Option<Place> {
        let numbers = all.iter().filter(|index| matches!(index, Index::At(_))).count();
        let masks: Vec<&Expr> = all
            .iter()
            .filter_map(|index| match index {
                Index::Mask(mask) => Some(mask),
                _ => None,
            })
            .collect();
        let &[mask] = &masks[..] else { return None };
        let (Ty::Array { dtype, rank }, Some(masked)) = (&base.ty, mask.ty.rank()) else { return None };
        if numbers + 1 != all.len() || usize::from(*rank) != numbers + usize::from(masked) {
            return None;
        }
        let mask = self.keep(mask.clone());
        let (mut items, mut operands) = (Vec::new(), vec![base.clone()]);
        for index in all {
            match index {
                Index::At(number) => {
                    items.push(IndexItem::At);
                    operands.push(self.keep(number.clone()));
                }
                _ => {
                    self.check_mask(base, &mask, items.len(), span);
                    items.extend(vec![index::WHOLE; usize::from(masked)]);
                }
            }
        }
        let view = Self::op(OpKind::View(items), operands, Ty::array(*dtype, masked), span);
        Some(Place::Masked(self.keep(view), mask))
    }

    /// A mask has the lengths of the axes it is for.
    fn check_mask(&mut self, base: &Expr, mask: &Expr, axis: usize, span: Span) {
        for i in 0..mask.ty.rank().unwrap_or(0) {
            let own = axis + usize::from(i);
            let size = Self::op(OpKind::Dim(own as u8), vec![base.clone()], Ty::INT, span);
            let length = Self::op(OpKind::Dim(i), vec![mask.clone()], Ty::INT, span);
            let fits = Self::elem(ElemOp::Eq, vec![size.clone(), length.clone()], true, span);
            let message = format!(
                "boolean index did not match indexed array along axis {own}; size of axis is {{0}} but size \
                 of corresponding boolean axis is {{1}}"
            );
            self.out.push(Self::check(fits, Exc::IndexError, &message, vec![size, length], span));
        }
    }

    /// Masks replaced by the indices of their true elements.
    fn without_masks(&mut self, base: &Expr, all: Vec<Index>, span: Span) -> Option<Vec<Index>> {
        let mut result = Vec::new();
        let mut axis = 0;
        for index in all {
            let axes = index.axes();
            match index {
                Index::Mask(mask) => {
                    let mask = self.keep(mask);
                    self.check_mask(base, &mask, axis, span);
                    let found = self.prelude_call(FILE, "nonzero", vec![mask], span);
                    if found.ty.is_silent() {
                        return None;
                    }
                    let found = self.keep(found);
                    result.extend((0..axes).map(|i| Index::Array(self.item_of(&found, i))));
                }
                other => result.push(other),
            }
            axis += axes;
        }
        Some(result)
    }

    /// Numbers beside arrays of indices lie within their axes, however few indices there are.
    fn check_numbers(&mut self, view: &Expr, indices: &[Expr], axes: &[u8], span: Span) {
        for (position, (index, axis)) in indices.iter().zip(axes).enumerate() {
            if index.ty.scalar().is_none() {
                continue;
            }
            let size = Self::op(OpKind::Dim(position as u8), vec![view.clone()], Ty::INT, span);
            let least = Self::elem(ElemOp::Neg, vec![size.clone()], true, span);
            let above = Self::elem(ElemOp::Ge, vec![index.clone(), least], true, span);
            let below = Self::elem(ElemOp::Lt, vec![index.clone(), size.clone()], true, span);
            let within = Self::elem(ElemOp::And, vec![above, below], true, span);
            let message = format!("index {{0}} is out of bounds for axis {axis} with size {{1}}");
            self.out.push(Self::check(within, Exc::IndexError, &message, vec![index.clone(), size], span));
        }
    }

    fn gather_of(&mut self, base: Expr, all: Vec<Index>, span: Span) -> Gather {
        let (mut items, mut operands, mut advanced) = (Vec::new(), vec![base], Vec::new());
        // Axes of the view that are kept, and those that are indexed by arrays.
        let (mut kept, mut indexed) = (Vec::new(), Vec::new());
        for index in all {
            let axis = (kept.len() + indexed.len()) as u8;
            match index {
                Index::Array(index) | Index::At(index) => {
                    items.push(index::WHOLE);
                    indexed.push(axis);
                    advanced.push(self.keep(index));
                }
                other => {
                    items.push(basic(other, &mut operands));
                    kept.push(axis);
                }
            }
        }
        let Ty::Array { dtype, rank } = operands[0].ty else { unreachable!("arrays are indexed") };
        let rank = view_rank(rank, &items);
        kept.extend((kept.len() + indexed.len()) as u8..rank);
        let neighbours = indexed.windows(2).all(|w| w[1] == w[0] + 1);
        let at = if neighbours { usize::from(indexed[0]) } else { 0 };
        let ty = Ty::array(dtype, rank);
        let whole = items.iter().all(|item| *item == index::WHOLE);
        let view = match whole {
            true => operands.swap_remove(0),
            false => Self::op(OpKind::View(items), operands, ty.clone(), span),
        };
        let order: Vec<u8> = indexed.iter().chain(&kept).copied().collect();
        let view =
            if order.is_sorted() { view } else { Self::op(OpKind::Transpose(order), vec![view], ty, span) };
        let view = self.keep(view);
        self.check_numbers(&view, &advanced, &indexed, span);
        let shape = self.common_shape(&advanced, span);
        Gather { view, indices: advanced, shape, at }
    }

    /// The common shape of arrays of indices.
    fn common_shape(&mut self, indices: &[Expr], span: Span) -> Vec<Expr> {
        let arrays: Vec<Expr> = indices.iter().filter(|i| i.ty.is_array()).cloned().collect();
        let rank = arrays.iter().filter_map(|i| i.ty.rank()).max().unwrap_or(0);
        let mut shape = Vec::new();
        for axis in 0..rank {
            let mut length: Option<Expr> = None;
            for array in &arrays {
                let missing = rank - array.ty.rank().unwrap_or(0);
                if axis < missing {
                    continue;
                }
                let own = Self::op(OpKind::Dim(axis - missing), vec![array.clone()], Ty::INT, span);
                length = Some(match length {
                    None => own,
                    Some(so_far) => self.prelude_call(FILE, "broadcast_length", vec![so_far, own], span),
                });
            }
            let length = length.unwrap_or_else(|| Expr::int(1, span));
            shape.push(self.keep(length));
        }
        shape
    }

    /// The indices, arrays of them in the common shape.
    fn spread_indices(&mut self, gather: &Gather, span: Span) -> Vec<Expr> {
        let arrays = gather.indices.iter().filter(|index| index.ty.is_array()).count();
        let spread = gather.indices.iter().map(|index| match index.ty {
            Ty::Array { dtype, .. } if arrays > 1 => {
                let args = std::iter::once(index).chain(&gather.shape).cloned().collect();
                let ty = Ty::array(dtype, gather.shape.len() as u8);
                let spread = Self::op(OpKind::BroadcastTo, args, ty, span);
                self.keep(spread)
            }
            _ => index.clone(),
        });
        spread.collect()
    }

    /// `for k in range(count)`.
    pub(in crate::typed) fn each(&mut self, count: &Expr, span: Span, build: impl FnOnce(&mut Self, Expr)) {
        let label = self.label();
        let index = self.temporary(&Ty::INT);
        let k = Expr::new(ExprKind::Local(index), Ty::INT, span);
        let body = self.block(|s| build(s, k));
        let range = Box::new([Expr::int(0, span), count.clone(), Expr::int(1, span)]);
        self.push(StmtKind::For { label, range, index, body, parallel: None }, span);
    }

    /// Loops within each other, one for each length.
    fn each_of(
        &mut self,
        lengths: &[Expr],
        places: &mut Vec<Expr>,
        span: Span,
        build: &mut dyn FnMut(&mut Self, &[Expr]),
    ) {
        let Some((length, rest)) = lengths.split_first() else { return build(self, places) };
        self.each(length, span, |s, k| {
            places.push(k);
            s.each_of(rest, places, span, build);
        });
    }

    /// The array and the indices that stand at some place, as operands.
    fn operands_at(&mut self, gather: &Gather, indices: &[Expr], places: &[Expr], span: Span) -> Vec<Expr> {
        let mut operands = vec![gather.view.clone()];
        for index in indices {
            operands.push(match index.ty {
                Ty::Array { dtype, .. } => {
                    let args = std::iter::once(index).chain(places).cloned().collect();
                    let loaded = Self::op(OpKind::Load, args, Ty::strong(dtype), span);
                    self.signed(loaded)
                }
                _ => index.clone(),
            });
        }
        operands
    }

    /// The elements that a gather names, in a new array.
    pub(in crate::typed) fn gather(&mut self, gather: &Gather, span: Span) -> Expr {
        let (dtype, kept, count) = (gather.dtype(), gather.kept() as u8, gather.indices.len());
        let given = gather.shape.len();
        let rank = given + usize::from(kept);
        let ty = Ty::array(dtype, clamped_rank(rank));
        let dims = (0..kept)
            .map(|i| Self::op(OpKind::Dim(count as u8 + i), vec![gather.view.clone()], Ty::INT, span));
        let sizes = gather.shape.iter().cloned().chain(dims).collect();
        let made = Self::op(OpKind::Empty, sizes, ty.clone(), span);
        let mut result = Expr::error(span);
        let before = self.block(|s| {
            let made = s.keep(made);
            let indices = s.spread_indices(gather, span);
            s.each_of(&gather.shape, &mut Vec::new(), span, &mut |s, places| {
                let source = s.operands_at(gather, &indices, places, span);
                if kept == 0 {
                    let value = Self::op(OpKind::Load, source, Ty::strong(dtype), span);
                    let target = [made.clone(), value].into_iter().chain(places.iter().cloned());
                    s.effect(OpKind::Store, target.collect(), span);
                } else {
                    let row = Ty::array(dtype, kept);
                    let from = Self::op(OpKind::View(vec![IndexItem::At; count]), source, row.clone(), span);
                    let to = Self::row_of(&made, places, row, span);
                    s.effect(OpKind::Assign, vec![to, from], span);
                }
            });
            result = made;
        });
        if gather.at > 0 {
            // The axes in front move behind the first kept ones.
            let order = (given..given + gather.at).chain(0..given).chain(given + gather.at..rank);
            result =
                Self::op(OpKind::Transpose(order.map(|axis| axis as u8).collect()), vec![result], ty, span);
        }
        Self::seq(before, result)
    }

    fn element_of(array: &Expr, places: &[Expr], ty: Ty, span: Span) -> Expr {
        Self::op(OpKind::Load, std::iter::once(array).chain(places).cloned().collect(), ty, span)
    }

    /// What an array holds at a place of its first axes.
    fn row_of(array: &Expr, places: &[Expr], ty: Ty, span: Span) -> Expr {
        let args = std::iter::once(array).chain(places).cloned().collect();
        Self::op(OpKind::View(vec![IndexItem::At; places.len()]), args, ty, span)
    }

    /// With indices that no write to the array changes, since NumPy reads all of them first. Copies that nothing
    /// can tell from their sources are taken out again by a pass.
    fn with_own_indices(&mut self, gather: &Gather) -> Gather {
        let mut own = gather.clone();
        for index in &mut own.indices {
            if index.ty.is_array() && !self.is_fresh(index) {
                let copy = self.fresh(index.clone());
                *index = self.keep(copy);
            }
        }
        own
    }

    /// `array[indices] = value`.
    pub(in crate::typed) fn scatter(&mut self, gather: &Gather, value: Expr, span: Span) {
        let Some(value) = self.value_for(value, gather.dtype(), gather.shape.len() + gather.kept(), span)
        else {
            return;
        };
        let gather = &self.with_own_indices(gather);
        let (dtype, kept, count) = (gather.dtype(), gather.kept() as u8, gather.indices.len());
        let rows = value.ty.is_array().then(|| self.rows_for(gather, value.clone(), span));
        let row = Ty::array(dtype, kept);
        let indices = self.spread_indices(gather, span);
        self.each_of(&gather.shape, &mut Vec::new(), span, &mut |s, places| {
            let mut target = s.operands_at(gather, &indices, places, span);
            if kept == 0 {
                let one = match &rows {
                    Some(rows) => Self::element_of(rows, places, Ty::strong(dtype), span),
                    None => value.clone(),
                };
                target.insert(1, one);
                s.effect(OpKind::Store, target, span);
            } else {
                let to = Self::op(OpKind::View(vec![IndexItem::At; count]), target, row.clone(), span);
                let from = match &rows {
                    Some(rows) => Self::row_of(rows, places, row.clone(), span),
                    None => value.clone(),
                };
                s.effect(OpKind::Assign, vec![to, from], span);
            }
        });
    }

    /// Combines each element that is named with its value, one after the other.
    pub(in crate::typed) fn combine_at(
        &mut self,
        place: &Place,
        value: Expr,
        span: Span,
        combine: impl Fn(&mut Self, Expr, Expr) -> Expr,
    ) {
        let Place::Gather(gather) = place else {
            // Without arrays of indices, no element is named twice.
            let old = self.read_place(place, span);
            let old = self.keep(old);
            let new = combine(self, old, value);
            if !new.ty.is_silent() {
                self.write_place(place, new, span);
            }
            return;
        };
        let (dtype, kept, count) = (gather.dtype(), gather.kept() as u8, gather.indices.len());
        let own = value.ty.num().map_or(dtype, |num| num.dtype);
        let rank = gather.shape.len() + gather.kept();
        let Some(value) = self.value_for(value, own, rank, span) else { return };
        let gather = &self.with_own_indices(gather);
        let rows = value.ty.is_array().then(|| self.rows_for(gather, value.clone(), span));
        let row = |dtype| Ty::array(dtype, kept);
        let indices = self.spread_indices(gather, span);
        self.each_of(&gather.shape, &mut Vec::new(), span, &mut |s, places| {
            let mut target = s.operands_at(gather, &indices, places, span);
            target.iter_mut().skip(1).for_each(|index| *index = s.keep(index.clone()));
            let one = match &rows {
                Some(rows) if kept == 0 => Self::element_of(rows, places, Ty::strong(own), span),
                Some(rows) => Self::row_of(rows, places, row(own), span),
                None => value.clone(),
            };
            if kept == 0 {
                let old = Self::op(OpKind::Load, target.clone(), Ty::strong(dtype), span);
                let new = combine(s, old, one);
                let Some(new) = s.cast_back(new, dtype, span) else { return };
                target.insert(1, new);
                s.effect(OpKind::Store, target, span);
            } else {
                let to = Self::op(OpKind::View(vec![IndexItem::At; count]), target, row(dtype), span);
                let to = s.keep(to);
                let new = combine(s, to.clone(), one);
                let Some(new) = s.cast_back(new, dtype, span) else { return };
                s.effect(OpKind::Assign, vec![to, new], span);
            }
        });
    }

    /// A result in the element type of where it is stored, by the `same_kind` rule.
    pub(in crate::typed) fn cast_back(&mut self, result: Expr, dtype: DType, span: Span) -> Option<Expr> {
        let num = result.ty.num()?;
        if promote::same_kind(num, dtype) {
            return Some(self.convert(result, ty::Num::strong(dtype)));
        }
        let headline =
            format!("a result of {} cannot be stored in {}", num.dtype.numpy_name(), dtype.numpy_name());
        let diagnostic = Diagnostic::error(code::INPLACE_DTYPE, headline)
            .primary(span, format!("gives {}", num.dtype.numpy_name()))
            .help(format!("convert the operands, or use an array of {}", num.dtype.numpy_name()));
        self.report(diagnostic);
        None
    }

    /// A value to be stored by arrays of indices or a mask, as an array or number of this element type. An
    /// array that may overlap the target is copied.
    fn value_for(&mut self, value: Expr, dtype: DType, rank: usize, span: Span) -> Option<Expr> {
        let fresh = self.is_fresh(&value);
        let stored = self.stored_value(value, dtype, rank, span)?;
        let stored = if stored.ty.is_array() && !fresh && !self.is_fresh(&stored) {
            self.fresh(stored)
        } else {
            stored
        };
        Some(self.keep(stored))
    }

    /// A value to be stored, in the memory where it is.
    fn stored_value(&mut self, value: Expr, dtype: DType, rank: usize, span: Span) -> Option<Expr> {
        let value = match value.ty {
            ref ty if ty.is_sequence() || matches!(ty, Ty::Tuple(_)) => self.stored_list(value, dtype, span),
            _ => Self::number_of_rank_zero(value),
        };
        if value.ty.rank().is_some_and(|own| usize::from(own) > rank) {
            let headline = format!("could not broadcast {} into what the indices name", value.ty);
            let diagnostic = Diagnostic::error(code::RANK_MISMATCH, headline)
                .primary(value.span, "has more dimensions")
                .secondary(span, format!("rank {rank}"));
            self.report(diagnostic);
            return None;
        }
        let stored = self.stored(value, dtype);
        (!stored.ty.is_silent()).then(|| self.keep(stored))
    }

    /// The values for a scatter: for each place of the common shape a row, or an element.
    fn rows_for(&mut self, gather: &Gather, value: Expr, span: Span) -> Expr {
        let dtype = value.ty.num().map_or(gather.dtype(), |num| num.dtype);
        let (kept, count) = (gather.kept(), gather.indices.len());
        let dim =
            |i: usize| Self::op(OpKind::Dim((count + i) as u8), vec![gather.view.clone()], Ty::INT, span);
        let given = gather.shape.len();
        let rank = given + kept;
        let shape =
            (0..gather.at).map(dim).chain(gather.shape.iter().cloned()).chain((gather.at..kept).map(dim));
        let args = std::iter::once(value).chain(shape).collect();
        let ty = Ty::array(dtype, clamped_rank(rank));
        let mut rows = Self::op(OpKind::BroadcastTo, args, ty.clone(), span);
        if gather.at > 0 {
            let order = (gather.at..gather.at + given).chain(0..gather.at).chain(gather.at + given..rank);
            rows = Self::op(OpKind::Transpose(order.map(|axis| axis as u8).collect()), vec![rows], ty, span);
        }
        self.keep(rows)
    }

    /// `array[mask] = value`.
    pub(in crate::typed) fn put_masked(&mut self, array: &Expr, mask: &Expr, value: Expr, span: Span) {
        let Ty::Array { dtype, .. } = array.ty else { return };
        let Some(value) = self.stored_value(value, dtype, 1, span) else { return };
        if value.ty.is_array() {
            let function = MaskOperation::Put.function();
            let put = self.prelude_call(FILE, function, vec![array.clone(), mask.clone(), value], span);
            if !put.ty.is_silent() {
                self.push(StmtKind::Eval(put), span);
            }
        } else if dtype == DType::Bool && !same_local(array, mask) {
            let put =
                self.prelude_call(FILE, "put_one_masked", vec![array.clone(), mask.clone(), value], span);
            if !put.ty.is_silent() {
                self.push(StmtKind::Eval(put), span);
            }
        } else {
            self.select_into(array, mask, value, span);
        }
    }

    /// Stores a value of the array's element type where the mask is true.
    pub(in crate::typed) fn select_into(&mut self, array: &Expr, mask: &Expr, value: Expr, span: Span) {
        let parts = vec![mask.clone(), value, array.clone()];
        let chosen = Self::op(OpKind::Elem(ElemOp::Select), parts, array.ty.clone(), span);
        self.effect(OpKind::Assign, vec![array.clone(), chosen], span);
    }

    /// Whether no variable's memory overlaps an array's: it was made just now.
    pub(in crate::typed) fn is_fresh(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Local(local) => self.fresh.contains(local),
            ExprKind::Seq(_, value) => self.is_fresh(value),
            ExprKind::Op(kind, _) => matches!(
                kind,
                OpKind::Elem(_)
                    | OpKind::Cast
                    | OpKind::Copy
                    | OpKind::KeepOrder(_)
                    | OpKind::Empty
                    | OpKind::Zeros
                    | OpKind::Full
                    | OpKind::Iota
                    | OpKind::Reduce(_)
                    | OpKind::Lib(_)
            ),
            _ => false,
        }
    }
}

/// Whether two values are one and the same variable.
fn same_local(a: &Expr, b: &Expr) -> bool {
    matches!((&a.kind, &b.kind), (ExprKind::Local(a), ExprKind::Local(b)) if a == b)
}
