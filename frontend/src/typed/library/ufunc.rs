//! Methods of elementwise functions: `np.add.outer`, `.reduce`, `.reduceat`, `.accumulate` and `.at`.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, Ident, Keyword};
use crate::typed::expressions::index::{self, Place};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::{Accumulate, Algebra, Found, Promote, UfuncMethod};
use pydd_ir::{ElemOp, IndexItem, OpKind, ReduceOp};

impl Infer<'_, '_> {
    /// `np.function.method(…)`.
    pub(in crate::typed) fn ufunc_call(
        &mut self,
        found: Found,
        kind: UfuncMethod,
        method: &Ident,
        values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let Algebra::Elementwise { op, promote } = found.entry.algebra else {
            let headline = format!("`{}` has no `.{}`", Self::shown_name(&found), method.name);
            return self.error(code::UNKNOWN_ATTRIBUTE, method.span, headline, "not an elementwise function");
        };
        let mut values = values;
        values.extend(args.iter().map(|arg| self.expr(arg)));
        let mut axis = None;
        for keyword in keywords {
            let value = self.expr(&keyword.value);
            match keyword.name.name.as_str() {
                "axis" => axis = Some(value),
                name => {
                    let headline = format!("`{name}=` of `.{}`", method.name);
                    return self.later_expr(keyword.name.span, &headline);
                }
            }
        }
        if values.iter().chain(&axis).any(|v| v.ty.is_silent()) {
            return Expr::silent(values.iter().chain(&axis), span);
        }
        match (kind, values.as_slice()) {
            (UfuncMethod::Outer, [a, b]) => self.outer(found, op, promote, [a, b].map(Clone::clone), span),
            (UfuncMethod::At, [array, index, value]) => {
                let parts = [array, index, value].map(Clone::clone);
                self.ufunc_at(found, op, promote, parts, span)
            }
            (UfuncMethod::Reduce, [a]) => self.ufunc_reduce(found, op, promote, a.clone(), axis, span),
            (UfuncMethod::Reduce, [a, axis]) => {
                self.ufunc_reduce(found, op, promote, a.clone(), Some(axis.clone()), span)
            }
            (UfuncMethod::Accumulate, [a]) => self.accumulate(found, op, a.clone(), axis, span),
            (UfuncMethod::Accumulate, [a, axis]) => {
                self.accumulate(found, op, a.clone(), Some(axis.clone()), span)
            }
            (UfuncMethod::ReduceAt, [a, at]) => {
                self.reduce_at(found, op, promote, [a, at].map(Clone::clone), axis, span)
            }
            (UfuncMethod::ReduceAt, [a, at, axis]) => {
                let axis = Some(axis.clone());
                self.reduce_at(found, op, promote, [a, at].map(Clone::clone), axis, span)
            }
            _ => {
                let headline = format!("`.{}` does not take these arguments", method.name);
                self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "")
            }
        }
    }

    fn not_of_this(&mut self, found: Found, method: &str, span: Span) -> Expr {
        let what = format!("`{}.{method}`", Self::shown_name(&found));
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, format!("{what} is not supported yet"))
            .primary(span, "not supported yet")
            .help("write a loop over the elements");
        self.fail(diagnostic)
    }

    /// All pairs of elements.
    fn outer(&mut self, found: Found, op: ElemOp, promote: Promote, [a, b]: [Expr; 2], span: Span) -> Expr {
        let (a, b) = (self.as_operand(a), self.as_operand(b));
        let a = match (&a.ty, b.ty.rank()) {
            (Ty::Array { dtype, rank }, Some(more)) => {
                let mut items = vec![index::WHOLE; usize::from(*rank)];
                items.extend(vec![IndexItem::New; usize::from(more)]);
                let ty = Ty::array(*dtype, rank + more);
                Self::op(OpKind::View(items), vec![a], ty, span)
            }
            _ => a,
        };
        self.pairwise(found, op, promote, a, b, span)
    }

    /// Lists and tuples as arrays.
    pub(in crate::typed) fn as_operand(&mut self, value: Expr) -> Expr {
        let span = value.span;
        match (&value.kind, &value.ty) {
            // As an item of a list a number of NumPy's has lost the type that it has in an array.
            (ExprKind::Op(OpKind::ListNew, items), Ty::List(num))
                if num.weak && items.iter().any(was_strong) =>
            {
                let headline = "a list whose items are numbers of Python's and NumPy's stands for an array";
                let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
                    .primary(span, format!("this is {}", value.ty))
                    .help("make an array of it: `np.array(…)`");
                self.fail(diagnostic)
            }
            (_, ty) if ty.is_sequence() => self.array_of_list(value, span),
            (_, Ty::Tuple(_)) => self.array_of(value, None, span),
            _ => value,
        }
    }

    fn pairwise(&mut self, found: Found, op: ElemOp, promote: Promote, a: Expr, b: Expr, span: Span) -> Expr {
        if op.arity() != 2 {
            return self.not_of_this(found, "outer", span);
        }
        let result = if promote == Promote::Truth {
            let parts = [a, b].map(|x| self.elements_truth(x));
            Self::elem(op, parts.to_vec(), false, span)
        } else {
            let name = Self::shown_name(&found);
            self.arithmetic(op, promote, a, b, &name, span)
        };
        self.strong(result)
    }

    fn ufunc_reduce(
        &mut self,
        found: Found,
        op: ElemOp,
        promote: Promote,
        array: Expr,
        axis: Option<Expr>,
        span: Span,
    ) -> Expr {
        let array = self.as_operand(array);
        let (op, how) = match (op, promote) {
            (ElemOp::Add, _) => (ReduceOp::Sum, Accumulate::Wide),
            (ElemOp::Mul, _) => (ReduceOp::Prod, Accumulate::Wide),
            (ElemOp::Min, _) => (ReduceOp::Min, Accumulate::Element),
            (ElemOp::Max, _) => (ReduceOp::Max, Accumulate::Element),
            (ElemOp::And, Promote::Truth) => (ReduceOp::All, Accumulate::Truth),
            (ElemOp::Or, Promote::Truth) => (ReduceOp::Any, Accumulate::Truth),
            (ElemOp::And, _) => (ReduceOp::And, Accumulate::Element),
            (ElemOp::Or, _) => (ReduceOp::Or, Accumulate::Element),
            (ElemOp::Xor, _) => (ReduceOp::Xor, Accumulate::Element),
            _ => return self.not_of_this(found, "reduce", span),
        };
        if let (ReduceOp::And | ReduceOp::Or | ReduceOp::Xor, Some(num)) = (op, array.ty.num())
            && !ElemOp::And.domain().contains(num.dtype)
        {
            let headline = format!("`{}` does not take {}", Self::shown_name(&found), array.ty);
            return self.error(code::UNSUPPORTED_OPERAND, span, headline, "integers and bools have bits");
        }
        let Some(rank @ 1..) = array.ty.rank() else { return self.needs_axis(found, &array, span) };
        let axes = match axis {
            Some(axis) if axis.ty == Ty::None => None,
            Some(axis) => match self.axes(&axis, rank) {
                Some(axes) => Some(axes),
                None => return Expr::error(span),
            },
            None => Some(vec![0]),
        };
        self.reduce(array, op, how, axes, false, None, span)
    }

    fn needs_axis(&mut self, found: Found, value: &Expr, span: Span) -> Expr {
        let headline = format!("a method of `{}` needs an array, not {}", Self::shown_name(&found), value.ty);
        self.error(code::TYPE_MISMATCH, span, headline, &format!("this is {}", value.ty))
    }

    fn accumulate(&mut self, found: Found, op: ElemOp, array: Expr, axis: Option<Expr>, span: Span) -> Expr {
        let array = self.as_operand(array);
        let Some(1..) = array.ty.rank() else { return self.needs_axis(found, &array, span) };
        let axis = axis.unwrap_or_else(|| Expr::int(0, span));
        if !axis.is_constant() {
            return self.not_constant("axis", &axis);
        }
        let (file, function, takes_out) = match op {
            ElemOp::Add => ("stats", "cumsum", true),
            ElemOp::Mul => ("stats", "cumprod", true),
            ElemOp::Min => ("numeric", "running_minimum", false),
            ElemOp::Max => ("numeric", "running_maximum", false),
            _ => return self.not_of_this(found, "accumulate", span),
        };
        let mut args = vec![array, axis.clone()];
        let mut constants = vec![None, Some(axis)];
        if takes_out {
            // Neither a type nor an array for the result.
            args.extend([Expr::none(span), Expr::none(span)]);
            constants.extend([Some(Expr::none(span)), Some(Expr::none(span))]);
        }
        self.prelude_instance(file, function, args, constants, span)
    }

    /// `np.add.reduceat(array, indices)`: the parts between indices reduced.
    fn reduce_at(
        &mut self,
        found: Found,
        op: ElemOp,
        promote: Promote,
        [array, indices]: [Expr; 2],
        axis: Option<Expr>,
        span: Span,
    ) -> Expr {
        let (array, indices) = (self.as_operand(array), self.as_operand(indices));
        let Some(1..) = array.ty.rank() else { return self.needs_axis(found, &array, span) };
        let axis = axis.unwrap_or_else(|| Expr::int(0, span));
        if !axis.is_constant() {
            return self.not_constant("axis", &axis);
        }
        let how = match (op, promote) {
            (ElemOp::Add, _) => 0,
            (ElemOp::Mul, _) => 1,
            (ElemOp::Min, _) => 2,
            (ElemOp::Max, _) => 3,
            (ElemOp::And, Promote::Truth) => 4,
            (ElemOp::Or, Promote::Truth) => 5,
            _ => return self.not_of_this(found, "reduceat", span),
        };
        let how = Expr::int(how, span);
        let constants = vec![None, None, Some(axis.clone()), Some(how.clone())];
        self.prelude_instance("numeric", "reduceat", vec![array, indices, axis, how], constants, span)
    }

    /// `np.add.at(array, index, value)`: as a loop would do it, so that an element named twice changes twice.
    fn ufunc_at(
        &mut self,
        found: Found,
        op: ElemOp,
        promote: Promote,
        [array, index, value]: [Expr; 3],
        span: Span,
    ) -> Expr {
        if !array.ty.is_array() {
            return self.needs_axis(found, &array, span);
        }
        if op.arity() != 2 || promote == Promote::Truth {
            return self.not_of_this(found, "at", span);
        }
        let statements = self.block(|s| {
            let array = s.keep(array);
            let value = s.as_operand(value);
            let value = s.keep(value);
            let own = array.ty.num();
            let Some(place) = s.place_of(array, index, span) else { return };
            s.combine_at(&place, value, span, |s, old, value| {
                let name = Self::shown_name(&found);
                let new = s.arithmetic(op, promote, old, value, &name, span);
                // NumPy stores it whatever it is, and warns where it leaves an imaginary part out.
                match (new.ty.num(), own) {
                    (Some(num), Some(own)) if !num.dtype.is_complex() => {
                        s.convert(new, Num::strong(own.dtype))
                    }
                    _ => new,
                }
            });
        });
        Self::seq(statements, Expr::none(span))
    }

    /// What an index that is a value names in an array.
    fn place_of(&mut self, array: Expr, index: Expr, span: Span) -> Option<Place> {
        let all = self.indices_of_value(index, span)?;
        let rank = array.ty.rank()?;
        let used: usize = all.iter().map(index::Index::axes).sum();
        if used > usize::from(rank) {
            let headline = format!("too many indices: {} has rank {rank}", array.ty);
            self.error(code::INDEX_COUNT, span, headline, "too many indices");
            return None;
        }
        self.array_place(array, all, span)
    }
}

/// Whether a number of Python's was made of one of NumPy's.
fn was_strong(item: &Expr) -> bool {
    match &item.kind {
        ExprKind::Op(OpKind::Cast, from) => from[0].ty.scalar().is_some_and(|num| !num.weak),
        _ => false,
    }
}
