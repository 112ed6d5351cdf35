//! Functions that make arrays.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::BinaryOp;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::types::promote;
use crate::typed::types::ty::{MAX_RANK, Num, Ty, clamped_rank};
use pydd_ir::catalogue::Creation;
use pydd_ir::{DType, ElemOp, Exc, OpKind};

/// What an array is filled with.
enum Fill {
    Nothing,
    Zero,
    One,
    Value(Expr),
}

impl Infer<'_, '_> {
    /// The sizes in a list, as many as axes are asked for.
    pub(super) fn listed_sizes(&mut self, list: Expr, before: &mut Vec<Stmt>) -> Option<Vec<Expr>> {
        let span = list.span;
        let Some(rank) = self.wanted_rank.map(|(_, rank)| rank).filter(|rank| *rank <= MAX_RANK) else {
            let diagnostic = Diagnostic::error(
                code::CANNOT_INFER_TYPE,
                "how many axes this array has is not known when compiling",
            )
            .primary(span, "the length of this list says it")
            .help("declare the variable, `x: Array(float64, 2) = empty(shape, float64())`, or write a tuple");
            self.report(diagnostic);
            return None;
        };
        let list = self.once(list, before);
        let length = self.list_length(&list, span);
        let length = self.once(length, before);
        let wanted = Expr::int(rank.into(), span);
        let right = Self::elem(ElemOp::Eq, vec![length.clone(), wanted], true, span);
        let message = format!("a shape of {{0}} lengths for an array that is declared with {rank} axes");
        before.push(Self::check(right, Exc::ValueError, &message, vec![length], span));
        let mut sizes = Vec::new();
        for axis in 0..rank {
            let item = self.list_item(&list, Expr::int(axis.into(), span), span);
            let item = self.as_index(item);
            sizes.push(self.once(item, before));
        }
        Some(sizes)
    }

    pub(super) fn creation(&mut self, kind: Creation, args: Arguments) -> Expr {
        let follows = !matches!(
            kind,
            Creation::Zeros
                | Creation::Ones
                | Creation::Empty
                | Creation::Full
                | Creation::Zeros2d
                | Creation::Empty2d
                | Creation::Arange
        );
        match args.named("order").filter(|_| follows) {
            Some(_) => {
                let made = self.created(kind, args.clone());
                self.laid_out(made, &args)
            }
            None => self.created(kind, args),
        }
    }

    /// A new array laid out as `order=` asks for.
    pub(super) fn laid_out(&mut self, made: Expr, args: &Arguments) -> Expr {
        let rank = made.ty.rank().unwrap_or(0);
        let span = args.span;
        let follows =
            |order: Expr| matches!(order.kind, ExprKind::Text(text) if "KAka".contains(text.as_str()));
        match self.is_by_columns(args, rank) {
            Some(false) if rank > 0 && !args.named("order").is_some_and(follows) => {
                self.prelude_call("shape", "ascontiguousarray", vec![made], span)
            }
            Some(false) => made,
            Some(true) => {
                let rows = self.prelude_call("shape", "ascontiguousarray", vec![Self::turned(made)], span);
                Self::turned(rows)
            }
            None => Expr::error(span),
        }
    }

    fn created(&mut self, kind: Creation, args: Arguments) -> Expr {
        let span = args.span;
        match kind {
            Creation::Zeros => self.by_shape(&args, Fill::Zero),
            Creation::Ones => self.by_shape(&args, Fill::One),
            Creation::Empty => self.by_shape(&args, Fill::Nothing),
            Creation::Full => {
                let value = args.value(1);
                self.by_shape(&args, Fill::Value(value))
            }
            Creation::ZerosLike => self.like(&args, Fill::Zero),
            Creation::OnesLike => self.like(&args, Fill::One),
            Creation::EmptyLike => self.like(&args, Fill::Nothing),
            Creation::FullLike => {
                let value = args.value(1);
                self.like(&args, Fill::Value(value))
            }
            Creation::Zeros2d => self.grid(&args, Fill::Zero),
            Creation::Empty2d => self.grid(&args, Fill::Nothing),
            Creation::Arange => self.arange(&args),
            Creation::Array | Creation::AsArray => {
                let value = args.value(0);
                let dtype = args.dtype();
                match &value.ty {
                    Ty::Array { dtype: own, .. } if kind == Creation::AsArray => {
                        let same = dtype.is_none_or(|num| num.dtype == *own);
                        if same { value } else { self.convert(value, dtype.unwrap_or(Num::FLOAT)) }
                    }
                    Ty::Array { dtype: own, .. } => {
                        let to = dtype.unwrap_or(Num::strong(*own));
                        self.as_type(value, to, span)
                    }
                    Ty::EmptyList(_) => Self::empty_array(dtype.map_or(DType::F64, |num| num.dtype), span),
                    ty if ty.is_sequence() => self.array_of_list_in(value, dtype, span),
                    Ty::Tuples(_) if self.are_plain_tuples(&value.ty) => {
                        self.array_of_tuples(value, dtype, span)
                    }
                    _ => self.array_of(value, dtype, span),
                }
            }
        }
    }

    /// `np.array(list, dtype)`.
    fn array_of_list_in(&mut self, list: Expr, dtype: Option<Num>, span: Span) -> Expr {
        let Some(num) = dtype else { return self.array_of_list(list, span) };
        let array = self.stored_list(list, num.dtype, span);
        if array.ty.is_silent() { array } else { self.convert(array, num) }
    }

    /// Whether a list holds tuples of numbers alone.
    fn are_plain_tuples(&self, list: &Ty) -> bool {
        match list.list_item() {
            Some(Ty::Tuple(items)) => items.iter().all(|item| item.scalar().is_some()),
            _ => false,
        }
    }

    /// `np.array(list)` of tuples, which are its rows.
    fn array_of_tuples(&mut self, list: Expr, dtype: Option<Num>, span: Span) -> Expr {
        let mut before = Vec::new();
        let list = self.once(list, &mut before);
        let columns = Self::tuple(self.columns(&list), span);
        let array = self.prelude_call("sequence", "array_of_tuples", vec![columns], span);
        let array = match dtype {
            Some(num) if !array.ty.is_silent() => self.convert(array, num),
            _ => array,
        };
        Self::seq(before, array)
    }

    fn by_shape(&mut self, args: &Arguments, fill: Fill) -> Expr {
        let mut before = Vec::new();
        let Some(sizes) = self.sizes(args.value(0), &mut before) else { return Expr::error(args.span) };
        let fill = match fill {
            Fill::Value(value) if value.ty.is_sequence() => Fill::Value(self.array_of_list(value, args.span)),
            _ => fill,
        };
        let num = args.dtype().unwrap_or(match &fill {
            Fill::Value(value) => value.ty.num().unwrap_or(Num::FLOAT),
            _ => Num::FLOAT,
        });
        let fixed = |order: &Expr| matches!(&order.kind, ExprKind::Text(text) if !"KA".contains(text.to_ascii_uppercase().as_str()));
        if let Some(order) = args.named("order")
            && !fixed(&order)
        {
            let headline = "only 'C' or 'F' order is permitted";
            return self.error(code::TYPE_MISMATCH, order.span, headline, "there is no array to follow");
        }
        let Some(by_columns) = self.is_by_columns(args, clamped_rank(sizes.len())) else {
            return Expr::error(args.span);
        };
        if !by_columns {
            let made = self.filled(sizes, num.dtype, fill, &mut before, args.span);
            return Self::seq(before, made);
        }
        let mut sizes: Vec<Expr> = sizes.into_iter().map(|size| self.once(size, &mut before)).collect();
        sizes.reverse();
        let made = self.filled(sizes, num.dtype, fill, &mut before, args.span);
        Self::seq(before, Self::turned(made))
    }

    fn grid(&mut self, args: &Arguments, fill: Fill) -> Expr {
        let shape = args.value(0);
        if !matches!(&shape.ty, Ty::Tuple(sizes) if sizes.len() == 2) {
            let headline = format!("`{}` takes two lengths", args.found.name);
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, headline)
                .primary(shape.span, format!("this is {}", shape.ty))
                .help(format!("write `{}((rows, columns))`", args.found.name));
            return self.fail(diagnostic);
        }
        self.by_shape(args, fill)
    }

    fn like(&mut self, args: &Arguments, fill: Fill) -> Expr {
        let array = match args.value(0) {
            number if number.ty.scalar().is_some() => self.array_of(number, None, args.span),
            other => other,
        };
        let Ty::Array { dtype, rank } = array.ty else { return self.needs_array(args, 0) };
        let mut before = Vec::new();
        let array = self.once(array, &mut before);
        let dtype = args.dtype().map_or(dtype, |num| num.dtype);
        let sizes = self.dims(&array, rank, args.span);
        let made = self.filled(sizes, dtype, fill, &mut before, args.span);
        let made = if made.ty.is_array() { self.lying_as(made, array, args.span) } else { made };
        Self::seq(before, made)
    }

    /// The lengths of all axes.
    pub(super) fn dims(&mut self, array: &Expr, rank: u8, span: Span) -> Vec<Expr> {
        (0..rank).map(|axis| Self::op(OpKind::Dim(axis), vec![array.clone()], Ty::INT, span)).collect()
    }

    fn filled(
        &mut self,
        sizes: Vec<Expr>,
        dtype: DType,
        fill: Fill,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Expr {
        let ty = Ty::array(dtype, clamped_rank(sizes.len()));
        let value = match fill {
            Fill::Nothing => return Self::op(OpKind::Empty, sizes, ty, span),
            Fill::Zero => return Self::op(OpKind::Zeros, sizes, ty, span),
            Fill::One => self.convert(Expr::int(1, span), Num::strong(dtype)),
            // As `astype` does it: the real part.
            Fill::Value(value)
                if value.ty.num().is_some_and(|n| n.dtype.is_complex()) && !dtype.is_complex() =>
            {
                match dtype {
                    DType::Bool => self.elements_truth(value),
                    _ => Self::elem(ElemOp::Re, vec![value], false, span),
                }
            }
            Fill::Value(value) => value,
        };
        let value = match value.ty {
            ref ty if ty.is_sequence() => self.array_of_list(value, span),
            _ => Self::number_of_rank_zero(value),
        };
        // NumPy's integers wrap here, as in `astype`; Python's must fit.
        let value = match value.ty.scalar() {
            Some(num) if !num.weak && num.dtype.is_int() && dtype.is_int() => {
                self.convert(value, Num::strong(dtype))
            }
            _ => value,
        };
        if value.ty.rank().is_some_and(|rank| usize::from(rank) > sizes.len()) {
            let headline = format!("could not broadcast {} into an array of fewer axes", value.ty);
            return self.error(code::SHAPE_MISMATCH, value.span, headline, "");
        }
        if value.ty.is_array() {
            let sizes: Vec<Expr> = sizes.into_iter().map(|size| self.once(size, before)).collect();
            let value = self.convert(value, Num::strong(dtype));
            let made = self.once(Self::op(OpKind::Empty, sizes, ty, span), before);
            before.push(Stmt::new(StmtKind::Effect(OpKind::Assign, vec![made.clone(), value]), span));
            return made;
        }
        if value.ty.scalar().is_none() {
            let headline = format!("an array is filled with a number, not {}", value.ty);
            return self.error(code::TYPE_MISMATCH, value.span, headline, "not a number");
        }
        // The sizes come first in the source.
        let sizes: Vec<Expr> = sizes.into_iter().map(|size| self.once(size, before)).collect();
        // Floats become integers as `astype` makes them; Python's integers must fit.
        let value = match value.ty.scalar() {
            Some(num) if num.is_float() && dtype.is_int() => self.convert(value, Num::strong(dtype)),
            _ => self.stored(value, dtype),
        };
        let mut operands = vec![value];
        operands.extend(sizes);
        Self::op(OpKind::Full, operands, ty, span)
    }

    /// `arange(stop)`, `arange(start, stop, step)`.
    fn arange(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let mut before = Vec::new();
        let (start, stop) = match args.optional(1) {
            Some(stop) => (args.value(0), stop),
            None => (Expr::int(0, span), args.value(0)),
        };
        let step = args.optional(2).unwrap_or_else(|| Expr::int(1, span));
        let mut common = Num::strong(DType::I64);
        for part in [&start, &stop, &step] {
            match part.ty.scalar() {
                Some(num) => common = promote::promote(common, num),
                None => {
                    let headline = format!("`arange` needs numbers, not {}", part.ty);
                    return self.error(code::TYPE_MISMATCH, part.span, headline, "not a number");
                }
            }
        }
        if common.dtype.is_complex() {
            // NumPy counts by both parts, so that most ranges are empty.
            let headline = "a range of complex numbers";
            return self.error(code::TYPE_MISMATCH, span, headline, "give its ends as real numbers");
        }
        let given = [start, stop, step].map(|part| self.once(part, &mut before));
        let parts = given.clone().map(|part| self.convert(part, common));
        let count = if common.dtype.is_int() {
            let parts = parts.clone().map(|part| self.convert(part, Num::INT));
            Self::range_length(&parts, span)
        } else {
            self.float_count(&given, &mut before, span)
        };
        let dtype = args.dtype().map_or(common.dtype, |num| num.dtype);
        let count = self.once(count, &mut before);
        if dtype == DType::Bool {
            let short = Self::elem(ElemOp::Le, vec![count.clone(), Expr::int(2, span)], true, span);
            let message = "arange() is only supported for booleans when the result has at most length 2.";
            before.push(Self::check(short, Exc::TypeError, message, vec![], span));
        }
        let counted = if dtype == DType::Bool { common.dtype } else { dtype };
        let [start, _, step] = parts.map(|part| self.convert(part, Num::strong(counted)));
        let step = if common.dtype.is_int() {
            step
        } else {
            self.rounded_step(&given, start.clone(), counted, span)
        };
        let made = Self::op(OpKind::Iota, vec![start, step, count], Ty::array(counted, 1), span);
        let made = self.convert(made, Num::strong(dtype));
        Self::seq(before, made)
    }

    /// How far the second element lies from the first one, both in the array's type: all others follow from it in NumPy.
    fn rounded_step(&mut self, [start, _, step]: &[Expr; 3], first: Expr, dtype: DType, span: Span) -> Expr {
        let second = self.binary(BinaryOp::Add, start.clone(), step.clone(), span);
        let second = self.convert(second, Num::strong(dtype));
        Self::elem(ElemOp::Sub, vec![second, first], false, span)
    }

    /// `ceil((stop - start) / step)`, where that is a number that arrays may have for a length.
    fn float_count(&mut self, [start, stop, step]: &[Expr; 3], before: &mut Vec<Stmt>, span: Span) -> Expr {
        let length = self.binary(BinaryOp::Sub, stop.clone(), start.clone(), span);
        let length = self.once(length, before);
        let count = self.binary(BinaryOp::Div, length.clone(), step.clone(), span);
        let count = self.convert(count, Num::FLOAT);
        let count = self.once(count, before);
        // A step beyond all bounds reaches past the end at once, if it goes that way.
        let length = self.convert(length, Num::FLOAT);
        let [zero, one] = [0.0, 1.0].map(|number| Expr::float(number, span));
        let is_zero = Self::elem(ElemOp::Eq, vec![count.clone(), zero.clone()], true, span);
        let is_some = Self::elem(ElemOp::Ne, vec![length, zero.clone()], true, span);
        let sign = Self::elem(ElemOp::Copysign, vec![one.clone(), count.clone()], true, span);
        let goes_there = Self::elem(ElemOp::Gt, vec![sign, zero], true, span);
        let is_one = [is_some, goes_there]
            .into_iter()
            .fold(is_zero, |all, each| Self::elem(ElemOp::And, vec![all, each], true, span));
        let count = Self::elem(ElemOp::Ceil, vec![count], true, span);
        let count = Self::elem(ElemOp::Select, vec![is_one, one, count], true, span);
        let count = self.once(count, before);
        let known = Self::elem(ElemOp::Eq, vec![count.clone(), count.clone()], true, span);
        let size = Self::elem(ElemOp::Abs, vec![count.clone()], true, span);
        let fits = Self::elem(ElemOp::Lt, vec![size, Expr::float(INT64_END, span)], true, span);
        before.push(Self::check(known, Exc::ValueError, "arange: cannot compute length", vec![], span));
        before.push(Self::check(fits, Exc::ValueError, "Maximum allowed size exceeded", vec![], span));
        self.convert(count, Num::INT)
    }
}

/// 2^63: the first float that is too large for int64.
const INT64_END: f64 = 9_223_372_036_854_775_808.0;
