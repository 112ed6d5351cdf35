//! Reductions over axes.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::Accumulate;
use pydd_ir::{DType, ElemOp, OpKind, ReduceOp, ReduceSpec};

impl Infer<'_, '_> {
    pub(super) fn reduction(&mut self, op: ReduceOp, accumulate: Accumulate, args: Arguments) -> Expr {
        let out = args.named("out");
        let span = args.span;
        let result = self.reduction_of(op, accumulate, args);
        match out {
            Some(out) if result.ty.is_silent() || !out.ty.is_array() => {
                self.store_out(out, result, true, span)
            }
            Some(out) if single_axis(op) && !out.ty.num().is_some_and(holds_indices) => {
                let headline = format!("indices cannot be stored in {}", out.ty);
                self.error(code::INPLACE_DTYPE, out.span, headline, "the type of `out`")
            }
            Some(out) => {
                // A reduction converts whatever `out` may be.
                let real = |num: Option<Num>| num.is_some_and(|num| !num.dtype.is_complex());
                let result = match out.ty.num() {
                    Some(num) if real(result.ty.num()) => self.convert(result, Num::strong(num.dtype)),
                    _ => result,
                };
                self.store_out(out, result, true, span)
            }
            None => result,
        }
    }

    fn reduction_of(&mut self, op: ReduceOp, accumulate: Accumulate, args: Arguments) -> Expr {
        let (initial, mask) = (args.named("initial"), args.named("where"));
        let array = args.value(0);
        let array = match &array.ty {
            ty if ty.is_sequence() => self.array_of_list(array, args.span),
            Ty::Scalar(_) if initial.is_none() && mask.is_none() => {
                return self.reduced_number(array, op, accumulate, &args);
            }
            Ty::Tuple(_) | Ty::Scalar(_) => self.array_of(array, None, args.span),
            _ => array,
        };
        let Ty::Array { rank, dtype: element } = array.ty else { return self.needs_array(&args, 0) };
        let axes = match args.named("axis") {
            None => None,
            Some(axis) if self.is_whole_number(&axis, rank) => None,
            Some(axis) => match self.axes(&axis, rank) {
                Some(axes) => Some(axes),
                None => return Expr::error(args.span),
            },
        };
        let single = matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax);
        if single && args.named("axis").is_some_and(|axis| axis.ty.parts().is_some()) {
            return self.one_axis_only(args.span);
        }
        let keepdims = args.flag("keepdims");
        let dtype = args.dtype().or_else(|| sum_in_out(&args, accumulate, element));
        // A sum of bools is whether any is true.
        let op = match (op, accumulated(accumulate, element, dtype)) {
            (ReduceOp::Sum, DType::Bool) => ReduceOp::Any,
            (ReduceOp::Prod, DType::Bool) => ReduceOp::All,
            _ => op,
        };
        if initial.is_none() && mask.is_none() {
            return self.reduce(array, op, accumulate, axes, keepdims, dtype, args.span);
        }
        let to = accumulated(accumulate, element, dtype);
        let array = self.convert(array, Num::strong(to));
        let initial = initial.map(|initial| self.stored(initial, to));
        self.reduce_from(array, op, axes, keepdims, initial, mask, args.span)
    }

    /// Whether an axis is one of the two that NumPy takes for an array without axes.
    pub(super) fn is_whole_number(&self, axis: &Expr, rank: u8) -> bool {
        rank == 0 && axis.is_constant() && matches!(axis.as_int(), Some(0 | -1))
    }

    pub(super) fn one_axis_only(&mut self, span: Span) -> Expr {
        let headline = "an index is found along one axis only, given as an integer";
        self.error(code::TYPE_MISMATCH, span, headline, "")
    }

    /// A reduction that starts with a value, of elements where a mask is true.
    fn reduce_from(
        &mut self,
        array: Expr,
        op: ReduceOp,
        axes: Option<Vec<u8>>,
        keepdims: bool,
        initial: Option<Expr>,
        mask: Option<Expr>,
        span: Span,
    ) -> Expr {
        let Some(num) = array.ty.num() else { return Expr::error(span) };
        let mut before = Vec::new();
        let initial = initial.map(|initial| self.once(initial, &mut before));
        let identity = match op {
            ReduceOp::Sum | ReduceOp::Any => Some(self.zero_of(num, span)),
            ReduceOp::Prod | ReduceOp::All => Some(self.convert(Expr::int(1, span), num)),
            _ => initial.clone(),
        };
        let array = match (mask, identity) {
            (None, _) => array,
            (Some(mask), Some(identity)) => self.masked(array, mask, identity, span),
            // Nothing is left out by `where=True`.
            (Some(mask), None) if mask.as_bool() == Some(true) => array,
            (Some(mask), None) => {
                let headline = "a least or greatest element with `where` needs `initial`";
                return self.error(code::WRONG_ARGUMENT_COUNT, mask.span, headline, "may leave nothing");
            }
        };
        if array.ty.is_silent() {
            return array;
        }
        let result = match (op, initial) {
            (ReduceOp::Min | ReduceOp::Max, Some(initial)) => {
                self.extreme_from(array, op, axes, keepdims, initial, span)
            }
            (_, initial) => {
                let result = self.reduce(array, op, Accumulate::Element, axes, keepdims, None, span);
                match (initial, op) {
                    (Some(initial), ReduceOp::Sum) => {
                        Self::elem(ElemOp::Add, vec![result, initial], false, span)
                    }
                    (Some(initial), ReduceOp::Prod) => {
                        Self::elem(ElemOp::Mul, vec![result, initial], false, span)
                    }
                    (Some(initial), ReduceOp::Any) => {
                        Self::elem(ElemOp::Or, vec![result, initial], false, span)
                    }
                    (Some(initial), ReduceOp::All) => {
                        Self::elem(ElemOp::And, vec![result, initial], false, span)
                    }
                    _ => result,
                }
            }
        };
        if result.ty.is_silent() { result } else { Self::seq(before, result) }
    }

    /// The elements where a mask, stretched to the array's shape, is true; elsewhere another value.
    fn masked(&mut self, array: Expr, mask: Expr, other: Expr, span: Span) -> Expr {
        match mask.ty.num() {
            Some(num) if num.dtype == DType::Bool => {}
            _ if mask.ty.is_silent() => return mask,
            _ => {
                let headline = format!("`where` is a mask of bools, not {}", mask.ty);
                return self.error(code::TYPE_MISMATCH, mask.span, headline, "not bools");
            }
        }
        if mask.ty.rank() > array.ty.rank() {
            let headline = "`where` has more axes than the array";
            return self.error(code::TYPE_MISMATCH, mask.span, headline, &format!("this is {}", mask.ty));
        }
        self.prelude_call("stats", "where_of", vec![mask, array, other], span)
    }

    /// The least or greatest of the elements and a value, which stands alone where there are none.
    fn extreme_from(
        &mut self,
        array: Expr,
        op: ReduceOp,
        axes: Option<Vec<u8>>,
        keepdims: bool,
        initial: Expr,
        span: Span,
    ) -> Expr {
        let axis = match axes {
            None => Expr::none(span),
            Some(axes) => Self::tuple(axes.iter().map(|&axis| Expr::int(axis.into(), span)).collect(), span),
        };
        let function = if op == ReduceOp::Min { "least_from" } else { "greatest_from" };
        let keepdims = Expr::bool(keepdims, span);
        let constants = vec![None, None, Some(axis.clone()), Some(keepdims.clone())];
        self.prelude_instance("stats", function, vec![array, initial, axis, keepdims], constants, span)
    }

    pub(in crate::typed) fn reduce(
        &mut self,
        array: Expr,
        op: ReduceOp,
        accumulate: Accumulate,
        axes: Option<Vec<u8>>,
        keepdims: bool,
        dtype: Option<Num>,
        span: Span,
    ) -> Expr {
        let Ty::Array { dtype: element, rank } = array.ty else { return Expr::error(span) };
        let ordered = matches!(op, ReduceOp::Min | ReduceOp::Max | ReduceOp::ArgMin | ReduceOp::ArgMax);
        if ordered && element.is_complex() {
            return self.extreme_of_complex(array, op, axes, keepdims, span);
        }
        let to = accumulated(accumulate, element, dtype);
        let array = self.convert(array, Num::strong(to));
        let dropped = axes.as_ref().map_or(rank, |axes| axes.len() as u8);
        let result = op.result_dtype(to);
        // Of rank 0 there is nothing to keep.
        let keepdims = keepdims && rank > 0;
        let left = if keepdims { rank } else { rank - dropped };
        let ty = if left == 0 { Ty::strong(result) } else { Ty::array(result, left) };
        let axes = if axes.as_ref().is_some_and(|axes| axes.len() == usize::from(rank)) && !single_axis(op) {
            None
        } else {
            axes
        };
        Self::op(OpKind::Reduce(ReduceSpec { op, axes, keepdims }), vec![array], ty, span)
    }

    /// The least or greatest complex number, or its index.
    fn extreme_of_complex(
        &mut self,
        array: Expr,
        op: ReduceOp,
        axes: Option<Vec<u8>>,
        keepdims: bool,
        span: Span,
    ) -> Expr {
        let axis = match axes {
            None => Expr::none(span),
            Some(axes) => Self::tuple(axes.iter().map(|&axis| Expr::int(axis.into(), span)).collect(), span),
        };
        let function = match op {
            ReduceOp::Min | ReduceOp::Max => "complex_extreme",
            _ => "place_of_complex",
        };
        let greatest = Expr::bool(matches!(op, ReduceOp::Max | ReduceOp::ArgMax), span);
        let keepdims = Expr::bool(keepdims, span);
        let constants = vec![None, Some(axis.clone()), Some(keepdims.clone()), Some(greatest.clone())];
        self.prelude_instance("extremes", function, vec![array, axis, keepdims, greatest], constants, span)
    }

    /// A number is its own sum.
    fn reduced_number(&mut self, x: Expr, op: ReduceOp, accumulate: Accumulate, args: &Arguments) -> Expr {
        let Some(num) = x.ty.scalar() else { return Expr::error(args.span) };
        let single = matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax);
        if single && args.named("axis").is_some_and(|axis| axis.ty.parts().is_some()) {
            return self.one_axis_only(args.span);
        }
        if let Some(axis) = args.named("axis")
            && !self.is_whole_number(&axis, 0)
            && self.axes(&axis, 0).is_none()
        {
            return Expr::error(args.span);
        }
        let to = match accumulate {
            Accumulate::Truth => DType::Bool,
            Accumulate::Wide => args.dtype().map_or(wide(num.dtype), |n| n.dtype),
            Accumulate::Element => num.dtype,
        };
        match op {
            ReduceOp::ArgMin | ReduceOp::ArgMax => {
                let place = self.convert(Expr::int(0, args.span), Num::strong(DType::I64));
                Self::known(vec![x], place)
            }
            _ if to == DType::Bool => {
                let truth = self.truth(x);
                self.convert(truth, Num::strong(DType::Bool))
            }
            _ => self.convert(x, Num::strong(to)),
        }
    }

    /// The axes that an argument names, sorted.
    pub(in crate::typed) fn axes(&mut self, axis: &Expr, rank: u8) -> Option<Vec<u8>> {
        let items: Vec<Expr> = match &axis.kind {
            ExprKind::Tuple(items) => items.clone(),
            _ => vec![axis.clone()],
        };
        let mut axes = Vec::new();
        for item in &items {
            let Some(constant) = item.as_int().filter(|_| item.is_constant()) else {
                if !item.ty.is_silent() {
                    self.not_constant("axis", item);
                }
                return None;
            };
            let axis = self.axis(constant, rank, item.span)?;
            if axes.contains(&axis) {
                self.error(code::AXIS_OUT_OF_RANGE, item.span, "duplicate value in `axis`", "named twice");
                return None;
            }
            axes.push(axis);
        }
        axes.sort_unstable();
        Some(axes)
    }

    /// An axis by number, negative ones from the end.
    pub(in crate::typed) fn axis(&mut self, axis: i64, rank: u8, span: Span) -> Option<u8> {
        let count = i64::from(rank);
        let from_start = if axis < 0 { axis + count } else { axis };
        if (0..count).contains(&from_start) {
            return Some(from_start as u8);
        }
        let headline = format!("axis {axis} is out of bounds for array of dimension {rank}");
        let diagnostic = Diagnostic::error(code::AXIS_OUT_OF_RANGE, headline).primary(span, "no such axis");
        self.report(diagnostic);
        None
    }
}

/// Whether indices may be stored in a type without loss.
fn holds_indices(num: Num) -> bool {
    promote(Num::strong(num.dtype), Num::strong(DType::I64)) == Num::strong(DType::I64)
}

fn single_axis(op: ReduceOp) -> bool {
    matches!(op, ReduceOp::ArgMin | ReduceOp::ArgMax)
}

/// The type that a reduction computes in.
fn accumulated(accumulate: Accumulate, element: DType, dtype: Option<Num>) -> DType {
    match accumulate {
        Accumulate::Truth => DType::Bool,
        Accumulate::Element => element,
        Accumulate::Wide => dtype.map_or(wide(element), |num| num.dtype),
    }
}

/// Where a sum goes to an array, it is computed in the type that this and the elements have in common.
fn sum_in_out(args: &Arguments, accumulate: Accumulate, element: DType) -> Option<Num> {
    let out = args.named("out")?.ty.num()?;
    let common = promote(Num::strong(out.dtype), Num::strong(element));
    (accumulate == Accumulate::Wide && common.dtype != DType::Bool).then_some(common)
}

/// Bool and integers are summed in 64 bits.
fn wide(dtype: DType) -> DType {
    match dtype {
        d if d.is_unsigned_int() => DType::U64,
        d if d.is_int() || d == DType::Bool => DType::I64,
        d => d,
    }
}
