//! Shapes and views.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::expressions::index;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt};
use crate::typed::types::ty::{Num, Ty, clamped_rank};
use pydd_ir::catalogue::{Shape, Space};
use pydd_ir::{ElemOp, IndexItem, OpKind};

impl Infer<'_, '_> {
    pub(super) fn shape(&mut self, kind: Shape, args: Arguments) -> Expr {
        let span = args.span;
        let mut before = Vec::new();
        let array = args.value(0);
        let array = match (&array.ty, kind) {
            // Known without the array.
            (Ty::List(_), Shape::Ndim) => array,
            (Ty::List(_) | Ty::Lists(_), _) if matches!(args.found.space, Space::Numpy | Space::Bare) => {
                self.array_of_list(array, span)
            }
            (Ty::Scalar(_), Shape::Copy) if self.unit.user && args.found.space != Space::Method => {
                return self.array_of(array, None, span);
            }
            (Ty::Scalar(_), Shape::Reshape | Shape::Ravel) if args.found.space == Space::Numpy => {
                self.array_of(array, None, span)
            }
            (
                Ty::Scalar(_) | Ty::List(_) | Ty::Lists(_),
                Shape::ExpandDims | Shape::BroadcastTo | Shape::Stretched | Shape::Copy,
            ) if args.found.space != Space::Method => match &array.ty {
                Ty::Scalar(_) => self.array_of(array, None, span),
                _ => self.array_of_list(array, span),
            },
            _ => array,
        };
        let Some(rank) = array.ty.rank() else { return self.shape_of_number(kind, &args) };
        if let Shape::Ndim = kind {
            return Self::known(vec![array], Expr::int(i64::from(rank), span));
        }
        let array = self.once(array, &mut before);
        let in_memory = Self::order_in_memory(&args, rank);
        let keeps = match in_memory.as_deref() {
            Some(order) => order == "K",
            None => args.named("order").is_none() && args.found.space == Space::Numpy && rank > 1,
        };
        if kind == Shape::Copy && keeps && self.unit.user {
            let copy = self.copied_as_it_lies(array, span);
            return Self::seq(before, copy);
        }
        if let Some(order @ ("A" | "K")) = in_memory.as_deref()
            && let Some(function) = by_memory(kind)
        {
            let order = Expr::new(ExprKind::Text(order.to_owned()), Ty::Str, span);
            let mut operands = vec![array];
            if kind == Shape::Reshape {
                if order_is_kept(&order) {
                    let headline = "order 'K' is not permitted for reshaping";
                    return self.error(code::TYPE_MISMATCH, span, headline, "");
                }
                let mut sizes = match <[Expr; 1]>::try_from(args.rest.clone()) {
                    Ok([one]) => self.sizes(one, &mut before).unwrap_or_default(),
                    Err(all) => all,
                };
                sizes = sizes.into_iter().map(|size| self.once(size, &mut before)).collect();
                operands.push(Self::tuple(sizes, span));
            } else {
                operands.push(order);
            }
            let result = self.prelude_call("shape", function, operands, span);
            return Self::seq(before, result);
        }
        let result = match kind {
            Shape::Shape => match args.optional(1) {
                Some(axis) => self.dim_of(&array, &axis, rank, span),
                None => {
                    let dims = self.dims(&array, rank, span);
                    Self::tuple(dims, span)
                }
            },
            Shape::Size => match args.optional(1) {
                Some(axis) => self.dim_of(&array, &axis, rank, span),
                None => self.size_of(&array, rank, span),
            },
            Shape::Ndim => Expr::int(i64::from(rank), span),
            // What a vector becomes may have columns as well.
            Shape::Reshape => {
                match self.is_by_columns(&args, if as_it_lies(&args) { rank } else { rank.max(2) }) {
                    Some(false) => self.reshape(array, args.rest.clone(), &mut before, span),
                    Some(true) => {
                        let sizes = self.reversed_sizes(args.rest.clone(), &mut before);
                        let turned = self.reshape(Self::turned(array), sizes, &mut before, span);
                        Self::turned(turned)
                    }
                    None => Expr::error(span),
                }
            }
            Shape::Ravel => match self.is_by_columns(&args, rank) {
                Some(by_columns) => self.flat(if by_columns { Self::turned(array) } else { array }, span),
                None => Expr::error(span),
            },
            Shape::Flatten => {
                let Some(by_columns) = self.is_by_columns(&args, rank) else { return Expr::error(span) };
                let flat = self.flat(if by_columns { Self::turned(array) } else { array }, span);
                // A reshaped copy is a copy already; a reshaped view is not.
                self.fresh(flat)
            }
            Shape::Transpose => self.transpose(array, rank, &args, span),
            Shape::SwapAxes => self.swap_axes(array, rank, &args),
            Shape::MoveAxis => self.move_axis(array, rank, &args),
            Shape::Squeeze => self.squeeze(array, rank, &args, &mut before),
            Shape::ExpandDims => self.expand(array, rank, &args, span),
            Shape::BroadcastTo => match self.sizes(args.value(1), &mut before) {
                Some(sizes) => {
                    let view = self.broadcast(array, sizes, rank, span);
                    Self::read_only(view)
                }
                None => Expr::error(span),
            },
            Shape::Stretched => match self.sizes(args.value(1), &mut before) {
                Some(sizes) => self.broadcast(array, sizes, rank, span),
                None => Expr::error(span),
            },
            Shape::Diagonal | Shape::DiagonalInPlace => {
                let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
                let ty = Ty::array(dtype, rank.saturating_sub(1));
                let view = Self::op(OpKind::Diagonal, vec![array], ty, span);
                if kind == Shape::Diagonal { Self::read_only(view) } else { view }
            }
            Shape::Windows => {
                let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
                let count = self.as_index(args.value(1));
                let ty = Ty::array(dtype, clamped_rank(usize::from(rank) + 1));
                Self::read_only(Self::op(OpKind::Windows, vec![array, count], ty, span))
            }
            Shape::Strides => {
                let stride = |axis| Self::op(OpKind::Stride(axis), vec![array.clone()], Ty::INT, span);
                let strides = (0..rank).map(stride).collect();
                Self::tuple(strides, span)
            }
            Shape::ItemSize => Self::item_size(&array, span),
            Shape::NBytes => {
                let count = self.size_of(&array, rank, span);
                let size = Self::item_size(&array, span);
                Self::elem(ElemOp::Mul, vec![count, size], true, span)
            }
            Shape::Copy => match self.is_by_columns(&args, rank) {
                // The prelude's copies of arrays without axes are numbers.
                Some(false) if rank == 0 && self.unit.user => {
                    let ty = array.ty.clone();
                    Self::op(OpKind::Copy, vec![array], ty, span)
                }
                Some(false) => self.fresh(array),
                Some(true) => {
                    let turned = self.fresh(Self::turned(array));
                    Self::turned(turned)
                }
                None => Expr::error(span),
            },
        };
        Self::seq(before, result)
    }

    /// Whether `order=` asks for columns first; `None`: it is refused. What depends on how the array lies is.
    pub(super) fn is_by_columns(&mut self, args: &Arguments, rank: u8) -> Option<bool> {
        let Some(order) = args.named("order") else { return Some(false) };
        let ExprKind::Text(text) = &order.kind else {
            self.not_constant("order", &order);
            return None;
        };
        match text.to_ascii_uppercase().as_str() {
            "C" => Some(false),
            "F" => Some(rank > 1),
            "A" | "K" if rank <= 1 => Some(false),
            "A" | "K" => {
                let headline = format!("`order='{text}'` is not supported yet");
                let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
                    .primary(order.span, "depends on how the array lies in memory")
                    .help("write 'C' for rows first, or 'F' for columns first");
                self.report(diagnostic);
                None
            }
            _ => {
                let headline = format!("order must be one of 'C', 'F', 'A', or 'K' (got '{text}')");
                self.error(code::TYPE_MISMATCH, order.span, headline, "no such order");
                None
            }
        }
    }

    /// The order that is asked for, if it depends on how an array of several axes lies.
    fn order_in_memory(args: &Arguments, rank: u8) -> Option<String> {
        match args.named("order")?.kind {
            ExprKind::Text(text) if rank > 1 => Some(text.to_ascii_uppercase()),
            _ => None,
        }
    }

    /// A view with the axes reversed.
    pub(super) fn turned(array: Expr) -> Expr {
        let Ty::Array { rank, .. } = array.ty else { return array };
        let (ty, span) = (array.ty.clone(), array.span);
        Self::op(OpKind::Transpose((0..rank).rev().collect()), vec![array], ty, span)
    }

    /// The sizes of a shape from the last to the first, evaluated in their order.
    fn reversed_sizes(&mut self, shape: Vec<Expr>, before: &mut Vec<Stmt>) -> Vec<Expr> {
        let sizes = match <[Expr; 1]>::try_from(shape) {
            Ok([one]) => self.sizes(one, before).unwrap_or_default(),
            Err(all) => all.into_iter().map(|size| self.as_index(size)).collect(),
        };
        let mut sizes: Vec<Expr> = sizes.into_iter().map(|size| self.once(size, before)).collect();
        sizes.reverse();
        sizes
    }

    /// A view to which nothing may be written.
    fn read_only(view: Expr) -> Expr {
        if !view.ty.is_array() {
            return view;
        }
        let (ty, span) = (view.ty.clone(), view.span);
        Self::op(OpKind::ReadOnly, vec![view], ty, span)
    }

    fn item_size(value: &Expr, span: Span) -> Expr {
        let size = value.ty.num().map_or(8, |num| num.dtype.size());
        Expr::int(i64::try_from(size).unwrap_or(8), span)
    }

    fn shape_of_number(&mut self, kind: Shape, args: &Arguments) -> Expr {
        let value = args.value(0);
        let known = match (kind, &value.ty) {
            (Shape::Ndim, Ty::Scalar(_) | Ty::None) => Expr::int(0, args.span),
            (Shape::Ndim, ty @ (Ty::Tuple(_) | Ty::List(_))) => Expr::int(depth_of(ty), args.span),
            (Shape::Size, Ty::Scalar(_)) => Expr::int(1, args.span),
            (Shape::Shape, Ty::Scalar(_)) => Self::tuple(vec![], args.span),
            (Shape::Strides, Ty::Scalar(_)) => Self::tuple(vec![], args.span),
            (Shape::ItemSize | Shape::NBytes, Ty::Scalar(_)) => Self::item_size(&value, args.span),
            (Shape::Copy, Ty::Scalar(_)) => return value,
            (Shape::Squeeze, Ty::Scalar(_))
                if args.found.space == Space::Numpy
                    && args.optional(1).is_none_or(|axis| self.is_whole_number(&axis, 0)) =>
            {
                // NumPy's numbers squeeze themselves; Python's become arrays first.
                let strong = value.ty.scalar().is_some_and(|num| !num.weak);
                return if strong { value } else { self.array_of(value, None, args.span) };
            }
            _ => return self.needs_array(args, 0),
        };
        Self::known(vec![value], known)
    }

    fn dim_of(&mut self, array: &Expr, axis: &Expr, rank: u8, span: Span) -> Expr {
        if let Ty::Tuple(_) = axis.ty {
            let Some(axes) = self.axes(axis, rank) else { return Expr::error(span) };
            let dims =
                axes.into_iter().map(|axis| Self::op(OpKind::Dim(axis), vec![array.clone()], Ty::INT, span));
            let product = dims.reduce(|a, b| Self::elem(ElemOp::Mul, vec![a, b], true, span));
            return product.unwrap_or_else(|| Expr::int(1, span));
        }
        let Some(constant) = axis.as_int().filter(|_| axis.is_constant()) else {
            let dims = self.dims(array, rank, span);
            let index = self.as_index(axis.clone());
            let list = Self::op(OpKind::ListNew, dims, Ty::List(Num::INT), span);
            return Self::op(OpKind::ListGet, vec![list, index], Ty::INT, span);
        };
        match self.axis(constant, rank, axis.span) {
            Some(axis) => Self::op(OpKind::Dim(axis), vec![array.clone()], Ty::INT, span),
            None => Expr::error(span),
        }
    }

    pub(super) fn size_of(&mut self, array: &Expr, rank: u8, span: Span) -> Expr {
        let dims = self.dims(array, rank, span).into_iter();
        let product = dims.reduce(|a, b| Self::elem(ElemOp::Mul, vec![a, b], true, span));
        product.unwrap_or_else(|| Expr::int(1, span))
    }

    pub(super) fn flat(&mut self, array: Expr, span: Span) -> Expr {
        let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
        Self::op(OpKind::Reshape, vec![array], Ty::array(dtype, 1), span)
    }

    fn reshape(&mut self, array: Expr, shape: Vec<Expr>, before: &mut Vec<Stmt>, span: Span) -> Expr {
        let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
        let sizes = match <[Expr; 1]>::try_from(shape) {
            Ok([one]) => self.sizes(one, before),
            Err(all) => {
                let sizes: Vec<Expr> = all.into_iter().map(|size| self.as_index(size)).collect();
                (!sizes.iter().any(|s| s.ty.is_silent())).then_some(sizes)
            }
        };
        let Some(sizes) = sizes else { return Expr::error(span) };
        let ty = Ty::array(dtype, clamped_rank(sizes.len()));
        let mut operands = vec![array];
        operands.extend(sizes);
        Self::op(OpKind::Reshape, operands, ty, span)
    }

    fn transpose(&mut self, array: Expr, rank: u8, args: &Arguments, span: Span) -> Expr {
        let ty = array.ty.clone();
        let axes: Vec<Expr> = match args.rest.as_slice() {
            [Expr { kind: ExprKind::Tuple(items), .. }] => items.clone(),
            [one] if one.ty == Ty::None => vec![],
            all => all.to_vec(),
        };
        if axes.is_empty() {
            return Self::op(OpKind::Transpose((0..rank).rev().collect()), vec![array], ty, span);
        }
        let mut order = Vec::new();
        for axis in &axes {
            let Some(constant) = axis.as_int().filter(|_| axis.is_constant()) else {
                return self.not_constant("axes", axis);
            };
            match self.axis(constant, rank, axis.span) {
                Some(axis) => order.push(axis),
                None => return Expr::error(span),
            }
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if sorted != (0..rank).collect::<Vec<u8>>() {
            return self.error(
                code::AXIS_OUT_OF_RANGE,
                span,
                "axes don't match array",
                "each axis comes once",
            );
        }
        Self::op(OpKind::Transpose(order), vec![array], ty, span)
    }

    fn swap_axes(&mut self, array: Expr, rank: u8, args: &Arguments) -> Expr {
        let mut order: Vec<u8> = (0..rank).collect();
        let mut places = [0; 2];
        for (place, index) in places.iter_mut().zip([1, 2]) {
            let axis = args.value(index);
            let Some(constant) = axis.as_int().filter(|_| axis.is_constant()) else {
                return self.not_constant("axis", &axis);
            };
            let Some(axis) = self.axis(constant, rank, axis.span) else { return Expr::error(args.span) };
            *place = usize::from(axis);
        }
        order.swap(places[0], places[1]);
        let ty = array.ty.clone();
        Self::op(OpKind::Transpose(order), vec![array], ty, args.span)
    }

    /// A constant axis.
    fn constant_axis(&mut self, axis: &Expr, rank: u8) -> Option<u8> {
        match axis.as_int().filter(|_| axis.is_constant()) {
            Some(constant) => self.axis(constant, rank, axis.span),
            None => {
                self.not_constant("axis", axis);
                None
            }
        }
    }

    /// Constant axes, one or a tuple, in the order in which they are given.
    fn axes_in_order(&mut self, axes: &Expr, rank: u8) -> Option<Vec<u8>> {
        let items = match &axes.kind {
            ExprKind::Tuple(items) => items.clone(),
            _ => vec![axes.clone()],
        };
        let mut order = Vec::new();
        for item in &items {
            let axis = self.constant_axis(item, rank)?;
            if order.contains(&axis) {
                self.error(code::AXIS_OUT_OF_RANGE, item.span, "repeated axis", "named twice");
                return None;
            }
            order.push(axis);
        }
        Some(order)
    }

    fn move_axis(&mut self, array: Expr, rank: u8, args: &Arguments) -> Expr {
        let places = [1, 2].map(|i| self.axes_in_order(&args.value(i), rank));
        let [Some(from), Some(to)] = places else { return Expr::error(args.span) };
        if from.len() != to.len() {
            let headline = "`source` and `destination` arguments must have the same number of elements";
            return self.error(code::AXIS_OUT_OF_RANGE, args.span, headline, "");
        }
        let mut order: Vec<u8> = (0..rank).filter(|axis| !from.contains(axis)).collect();
        let mut moved: Vec<(u8, u8)> = to.into_iter().zip(from).collect();
        moved.sort_unstable();
        for (to, from) in moved {
            order.insert(usize::from(to), from);
        }
        let ty = array.ty.clone();
        Self::op(OpKind::Transpose(order), vec![array], ty, args.span)
    }

    fn expand(&mut self, array: Expr, rank: u8, args: &Arguments, span: Span) -> Expr {
        let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
        let axis = args.value(1);
        let count = match &axis.kind {
            ExprKind::Tuple(items) => items.len(),
            _ => 1,
        };
        let rank = clamped_rank(usize::from(rank) + count);
        let Some(new) = self.axes_in_order(&axis, rank) else { return Expr::error(span) };
        let item = |axis: u8| if new.contains(&axis) { IndexItem::New } else { index::WHOLE };
        let items = (0..rank).map(item).collect();
        Self::op(OpKind::View(items), vec![array], Ty::array(dtype, rank), span)
    }

    fn broadcast(&mut self, array: Expr, sizes: Vec<Expr>, rank: u8, span: Span) -> Expr {
        let Ty::Array { dtype, .. } = array.ty else { return Expr::error(span) };
        if sizes.len() < usize::from(rank) {
            return self.error(
                code::SHAPE_MISMATCH,
                span,
                "input operand has more dimensions than allowed by the axis remapping",
                "the shape has fewer dimensions than the array",
            );
        }
        let ty = Ty::array(dtype, clamped_rank(sizes.len()));
        let mut operands = vec![array];
        operands.extend(sizes);
        Self::op(OpKind::BroadcastTo, operands, ty, span)
    }
}

/// How deep lists and tuples nest.
fn depth_of(ty: &Ty) -> i64 {
    match ty {
        Ty::Tuple(items) => 1 + items.first().map_or(0, depth_of),
        Ty::List(_) => 1,
        Ty::Lists(item) => 1 + depth_of(item),
        Ty::Array { rank, .. } => i64::from(*rank),
        _ => 0,
    }
}

/// The function of the prelude for an order that depends on how an array lies.
const fn by_memory(kind: Shape) -> Option<&'static str> {
    match kind {
        Shape::Reshape => Some("reshape_as_it_lies"),
        Shape::Ravel => Some("ravel_as_it_lies"),
        Shape::Flatten => Some("flatten_as_it_lies"),
        Shape::Copy => Some("copy_as_it_lies"),
        _ => None,
    }
}

/// Whether `order='A'` is given.
fn as_it_lies(args: &Arguments) -> bool {
    args.named("order").is_some_and(|order| matches!(&order.kind, ExprKind::Text(text) if text == "A"))
}

fn order_is_kept(order: &Expr) -> bool {
    matches!(&order.kind, ExprKind::Text(text) if text == "K")
}
